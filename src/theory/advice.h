// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "field/dataset.h"
#include "theory/grid.h"
#include "theory/rate_fit.h"
#include "theory/smoothness.h"

namespace fluidsplat::theory {

// "How many primitives do my sensors support, and is my field smooth enough?"
struct Question {
  Points points;             // [n, d]
  Matrix fields;             // [n, frames] of one channel
  bool in_time = false;      // the frames are consecutive instants of one flow
  std::optional<Grid> grid;  // when the points are its valid pixels
  int sensors = 8;
  std::vector<int> sensor_rows;  // the points they sit on; when empty, spread evenly
  // Of a reading, in the units of the field; the data are then taken to be free of it.  When not given, the data are
  // taken to be as noisy as the readings, and it is estimated from them.
  std::optional<double> noise;
};

struct Advice {
  int dimension = 0, sensors = 0, frames = 0;
  double rms = 0;    // of the field
  double noise = 0;  // of a reading
  bool noise_given = false;
  SmoothnessEstimate smoothness;
  RateCurve oracle;  // the Shepard scaffold at its best on these data
  RateCurve best;    // unnormalised Gaussians, least squares

  // Scales, not settings.  Noise and bias are relative to the rms of the field.
  double capacity = 0;            // K* with constants set to one, from one frame's readings
  double measured_capacity = 0;   // K* with the bias that was measured on these data; 0: it does not fall with K
  bool measured_limited = false;  // it would be larger, but the data have no more points to tell
  double pooled_capacity = 0;     // K* if the readings of all frames inform the same primitives, as in training
  int first = 0, last = 0;        // the counts worth trying

  double relative_noise() const { return noise / rms; }
  std::vector<std::string> findings, caveats;  // sentences
};

Advice advise(const Question& question);

// The question put to a dataset.
struct AdviceRequest {
  std::string sensors = "8";  // how many, or a layout file
  std::optional<double> noise;
  std::string channel;  // "": the first
  int frames = 64;      // the first so many cases
};

Advice advise(const field::Dataset& dataset, const AdviceRequest& request);

}  // namespace fluidsplat::theory
