// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A trained model without a framework:
//
//   auto model = Reconstructor::open("model.safetensors");
//   auto plan = model.plan({.points = xy, .count = n});
//   plan.run(readings, nullptr, {.field = out});   // again and again; nothing is allocated here
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/index.h"
#include "classical/kriging.h"
#include "classical/pod_prior.h"
#include "model/base_field.h"
#include "runtime/description.h"
#include "runtime/encoder.h"
#include "uncertainty/band.h"

namespace fluidsplat::runtime {

class Plan;

// What a plan is made for.  Points and features are read while planning and not kept by pointer.
struct PlanOptions {
  const float* points = nullptr;  // [count][d], physical units; none for a plan that only uses evaluate_at()
  Index count = 0;
  const float* features = nullptr;        // [count][F], physical units; needed when the model has query features
  const SensorLayout* sensors = nullptr;  // null: the layout the model was trained with
  // [sensors][F], for a model that corrects itself at its sensors; null: those of the nearest points
  const float* sensor_features = nullptr;
  GeometryPoints geometry;  // needed when the model has geometry tokens
  int threads = 1;
  bool gradients = false;  // derivatives, vorticity and divergence will be asked for
  // Bands will be asked for: needs a calibrated model and as many sensors as it has, in its order.
  std::optional<uncertainty::BandRequest> band = {};
  // Doubt will be asked for, of this layer, unless the band's calibration has one.
  const uncertainty::LastLayer* layer = nullptr;
  Index cache_bytes = Index{64} << 20;  // keep mesh-only work of the points if it fits into this
};

// Arrays to fill, in physical units; null ones are left out.
struct Outputs {
  float* field = nullptr;       // [count][C]
  float* primitive = nullptr;   // [count][C]: the primitive scaffold alone
  float* mass = nullptr;        // [count]: sum of w_k phi_k, how much the scaffold knows of a place
  float* gradient = nullptr;    // [count][C][d]: derivative of the field by position
  float* vorticity = nullptr;   // [count] in 2-D, [count][3] in 3-D
  float* divergence = nullptr;  // [count]
  float* lower = nullptr;       // [count][C]: the band's edges, infinite where nothing can be promised
  float* upper = nullptr;       // [count][C]
  float* scale = nullptr;       // [count][C]: the local scale that the band's width is a multiple of
  float* hidden = nullptr;      // [count][H]: the decoder's last hidden layer, as it is; needs a decoder
  float* doubt = nullptr;       // [count]: how unusual that layer is, see uncertainty::LastLayer
  bool bounds() const { return lower || upper || scale; }
  bool differentiates() const { return gradient || vorticity || divergence; }
};

// An open model.  Constant; any number of threads may use it, copies share the weights.
class Reconstructor {
 public:
  // Throws Error, naming the file and the field, for anything that is not a sound model file.
  static Reconstructor open(const std::filesystem::path& path);

  const ModelDescription& description() const;
  // The number of trained parameters.
  Index parameters() const;
  // The field that what the model says is added to; null when it has none.
  const model::BaseField* base() const;
  // What the readings add to that before the network does; its pod is null when there is none.
  const classical::Prior& prior() const;
  // How what its sensors say beyond its answer is carried to their neighbourhood; off when it is not.
  const classical::Kriging& correction() const;
  // How wrong it was on cases that it had not seen; null when the model was not calibrated.
  const std::shared_ptr<const uncertainty::Calibration>& calibration() const;
  Plan plan(const PlanOptions& options) const;

  struct Model;

 private:
  explicit Reconstructor(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  std::shared_ptr<const Model> model_;
};

// A model made ready for a sensor layout and a set of points.  Every call may come from any thread; calls on one plan
// wait for each other, plans of one model run side by side.  After construction nothing is allocated, whatever the
// number of points.  readings are [sensors][C] in physical units, NaN where a sensor says nothing; descriptors are [M]
// in physical units, null when M = 0.
class Plan {
 public:
  Plan(std::shared_ptr<const Reconstructor::Model> model, const PlanOptions& options);
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  // observe() and evaluate() in one step.
  void run(const float* readings, const float* descriptors, const Outputs& out);
  // `frames` readings [frames][sensors][C] and descriptors [frames][M]; every output gains a leading [frames] axis.
  void run_batch(const float* readings, const float* descriptors, Index frames, const Outputs& out);

  // Takes in one instant: encodes readings and makes the primitives.
  void observe(const float* readings, const float* descriptors);
  // The last instant observed, at the planned points.
  void evaluate(const Outputs& out);
  // The same at any other points, however many.
  void evaluate_at(const float* points, const float* features, Index count, const Outputs& out);
  // The last instant's primitives [K][columns] in the unit box and normalised amplitudes: centre, scales, rotation
  // matrix, log weight, amplitude (model::FluidSplatSpec::primitive_columns).  Its context z [D].
  void copy_primitives(float* primitives);
  void copy_context(float* context);
  // The band at the last instant observed; null when none was planned for.
  const uncertainty::Band* band() const;

  Index count() const;
  Index sensors() const;
  // Memory of this plan that does not grow with its points.
  Index working_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fluidsplat::runtime
