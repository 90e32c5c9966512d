// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "baselines/closed_form_model.h"

namespace fluidsplat::baselines {

struct NearestCaseSpec : model::Spec {
  std::string kind() const override { return "nearest-case"; }
  std::unique_ptr<model::Spec> clone() const override { return std::make_unique<NearestCaseSpec>(*this); }
  void bind(Config&) override {}
};

// The training case whose sensors said most nearly the same.  Sensors that are others in every case are compared with
// the training cases' fields where they are.  The model holds all training fields.
class NearestCaseModel : public ClosedFormModel {
 public:
  NearestCaseModel(const NearestCaseSpec& spec, const learn::DataFacts&)
      : ClosedFormModel({"fields", "readings"}), spec_(spec) {}
  const NearestCaseSpec& spec() const override { return spec_; }

 private:
  void fit_deviations(const Fitting& fitting) override;
  void prepare(const std::string& where) override;
  torch::Tensor deviation(const Said& said, const Place& place) override;
  Index nearest(const Said& said) const;

  NearestCaseSpec spec_;
  Eigen::MatrixXd readings_;  // [T, S]
};

}  // namespace fluidsplat::baselines
