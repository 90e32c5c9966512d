// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/channel_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace fluidsplat::importing {
namespace {

// Numbers that stand for "nothing here": the default of NetCDF for reals, those of climate models and of satellite
// and survey data.  What 16-bit integers use (-32768, -32767) and 9999 are as common.
constexpr float kFills[] = {9.96920996838687e36f,
                            1e20f,
                            1e30f,
                            1e35f,
                            1e36f,
                            1e37f,
                            -99.99f,
                            999.f,
                            9999.f,
                            99999.f,
                            999.9f,
                            -999.9f,
                            -999.f,
                            -9999.f,
                            -99999.f,
                            -32767.f,
                            -32768.f,
                            -1e20f,
                            -1e30f,
                            -1e35f,
                            -9.96920996838687e36f,
                            std::numeric_limits<float>::max(),
                            std::numeric_limits<float>::lowest()};
// How many times the spread of the other values one must be away to be none of them.
constexpr double kFar = 3;

bool is_suspicious(float value) {
  return std::find(std::begin(kFills), std::end(kFills), value) != std::end(kFills);
}

}  // namespace

ChannelRanges::ChannelRanges(const field::Schema& schema) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& c : schema.channels) channels_.push_back({c.name, infinity, -infinity, {}, 0});
}

void ChannelRanges::add(const field::Matrix& fields) {
  for (Index c = 0; c < fields.cols(); ++c) {
    auto& channel = channels_[c];
    for (Index i = 0; i < fields.rows(); ++i) {
      const float v = fields(i, c);
      if (std::isnan(v)) continue;
      if (std::isinf(v)) {
        ++channel.infinite;
      } else if (is_suspicious(v)) {
        ++channel.fills[v];
      } else {
        channel.low = std::min<double>(channel.low, v);
        channel.high = std::max<double>(channel.high, v);
      }
    }
  }
}

void ChannelRanges::refuse_fill_values() const {
  std::vector<std::string> found, numbers;
  for (const auto& c : channels_) {
    const bool others = c.low <= c.high;
    for (const auto& [value, count] : c.fills) {
      const double away = std::max(c.low - value, value - c.high);
      if (!others || away <= kFar * std::max(c.high - c.low, std::max(std::abs(c.low), std::abs(c.high)) / kFar))
        continue;
      found.push_back(fmt::format("{} value{} of \"{}\" {} {:g}, the others run from {:g} to {:g}", count,
                                  count == 1 ? "" : "s", c.name, count == 1 ? "is" : "are", value, c.low, c.high));
      auto text = fmt::format("{}", value);
      if (std::find(numbers.begin(), numbers.end(), text) == numbers.end()) numbers.push_back(std::move(text));
    }
  }
  if (found.empty()) return;
  fail(
      "import: {}: this looks like a mark for \"no data\"; leave such points out with no_data = {} (or, if they are "
      "data, say fill_values = keep)",
      fmt::join(found, "; "), fmt::join(numbers, ","));
}

std::vector<std::string> ChannelRanges::notes() const {
  std::vector<std::string> out;
  for (const auto& c : channels_) {
    if (c.infinite > 0)
      out.push_back(fmt::format("\"{}\": {} value{} infinite: left out as no data", c.name, c.infinite,
                                c.infinite == 1 ? " is" : "s are"));
    const double size = std::max(std::abs(c.low), std::abs(c.high));
    if (c.fills.empty() && c.low <= c.high && c.high - c.low <= 1e-6 * size)
      out.push_back(fmt::format("\"{}\" is constant: {:g} everywhere, in all cases", c.name, c.low));
  }
  return out;
}

}  // namespace fluidsplat::importing
