// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/index.h"
#include "import/array_file.h"

namespace fluidsplat::importing {

// One array of a user's file, as floats, read a few rows at a time so that it may be larger than memory.
class ArraySource {
 public:
  // `reference` is the name of an array in `file`, another .npy, or other.npz:name (also .h5, .nc, .mat).  Empty: the
  // file's only array.
  static ArraySource open(const std::filesystem::path& file, const std::string& reference);

  const std::vector<Index>& shape() const { return shape_; }
  bool is_boolean() const { return stored_->is_boolean(); }
  // What the file says of the array's axes.
  const AxisNames& axis_names() const { return axis_names_; }
  bool any_order() const { return any_order_; }
  // What messages call it, and the name of the array alone.
  const std::string& label() const { return label_; }
  const std::string& name() const { return name_; }
  std::vector<float> rows(Index first, Index count);
  // For numbers of points, which a float cannot hold when there are many.
  std::vector<double> exact_rows(Index first, Index count);
  // For arrays that are small whatever the data: coordinates, times, single numbers.
  std::vector<double> all();

 private:
  std::string label_, name_;
  std::vector<Index> shape_;
  std::shared_ptr<const ArrayFile> file_;
  std::shared_ptr<StoredArray> stored_;
  AxisNames axis_names_;
  bool any_order_ = false;
};

}  // namespace fluidsplat::importing
