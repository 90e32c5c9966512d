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
      normalized_(readings_.size()),
      margins_(calibration_->rungs.front().pointwise.size()) {
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
  for (std::size_t c = 0; c < margins_.size(); ++c)
    margins_[c] = rung_ ? (request_.simultaneous ? rung_->simultaneous : rung_->pointwise)[c].margins(
                              request_.level, request_.side, request_.promise)
                        : SignedTables::Margins{};
}

void Band::edges(const float* field, const float* local, Index n, float* lower, float* upper, float* scale) const {
  const Index channels = std::ssize(margins_);
  for (Index i = 0; i < n * channels; ++i) {
    const auto& m = margins_[i % channels];
    const double said = field[i], size = factor_ * double(local[i]);
    // Infinity times a scale, never infinity less infinity: what was said is finite.
    if (lower) lower[i] = float(said - m.down * size);
    if (upper) upper[i] = float(said + m.up * size);
    if (scale) scale[i] = float(size);
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
