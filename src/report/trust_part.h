// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/seen_data.h"
#include "field/sensor_placement.h"
#include "reconstruct/judge_functionals.h"
#include "report/html.h"

namespace fluidsplat::report {

// What a page shows of how far a calibrated model can be trusted, on cases that neither trained nor calibrated.
struct TrustPart {
  std::string guarantee;
  double level = 0;                                    // of the bands that are shown
  Index cases = 0;                                     // that were judged
  std::vector<double> nominal, observed;               // levels, and the share of points inside
  std::vector<std::vector<double>> half_width, error;  // per channel: over points with bands alike, and what as many
                                                       // of them as the level says err by
  std::vector<std::string> unit;                       // of those, per channel: the model's
  std::vector<uncertainty::Functional> functionals;
  std::vector<reconstruct::JudgedFunctionals> judged;  // of these cases, in order of time
  // Of a time series also frames in a row, since a line through a few of many shows no oscillation.
  std::vector<reconstruct::JudgedFunctionals> in_a_row;
  // One case closely, in the units of the data.
  Index shown = 0;
  std::shared_ptr<const field::Mesh> mesh;
  field::Matrix width, outside;  // [n, C]: upper less lower; by how much the truth lies beyond the band
  field::Matrix sensors;         // positions
  double share_outside = 0;
};

// `left` are the cases to judge on, `shown` the one to look at closely.
TrustPart judge_trust(reconstruct::FieldModel& model, const field::SeenData& seen,
                      const std::shared_ptr<const uncertainty::Calibration>& calibration,
                      const field::SensorPlacement& sensors, const std::vector<Index>& left, Index shown);

// `schema` is the data's.
void add_trust(Page& page, const TrustPart& trust, const field::Schema& schema);

}  // namespace fluidsplat::report
