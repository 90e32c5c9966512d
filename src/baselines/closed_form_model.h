// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "baselines/carrier.h"
#include "baselines/known_sensors.h"
#include "classical/pod_basis.h"

namespace fluidsplat::baselines {

// What the classical methods have in common: the field is the training cases' mean (on their carrier) plus a deviation,
// which each finds in its own way from what the sensors say.  Fitted in one go; what is fitted are matrices that the
// model file keeps by name.
class ClosedFormModel : public learn::Model {
 public:
  bool is_fitted_in_closed_form() const final { return true; }
  void fit(const learn::TrainingData& data) final;
  torch::Tensor reconstruct(const learn::Observation& observation, const learn::Queries& queries) final;
  void load(const learn::TensorMap& tensors, const std::string& where) final;

 protected:
  // `matrices`: the names of what a method adds.
  explicit ClosedFormModel(const std::vector<std::string>& matrices);

  // The training cases: their normalised deviations from the mean on the carrier, [P * C] each, and what their sensors
  // say.
  struct Fitting {
    const learn::TrainingData& data;
    classical::Snapshots deviations;
    std::vector<Said> said;
  };
  virtual void fit_deviations(const Fitting& fitting) = 0;
  // After fitting or loading.  Throws Error, naming `where`, when the matrices do not fit each other.
  virtual void prepare(const std::string& where) = 0;
  // Where one case is asked for.
  struct Place {
    torch::Tensor positions;  // [Q, d] in the unit box
    torch::Tensor points;     // [Q], see Queries::points; may be undefined
  };
  // [Q, C], normalised.
  virtual torch::Tensor deviation(const Said& said, const Place& place) = 0;

  torch::Tensor matrix(const std::string& name) const { return named_buffers()[name]; }
  void set_matrix(const std::string& name, const torch::Tensor& value) { matrix(name).set_data(value); }
  void set_matrix(const std::string& name, const Eigen::MatrixXd& value);
  Eigen::MatrixXd as_doubles(const std::string& name) const;

  Index channels() const { return spec().channels; }
  const Carrier& carrier() const { return *carrier_; }
  const KnownSensors& sensors() const { return sensors_; }
  // How the sensors' readings differ from the mean field where they are, normalised.
  Eigen::VectorXd deviations_at_sensors(const Said& said) const;
  // One channel each of fields [F, P * C] at the sensors: [sensors, F].
  Eigen::MatrixXd at_sensors(const torch::Tensor& fields, const Said& said) const;

 private:
  std::optional<Carrier> carrier_;
  KnownSensors sensors_;
};

}  // namespace fluidsplat::baselines
