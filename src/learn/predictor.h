// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "field/metrics.h"
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
                                const field::Mesh& mesh, const std::vector<std::int64_t>& points,
                                bool with_scaffold);
  // The primitives for given readings (batch of one).
  Primitives primitives(const field::SensorReadings& readings, const field::Vector& descriptors,
                        const field::Mesh& mesh);
  const ModelBundle& bundle() const { return bundle_; }

 private:
  Observation observe(const field::SensorReadings& readings, const field::Vector& descriptors,
                      const field::Mesh& mesh);
  ModelBundle bundle_;
  torch::Device device_;
};

struct CaseResult {
  std::int64_t index = 0;
  field::CaseError error;
  double sensor_consistency = 0;
};

// Reconstructs each case from its own sensor readings and compares.  Each result is also given to `on_case`,
// which may stop the evaluation by returning false.
std::vector<CaseResult> evaluate(Predictor& predictor, const field::Dataset& dataset,
                                 const std::vector<std::int64_t>& cases,
                                 const std::function<bool(const CaseResult&)>& on_case = {});

field::ErrorSummary summarize(const std::vector<CaseResult>& results);

}  // namespace fluidsplat::learn
