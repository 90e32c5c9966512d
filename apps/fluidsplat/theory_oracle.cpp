// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/theory_commands.h"
#include "field/dataset_file.h"
#include "report/theory_report.h"
#include "theory/oracle.h"

namespace fluidsplat::app {

void add_theory_oracle(CLI::App& parent) {
  struct Options {
    std::string data, out = "report/theory", unit = "fill";
    theory::OracleRequest request;
  };
  auto o = std::make_shared<Options>();
  auto* command =
      parent.add_subcommand("oracle", "the best a scaffold can do on frames of a dataset, raw and smoothed");
  command->add_option("--data", o->data, "the dataset, on a grid")->required();
  command->add_option("--channel", o->request.channel, "which channel (default: the first)");
  command->add_option("--frames", o->request.frames, "how many, evenly spaced")->check(CLI::Range(1, 100000));
  command->add_option("--split", o->request.split, "a split file, or a run: its training cases are left out");
  command->add_option("--smooth", o->request.sweep.smooth_pixels, "widths of the Gaussian filter, pixels")
      ->delimiter(',');
  command->add_option("--counts", o->request.sweep.counts, "primitive counts")->delimiter(',');
  command->add_option("--alpha", o->request.sweep.alpha, "scale of a primitive over the unit");
  command->add_option("--unit", o->unit, "fill: fill distance of the centres; spacing: their mean spacing")
      ->check(CLI::IsMember({"fill", "spacing"}));
  command->add_option("--out", o->out, "folder for oracle.csv and oracle.html");
  command->callback([o] {
    if (o->unit == "spacing") o->request.sweep.unit = theory::ScaleUnit::kSpacing;
    const field::DatasetFile dataset(o->data);
    const theory::DatasetOracle oracle = theory::oracle_sweep(dataset, o->request);
    const std::string subject = oracle.subject(dataset.title());
    report::write_exhibit(report::show_oracle(oracle.rows, o->request.sweep, subject), o->out, "oracle");
    fmt::print("{}\n", subject);
    for (const theory::OracleSweepRow& row : oracle.rows)
      fmt::print("{:6} roughness {:.4f}  exponent {:.3f} [{:.3f}, {:.3f}]\n", row.name(), row.roughness,
                 row.curve.fit.exponent, row.curve.fit.low, row.curve.fit.high);
    fmt::print("Figures: {}/oracle.html\n", o->out);
  });
}

}  // namespace fluidsplat::app
