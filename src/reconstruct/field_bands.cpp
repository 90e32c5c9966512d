// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/field_bands.h"

#include "base/misuse.h"

namespace fluidsplat::reconstruct {

FieldBands::FieldBands(std::shared_ptr<const uncertainty::Calibration> calibration, const model::Description& model,
                       const uncertainty::BandRequest& request)
    : band_(std::move(calibration), {model.sensors, model.normalization}, request) {}

FieldBands::Edges FieldBands::around(const field::Matrix& field, const field::SensorReadings& readings,
                                     const std::shared_ptr<const field::Mesh>& mesh) {
  if (readings.values.rows() != band_.calibration().sensors)
    misuse("readings of {} sensors for bands of {}", readings.values.rows(), band_.calibration().sensors);
  if (mesh != mesh_) {
    local_ = band_.calibration().scale.at(mesh->points);
    mesh_ = mesh;
  }
  band_.observe(readings.values.data());
  Edges out;
  for (auto* m : {&out.lower, &out.upper, &out.scale}) m->resize(field.rows(), field.cols());
  band_.edges(field.data(), local_.data(), field.rows(), out.lower.data(), out.upper.data(), out.scale.data());
  return out;
}

}  // namespace fluidsplat::reconstruct
