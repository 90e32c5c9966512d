// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "uncertainty/local_scale.h"

namespace fluidsplat::calibrate {

// Learns where a model errs how much from cases that are not calibrated on: the root mean square of its errors, by
// place.  On one mesh that all cases share, point by point; on meshes of their own, over the errors of all cases near
// each of some thousand places.
class ScaleByPlace {
 public:
  void add(const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& errors);
  // Throws std::logic_error when nothing was added.
  uncertainty::LocalScale make() const;
  // The same everywhere: the root mean square over all of it.
  uncertainty::LocalScale make_constant() const;

 private:
  std::vector<double> mean_squares() const;
  uncertainty::LocalScale on_one_mesh() const;
  uncertainty::LocalScale on_many_meshes() const;

  std::vector<std::shared_ptr<const field::Mesh>> meshes_;
  std::vector<field::Matrix> squares_;
};

}  // namespace fluidsplat::calibrate
