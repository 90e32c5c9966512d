// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>

#include "apps/commands.h"
#include "apps/describe_commands.h"
#include "apps/mistyped.h"
#include "apps/outcome.h"
#include "apps/run_evaluation.h"
#include "base/interrupt.h"
#include "baselines/register.h"
#include "learn/distributed/group.h"

// Exit codes: 0 done, 1 a user's mistake or bad input, 2 wrong usage, 3 a mistake of ours, 130 interrupted.
int main(int argc, char** argv) {
  CLI::App app{"fluidsplat: flow fields from a handful of sensors"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "fluidsplat " FLUIDSPLAT_VERSION);
  app.option_defaults()->always_capture_default();
  fluidsplat::app::add_demo(app);
  fluidsplat::app::add_data(app);
  fluidsplat::app::add_init(app);
  fluidsplat::app::add_train(app);
  fluidsplat::app::add_launch(app);
  fluidsplat::app::add_eval(app);
  fluidsplat::app::add_calibrate(app);
  fluidsplat::app::add_faults(app);
  fluidsplat::app::add_compare(app);
  fluidsplat::app::add_readings(app);
  fluidsplat::app::add_reconstruct(app);
  fluidsplat::app::add_inspect(app);
  fluidsplat::app::add_theory(app);
  fluidsplat::app::add_report(app);
  fluidsplat::app::add_reproduce(app);
  fluidsplat::app::add_version(app);
  fluidsplat::baselines::register_baselines();
  fluidsplat::catch_interrupts();
  // A limit on the size of files is then an error like a full disk, with the file's name.
  std::signal(SIGXFSZ, SIG_IGN);
  fluidsplat::app::remember_command(argc, argv);
  if (argc == 2 && argv[1] == std::string("--describe-commands")) {
    fmt::print("{}\n", fluidsplat::app::describe_commands(app));
    return 0;
  }
  return fluidsplat::app::run_and_tell([&] {
    try {
      app.parse(argc, argv);
      return fluidsplat::interrupted() ? 130 : 0;
    } catch (const CLI::ParseError& e) {
      if (e.get_exit_code() == 0) return app.exit(e);  // help and version
      const auto mistake = fluidsplat::app::explain_mistake(app, {argv + 1, argv + argc});
      if (mistake.empty())
        app.exit(e);
      else
        fmt::print(stderr, "fluidsplat: {}\n", mistake);
      return 2;
    } catch (const fluidsplat::learn::ToldElsewhere&) {
      return 1;
    }
  });
}
