// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/field_bands.h"

#include "base/misuse.h"

namespace fluidsplat::reconstruct {

FieldBands::FieldBands(std::shared_ptr<const uncertainty::Calibration> calibration, const model::Description& model,
                       const uncertainty::BandRequest& request)
    : band_(std::move(calibration), {model.sensors, model.normalization}, request) {}

Extras FieldBands::extras(Extras others) const {
  if (band_.calibration().layer.is_on()) others.layer = &band_.calibration().layer;
  return others;
}

FieldBands::Edges FieldBands::around(const Reconstruction& said, const field::SensorReadings& readings,
                                     const std::shared_ptr<const field::Mesh>& mesh) {
  const auto& field = said.field;
  const bool widens = band_.calibration().layer.is_on();
  if (widens && said.doubt.size() != field.rows())
    misuse("bands that need the last layer's doubt, and an answer without");
  if (readings.values.rows() != band_.calibration().sensors)
    misuse("readings of {} sensors for bands of {}", readings.values.rows(), band_.calibration().sensors);
  if (mesh != mesh_) {
    local_ = band_.calibration().scale.at(mesh->points);
    classes_ = band_.calibration().classes.at(mesh->points, mesh->features);
    mesh_ = mesh;
  }
  band_.observe(readings.values.data());
  Edges out;
  for (auto* m : {&out.lower, &out.upper, &out.scale}) m->resize(field.rows(), field.cols());
  band_.edges(field.data(), {local_.data(), classes_.data(), widens ? said.doubt.data() : nullptr}, field.rows(),
              out.lower.data(), out.upper.data(), out.scale.data());
  return out;
}

}  // namespace fluidsplat::reconstruct
