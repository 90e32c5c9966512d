// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/calibration.h"

namespace fluidsplat::uncertainty {

// What is asked for.
struct BandRequest {
  double level = 0.9;
  bool simultaneous = false;  // of the whole field at once; else of each point by itself
  Side side = Side::both;
  Promise promise = Promise::at_least;
};

// A band around what a model says, at a level, for one instant after the other.  Allocates nothing after construction.
class Band {
 public:
  // Throws Error for a level that is none, or that so few cases cannot promise.
  Band(std::shared_ptr<const Calibration> calibration, InstantReadings readings, const BandRequest& request);

  const Calibration& calibration() const { return *calibration_; }
  const BandRequest& request() const { return request_; }
  // Whether the margins differ between classes of places.
  bool tells_places_apart() const { return classes_ > 1; }
  // Takes in an instant's readings [N][C], as the model is given them.
  void observe(const float* readings);
  // Of that instant: how many sensors are silent; too many of them, and nothing can be promised.
  Index silent() const { return silent_; }
  bool is_known() const { return rung_ != nullptr; }
  double factor() const { return factor_; }

  // Where a field is given: LocalScale::evaluate and PlaceClasses::evaluate there.
  struct Ground {
    const float* local;                  // [n][C]
    const PlaceClasses::Class* classes;  // [n]; may be null where all places are alike
    const float* doubt = nullptr;        // [n], LastLayer::doubt; null where the calibration has no layer
  };
  // Rows of a field [n][C]: the band's edges, infinite where nothing is promised, and the scale with the instant's
  // factor.  Arrays may be null; `lower` or `upper` may be `field`, `scale` may be the ground's `local`.
  void edges(const float* field, const Ground& ground, Index n, float* lower, float* upper, float* scale) const;
  // The interval of a functional of which the model says `value`.
  struct Interval {
    double lower, upper;
  };
  Interval interval(Index functional, double value) const;

 private:
  const SignedTables& table(Index place_class, Index channel) const;

  std::shared_ptr<const Calibration> calibration_;
  InstantReadings readings_;
  BandRequest request_;
  Index classes_, channels_;
  Index silent_ = 0;
  double factor_ = 1;
  const Calibration::Rung* rung_ = nullptr;
  std::vector<float> normalized_;
  std::vector<SignedTables::Margins> margins_;  // [class][channel], of the instant
};

// What holds, in one plain sentence.
std::string guarantee(const Calibration& calibration, const BandRequest& request);

}  // namespace fluidsplat::uncertainty
