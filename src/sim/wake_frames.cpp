// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/wake_frames.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "sim/frame_stride.h"
#include "sim/phase_gap.h"

namespace fluidsplat::sim {

namespace {

constexpr int kBatch = 50;  // steps between questions to the hooks

constexpr double kWakeSpeed = 0.8;  // of the free stream; vortices travel a little faster

// Runs `steps` in batches; false when interrupted.
bool run(CylinderFlow& flow, int steps, const RunHooks& hooks) {
  while (steps > 0) {
    if (hooks.should_stop()) return false;
    const int batch = std::min(steps, kBatch);
    flow.step(batch);
    steps -= batch;
  }
  return true;
}

// More than the third of the mean gap that is wanted: the promise rests on a period that was measured beforehand.
constexpr double kPromisedGap = 0.4;

// Runs on until the period is known well enough for a stride that keeps the promise.  At Reynolds number 100 each cycle
// halves the flow's distance from its limit cycle, until rounding moves the crossings by half a thousandth of a step;
// after that the period stays the same for hundreds of cycles.  So settling is enough for 300 frames, and 1,000 need
// three more cycles, 5,000 six.  A period that is a whole number of steps, or two frames that are a tenth of a period
// apart, are not worth waiting for: a sharper period would not part the frames.  Where it would take more than about a
// tenth of the frames' own time, as near the onset of shedding, the best stride so far has to do.  Nothing when
// interrupted.
std::optional<FrameStride> choose_stride(CylinderFlow& flow, double since, const WakeOptions& options,
                                         const RunHooks& hooks) {
  const double patience = 20 + 0.1 * options.frame_step * options.frames;  // periods
  const double begin = flow.time();
  while (true) {
    Period period = measure_period(flow.shedding().crossings(since));
    const double waited = (flow.time() - begin) / period.length;
    period.length /= flow.time_step();
    period.uncertainty /= flow.time_step();
    const FrameStride stride = frame_stride(period, options.frame_step, options.frames);
    const double reachable = frame_stride({period.length, 0}, options.frame_step, options.frames).gap;
    if (stride.gap >= std::min(kPromisedGap, 0.9 * reachable) || waited >= patience) return stride;
    if (!run(flow, int(period.length), hooks)) return std::nullopt;
  }
}

}  // namespace

Settling settle(CylinderFlow& flow, const RunHooks& hooks, double tolerance, double longest) {
  Settling result;
  const auto report = [&](double done) { hooks.tell(done, "settle"); };
  while (!flow.shedding().settled(tolerance)) {
    if (flow.time() > longest || !run(flow, kBatch, hooks)) return result;
    report(std::min(0.5, 0.005 * flow.time()));  // half of the way is usually 60 D/U, never known
  }
  result.lift_since = flow.shedding().cycles().back().start;
  result.cycles = flow.time() / flow.shedding().cycles().back().period;

  const PixelWindow& window = flow.settings().window;
  const double length = (window.columns - window.centre_column) / window.pixels_per_diameter;
  const double end = flow.time() + length / kWakeSpeed, begin = flow.time();
  while (flow.time() < end) {
    if (!run(flow, kBatch, hooks)) return result;
    report(std::min(1.0, 0.5 + 0.5 * (flow.time() - begin) / (end - begin)));
  }
  result.settled = true;
  return result;
}

WakeReport make_wake_frames(CylinderFlow& flow, const WakeOptions& options,
                            const std::function<void(const WakeFrame&)>& frame, const RunHooks& hooks) {
  if (options.frames < 1) fail("wake.frames = {}: must be at least 1", options.frames);
  WakeReport report;
  report.settling = settle(flow, hooks);
  if (!report.settling.settled) return report;

  const auto stride = choose_stride(flow, report.settling.lift_since, options, hooks);
  if (!stride) return report;
  report.frame_step = stride->steps * flow.time_step();
  std::vector<double> times;
  WakeImage image;
  for (int k = 0; k < options.frames; ++k) {
    if (k > 0 && !run(flow, stride->steps, hooks)) return report;
    flow.read(image);
    frame({k, flow.time(), image, flow.drag(), flow.lift()});
    times.push_back(flow.time());
    report.frames = k + 1;
    hooks.tell((k + 1.0) / options.frames, "frames");
  }
  std::vector<double> phases;
  for (const double time : times) phases.push_back(flow.shedding().phase(time));
  report.phase_gap = smallest_phase_gap(std::move(phases));
  const SheddingMeter::Summary s = flow.shedding().summary(report.settling.lift_since);
  report.strouhal = 1 / measure_period(flow.shedding().crossings(report.settling.lift_since)).length;
  report.drag_mean = s.drag_mean;
  report.lift_amplitude = s.lift_amplitude;
  report.cycles = s.cycles;
  report.complete = true;
  return report;
}

bool make_transient_frames(CylinderFlow& flow, int frames, double length,
                           const std::function<void(const WakeFrame&)>& frame, const RunHooks& hooks) {
  const double last = length / flow.time_step();
  if (frames < 1 || last < frames)
    fail("a transient of {} D/U has {} time steps, too few for {} frames", length, Index(last), frames);
  WakeImage image;
  Index taken = 0;
  for (int k = 0; k < frames; ++k) {
    const auto due = Index(std::lround(last * (k + 1) / frames));
    if (!run(flow, int(due - taken), hooks)) return false;
    taken = due;
    flow.read(image);
    frame({k, flow.time(), image, flow.drag(), flow.lift()});
    hooks.tell((k + 1.0) / frames, "frames");
  }
  return true;
}

}  // namespace fluidsplat::sim
