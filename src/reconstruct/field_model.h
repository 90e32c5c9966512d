// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "field/sensors.h"
#include "reconstruct/primitive.h"
#include "runtime/reconstructor.h"

namespace fluidsplat::reconstruct {

// What a model says of one instant, in physical units, one row per point.
struct Reconstruction {
  field::Matrix field;       // [n, C]
  field::Matrix scaffold;    // [n, C], f_prim alone
  field::Vector mass;        // [n], sum of w_k phi_k
  field::Matrix vorticity;   // [n, 1] in 2-D, [n, 3] in 3-D
  field::Vector divergence;  // [n]
};

// What to compute besides the field.
struct Extras {
  bool scaffold = false, mass = false, vorticity = false, divergence = false;
};

// A trained model, on the runtime, that speaks in cases and meshes.  Instants on one mesh with one set of sensors share
// a plan, so ask for them in a row.  One thread at a time.
class FieldModel {
 public:
  explicit FieldModel(const std::filesystem::path& file, int threads = 1);

  const field::Schema& schema() const { return schema_; }
  // As in training.
  const field::SensorLayout& sensors() const { return sensors_; }
  field::Box domain() const;
  // The channels that are the velocity's components; empty when there are none.
  std::vector<std::size_t> velocity() const;
  const runtime::Reconstructor& runtime() const { return model_; }

  Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                             const std::shared_ptr<const field::Mesh>& mesh, const Extras& extras = {});
  // In the order of the model, which is the same for every instant.
  std::vector<Primitive> primitives(const field::SensorReadings& readings, const field::Vector& descriptors,
                                    const std::shared_ptr<const field::Mesh>& mesh);

 private:
  runtime::Plan& plan_for(const field::SensorReadings& readings, const std::shared_ptr<const field::Mesh>& mesh,
                          bool gradients);
  std::vector<float> checked_descriptors(const field::Vector& descriptors) const;

  runtime::Reconstructor model_;
  int threads_;
  field::Schema schema_;
  field::SensorLayout sensors_;
  // The last plan and what it was made for.
  std::unique_ptr<runtime::Plan> plan_;
  std::shared_ptr<const field::Mesh> planned_mesh_;
  field::Matrix planned_positions_, planned_usual_;
  bool planned_gradients_ = false;
};

// Throws Error unless a dataset's columns are those a model was trained on.
void check_schema(const field::Schema& model, const field::Schema& data, const std::string& where);

}  // namespace fluidsplat::reconstruct
