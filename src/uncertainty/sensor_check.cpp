// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/sensor_check.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::uncertainty {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
// One wrong sensor makes others look wrong too.  So many of those that fit worst are tried, and that one is taken out
// without which the rest fit best.
constexpr std::size_t kTried = 4;

}  // namespace

const char* name_of(SensorState state) {
  switch (state) {
    case SensorState::fine:
      return "fine";
    case SensorState::silent:
      return "silent";
    case SensorState::out_of_range:
      return "out of range";
    case SensorState::disagrees:
      return "disagrees";
    case SensorState::stuck:
      return "stuck";
    case SensorState::biased:
      return "biased";
    case SensorState::drifting:
      return "drifting";
    case SensorState::noisy:
      return "noisy";
    case SensorState::spiking:
      return "spiking";
    case SensorState::swapped:
      return "swapped";
  }
  return "";
}

SensorCheck::SensorCheck(std::shared_ptr<const Calibration> calibration, InstantReadings readings, Expectation model,
                         Options options)
    : calibration_(std::move(calibration)),
      readings_(std::move(readings)),
      habits_(calibration_, readings_, std::move(model)),
      options_(options),
      channels_(std::ssize(calibration_->rungs.front().pointwise)) {
  if (!calibration_->rungs.front().knows_sensors())
    fail(
        "the model's calibration knows nothing of its sensors, of which there are {}; two at least are needed to hold "
        "one against the other",
        readings_.sensors());
  options_.false_alarms = achievable_false_alarms(*calibration_, options.false_alarms);
  if (options_.most_ignored < 0) options_.most_ignored = readings_.sensors() / 2;
}

SensorCheck::Look SensorCheck::look(const float* values) {
  Look out;
  out.steps.assign(readings_.size(), kNone);
  out.expected.assign(readings_.size(), kNone);
  const auto* habit = habits_.of(values);
  if (!habit) return out;
  out.is_known = true;
  habits_.expect(values, out.expected.data());
  double squares = 0;
  Index count = 0;
  for (Index v = 0; v < readings_.size(); ++v) {
    const float said = values[readings_.readings()[v].place];
    if (std::isnan(said) || std::isnan(out.expected[v])) continue;
    const double steps = (said - out.expected[v]) / habit->scale[v];
    out.steps[v] = float(steps);
    squares += steps * steps;
    ++count;
    if (std::abs(steps) > out.worst || out.worst_reading < 0) {
      out.worst = std::abs(steps);
      out.worst_reading = v;
    }
  }
  out.strangeness = habits_.strangeness(values, count > 0 ? std::sqrt(squares / double(count)) : 0);
  out.fits = habit->disagreement.p_value(out.worst) > options_.false_alarms + 1e-9 || count < 2;
  return out;
}

void SensorCheck::silence(float* values, Index sensor) const {
  for (const auto& r : readings_.readings())
    if (r.sensor == sensor) values[r.place] = kNone;
}

// Two that were taken out and that would both fit if each said what the other one did.
void SensorCheck::mark_swapped(const std::vector<float>& said, InstantFindings& found) {
  std::vector<Index> out;
  for (Index i = 0; i < readings_.sensors(); ++i)
    if (found.sensors[i].state == SensorState::disagrees) out.push_back(i);
  for (std::size_t a = 0; a < out.size(); ++a)
    for (std::size_t b = a + 1; b < out.size(); ++b) {
      auto values = said;
      for (std::size_t other = 0; other < out.size(); ++other)
        if (other != a && other != b) silence(values.data(), out[other]);
      for (Index c = 0; c < channels_; ++c) std::swap(values[out[a] * channels_ + c], values[out[b] * channels_ + c]);
      const auto swapped = look(values.data());
      if (!swapped.is_known || !swapped.fits) continue;
      for (auto [i, j] : {std::pair{out[a], out[b]}, {out[b], out[a]}}) {
        found.sensors[i].state = SensorState::swapped;
        found.sensors[i].partner = j;
      }
      return;
    }
}

// What says nothing, or what no sensor of its kind ever says.
void SensorCheck::take_out_impossible(float* values, InstantFindings& found) const {
  for (Index v = 0; v < readings_.size(); ++v) {
    const auto& r = readings_.readings()[v];
    auto& sensor = found.sensors[r.sensor];
    const float said = values[r.place];
    const bool is_possible = calibration_->lowest.empty()
                                 ? std::isfinite(said)
                                 : said >= calibration_->lowest[v] && said <= calibration_->highest[v];
    if (std::isnan(said))
      sensor = {.state = SensorState::silent};
    else if (!is_possible && sensor.state != SensorState::silent)
      sensor = {.state = SensorState::out_of_range, .reading = v, .said = said, .expected = kNone};
  }
  for (Index i = 0; i < readings_.sensors(); ++i)
    if (found.sensors[i].is_ignored()) {
      ++found.ignored;
      silence(values, i);
    }
}

// The sensors that fit worst, each with its worst reading.
std::vector<Index> SensorCheck::worst_readings(const Look& now) const {
  std::vector<Index> order, out;
  for (Index v = 0; v < readings_.size(); ++v)
    if (!std::isnan(now.steps[v])) order.push_back(v);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index v) { return std::abs(now.steps[v]); });
  for (Index v : order) {
    const auto is_same = [&](Index w) { return readings_.readings()[w].sensor == readings_.readings()[v].sensor; };
    if (out.size() < kTried && std::ranges::none_of(out, is_same)) out.push_back(v);
  }
  return out;
}

// Takes out that one without which the rest fit best; false when none can be spared.
bool SensorCheck::take_out_worst(float* values, Look& now, InstantFindings& found) {
  Index best = -1;
  Look after;
  std::vector<float> left;
  for (Index v : worst_readings(now)) {
    std::vector<float> without(values, values + readings_.sensors() * channels_);
    silence(without.data(), readings_.readings()[v].sensor);
    auto rest = look(without.data());
    if (!rest.is_known || (best >= 0 && rest.worst >= after.worst)) continue;
    best = v;
    after = std::move(rest);
    left = std::move(without);
  }
  if (best < 0) return false;
  const auto& r = readings_.readings()[best];
  found.sensors[r.sensor].state = SensorState::disagrees;
  std::ranges::copy(left, values);
  ++found.ignored;
  now = std::move(after);
  return true;
}

// What a look says of the reading of a sensor that fits worst.
void SensorCheck::tell(Index sensor, const float* values, const Look& look, SensorFinding& finding) const {
  finding.reading = -1;
  for (Index v = 0; v < readings_.size(); ++v) {
    const auto& r = readings_.readings()[v];
    if (r.sensor != sensor || std::isnan(look.steps[v])) continue;
    if (finding.reading >= 0 && std::abs(look.steps[v]) <= std::abs(finding.steps)) continue;
    finding.reading = v;
    finding.said = values[r.place];
    finding.expected = look.expected[v];
    finding.steps = look.steps[v];
  }
}

// What was expected of a sensor while others were wrong is not what the sound ones suggest.
void SensorCheck::ask_the_sound(Index sensor, const std::vector<float>& said, const float* values,
                                SensorFinding& finding) {
  std::vector<float> with(values, values + readings_.sensors() * channels_);
  for (const auto& r : readings_.readings())
    if (r.sensor == sensor) with[r.place] = said[r.place];
  tell(sensor, with.data(), look(with.data()), finding);
}

SensorCheck::Compared SensorCheck::compare_without(const std::vector<Index>& out, const float* values) {
  std::vector<float> without(values, values + readings_.sensors() * channels_);
  for (Index i : out) silence(without.data(), i);
  Compared compared{look(without.data()).steps};
  if (const auto* habit = habits_.of(without.data())) compared.block_steps = &habit->block_steps;
  return compared;
}

InstantFindings SensorCheck::check(float* values, const std::vector<Index>& known_wrong) {
  InstantFindings found;
  found.sensors.resize(readings_.sensors());
  const std::vector<float> given(values, values + readings_.sensors() * channels_);
  take_out_impossible(values, found);
  const std::vector<float> said(values, values + readings_.sensors() * channels_);
  for (Index i : known_wrong) {
    if (found.sensors[i].is_ignored()) continue;
    found.sensors[i].state = SensorState::disagrees;
    ++found.ignored;
    silence(values, i);
  }
  const Index known = found.ignored;
  const auto first = look(values);
  auto now = first;
  while (now.is_known && !now.fits && found.ignored < options_.most_ignored)
    if (!take_out_worst(values, now, found)) break;
  found.is_unresolved = now.is_known && !now.fits;
  found.steps = now.steps;
  const auto impossible = std::ranges::count(found.sensors, SensorState::out_of_range, &SensorFinding::state);
  const auto telling = impossible > 1 ? look(given.data()) : found.ignored - known > 1 ? first : now;
  found.strangeness = telling.is_known ? telling.strangeness : std::numeric_limits<double>::quiet_NaN();
  for (Index i = 0; i < readings_.sensors() && now.is_known; ++i) {
    auto& sensor = found.sensors[i];
    if (sensor.state == SensorState::fine) tell(i, values, now, sensor);
    if (sensor.state == SensorState::disagrees) ask_the_sound(i, said, values, sensor);
  }
  mark_swapped(said, found);
  return found;
}

}  // namespace fluidsplat::uncertainty
