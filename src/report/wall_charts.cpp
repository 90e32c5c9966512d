// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/wall_charts.h"

#include <algorithm>
#include <map>

#include "base/atomic_file.h"
#include "draw/chart.h"

namespace fluidsplat::report {
namespace {

std::string forces_chart(const io::Table& forces) {
  std::vector<draw::Series> lines;
  for (std::size_t c = 1; c < forces.header.size(); ++c)
    lines.push_back({forces.header[c], forces.columns[0], forces.columns[c], forces.rows() > 1, false});
  return draw::line_chart(lines, {.title = "Pressure forces", .x_label = "time", .y_label = "coefficient"});
}

// Of each place along the wall, over all instants.
std::string pressure_chart(const io::Table& pressure) {
  struct Spread {
    double sum = 0, count = 0, low = 1e300, high = -1e300;
  };
  std::map<double, Spread> along;
  const auto &where = pressure.column("arclength"), &cp = pressure.column("cp");
  for (std::size_t i = 0; i < cp.size(); ++i) {
    auto& s = along[where[i]];
    s.sum += cp[i];
    s.count += 1;
    s.low = std::min(s.low, cp[i]);
    s.high = std::max(s.high, cp[i]);
  }
  draw::Series mean{"mean", {}, {}, true, false}, low{"least", {}, {}, true, true}, high{"most", {}, {}, true, true};
  for (const auto& [place, s] : along) {
    for (auto* series : {&mean, &low, &high}) series->x.push_back(place);
    mean.y.push_back(s.sum / s.count);
    low.y.push_back(s.low);
    high.y.push_back(s.high);
  }
  return draw::line_chart({mean, low, high}, {.title = "Pressure along the wall",
                                              .x_label = "share of the perimeter, from the point farthest along x",
                                              .y_label = "pressure coefficient"});
}

}  // namespace

std::vector<std::string> write_wall_charts(const io::Table& forces, const io::Table& pressure,
                                           const std::filesystem::path& folder) {
  write_file(folder / "forces.svg", forces_chart(forces));
  if (std::ranges::find(pressure.header, "arclength") == pressure.header.end()) return {"forces.svg"};
  write_file(folder / "wall_pressure.svg", pressure_chart(pressure));
  return {"forces.svg", "wall_pressure.svg"};
}

}  // namespace fluidsplat::report
