// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/make_wake.h"

#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"

namespace fluidsplat::app {

bool make_wake(const std::string& out, const benchmarks::CylinderWakeOptions& options) {
  std::unique_ptr<Progress> progress;
  std::string current;
  sim::RunHooks hooks;
  hooks.progress = [&](double done, const char* part) {
    if (current != part) {
      current = part;
      progress = std::make_unique<Progress>(current, 1000);
    }
    progress->update(Index(1000 * done));
  };
  hooks.interrupted = interrupted;
  const auto report = benchmarks::make_cylinder_wake(out, options, hooks);
  progress.reset();
  if (!report.complete) {
    if (interrupted()) {
      fmt::print(stderr, "interrupted; nothing was written\n");
      return false;
    }
    fail("the flow did not settle into periodic shedding; try a higher --reynolds or finer --cells");
  }
  fmt::print("{}: {} frames, one every {:.4f} D/U, after {:.0f} shedding periods of settling\n", out, report.frames,
             report.frame_step, report.settling.cycles);
  fmt::print("  Reynolds {:g}: Strouhal {:.4f}, mean drag {:.3f}, lift amplitude {:.3f} (over {} periods)\n",
             options.flow.reynolds, report.strouhal, report.drag_mean, report.lift_amplitude, report.cycles);
  fmt::print("  {:.4f} periods from frame to frame; no two frames closer in phase than {:.2f} of the mean gap\n",
             report.frame_step * report.strouhal, report.phase_gap);
  if (report.frames > 2 && report.phase_gap < 1.0 / 3)
    fmt::print(stderr,
               "{}: some frames nearly repeat others, so that frames kept for testing may look like frames of the "
               "training; fewer --frames or another number of --cells may help\n",
               out);
  return true;
}

}  // namespace fluidsplat::app
