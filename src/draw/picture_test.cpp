// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/picture.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

namespace fluidsplat::draw {
namespace {

TEST(ColorScale, IsSymmetricForSignedValuesAndSequentialOtherwise) {
  const field::Vector around = field::Vector::LinSpaced(1001, -3, 1), above = field::Vector::LinSpaced(1001, 2, 5);
  const auto a = scale_for(around), b = scale_for(above);
  EXPECT_EQ(a.map, ColorMap::diverging);
  EXPECT_EQ(a.low, -a.high);
  EXPECT_EQ(b.map, ColorMap::sequential);
  EXPECT_NEAR(b.low, 2, 0.05);
  // A stream with a little backflow is not a field about zero.
  EXPECT_EQ(scale_for(field::Vector::LinSpaced(1001, -0.2f, 1.3f)).map, ColorMap::sequential);
  EXPECT_EQ(scale_for(field::Vector::LinSpaced(1001, -1.3f, 0.2f)).map, ColorMap::sequential);
  EXPECT_GT(scale_for(field::Vector::Constant(5, 1.0f)).high, scale_for(field::Vector::Constant(5, 1.0f)).low);
}

field::Mesh small_grid() {
  field::Mesh mesh;
  mesh.grid_shape = {2, 3};
  mesh.points.resize(5, 2);
  for (int i = 0; i < 5; ++i) {  // the sixth cell, top right, has no data
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % 3), float(i / 3);
  }
  return mesh;
}

Rgb pixel(const io::Image& image, double x_share, double y_share) {
  const auto column = Index(x_share * image.width), row = Index(y_share * image.height);
  const Index at = 3 * (row * image.width + column);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

TEST(Picture, CellsAreWhereTheyBelongAndNoDataIsGrey) {
  const auto mesh = small_grid();
  field::Vector values(5);
  values << -1, 0, 1, -1, 0;
  const ColorScale scale{ColorMap::diverging, -1, 1};
  const auto image = draw_field(Plane(mesh), values, scale, {.pixels_wide = 300, .sensors = {}, .ellipses = {}});
  EXPECT_EQ(pixel(image, 0.1, 0.9), color_at(ColorMap::diverging, 0)) << "cell (0, 0) is at the bottom left";
  EXPECT_EQ(pixel(image, 0.9, 0.9), color_at(ColorMap::diverging, 1));
  EXPECT_EQ(pixel(image, 0.97, 0.05), (Rgb{222, 222, 222})) << "no data";
  field::Matrix sensor(1, 2);
  sensor << 1, 0;
  const auto marked = draw_field(Plane(mesh), values, scale, {.pixels_wide = 300, .sensors = sensor, .ellipses = {}});
  EXPECT_NE(image.rgb, marked.rgb);
  EXPECT_EQ(pixel(marked, 0.5, 0.75), (Rgb{255, 196, 0})) << "gold where the sensor is";
}

// An ellipse along the diagonal must show at its own ends and not at those of its mirror image.
TEST(Picture, EllipsesLeanTheRightWay) {
  field::Mesh mesh;
  mesh.grid_shape = {11, 11};
  mesh.points.resize(121, 2);
  for (int i = 0; i < 121; ++i) {
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % 11), float(i / 11);
  }
  const auto image = draw_field(Plane(mesh), field::Vector::Zero(121), {},
                                {.pixels_wide = 220, .sensors = {}, .ellipses = {{5, 5, 4, 1, 0.785398}}});
  const auto dark_near = [&](double x, double y) {
    for (double dx = -0.02; dx <= 0.02; dx += 0.004)
      for (double dy = -0.02; dy <= 0.02; dy += 0.004)
        if (pixel(image, (x + 0.5) / 11 + dx, (10.5 - y) / 11 + dy) == Rgb{20, 20, 20}) return true;
    return false;
  };
  const double along = 4 * std::sqrt(0.5), across = std::sqrt(0.5);
  EXPECT_TRUE(dark_near(5 + along, 5 + along));
  EXPECT_TRUE(dark_near(5 - along, 5 - along));
  EXPECT_TRUE(dark_near(5 - across, 5 + across));
  EXPECT_FALSE(dark_near(5 + along, 5 - along));
  EXPECT_FALSE(dark_near(5 - along, 5 + along));
}

// Slices of a 3-D grid: the two axes that are left, in order, at the place that is asked for.
TEST(Picture, SlicesShowTheirOwnPlane) {
  field::Mesh mesh;
  const int n = 9;
  mesh.grid_shape = {n, n, n};
  mesh.points.resize(n * n * n, 3);
  for (int i = 0; i < n * n * n; ++i) {
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << float(i % n), float(i / n % n), float(i / (n * n));
  }
  const ColorScale scale{ColorMap::sequential, 0, n - 1};
  const Rgb low = color_at(ColorMap::sequential, 0), high = color_at(ColorMap::sequential, 1),
            middle = color_at(ColorMap::sequential, 0.5);
  for (int normal = 0; normal < 3; ++normal) {
    PictureOptions options;
    options.pixels_wide = 90;
    const Plane plane(mesh, {.normal = normal});
    const int across = normal == 0 ? 1 : 0, up = normal == 2 ? 1 : 2;
    const auto of_across = draw_field(plane, mesh.points.col(across), scale, options);
    EXPECT_EQ(pixel(of_across, 0.05, 0.5), low) << normal;
    EXPECT_EQ(pixel(of_across, 0.95, 0.5), high) << normal;
    const auto of_up = draw_field(plane, mesh.points.col(up), scale, options);
    EXPECT_EQ(pixel(of_up, 0.5, 0.95), low) << normal;
    EXPECT_EQ(pixel(of_up, 0.5, 0.05), high) << normal;
    EXPECT_EQ(pixel(draw_field(plane, mesh.points.col(normal), scale, options), 0.5, 0.5), middle) << normal;
    const Plane end(mesh, {.normal = normal, .at = 1});
    EXPECT_EQ(pixel(draw_field(end, mesh.points.col(normal), scale, options), 0.5, 0.5), high) << normal;
  }
}

// Cells that are not as wide as high, and layers of which none lies in the middle.
TEST(Picture, SlicesOfARegularGridHaveNoGaps) {
  field::Mesh mesh;
  const int nx = 12, ny = 5, nz = 8;
  mesh.grid_shape = {nz, ny, nx};
  mesh.points.resize(nx * ny * nz, 3);
  for (int i = 0; i < nx * ny * nz; ++i) {
    mesh.grid_cell.push_back(i);
    mesh.points.row(i) << 0.1f * float(i % nx), 0.7f * float(i / nx % ny), 0.3f * float(i / (nx * ny));
  }
  const field::Vector values = field::Vector::Ones(mesh.size());
  const Rgb color = color_at(ColorMap::sequential, 1);
  for (int normal = 0; normal < 3; ++normal) {
    PictureOptions options;
    options.pixels_wide = 120;
    const auto image = draw_field(Plane(mesh, {.normal = normal}), values, {ColorMap::sequential, 0, 1}, options);
    for (std::size_t k = 0; k < image.rgb.size(); k += 3)
      ASSERT_TRUE(std::equal(color.begin(), color.end(), image.rgb.begin() + std::ptrdiff_t(k)))
          << "a gap in the slice across " << normal;
  }
}

}  // namespace
}  // namespace fluidsplat::draw
