// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/case.h"
#include "uncertainty/local_scale.h"

namespace fluidsplat::calibrate {

// What errors near a place are summed up as.
enum class Summary {
  rms,       // their root mean square
  quantile,  // what nine of ten are within: bands then hold as much in one place as in another
};

// Learns where a model errs how much from cases that are not calibrated on: by place, over the errors of all cases
// there.  On one mesh that all cases share, at each of its points and, with few cases, those around it; on meshes of
// their own, near each of some thousand places.
class ScaleByPlace {
 public:
  // No place is taken to be better than `least` of the whole: few cases may agree by luck.
  explicit ScaleByPlace(Summary summary = Summary::rms, double least = 0.1) : summary_(summary), least_(least) {}
  void add(const std::shared_ptr<const field::Mesh>& mesh, field::Matrix errors);
  // Throws std::logic_error when nothing was added.
  uncertainty::LocalScale make() const;
  // The same everywhere.
  uncertainty::LocalScale make_constant() const;

 private:
  struct Samples {
    model::Matrix places, sizes;  // [n, d], [n, C]
  };
  std::vector<double> whole() const;
  double summed_up(std::vector<float>& sizes) const;
  float log_scale(double here, double whole) const;
  uncertainty::LocalScale on_one_mesh() const;
  uncertainty::LocalScale on_many_meshes() const;

  Summary summary_;
  double least_;
  std::vector<std::shared_ptr<const field::Mesh>> meshes_;
  std::vector<field::Matrix> sizes_;
};

}  // namespace fluidsplat::calibrate
