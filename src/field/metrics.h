// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/sensors.h"

namespace fluidsplat::field {

// The error of one reconstructed case.
struct CaseError {
  double relative_l2 = 0;          // |prediction - truth|_2 / |truth|_2 over all points and channels
  std::vector<double> channel_l2;  // the same, channel by channel
  double max_error = 0;            // largest |prediction - truth| over points and channels
  std::vector<double> channel_max;
};

CaseError compare(const Matrix& prediction, const Matrix& truth);
// The same relative to |truth - mean|_2: a large mean hides errors, and a prediction that is no better than the mean
// scores 1 here however large the mean is.
CaseError compare_deviation(const Matrix& prediction, const Matrix& truth, const Matrix& mean);
// The same on the wall of a case, from the prediction [wall points, C] there; every wall point counts the same.  A
// channel that is zero all along the wall, as the velocity is at rest there, is compared with its root mean square over
// the whole case.
CaseError compare_surface(const Matrix& prediction, const Case& truth);

// |prediction - reading|_2 / |reading|_2 over the readings that are there, 0 when there are none.
double sensor_consistency(const Matrix& prediction_at_sensors, const SensorReadings& readings);

// Per case, then the mean over cases: the paper's convention.
struct ErrorSummary {
  Index cases = 0;
  double relative_l2 = 0, relative_l2_worst = 0, max_error = 0, sensor_consistency = 0;
  std::vector<double> channel_l2, channel_max;
};

ErrorSummary summarize(const std::vector<CaseError>& errors, const std::vector<double>& consistency);

}  // namespace fluidsplat::field
