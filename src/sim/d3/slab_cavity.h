// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/d3/cavity_reference.h"
#include "sim/d3/lbm.h"

namespace fluidsplat::sim::d3 {

// One layer of cells that repeats in z, with walls and a lid: the plane cavity, for tests.
class SlabCavity {
 public:
  // `cells` is odd, so that cells lie on the centre lines; `time` in sides / lid speed.
  SlabCavity(Index cells, double reynolds, double time, double speed = 0.1)
      : cells_(cells), speed_(speed), lbm_(settings(cells, reynolds, speed)) {
    lbm_.step(std::llround(time * double(cells) / speed));
  }

  double u_in_the_middle() const { return lbm_.at(cells_ / 2, cells_ / 2, 0).u / speed_; }
  // The extremes on the centre lines, by parabolas through three cells.
  double least_u() const {
    return least([&](Index y) { return u(y); });
  }
  double least_v() const {
    return least([&](Index x) { return v(x); });
  }
  double most_v() const {
    return -least([&](Index x) { return -v(x); });
  }
  double worst_u(const CentreLine& line) const {
    return worst_difference(
        line, cells_, [&](Index y) { return u(y); }, 0, 1);
  }
  double worst_v(const CentreLine& line) const {
    return worst_difference(
        line, cells_, [&](Index x) { return v(x); }, 0, 0);
  }

 private:
  static LbmSettings settings(Index cells, double reynolds, double speed) {
    LbmSettings s;
    s.size = {cells, cells, 1};
    s.viscosity = speed * double(cells) / reynolds;
    s.edges = {Edge::kWall, Edge::kWall, Edge::kPeriodic, {speed, 0, 0}};
    s.threads = 1;  // so few cells are not worth the threads' meetings
    return s;
  }
  double u(Index y) const { return lbm_.at(cells_ / 2, y, 0).u / speed_; }
  double v(Index x) const { return lbm_.at(x, cells_ / 2, 0).v / speed_; }
  double least(const std::function<double(Index)>& value) const {
    Index at = 1;
    for (Index i = 1; i < cells_ - 1; ++i)
      if (value(i) < value(at)) at = i;
    const double below = value(at - 1), here = value(at), above = value(at + 1);
    return here - std::pow(below - above, 2) / (8 * (below - 2 * here + above));
  }
  Index cells_;
  double speed_;
  Lbm lbm_;
};

}  // namespace fluidsplat::sim::d3
