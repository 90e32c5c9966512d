// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "survey/summary.h"

namespace fluidsplat::survey {
namespace {

constexpr double kShares[] = {0.9, 0.99, 0.999};

std::string unit_text(const std::string& unit) {
  return unit.empty() ? "" : fmt::format(" [{}]", unit);
}

std::string table(const char* title, const std::vector<ColumnSummary>& columns) {
  std::string out = fmt::format("{:<22}{:>12}{:>12}{:>12}{:>12}\n", title, "least", "most", "mean", "deviation");
  for (const auto& c : columns)
    out += fmt::format("  {:<20}{:>12.5g}{:>12.5g}{:>12.5g}{:>12.5g}\n", c.column.name + unit_text(c.column.unit),
                       c.least, c.most, c.mean, c.deviation);
  return out;
}

std::string meshes_text(const Summary& s) {
  std::string out;
  for (const auto& m : s.mesh) {
    const auto what = m.grid_shape.empty()
                          ? fmt::format("{} scattered points", m.points)
                          : fmt::format("grid {} (slowest axis first), {} points with data ({:.1f} % without)",
                                        fmt::join(m.grid_shape, " x "), m.points, 100 * m.no_data_share);
    out += fmt::format(
        "  mesh {}: {}, {} on the wall{}{}, {} case{}\n", m.index, what, m.surface, m.normals ? " with normals" : "",
        m.wall_area ? fmt::format(" and areas ({:.4g} in all)", *m.wall_area) : "", m.cases, m.cases == 1 ? "" : "s");
  }
  if (const auto more = s.meshes - std::ssize(s.mesh); more > 0)
    out += fmt::format("  ... and {} more; the meshes have {} to {} points\n", more, s.points_least, s.points_most);
  return out;
}

nlohmann::json columns_json(const std::vector<ColumnSummary>& columns) {
  auto out = nlohmann::json::array();
  for (const auto& c : columns)
    out.push_back({{"name", c.column.name},
                   {"unit", c.column.unit},
                   {"min", c.least},
                   {"max", c.most},
                   {"mean", c.mean},
                   {"std", c.deviation}});
  return out;
}

}  // namespace

std::string to_text(const Summary& s) {
  std::string out = fmt::format("{}: {}\n", s.file, s.title.empty() ? "no title" : s.title);
  out += fmt::format("{} case{} on {} mesh{}, {}-D, domain", s.cases, s.cases == 1 ? "" : "s", s.meshes,
                     s.meshes == 1 ? "" : "es", s.schema.dim());
  for (std::size_t a = 0; a < s.domain.low.size(); ++a)
    out += fmt::format("{} {} {:g} to {:g}{}", a ? "," : "", s.schema.coordinates[a].name, s.domain.low[a],
                       s.domain.high[a], unit_text(s.schema.coordinates[a].unit));
  out += fmt::format("\ntimes {:g} to {:g}{}\n", s.first_time, s.last_time,
                     s.time_step   ? fmt::format(", every {:g}", *s.time_step)
                     : s.cases > 1 ? ", not equally spaced"
                                   : "");
  out += meshes_text(s);
  out += table("channel", s.channels);
  if (!s.descriptors.empty()) out += table("descriptor", s.descriptors);
  for (const auto& f : s.schema.features) out += fmt::format("feature {}{}\n", f.name, unit_text(f.unit));
  if (s.examined < s.cases) out += fmt::format("  (from {} cases, evenly spread)\n", s.examined);
  if (s.pod) {
    out += fmt::format("POD of {} cases of mesh {}:", s.pod->snapshots, s.pod->mesh);
    for (double share : kShares)
      out += fmt::format("{} {:g} % of the energy in {} mode{}", share > kShares[0] ? "," : "", 100 * share,
                         s.pod->modes_for(share), s.pod->modes_for(share) == 1 ? "" : "s");
    out += "\n";
  } else {
    out += "POD: not computed (no two cases share a mesh, or nothing varies)\n";
  }
  out += fmt::format("correlation length {:.3g} of the domain, mesh spacing {:.3g}\n", s.lengths.correlation,
                     s.lengths.spacing);
  if (s.spectrum)
    out += fmt::format("spectrum of {}: energy falls as frequency^{:.1f} (smoothness about {:.1f})\n",
                       s.spectrum->channel, s.spectrum->slope, s.spectrum->smoothness);
  return out;
}

nlohmann::json to_json(const Summary& s) {
  auto meshes = nlohmann::json::array();
  for (const auto& m : s.mesh) {
    meshes.push_back({{"points", m.points},
                      {"cases", m.cases},
                      {"surface_points", m.surface},
                      {"surface_normals", m.normals},
                      {"grid_shape", m.grid_shape},
                      {"no_data_share", m.no_data_share}});
    if (m.wall_area) meshes.back()["surface_area"] = *m.wall_area;
  }
  auto coordinates = nlohmann::json::array();
  for (const auto& c : s.schema.coordinates) coordinates.push_back({{"name", c.name}, {"unit", c.unit}});
  nlohmann::json out = {{"file", s.file},
                        {"title", s.title},
                        {"cases", s.cases},
                        {"mesh_count", s.meshes},
                        {"points_least", s.points_least},
                        {"points_most", s.points_most},
                        {"meshes", meshes},
                        {"coordinates", coordinates},
                        {"domain", {{"low", s.domain.low}, {"high", s.domain.high}}},
                        {"times", {{"first", s.first_time}, {"last", s.last_time}}},
                        {"cases_examined", s.examined},
                        {"channels", columns_json(s.channels)},
                        {"descriptors", columns_json(s.descriptors)},
                        {"correlation_length", s.lengths.correlation},
                        {"spacing", s.lengths.spacing}};
  if (s.time_step) out["times"]["step"] = *s.time_step;
  if (s.pod) {
    out["pod"] = {{"snapshots", s.pod->snapshots}};
    for (double share : kShares) out["pod"]["modes"][fmt::format("{:g}", share)] = s.pod->modes_for(share);
  }
  if (s.spectrum)
    out["spectrum"] = {
        {"channel", s.spectrum->channel}, {"slope", s.spectrum->slope}, {"smoothness", s.spectrum->smoothness}};
  return out;
}

}  // namespace fluidsplat::survey
