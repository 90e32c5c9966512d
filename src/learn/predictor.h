// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "learn/model_file.h"

namespace fluidsplat::learn {

// What a model says of one instant, in physical units, one row per point.
struct Reconstruction {
  field::Matrix field;     // [n, C]
  field::Matrix scaffold;  // [n, C], f_prim alone
  field::Vector mass;      // [n], sum of w_k phi_k
};

// Applies a model to whole meshes, tile by tile, so that memory does not grow with the mesh.
class Predictor {
 public:
  Predictor(ModelBundle bundle, torch::Device device);
  // `with_scaffold` also fills scaffold and mass.
  Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                             const field::Mesh& mesh, bool with_scaffold = false);
  // The same at chosen points of the mesh.
  Reconstruction reconstruct_at(const field::SensorReadings& readings, const field::Vector& descriptors,
                                const field::Mesh& mesh, const std::vector<Index>& points, bool with_scaffold);
  const ModelBundle& bundle() const { return bundle_; }

 private:
  Observation observe(const field::SensorReadings& readings, const field::Vector& descriptors, const field::Mesh& mesh);
  ModelBundle bundle_;
  torch::Device device_;
};

}  // namespace fluidsplat::learn
