// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/theory_commands.h"
#include "base/interrupt.h"
#include "report/theory_report.h"

namespace fluidsplat::app {

void add_theory_rates(CLI::App& parent) {
  auto out = std::make_shared<std::string>("report/theory");
  auto* command = parent.add_subcommand("rates", "measure approximation rates on fields of known smoothness");
  command->add_option("--out", *out, "folder for rates.csv and rates.html");
  command->callback([out] {
    const auto studies = theory::study_rates([](const theory::RateStudy& study) {
      fmt::print("{:22} {:30} expected {}{:.3f}  measured {:.3f} [{:.3f}, {:.3f}]\n", study.field,
                 name_of(study.primitives), study.expected_is_bound ? "<= " : "", study.expected,
                 study.curve.fit.exponent, study.curve.fit.low, study.curve.fit.high);
      return !interrupted();
    });
    if (interrupted()) return;
    report::write_exhibit(report::show_rates(studies), *out, "rates");
    fmt::print("Figures: {}/rates.html\n", *out);
  });
}

}  // namespace fluidsplat::app
