// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/theory_commands.h"
#include "report/theory_report.h"

namespace fluidsplat::app {

void add_theory_risk(CLI::App& parent) {
  struct Options {
    std::string out = "report/theory";
    theory::RiskStudySettings settings;
  };
  auto o = std::make_shared<Options>();
  auto* command = parent.add_subcommand("risk", "bias against variance of least squares with a fixed dictionary");
  command->add_option("--dimension", o->settings.dimension, "of the domain")->check(CLI::Range(1, 2));
  command->add_option("--power", o->settings.power, "the field is |x|^power near a point: s = power + d/2");
  command->add_option("--samples", o->settings.samples, "noisy readings (0: a fitting number)")
      ->check(CLI::Range(0, 100000));
  command->add_option("--noise", o->settings.noise, "of a reading (0: a fitting value)")->check(CLI::NonNegativeNumber);
  command->add_option("--seed", o->settings.seed, "of the field and the samples");
  command->add_option("--out", o->out, "folder for risk and variance, .csv and .html");
  command->callback([o] {
    const theory::RiskStudy study = theory::study_risk(o->settings);
    report::write_exhibit(report::show_risk(study), o->out, "risk");
    const double sigma = study.settings.noise;
    fmt::print("Least risk at K = {:.1f}; K* with measured constants {:.1f}\n", study.curve.minimiser(sigma),
               study.curve.predicted_minimiser(sigma));
    fmt::print("The minimum grows as (N/noise^2)^{:.3f} [{:.3f}, {:.3f}]; theory {:.3f}\n", study.scaling.exponent,
               study.scaling.low, study.scaling.high, study.expected_scaling);
    const auto independent = theory::study_variance(), even = theory::study_variance({.stratified = true});
    report::write_exhibit(report::show_variance(independent, even), o->out, "variance");
    for (const auto& [name, cells] :
         {std::pair{"independent samples", &independent}, std::pair{"one sample per cell", &even}}) {
      const auto enough = theory::plentiful(*cells);
      fmt::print(
          "Variance over noise^2 K/N, {}: constant within {:.1f} % over {} cells with N >= {:g} K log K, {:.1f} % over "
          "all {}\n",
          name, 100 * relative_range(enough), enough.size(), theory::kPlenty, 100 * relative_range(*cells),
          cells->size());
    }
    fmt::print("Figures: {0}/risk.html, {0}/variance.html\n", o->out);
  });
}

}  // namespace fluidsplat::app
