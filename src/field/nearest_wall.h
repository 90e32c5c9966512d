// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/index.h"
#include "field/surface_view.h"

namespace fluidsplat::field {

// Finds the wall point nearest to any place in logarithmic time.  The wall must not be empty; it is copied.
class NearestWall {
 public:
  explicit NearestWall(const SurfaceView& wall);
  ~NearestWall();

  struct Found {
    Index wall_point = 0;  // as SurfaceView numbers them
    double distance = 0;
  };
  Found operator()(const Eigen::RowVectorXf& position) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace fluidsplat::field
