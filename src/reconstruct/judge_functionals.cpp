// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/judge_functionals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fluidsplat::reconstruct {

FunctionalJudge::FunctionalJudge(FieldModel& model, std::shared_ptr<const uncertainty::Calibration> calibration,
                                 const uncertainty::BandRequest& request, const std::string& where)
    : model_(model),
      calibration_(std::move(calibration)),
      functionals_(calibration_->functionals, model.schema(), where),
      band_(calibration_, {model.sensors(), model.description().normalization}, request) {}

JudgedFunctionals FunctionalJudge::judge(const field::Case& c, Index index, const field::SensorReadings& readings,
                                         const field::Matrix& said) {
  JudgedFunctionals out{.index = index, .name = c.name, .time = c.time};
  out.is_calibrated_on = std::ranges::binary_search(calibration_->cases, index);
  const auto descriptors = descriptors_for(c.descriptors, model_.schema());
  const auto on_wall = c.mesh->wall ? model_.reconstruct(readings, descriptors, c.mesh->wall).field : field::Matrix();
  out.truth = functionals_.of(c.mesh, c.fields, c.wall_fields, c.descriptors, c.reference);
  out.said = functionals_.of(c.mesh, said, on_wall, c.descriptors, c.reference);
  band_.observe(readings.values.data());
  for (Index f = 0; f < std::ssize(out.said); ++f) {
    const auto [lower, upper] = band_.interval(f, out.said[f]);
    out.lower.push_back(lower);
    out.upper.push_back(upper);
  }
  return out;
}

std::string functionals_csv(const std::vector<JudgedFunctionals>& rows,
                            const std::vector<uncertainty::Functional>& list) {
  std::string out = "case,time,calibrated_on";
  for (const auto& f : list)
    for (const char* what : {"_true", "", "_lower", "_upper"}) out += "," + f.name + what;
  out += "\n";
  for (const auto& r : rows) {
    out += fmt::format("{},{:.9g},{}", r.index, r.time, r.is_calibrated_on ? 1 : 0);
    for (std::size_t f = 0; f < list.size(); ++f)
      out += fmt::format(",{:.6g},{:.6g},{:.6g},{:.6g}", r.truth[f], r.said[f], r.lower[f], r.upper[f]);
    out += "\n";
  }
  return out;
}

std::string describe_functionals(const std::vector<JudgedFunctionals>& rows,
                                 const std::vector<uncertainty::Functional>& list, double level) {
  std::string out;
  const auto left = std::ranges::count(rows, false, &JudgedFunctionals::is_calibrated_on);
  for (std::size_t f = 0; f < list.size(); ++f) {
    Index inside = 0, known = 0;
    double width = 0, error = 0;
    for (const auto& r : rows) {
      if (r.is_calibrated_on || std::isnan(r.truth[f]) || std::isnan(r.said[f])) continue;
      ++known;
      inside += r.truth[f] >= r.lower[f] && r.truth[f] <= r.upper[f];
      width += r.upper[f] - r.lower[f];
      error += std::abs(r.truth[f] - r.said[f]);
    }
    const auto name = list[f].unit.empty() ? list[f].name : fmt::format("{} ({})", list[f].name, list[f].unit);
    if (known == 0)
      out += fmt::format("  {}: {}\n", name, left == 0 ? "every case was calibrated on" : "not known in these cases");
    else
      out += fmt::format("  {}: interval of {:g} % {:.4g} wide, mean error {:.4g}; held in {} of {} cases ({:.1f} %)\n",
                         name, 100 * level, width / double(known), error / double(known), inside, known,
                         100 * double(inside) / double(known));
  }
  return out;
}

}  // namespace fluidsplat::reconstruct
