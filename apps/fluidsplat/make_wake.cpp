// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/make_wake.h"

#include <fmt/format.h>

#include "apps/progress_hooks.h"
#include "base/error.h"
#include "benchmarks/wake_series.h"

namespace fluidsplat::app {
namespace {

// False when interrupted; a flow that did not settle is an Error.
bool is_complete(const sim::WakeReport& report, const char* what_is_left) {
  if (report.complete) return true;
  if (!interrupted()) fail("the flow did not settle into periodic shedding; try a higher --reynolds or finer --cells");
  fmt::print(stderr, "interrupted; {}\n", what_is_left);
  return false;
}

void print_shedding(const sim::WakeReport& report, double reynolds, const std::string& out) {
  if (report.cycles == 0) return;  // a transient
  fmt::print("  Reynolds {:g}: Strouhal {:.4f}, mean drag {:.3f}, lift amplitude {:.3f} (over {} periods)\n", reynolds,
             report.strouhal, report.drag_mean, report.lift_amplitude, report.cycles);
  fmt::print("  {:.4f} periods from frame to frame; no two frames closer in phase than {:.2f} of the mean gap\n",
             report.frame_step * report.strouhal, report.phase_gap);
  if (report.frames > 2 && report.phase_gap < 1.0 / 3)
    fmt::print(stderr,
               "{}: some frames nearly repeat others, so that frames kept for testing may look like frames of the "
               "training; fewer --frames or another number of --cells may help\n",
               out);
}

}  // namespace

bool make_wake(const std::string& out, const benchmarks::CylinderWakeOptions& options) {
  ProgressHooks progress;
  const auto report = benchmarks::make_cylinder_wake(out, options, progress.hooks());
  progress.finish();
  if (!is_complete(report, "nothing was written")) return false;
  fmt::print("{}: {} frames, one every {:.4f} D/U, {}\n", out, report.frames, report.frame_step,
             options.transient > 0 ? std::string("from the start on")
                                   : fmt::format("after {:.0f} shedding periods of settling", report.settling.cycles));
  print_shedding(report, options.flow.reynolds, out);
  return true;
}

bool make_wakes(const std::string& out, const benchmarks::CylinderWakeOptions& options,
                const std::vector<double>& reynolds, const Shard& shard) {
  ProgressHooks progress;
  const auto reports = benchmarks::make_wake_series(out, options, reynolds, progress.hooks(), shard);
  progress.finish();
  if (!reports.empty() &&
      !is_complete(reports.back(), "the Reynolds numbers that are done are kept beside it; the same command goes on"))
    return false;
  if (!shard.is_whole()) {
    fmt::print("part {} of {} is done; {} comes with the last\n", shard.index, shard.count, out);
    return true;
  }
  fmt::print("{}: {} frames at each of {} Reynolds numbers\n", out, options.frames, reynolds.size());
  // What an earlier, interrupted call made, it has not kept a report of.
  const auto earlier = reynolds.size() - reports.size();
  if (earlier > 0) fmt::print("  {} of them were there from an earlier call\n", earlier);
  if (earlier == 0)
    for (std::size_t i = 0; i < reports.size(); ++i) print_shedding(reports[i], reynolds[i], out);
  return true;
}

}  // namespace fluidsplat::app
