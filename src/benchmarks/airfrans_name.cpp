// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_name.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.h"

namespace fluidsplat::benchmarks {

namespace {

constexpr std::string_view kPrefix = "airFoil2D_SST_";

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  fail("\"{}\": {}; the name of an airfoil case is {}<speed>_<angle>_<3 or 4 NACA digits, each after a _>", name, why,
       kPrefix);
}

// 46.0, 9.78, 1.334
std::string number(double value) {
  auto text = fmt::format("{:.3f}", value);
  while (text.back() == '0' && text[text.size() - 2] != '.') text.pop_back();
  return text;
}

}  // namespace

AirfransName parse_airfrans_name(const std::string& name) {
  if (!name.starts_with(kPrefix)) refuse(name, "does not begin as it should");
  std::vector<double> numbers;
  std::string_view rest = std::string_view(name).substr(kPrefix.size());
  for (bool more = true; more;) {
    const auto end = std::min(rest.find('_'), rest.size());
    double value = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, value);
    if (error != std::errc() || stop != rest.data() + end || !std::isfinite(value))
      refuse(name, fmt::format("\"{}\" is not a number", rest.substr(0, end)));
    numbers.push_back(value);
    more = end < rest.size();
    rest.remove_prefix(more ? end + 1 : end);
  }
  if (numbers.size() != 5 && numbers.size() != 6) refuse(name, fmt::format("holds {} numbers", numbers.size()));
  if (!(numbers[0] > 0)) refuse(name, fmt::format("the speed {} is not above 0", numbers[0]));
  return {numbers[0], numbers[1], {numbers.begin() + 2, numbers.end()}};
}

std::string to_string(const AirfransName& name) {
  std::string text = fmt::format("{}{}_{}", kPrefix, number(name.speed), number(name.angle));
  for (double digit : name.digits) text += "_" + number(digit);
  return text;
}

}  // namespace fluidsplat::benchmarks
