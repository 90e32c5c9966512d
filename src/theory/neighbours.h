// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "theory/points.h"

namespace fluidsplat::theory {

// A k-d tree over a copy of the points.  Thread-safe for queries.
class Neighbours {
 public:
  struct Hit {
    int index;
    double squared_distance;
  };

  explicit Neighbours(Points points);
  ~Neighbours();
  Neighbours(Neighbours&&) noexcept;

  Hit nearest(const double* query) const;
  // The `count` nearest, by increasing distance; fewer when there are fewer points.
  std::vector<Hit> nearest(const double* query, int count) const;
  // All within `radius`, by increasing index: sums over them do not depend on the shape of the tree.
  void within(const double* query, double radius, std::vector<Hit>& hits) const;
  int size() const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace fluidsplat::theory
