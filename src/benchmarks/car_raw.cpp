// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_raw.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kPressureFolder = "pressure_files", kPressureEnd = "_p_car_patch.raw",
                           kVelocityFolder = "velocity_files", kVelocityEnd = "_initialConditions", kCase = "case_";
constexpr std::size_t kLargest = std::size_t{1} << 31;

// The next word of a line, which loses it; empty at its end.
std::string_view take_word(std::string_view& line, std::string_view separators = kBlanks) {
  const auto begin = std::min(line.find_first_not_of(separators), line.size());
  line.remove_prefix(begin);
  const auto word = line.substr(0, line.find_first_of(separators));
  line.remove_prefix(word.size());
  return word;
}

template <class T>
std::optional<T> number(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return {};
  return value;
}

// The count of "# p  FACE_DATA 95428", where a comment has one.
std::optional<Index> announced_rows(std::string_view comment) {
  for (auto word = take_word(comment); !word.empty(); word = take_word(comment))
    if (word == "FACE_DATA" || word == "POINT_DATA") return number<Index>(take_word(comment));
  return {};
}

std::array<double, 4> parse_row(std::string_view line, const std::string& file, Index line_number) {
  const auto shown = std::string(line.substr(0, 60));
  std::array<double, 4> row{};
  for (double& value : row) {
    const auto read = number<double>(take_word(line));
    if (!read || !std::isfinite(*read))
      fail("{}:{}: \"{}\" is not four finite numbers x y z p", file, line_number, shown);
    value = *read;
  }
  if (!take_word(line).empty()) fail("{}:{}: \"{}\" has more than the four numbers x y z p", file, line_number, shown);
  return row;
}

// case_<i><end>
std::optional<Index> case_number(std::string_view name, std::string_view end) {
  if (!name.starts_with(kCase) || !name.ends_with(end) || name.size() <= kCase.size() + end.size()) return {};
  return number<Index>(name.substr(kCase.size(), name.size() - kCase.size() - end.size()));
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    out += std::string(line.substr(0, line.find("//"))) + "\n";
  }
  return out;
}

}  // namespace

CarFileNames car_file_names(const fs::path& folder, Index number) {
  return {folder / kPressureFolder / fmt::format("{}{}{}", kCase, number, kPressureEnd),
          folder / kVelocityFolder / fmt::format("{}{}{}", kCase, number, kVelocityEnd)};
}

std::vector<Index> car_case_numbers(const fs::path& folder) {
  std::set<Index> found;
  for (const auto& [sub_folder, end] : {std::pair(kPressureFolder, kPressureEnd), {kVelocityFolder, kVelocityEnd}}) {
    if (!fs::is_directory(folder / sub_folder))
      fail("{}: has no folder {}; name the folder that holds pressure_files and velocity_files", folder.string(),
           sub_folder);
    for (const auto& entry : fs::directory_iterator(folder / sub_folder))
      if (const auto i = case_number(entry.path().filename().string(), end)) found.insert(*i);
  }
  return {found.begin(), found.end()};
}

sim::SurfaceCloud read_car_pressure(const fs::path& path) {
  const auto file = path.string(), text = read_file(path, kLargest);
  if (!text.empty() && text.back() != '\n') fail("{}: ends in the middle of a line; it seems to be cut off", file);
  std::vector<double> values;
  std::optional<Index> announced;
  std::string_view rest = text;
  for (Index line_number = 1; !rest.empty(); ++line_number) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) continue;
    if (line[begin] == '#') {
      if (const auto rows = announced_rows(line)) announced = rows;
      continue;
    }
    const auto row = parse_row(line, file, line_number);
    values.insert(values.end(), row.begin(), row.end());
  }
  const Index rows = std::ssize(values) / 4;
  if (rows == 0) fail("{}: has no row of numbers x y z p", file);
  if (announced && *announced != rows)
    fail("{}: says that it has {} rows, but has {}; it seems to be damaged or cut off", file, *announced, rows);
  const Eigen::Map<const Eigen::Matrix4Xd> table(values.data(), 4, rows);
  return {table.topRows(3), table.row(3)};
}

Eigen::Vector3d read_flow_velocity(const fs::path& path) {
  constexpr std::string_view kKey = "flowVelocity", kSpace = " \t\r\n";
  const auto file = path.string(), text = without_comments(read_file(path, 1 << 20));
  const auto key = text.find(kKey);
  if (key == std::string::npos) fail("{}: has no line \"flowVelocity (vx vy vz)\"", file);
  const auto rest = std::string_view(text).substr(key + kKey.size());
  const auto open = rest.find_first_not_of(kSpace), close = std::min(rest.find(')'), rest.size());
  bool good = open < close && rest[open] == '(' && close < rest.size();
  auto inside = good ? rest.substr(open + 1, close - open - 1) : std::string_view();
  Eigen::Vector3d velocity;
  for (double& v : velocity) {
    const auto read = number<double>(take_word(inside, kSpace));
    good = good && read && std::isfinite(*read);
    v = read.value_or(0);
  }
  if (!good || !take_word(inside, kSpace).empty())
    fail("{}: flowVelocity is not followed by three finite numbers in parentheses: \"{}\"", file,
         rest.substr(0, std::min<std::size_t>(rest.find('\n'), 60)));
  if (!(velocity.norm() > 0)) fail("{}: flowVelocity is zero", file);
  return velocity;
}

std::string car_pressure_text(const sim::SurfaceCloud& cloud) {
  std::string out = fmt::format("# p  FACE_DATA {}\n#  x  y  z  p\n", cloud.values.size());
  for (Index i = 0; i < cloud.values.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{:.7g} {:.7g} {:.7g} {:.7g}\n", cloud.points(0, i), cloud.points(1, i),
                   cloud.points(2, i), cloud.values[i]);
  return out;
}

std::string flow_velocity_text(const Eigen::Vector3d& v) {
  return fmt::format("flowVelocity         ({:.12g} {:.12g} {:.12g});\npressure             0;\n", v.x(), v.y(), v.z());
}

}  // namespace fluidsplat::benchmarks
