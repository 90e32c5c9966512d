// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "survey/length_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fluidsplat::survey {
namespace {

TEST(LengthScale, FollowsTheWavelength) {
  double before = 1;
  for (int waves : {1, 2, 4}) {
    field::Schema schema;
    schema.coordinates = {{"x", ""}, {"y", ""}};
    schema.channels = {{"w", ""}};
    field::MemoryDataset data(schema);
    auto mesh = std::make_shared<field::Mesh>();
    mesh->points.resize(64 * 64, 2);
    mesh->features.resize(64 * 64, 0);
    field::Case c;
    c.fields.resize(64 * 64, 1);
    for (int i = 0; i < 64 * 64; ++i) {
      mesh->points.row(i) << float(i % 64), float(i / 64);
      c.fields(i, 0) = float(std::sin(2 * M_PI * waves * (i % 64) / 64) * std::sin(2 * M_PI * waves * (i / 64) / 64));
    }
    c.mesh = mesh;
    data.add(c);
    const auto scales = measure_length_scales(data);
    EXPECT_NEAR(scales.spacing, 1.0 / 64, 2e-3);
    // The product of sines decorrelates by half at about 0.18 wavelengths.
    EXPECT_NEAR(scales.correlation * waves, 0.18, 0.06);
    EXPECT_LT(scales.correlation, 0.7 * before);
    before = scales.correlation;
  }
}

}  // namespace
}  // namespace fluidsplat::survey
