// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/wake_frames.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "sim/frame_stride.h"

namespace fluidsplat::sim {

namespace {

constexpr int kBatch = 50;  // steps between questions to the hooks

constexpr double kWakeSpeed = 0.8;  // of the free stream; vortices travel a little faster

// Runs `steps` in batches; false when interrupted.
bool run(CylinderFlow& flow, int steps, const RunHooks& hooks) {
  while (steps > 0) {
    if (hooks.interrupted && hooks.interrupted()) return false;
    const int batch = std::min(steps, kBatch);
    flow.step(batch);
    steps -= batch;
  }
  return true;
}

}  // namespace

Settling settle(CylinderFlow& flow, const RunHooks& hooks, double tolerance, double longest) {
  Settling result;
  const auto report = [&](double done) {
    if (hooks.progress) hooks.progress(done, "settle");
  };
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

  const double period = flow.shedding().summary(report.settling.lift_since).period;
  const int stride = frame_stride(period / flow.time_step(), options.frame_step, options.frames);
  report.frame_step = stride * flow.time_step();
  WakeImage image;
  for (int k = 0; k < options.frames; ++k) {
    if (k > 0 && !run(flow, stride, hooks)) return report;
    flow.read(image);
    frame({k, flow.time(), image, flow.drag(), flow.lift()});
    report.frames = k + 1;
    if (hooks.progress) hooks.progress((k + 1.0) / options.frames, "frames");
  }
  const SheddingMeter::Summary s = flow.shedding().summary(report.settling.lift_since);
  report.strouhal = 1 / s.period;
  report.drag_mean = s.drag_mean;
  report.lift_amplitude = s.lift_amplitude;
  report.cycles = s.cycles;
  report.complete = true;
  return report;
}

}  // namespace fluidsplat::sim
