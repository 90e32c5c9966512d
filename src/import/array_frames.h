// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"
#include "field/case.h"
#include "import/array_source.h"
#include "import/axes.h"

namespace fluidsplat::importing {

// An array whose axes are known, read case by case as a table: one row per point in the order z, y, x (slowest first),
// one column per channel.
class ArrayFrames {
 public:
  ArrayFrames(ArraySource source, Axes axes);

  const Axes& axes() const { return axes_; }
  const ArraySource& source() const { return source_; }
  Index cases() const { return axes_.extent('t'); }
  Index columns() const { return axes_.extent('c'); }
  field::Matrix read(Index index);
  // Some of the points alone, where they are the first axis.
  field::Matrix read_points(Index first, Index count);

 private:
  field::Matrix arrange(const float* values, Index points) const;

  ArraySource source_;
  Axes axes_;
  // Everything, when the cases are not the first axis: then they cannot be read one by one.
  std::vector<float> whole_;
};

// An array that accompanies the data: one value per point, or `components` as its last axis, the same for all cases or
// (with a first axis more) case by case.
ArrayFrames open_companion(const std::filesystem::path& file, const std::string& reference, const Axes& data,
                           bool components, const char* what);

}  // namespace fluidsplat::importing
