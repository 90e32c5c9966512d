// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/point_source.h"

#include "field/mesh_contents.h"

namespace fluidsplat::field {

PointSource::PointSource(const Mesh& mesh)
    : mesh_(&mesh), outline_{mesh.size(), mesh.places() - mesh.size(), mesh.grid_shape, bytes_of(mesh)} {}

PointSource::PointSource(const Dataset& dataset, Index mesh_number)
    : dataset_(&dataset), number_(mesh_number), outline_(dataset.outline(mesh_number)) {}

Matrix PointSource::positions(std::span<const Index> places) const {
  if (dataset_) return dataset_->points_at(number_, places).positions;
  Matrix out(std::ssize(places), mesh_->points.cols());
  for (Index i = 0; i < out.rows(); ++i) out.row(i) = mesh_->position(places[i]);
  return out;
}

void PointSource::visit(const std::function<void(Index first, const MeshPart& part)>& look) const {
  if (one_) return look(0, *one_);
  in_parts(outline_.points, [&](Index first, Index count) {
    MeshPart part;
    if (dataset_) {
      part = dataset_->points_in(number_, first, count);
    } else {
      part.positions = mesh_->points.middleRows(first, count);
      if (mesh_->is_grid())
        part.cells.assign(mesh_->grid_cell.begin() + first, mesh_->grid_cell.begin() + first + count);
    }
    if (count == outline_.points) one_ = std::make_shared<const MeshPart>(std::move(part));
    look(first, one_ ? *one_ : part);
  });
}

const Mesh& PointSource::whole() const {
  if (mesh_) return *mesh_;
  if (!read_) read_ = dataset_->mesh(number_);
  return *read_;
}

std::vector<NearestPoint> nearest_points(const PointSource& source, const Matrix& positions) {
  std::vector<NearestPoint> out(std::size_t(positions.rows()));
  source.visit([&](Index first, const MeshPart& part) {
    for (Index i = 0; i < positions.rows(); ++i) {
      Index here = 0;
      const Eigen::RowVectorXf position = positions.row(i);
      const float squared = (part.positions.rowwise() - position).rowwise().squaredNorm().minCoeff(&here);
      if (squared < out[i].squared) out[i] = {first + here, squared};
    }
  });
  return out;
}

}  // namespace fluidsplat::field
