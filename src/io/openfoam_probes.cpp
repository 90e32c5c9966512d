// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/openfoam_probes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;

std::optional<double> number(std::string_view word) {
  double out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return out;
}

// The folders of start times, earliest first.
std::vector<std::pair<double, fs::path>> starts_in(const fs::path& folder) {
  std::vector<std::pair<double, fs::path>> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const auto start = number(entry.path().filename().string()); start && entry.is_directory())
      out.emplace_back(*start, entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

fs::path find_function_object(const fs::path& folder) {
  if (!fs::is_directory(folder)) fail("{}: no such folder", folder.string());
  if (!starts_in(folder).empty() && !fs::exists(folder / "constant")) return folder;
  const auto inside = fs::exists(folder / "postProcessing") ? folder / "postProcessing" : folder;
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(inside))
    if (entry.is_directory() && !starts_in(entry.path()).empty()) found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  if (found.empty())
    fail("{}: has no probes; the folder postProcessing/NAME with a folder for each start time is needed",
         folder.string());
  if (found.size() > 1) fail("{}: has several; name one of {}", folder.string(), fmt::join(found, ", "));
  return found.front();
}

// One file: a row of numbers for every time, vectors in parentheses.
struct ProbeFile {
  std::vector<std::array<double, 3>> places;
  std::size_t components = 0;                  // of each value
  std::map<double, std::vector<double>> rows;  // by time
};

std::vector<double> numbers_of(std::string_view line, std::size_t& vectors) {
  std::vector<double> out;
  vectors = 0;
  std::string word;
  for (const char c : std::string(line) + " ") {
    vectors += c == '(';
    if (c != ' ' && c != '\t' && c != '(' && c != ')' && c != '\r') {
      word += c;
    } else if (!word.empty()) {
      const auto value = number(word);
      // OpenFOAM writes a huge number where a probe lies outside the mesh.
      out.push_back(value && std::abs(*value) < 1e300 ? *value : std::numeric_limits<double>::quiet_NaN());
      word.clear();
    }
  }
  return out;
}

ProbeFile read_probe_file(const fs::path& path) {
  ProbeFile out;
  const auto text = read_file(path);
  std::string_view rest = text;
  for (std::size_t line_number = 1; !rest.empty(); ++line_number) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::size_t vectors = 0;
    if (line.starts_with('#')) {
      const auto open = line.find('(');
      if (line.find("Probe") == std::string_view::npos || open == std::string_view::npos) continue;
      const auto place = numbers_of(line.substr(open, line.find(')', open) - open), vectors);
      if (place.size() != 3) fail("{}:{}: a probe has three coordinates", path.string(), line_number);
      out.places.push_back({place[0], place[1], place[2]});
      continue;
    }
    const auto values = numbers_of(line, vectors);
    if (values.empty()) continue;
    const auto n = out.places.size();
    if (n == 0 || (values.size() - 1) % n != 0 || (vectors > 0 && vectors != n))
      fail("{}:{}: {} values for {} probes", path.string(), line_number, values.size() - 1, n);
    const auto components = (values.size() - 1) / n;
    if (components == 0 || (out.components != 0 && components != out.components))
      fail("{}:{}: the row is cut short", path.string(), line_number);
    out.components = components;
    out.rows[values[0]].assign(values.begin() + 1, values.end());
  }
  return out;
}

std::vector<std::string> component_names(const std::string& field, std::size_t components) {
  if (components == 1) return {field};
  if (components == 3 && field == "U") return {"u", "v", "w"};
  std::vector<std::string> out;
  for (std::size_t k = 0; k < components; ++k)
    out.push_back(components == 3 ? fmt::format("{}_{}", field, "xyz"[k]) : fmt::format("{}_{}", field, k));
  return out;
}

}  // namespace

FoamProbes read_foam_probes(const fs::path& given) {
  const auto folder = find_function_object(given);
  std::map<std::string, ProbeFile> fields;
  for (const auto& [start, path] : starts_in(folder))
    for (const auto& entry : fs::directory_iterator(path)) {
      if (!entry.is_regular_file()) continue;
      auto more = read_probe_file(entry.path());
      auto& field = fields[entry.path().filename().string()];
      if (!field.places.empty() && field.places != more.places)
        fail("{}: its probes are at other places than those of an earlier start", entry.path().string());
      field.rows.erase(field.rows.lower_bound(start), field.rows.end());  // that run was given up
      field.rows.merge(more.rows);
      field.places = more.places;
      field.components = std::max(field.components, more.components);
    }
  FoamProbes out;
  std::vector<double> times;
  for (const auto& [name, field] : fields) {
    if (out.places.empty()) out.places = field.places;
    if (field.places != out.places) fail("{}: the probes of its fields are at different places", folder.string());
    for (const auto& [time, row] : field.rows) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (times.empty()) fail("{}: holds no values", folder.string());
  out.readings.source = folder.string();
  out.readings.header = {"time"};
  out.readings.columns = {times};
  for (std::size_t probe = 0; probe < out.places.size(); ++probe)
    for (const auto& [name, field] : fields) {
      const auto names = component_names(name, field.components);
      for (std::size_t k = 0; k < names.size(); ++k) {
        out.readings.header.push_back(fmt::format("probe{}.{}", probe, names[k]));
        auto& column = out.readings.columns.emplace_back();
        for (double time : times) {
          const auto row = field.rows.find(time);
          column.push_back(row == field.rows.end() ? std::numeric_limits<double>::quiet_NaN()
                                                   : row->second[probe * field.components + k]);
        }
      }
    }
  return out;
}

}  // namespace fluidsplat::io
