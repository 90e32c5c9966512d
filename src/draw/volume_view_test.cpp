// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/volume_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"
#include "draw/surface_discs.h"

namespace fluidsplat::draw {
namespace {

// A blob in the middle of a grid, or on scattered points.
field::Mesh cube(int n, bool grid) {
  field::Mesh mesh;
  mesh.points.resize(n * n * n, 3);
  for (int i = 0; i < n * n * n; ++i) {
    mesh.points.row(i) << float(i % n), float(i / n % n), float(i / (n * n));
    if (grid) mesh.grid_cell.push_back(i);
  }
  if (grid) mesh.grid_shape = {n, n, n};
  return mesh;
}

field::Vector blob(const field::Mesh& mesh, float sign) {
  const Eigen::RowVector3f middle = mesh.points.colwise().mean();
  field::Vector out(mesh.points.rows());
  for (Index i = 0; i < out.size(); ++i) out[i] = sign * std::exp(-0.1f * (mesh.points.row(i) - middle).squaredNorm());
  return out;
}

// The colour at the middle of the picture.
Rgb middle(const io::Image& image) {
  const auto at = 3 * (static_cast<std::size_t>(image.height / 2) * static_cast<std::size_t>(image.width) +
                       static_cast<std::size_t>(image.width / 2));
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

TEST(VolumeView, ShowsSurfacesInTheColoursOfTheScale) {
  const auto mesh = cube(12, true);
  const ColorScale scale{ColorMap::diverging, -1, 1};
  const auto red = middle(draw_volume(mesh, blob(mesh, 1), scale)),
             blue = middle(draw_volume(mesh, blob(mesh, -1), scale));
  EXPECT_GT(red[0], red[2] + 40);
  EXPECT_GT(blue[2], blue[0] + 40);
  const auto empty = middle(draw_volume(mesh, 0 * blob(mesh, 1), scale));
  EXPECT_EQ(empty, (Rgb{255, 255, 255})) << "no surface where the field never reaches a level";
}

TEST(VolumeView, ShowsScatteredPointsAndSensors) {
  const auto mesh = cube(10, false);
  VolumeOptions options;
  const auto image = draw_volume(mesh, blob(mesh, 1), {ColorMap::sequential, 0, 1}, options);
  std::set<Rgb> colors;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    colors.insert({image.rgb[i], image.rgb[i + 1], image.rgb[i + 2]});
  EXPECT_GT(colors.size(), 20u);
  options.sensors = mesh.points.row(0);
  EXPECT_NE(draw_volume(mesh, blob(mesh, 1), {ColorMap::sequential, 0, 1}, options).rgb, image.rgb);
}

// A ball of points about the origin.
field::Mesh ball(int n) {
  field::Mesh mesh;
  mesh.points.resize(n, 3);
  for (int i = 0; i < n; ++i) {  // evenly, along a spiral
    const double z = 1 - (2 * i + 1.0) / n, turn = i * 2.399963, r = std::sqrt(1 - z * z);
    mesh.points.row(i) << float(r * std::cos(turn)), float(r * std::sin(turn)), float(z);
  }
  return mesh;
}

TEST(VolumeView, SurfacesAreToldFromVolumes) {
  auto sphere = ball(2000);
  EXPECT_TRUE(is_surface(sphere));
  for (Index i = 0; i < 2000; ++i) sphere.surface.push_back(i);
  EXPECT_TRUE(is_surface(sphere));
  sphere.surface.resize(100);
  EXPECT_FALSE(is_surface(sphere)) << "the file says what is wall, and this is not all of it";
  EXPECT_FALSE(is_surface(cube(12, false)));
  EXPECT_FALSE(is_surface(cube(12, true)));
  const auto discs = surface_discs(ball(2000).points);
  for (Index i = 0; i < 2000; ++i) ASSERT_GT(std::abs(discs.normals.row(i).dot(ball(2000).points.row(i))), 0.98f);
}

// What is behind must not shine through, and up must be up.
TEST(VolumeView, SurfacesHideWhatIsBehindThem) {
  const auto mesh = ball(3000);
  const Eigen::Vector3f to_viewer = Eigen::Vector3f(-1.0f, -1.6f, 0.9f).normalized();
  const field::Vector facing = (mesh.points * to_viewer).unaryExpr([](float v) { return v > -0.1f ? 1.0f : -1.0f; });
  const ColorScale scale{ColorMap::diverging, -1, 1};
  const auto image = draw_volume(mesh, facing, scale);
  int red = 0, blue = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    red += image.rgb[i] > image.rgb[i + 2] + 40;
    blue += image.rgb[i + 2] > image.rgb[i] + 40;
  }
  EXPECT_GT(red, 20000) << "a body without holes";
  EXPECT_LT(blue, red / 50) << "the far side";
  const auto lifted = draw_volume(mesh, mesh.points.col(2), scale);
  const auto pixel = [&](int column, int row) {
    const auto at =
        3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(lifted.width) + static_cast<std::size_t>(column));
    return Rgb{lifted.rgb[at], lifted.rgb[at + 1], lifted.rgb[at + 2]};
  };
  const auto above = pixel(320, 140), below = pixel(320, 340);
  EXPECT_GT(above[0], above[2] + 40) << "z is up";
  EXPECT_GT(below[2], below[0] + 40);
}

TEST(VolumeView, NeedsThreeDimensions) {
  field::Mesh flat;
  flat.points = field::Matrix::Zero(4, 2);
  EXPECT_THROW(draw_volume(flat, field::Vector::Zero(4), {}), std::logic_error);
}

}  // namespace
}  // namespace fluidsplat::draw
