// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/field_model.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::reconstruct {

// A FluidSplat model on the runtime.
class RuntimeModel : public FieldModel {
 public:
  explicit RuntimeModel(const std::filesystem::path& file, int threads = 1);

  const model::FluidSplatSpec& spec() const override { return model_.description().spec; }
  const model::Description& description() const override { return description_; }
  Index parameters() const override { return model_.parameters(); }
  const model::BaseField* base() const override { return model_.base(); }
  const classical::Prior& prior() const override { return model_.prior(); }
  classical::Kriging correction() const override { return model_.correction(); }
  Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                             const std::shared_ptr<const field::Mesh>& mesh, const Extras& extras = {}) override;
  std::vector<Primitive> primitives(const field::SensorReadings& readings, const field::Vector& descriptors,
                                    const std::shared_ptr<const field::Mesh>& mesh) override;
  field::Matrix hidden(const field::SensorReadings& readings, const field::Vector& descriptors,
                       const std::shared_ptr<const field::Mesh>& mesh) override;

 private:
  runtime::Plan& plan_for(const field::SensorReadings& readings, const std::shared_ptr<const field::Mesh>& mesh,
                          bool gradients, const uncertainty::LastLayer* layer = nullptr);

  runtime::Reconstructor model_;
  model::Description description_;
  int threads_;
  // The last plan and what it was made for.
  std::unique_ptr<runtime::Plan> plan_;
  std::shared_ptr<const field::Mesh> planned_mesh_;
  field::Matrix planned_positions_, planned_means_;
  bool planned_gradients_ = false;
  uncertainty::LastLayer planned_layer_;
};

}  // namespace fluidsplat::reconstruct
