// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/band.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::uncertainty {

Band::Band(std::shared_ptr<const Calibration> calibration, InstantReadings readings, const BandRequest& request)
    : calibration_(std::move(calibration)),
      readings_(std::move(readings)),
      request_(request),
      classes_(request.simultaneous ? 1 : calibration_->classes.count()),
      channels_(std::ssize(calibration_->rungs.front().pointwise)),
      normalized_(readings_.size()),
      margins_(classes_ * channels_) {
  if (!(request.level > 0 && request.level < 1)) fail("a level of {} is not between 0 and 1", request.level);
  if (request.level > calibration_->highest_level() + 1e-9)
    fail(
        "a level of {} needs at least {:.0f} cases or blocks to calibrate on; this model was calibrated on {}, which "
        "allows up to {:.4f}",
        request.level, std::ceil(request.level / (1 - request.level) - 1e-9), calibration_->groups(),
        std::floor(1e4 * calibration_->highest_level()) / 1e4);
  if (request.promise == Promise::on_average && !calibration_->knows_average())
    fail(
        "the model was calibrated by an older version that did not keep what holds on average; calibrate it again, or "
        "ask for at least the level");
}

void Band::observe(const float* readings) {
  silent_ = readings_.silent(readings);
  rung_ = calibration_->rung(silent_);
  factor_ = 1;
  if (calibration_->distance.training.rows() > 0) {
    readings_.normalize(readings, normalized_.data());
    factor_ = calibration_->distance.factor(normalized_.data());
  }
  for (Index k = 0; k < classes_; ++k)
    for (Index c = 0; c < channels_; ++c)
      margins_[k * channels_ + c] =
          rung_ ? table(k, c).margins(request_.level, request_.side, request_.promise) : SignedTables::Margins{};
}

const SignedTables& Band::table(Index place_class, Index channel) const {
  if (request_.simultaneous) return rung_->simultaneous[channel];
  return tells_places_apart() ? rung_->by_class[place_class][channel] : rung_->pointwise[channel];
}

void Band::edges(const float* field, const Ground& ground, Index n, float* lower, float* upper, float* scale) const {
  for (Index i = 0; i < n; ++i) {
    const double factor = ground.doubt ? factor_ * double(ground.doubt[i]) : factor_;
    const auto* margins = margins_.data() + (tells_places_apart() ? channels_ * ground.classes[i] : 0);
    for (Index c = 0; c < channels_; ++c) {
      const Index at = i * channels_ + c;
      const double said = field[at], size = factor * double(ground.local[at]);
      // Infinity times a scale, never infinity less infinity: what was said is finite.
      if (lower) lower[at] = float(said - margins[c].down * size);
      if (upper) upper[at] = float(said + margins[c].up * size);
      if (scale) scale[at] = float(size);
    }
  }
}

Band::Interval Band::interval(Index functional, double value) const {
  const auto m = rung_ ? rung_->functionals[functional].margins(request_.level, request_.side, request_.promise)
                       : SignedTables::Margins{};
  return {value - m.down * factor_, value + m.up * factor_};
}

std::string guarantee(const Calibration& c, const BandRequest& request) {
  const auto what = request.side == Side::both    ? "lies inside the band"
                    : request.side == Side::upper ? "lies below the upper edge"
                                                  : "lies above the lower edge";
  const auto subject = request.simultaneous ? fmt::format("the true field of a channel {} everywhere at once", what)
                       : c.classes.count() > 1
                           ? fmt::format(
                                 "the true value at a mesh point drawn at random from any one of {} classes of places "
                                 "({}) {}",
                                 c.classes.count(), c.classes.meaning(), what)
                           : fmt::format("the true value at a mesh point drawn at random {}", what);
  const auto units = c.block > 1
                         ? fmt::format("{} blocks of {} frames in a row, each counted once", c.groups(), c.block)
                         : fmt::format("{} cases", c.groups());
  return fmt::format(
      "With probability {:g} % {}, {}, for a new {} that is like those calibrated on ({}{}) and whose silent "
      "sensors, up to {} of {}, fell silent at random.",
      100 * request.level,
      request.promise == Promise::at_least ? "or more" : "on average over calibrations, sometimes less", subject,
      c.block > 1 ? "frame" : "case", units, c.noise > 0 ? fmt::format(", readings with noise {:g}", c.noise) : "",
      c.rungs.back().silent, c.sensors);
}

}  // namespace fluidsplat::uncertainty
