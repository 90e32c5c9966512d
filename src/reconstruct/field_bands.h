// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/field_model.h"
#include "uncertainty/band.h"

namespace fluidsplat::reconstruct {

// Bands around what a model of any kind says.  Instants on one mesh share work.  One thread at a time.
class FieldBands {
 public:
  // Throws Error for a level that cannot be promised.
  FieldBands(std::shared_ptr<const uncertainty::Calibration> calibration, const model::Description& model,
             const uncertainty::BandRequest& request);

  struct Edges {
    field::Matrix lower, upper, scale;  // [n, C]
  };
  // What bands need of an answer besides the field.
  Extras extras(Extras others = {}) const;
  // Of what the model made of these readings, NaN where a sensor is silent or ignored; asked with extras().
  Edges around(const Reconstruction& said, const field::SensorReadings& readings,
               const std::shared_ptr<const field::Mesh>& mesh);
  // Of the last instant.
  const uncertainty::Band& band() const { return band_; }

 private:
  uncertainty::Band band_;
  std::shared_ptr<const field::Mesh> mesh_;
  field::Matrix local_;  // scale and classes on that mesh
  std::vector<uncertainty::PlaceClasses::Class> classes_;
};

}  // namespace fluidsplat::reconstruct
