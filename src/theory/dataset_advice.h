// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "field/dataset.h"
#include "theory/advice.h"

namespace fluidsplat::theory {

struct AdviceRequest {
  std::string sensors = "8";  // how many, or a layout file
  std::optional<double> noise;
  std::string channel;  // "": the first
  int frames = 64;      // the first so many cases
};

Advice advise(const field::Dataset& dataset, const AdviceRequest& request);

}  // namespace fluidsplat::theory
