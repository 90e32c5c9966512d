// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "apps/commands.h"
#include "apps/run_evaluation.h"
#include "base/error.h"
#include "base/interrupt.h"

// Exit codes: 0 done, 1 a user's mistake or bad input, 2 wrong usage, 3 a mistake of ours, 130 interrupted.
int main(int argc, char** argv) {
  CLI::App app{"fluidsplat: flow fields from a handful of sensors"};
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();
  fluidsplat::app::add_demo(app);
  fluidsplat::app::add_data(app);
  fluidsplat::app::add_init(app);
  fluidsplat::app::add_train(app);
  fluidsplat::app::add_eval(app);
  fluidsplat::app::add_readings(app);
  fluidsplat::app::add_reconstruct(app);
  fluidsplat::app::add_inspect(app);
  fluidsplat::app::add_theory(app);
  fluidsplat::app::add_report(app);
  fluidsplat::app::add_version(app);
  fluidsplat::catch_interrupts();
  fluidsplat::app::remember_command(argc, argv);
  try {
    app.parse(argc, argv);
    return fluidsplat::interrupted() ? 130 : 0;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const fluidsplat::Error& e) {
    fmt::print(stderr, "fluidsplat: {}\n", e.what());
    return 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "fluidsplat: internal error: {}\n", e.what());
    return 3;
  }
}
