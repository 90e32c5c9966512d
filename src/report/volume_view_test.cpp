// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/volume_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.h"

namespace fluidsplat::report {
namespace {

// A blob in the middle of a grid, or on scattered points.
field::Mesh cube(int n, bool grid) {
  field::Mesh mesh;
  mesh.points.resize(n * n * n, 3);
  for (int i = 0; i < n * n * n; ++i) {
    mesh.points.row(i) << static_cast<float>(i % n), static_cast<float>(i / n % n),
        static_cast<float>(i / (n * n));
    if (grid) mesh.grid_cell.push_back(i);
  }
  if (grid) mesh.grid_shape = {n, n, n};
  return mesh;
}

field::Vector blob(const field::Mesh& mesh, float sign) {
  const Eigen::RowVector3f middle = mesh.points.colwise().mean();
  field::Vector out(mesh.points.rows());
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out[i] = sign * std::exp(-0.1f * (mesh.points.row(i) - middle).squaredNorm());
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

TEST(VolumeView, NeedsThreeDimensions) {
  field::Mesh flat;
  flat.points = field::Matrix::Zero(4, 2);
  EXPECT_THROW(draw_volume(flat, field::Vector::Zero(4), {}), Error);
}

}  // namespace
}  // namespace fluidsplat::report
