// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "learn/model/trained_model.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::learn {

// A model of any kind, run by libtorch, tile by tile, so that memory does not grow with the mesh.
class TorchFieldModel : public reconstruct::FieldModel {
 public:
  explicit TorchFieldModel(TrainedModel trained, torch::Device device = torch::kCPU);

  const model::Spec& spec() const override { return trained_.model->spec(); }
  const model::Description& description() const override { return description_; }
  Index parameters() const override { return parameter_count(*trained_.model); }
  const model::BaseField* base() const override { return trained_.base.get(); }
  const classical::Prior& prior() const override { return trained_.prior; }
  // Only the field: a scaffold, derivatives and the like are left to the runtime.
  reconstruct::Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                                          const std::shared_ptr<const field::Mesh>& mesh,
                                          const reconstruct::Extras& extras = {}) override;
  // The field at chosen points of the mesh, [points, C].
  field::Matrix reconstruct_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                               const std::shared_ptr<const field::Mesh>& mesh, const std::vector<Index>& points);

  // What the network is added to there: the base field and the prior, zero without them.
  field::Matrix ground_at(const field::SensorReadings& readings, const std::shared_ptr<const field::Mesh>& mesh,
                          const std::vector<Index>& points) const;
  // What the network says there, in normalised units.
  field::Matrix network_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                           const std::shared_ptr<const field::Mesh>& mesh, const std::vector<Index>& points);

  const TrainedModel& trained() const { return trained_; }

 private:
  TrainedModel trained_;
  model::Description description_;
  torch::Device device_;
};

}  // namespace fluidsplat::learn
