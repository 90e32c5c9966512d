// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "classical/kriging.h"
#include "classical/pod_prior.h"
#include "field/sensors.h"
#include "model/base_field.h"
#include "model/description.h"
#include "model/spec.h"
#include "reconstruct/primitive.h"
#include "reconstruct/training_record.h"
#include "uncertainty/last_layer.h"

namespace fluidsplat::reconstruct {

// What a model says of one instant, in physical units, one row per point.  What a model does not have, or was not asked
// for, is empty.
struct Reconstruction {
  field::Matrix field;       // [n, C]
  field::Matrix scaffold;    // [n, C], f_prim alone
  field::Vector mass;        // [n], sum of w_k phi_k
  field::Matrix vorticity;   // [n, 1] in 2-D, [n, 3] in 3-D
  field::Vector divergence;  // [n]
  field::Vector doubt;       // [n], of the last hidden layer
};

// What to compute besides the field, as far as the model has it.
struct Extras {
  bool scaffold = false, mass = false, vorticity = false, divergence = false;
  const uncertainty::LastLayer* layer = nullptr;  // of which the doubt
};

// A trained model of any kind that speaks in cases and meshes.  Instants on one mesh with one set of sensors share
// work, so ask for them in a row.  One thread at a time.
class FieldModel {
 public:
  virtual ~FieldModel() = default;
  virtual const model::Spec& spec() const = 0;
  virtual const model::Description& description() const = 0;
  // The number of trained numbers.
  virtual Index parameters() const = 0;
  // The field that it has learnt the deviation from; null when it has learnt the whole field.
  virtual const model::BaseField* base() const = 0;
  // What the readings add to that before the network does; its pod is null when the model has none.
  virtual const classical::Prior& prior() const = 0;
  // How what the sensors say beyond its answer is carried to their neighbourhood; off when it is not.
  virtual classical::Kriging correction() const { return {}; }
  virtual Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector& descriptors,
                                     const std::shared_ptr<const field::Mesh>& mesh, const Extras& extras = {}) = 0;
  // In the order of the model, which is the same for every instant; empty for a model without primitives.
  virtual std::vector<Primitive> primitives(const field::SensorReadings&, const field::Vector&,
                                            const std::shared_ptr<const field::Mesh>&) {
    return {};
  }

  // The network's last hidden layer, of which its field is a linear function, [n, H]; empty for a model without.
  virtual field::Matrix hidden(const field::SensorReadings&, const field::Vector&,
                               const std::shared_ptr<const field::Mesh>&) {
    return {};
  }

  const field::Schema& schema() const { return description().schema; }
  // As in training.
  const field::SensorLayout& sensors() const { return description().sensors; }
  const field::Box& domain() const { return description().normalization.domain; }
  // What is known of the data it was trained on.
  const TrainingRecord& record() const { return record_; }
  // The channels that are the velocity's components; empty when there are none.
  std::vector<Index> velocity() const;

 protected:
  TrainingRecord record_;
};

// Throws Error unless a dataset's columns are those a model was trained on.  A model that was trained without
// descriptors or features takes no notice of those that the data have.
void check_schema(const field::Schema& model, const field::Schema& data, const std::string& where);
// Throws Error, naming what is missing, unless there are as many descriptors as the model needs.
void check_descriptors(const field::Vector& descriptors, const field::Schema& model);
// What a model is told of a case: its descriptors, or nothing when it was trained without.
field::Vector descriptors_for(const field::Vector& descriptors, const field::Schema& model);

}  // namespace fluidsplat::reconstruct
