// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/weights.h"

#include <fmt/ranges.h>

#include <cmath>

#include "base/error.h"

namespace fluidsplat::runtime {

const float* Weights::take(const std::string& name, const std::vector<Index>& shape) {
  if (!file_.contains(name)) fail("{}: the tensor \"{}\" is missing", where_, name);
  const auto view = file_.get(name);
  if (view.dtype != io::DType::f32) fail("{}: the tensor \"{}\" must be F32", where_, name);
  if (view.shape != shape)
    fail("{}: the tensor \"{}\" has shape [{}], the config calls for [{}]", where_, name, fmt::join(view.shape, ", "),
         fmt::join(shape, ", "));
  const auto* values = reinterpret_cast<const float*>(view.bytes.data());
  for (Index i = 0; i < std::ssize(view.bytes) / Index{sizeof(float)}; ++i)
    if (!std::isfinite(values[i])) fail("{}: the tensor \"{}\" holds a value that is not finite", where_, name);
  taken_.insert(name);
  return values;
}

const float* Weights::matrix(const std::string& name, Index rows, Index cols) {
  return take(name, {static_cast<Index>(rows), static_cast<Index>(cols)});
}

const float* Weights::vector(const std::string& name, Index size) {
  return take(name, {static_cast<Index>(size)});
}

void Weights::finish() const {
  for (const auto& name : file_.names())
    if (!taken_.contains(name))
      fail("{}: the tensor \"{}\" has no place in the model its config describes", where_, name);
}

}  // namespace fluidsplat::runtime
