// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "field/case.h"

namespace fluidsplat::calibrate {

// A case that a scale is learnt from, with what a model said of it: truth minus that, [n, C], and the readings, [V],
// normalised.
struct Lesson {
  std::shared_ptr<const field::Mesh> mesh;
  field::Matrix errors;
  std::vector<float> readings;
  field::Vector doubt;  // [n], of the last hidden layer; empty where it is not asked
};
using LessonList = std::vector<std::shared_ptr<const Lesson>>;

}  // namespace fluidsplat::calibrate
