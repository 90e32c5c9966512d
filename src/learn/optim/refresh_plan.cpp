// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/refresh_plan.h"

#include <algorithm>

namespace fluidsplat::learn {
namespace {

// Wide enough for matrix products at nearly full speed, and no wider than the panels of LAPACK's QR, which goes through
// the columns of a panel one by one: twice as many take more than three times as long.
constexpr Index kColumns = 32;
// What an operation of a QR costs, in operations of a matrix product.
constexpr double kQrOperation = 4;

// Operations of a block: the power step, two projections on the columns before it, one QR or two, and with the last one
// the moments' turn.  See next_basis.h.
double cost(const SideSize& side, const BasisBlock& block) {
  const double n = double(side.length), before = double(block.begin), width = double(block.end - block.begin);
  const double power = 2 * n * n * width, projections = 8 * n * before * width;
  const double qr = (block.begin == 0 ? 4 : 8) * n * width * width * kQrOperation;
  const double turn = block.end == side.length ? 4 * n * n * double(side.other) : 0;
  return power + projections + qr + turn;
}

}  // namespace

bool BasisBlock::is_due(Index step) const {
  const Index cycle = refresh_cycle(step);
  return Index(place * double(cycle)) == step % cycle;
}

std::vector<std::vector<BasisBlock>> plan_refreshes(const std::vector<SideSize>& sides) {
  std::vector<std::vector<BasisBlock>> plan(sides.size());
  double total = 0;
  for (Index i = 0; i < std::ssize(sides); ++i) {
    for (Index begin = 0; begin < sides[i].length; begin += kColumns) {
      BasisBlock block{begin, std::min(begin + kColumns, sides[i].length)};
      const double work = cost(sides[i], block);
      block.place = total + work / 2;
      total += work;
      plan[i].push_back(block);
    }
  }
  for (auto& blocks : plan)
    for (auto& block : blocks) block.place /= total;
  return plan;
}

}  // namespace fluidsplat::learn
