// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "mesh/flatness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace fluidsplat::mesh {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<double> block(int nx, int ny, int nz, double noise) {
  std::vector<double> out;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) out.insert(out.end(), {x + noise * z, double(y), 0.1 * z});
  return out;
}

TEST(Flatness, APlaneLeavesItsAxisOut) {
  const auto flat = flatness_of(block(4, 3, 1, 0));
  EXPECT_THAT(flat.axes, ElementsAre(0, 1));
  EXPECT_EQ(flat.across(), 2);
  EXPECT_THAT(flat.rows, IsEmpty());
}

TEST(Flatness, OneLayerOfCellsHasTwoPlanesOfPoints) {
  for (double noise : {0.0, 1e-9}) {
    const auto flat = flatness_of(block(4, 3, 2, noise));
    EXPECT_THAT(flat.axes, ElementsAre(0, 1));
    ASSERT_THAT(flat.rows, SizeIs(12));
    for (Index i = 0; i < 12; ++i) {
      EXPECT_EQ(flat.rows[i], i);
      EXPECT_EQ(flat.twins[i], 12 + i);
    }
  }
  auto shifted = block(4, 3, 2, 0.01);
  EXPECT_THAT(flatness_of(shifted).axes, SizeIs(3)) << "points without one opposite";
}

TEST(Flatness, MoreLayersAreThreeDimensional) {
  EXPECT_THAT(flatness_of(block(4, 3, 3, 0)).axes, SizeIs(3));
  EXPECT_FALSE(flatness_of(block(4, 3, 3, 0)).across());
}

TEST(Flatness, PaddingIsOverlooked) {
  auto points = block(4, 3, 1, 0);
  points.insert(points.end(), 3, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT(flatness_of(points).axes, ElementsAre(0, 1));
}

}  // namespace
}  // namespace fluidsplat::mesh
