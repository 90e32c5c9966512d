// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "theory/risk_study.h"

#include "base/error.h"
#include "theory/analytic_fields.h"

namespace fluidsplat::theory {

RiskStudy study_risk(RiskStudySettings settings) {
  const int d = settings.dimension;
  if (d != 1 && d != 2) fail("the risk study exists in 1 and 2 dimensions, not {}", d);
  if (settings.samples == 0) settings.samples = d == 1 ? 1200 : 4096;
  if (settings.noise == 0) settings.noise = d == 1 ? 0.04 : 0.1;
  const std::vector<int> all = d == 1 ? std::vector<int>{8, 11, 16, 23, 32, 45, 64, 91, 128}
                                      : std::vector<int>{16, 25, 36, 49, 64, 100, 144, 196, 256};
  const int per_axis = int(std::lround(std::pow(settings.samples, 1.0 / d)));
  settings.samples = int(std::lround(std::pow(per_axis, d)));
  std::vector<int> counts;
  for (int k : all)
    if (4 * k <= settings.samples) counts.push_back(k);
  if (counts.size() < 3) fail("a risk study needs {} samples or more, got {}", 4 * all[2], settings.samples);

  const AnalyticField field = point_singularity(d, settings.power, settings.seed);
  const RiskProblem problem =
      make_risk_problem(unit_box(d), d == 1 ? 2000 : 80, [&](const Points& points) { return field.at(points); });
  Random random(settings.seed, 1);
  RiskStudy study;
  study.settings = settings;
  study.smoothness = field.smoothness;
  study.expected_scaling = d / (2 * field.smoothness + d);
  study.curve = risk_curve(problem, stratified_points(unit_box(d), per_axis, random), counts);
  for (double factor : {0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8}) study.noises.push_back(factor * settings.noise);
  study.scaling = minimiser_scaling(study.curve, study.noises);
  return study;
}

}  // namespace fluidsplat::theory
