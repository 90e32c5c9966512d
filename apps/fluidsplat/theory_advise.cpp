// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "apps/theory_commands.h"
#include "field/dataset_file.h"
#include "report/theory_report.h"
#include "theory/advice.h"

namespace fluidsplat::app {

void add_theory_advise(CLI::App& parent) {
  struct Options {
    std::string data, out = "report/theory";
    theory::AdviceRequest request;
    double noise = 0;
  };
  auto o = std::make_shared<Options>();
  auto* command =
      parent.add_subcommand("advise", "how many primitives do my sensors support, and is my field smooth enough?");
  command->add_option("--data", o->data, "the dataset")->required();
  command->add_option("--sensors", o->request.sensors, "how many, or a layout file")->required();
  auto* noise = command->add_option("--noise", o->noise, "of a reading, in the field's units (default: estimated)")
                    ->check(CLI::PositiveNumber);
  command->add_option("--channel", o->request.channel, "which channel (default: the first)");
  command->add_option("--frames", o->request.frames, "how many cases to look at")->check(CLI::Range(1, 100000));
  command->add_option("--out", o->out, "folder for advice.csv and advice.html");
  command->callback([o, noise] {
    if (noise->count() > 0) o->request.noise = o->noise;
    const field::DatasetFile dataset(o->data);
    const theory::Advice advice = theory::advise(dataset, o->request);
    report::write_exhibit(report::show_advice(advice, dataset.title()), o->out, "advice");
    for (const std::string& sentence : advice.findings) fmt::print("{}\n", sentence);
    for (const std::string& sentence : advice.caveats) fmt::print("Caveat: {}\n", sentence);
    fmt::print("Figures: {}/advice.html\n", o->out);
  });
}

}  // namespace fluidsplat::app
