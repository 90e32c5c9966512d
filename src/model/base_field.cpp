// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/base_field.h"

#include <array>

#include "base/error.h"
#include "base/misuse.h"
#include "model/block_matrix.h"

namespace fluidsplat::model {
namespace {

constexpr int kVersion = 1;

}  // namespace

BaseField::BaseField(Matrix points, Matrix values)
    : points_(std::move(points)), values_(std::move(values)), interpolation_(points_) {
  if (points_.rows() != values_.rows())
    misuse("a base field has {} points and {} rows of values", points_.rows(), values_.rows());
}

void BaseField::evaluate(const float* positions, Index count, float* values, float* derivatives) const {
  const Index d = points_.cols(), channels = values_.cols();
  for (Index i = 0; i < count; ++i) {
    const auto weights = interpolation_.at(positions + i * d);
    for (Index c = 0; c < channels; ++c) {
      // Differences from a neighbour: a mean may be many times larger than what varies about it.
      const double near = values_(weights.point[0], c);
      double value = 0;
      std::array<double, 3> slope{};
      for (Index k = 0; k < weights.count; ++k) {
        const double difference = values_(weights.point[k], c) - near;
        value += weights.value[k] * difference;
        for (Index a = 0; a < d; ++a) slope[a] += weights.slope[k][a] * difference;
      }
      values[i * channels + c] = float(near + value);
      if (!derivatives) continue;
      for (Index a = 0; a < d; ++a) derivatives[(i * channels + c) * d + a] = float(slope[a]);
    }
  }
}

Matrix BaseField::at(const Matrix& points) const {
  // A separate wall's points follow those of the mesh.
  if (points.rows() <= points_.rows() && (points.array() == points_.topRows(points.rows()).array()).all())
    return values_.topRows(points.rows());
  Matrix out(points.rows(), values_.cols());
  evaluate(points.data(), points.rows(), out.data());
  return out;
}

Block BaseField::to_block() const {
  return {kVersion, "{}", {{"points", to_array(points_)}, {"values", to_array(values_)}}};
}

std::shared_ptr<const BaseField> read_base_field(const ModelFile& file) {
  if (!file.has_block(BaseField::kBlock)) return nullptr;
  const auto& schema = file.description().schema;
  const auto block = file.block(BaseField::kBlock, kVersion);
  auto points = matrix_of(block, "points", schema.dim(), "the base field", file.name());
  auto values = matrix_of(block, "values", std::ssize(schema.channels), "the base field", file.name());
  if (points.rows() != values.rows())
    fail("{}: the base field has {} points and {} rows of values; the file is damaged", file.name(), points.rows(),
         values.rows());
  return std::make_shared<const BaseField>(std::move(points), std::move(values));
}

}  // namespace fluidsplat::model
