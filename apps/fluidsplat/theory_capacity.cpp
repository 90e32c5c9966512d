// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/theory_commands.h"
#include "report/theory_report.h"

namespace fluidsplat::app {

void add_theory_capacity(CLI::App& parent) {
  struct Options {
    std::string out = "report/theory";
    report::CapacityQuestion question;
  };
  auto o = std::make_shared<Options>();
  auto* command = parent.add_subcommand("capacity", "the capacity scale K* from formulas");
  command->add_option("--dimension", o->question.dimension, "of the domain")->check(CLI::Range(1, 3));
  command->add_option("--sensors", o->question.sensors, "numbers of sensors")->delimiter(',');
  command->add_option("--smoothness", o->question.smoothness, "Sobolev smoothness s of the field")->delimiter(',');
  command->add_option("--noise", o->question.noise, "of a reading, relative to the field")->check(CLI::PositiveNumber);
  command->add_option("--reynolds", o->question.reynolds, "count the primitives of a boundary layer");
  command->add_option("--corner", o->question.corner_degrees, "interior angle of a corner, degrees");
  command->add_option("--out", o->out, "folder for capacity.csv and capacity.html");
  command->callback([o] {
    const report::Exhibit exhibit = report::show_capacity(o->question);
    report::write_exhibit(exhibit, o->out, "capacity");
    const io::Table& table = exhibit.table;
    for (std::size_t i = 0; i < table.rows(); ++i)
      fmt::print("d = {:g}  s = {:g}  N = {:g}: K* {:.2f}\n", table.column("dimension")[i],
                 table.column("smoothness")[i], table.column("sensors")[i], table.column("capacity")[i]);
    fmt::print("Figures: {}/capacity.html\n", o->out);
  });
}

}  // namespace fluidsplat::app
