// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/mean_field.h"

#include "base/error.h"

namespace fluidsplat::field {

MeanField::MeanField(const Dataset& dataset, const std::vector<Index>& cases) {
  if (cases.empty()) fail("{}: no cases to take the mean of", dataset.name());
  // In doubles: a mean may be many times larger than what varies about it.
  std::map<Index, Eigen::MatrixXd> sums;
  std::map<Index, Index> sharing;
  for (auto index : cases) ++sharing[dataset.mesh_of(index)];
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(std::ssize(dataset.schema().channels));
  for (auto index : cases) {
    const auto c = dataset.load(index);
    sum += c.fields.cast<double>().colwise().mean();
    const auto mesh = dataset.mesh_of(index);
    // Alone on its mesh a case would be its own mean.
    if (sharing[mesh] < 2) continue;
    auto& sum_on_mesh = sums.try_emplace(mesh, Eigen::MatrixXd::Zero(c.fields.rows(), c.fields.cols())).first->second;
    sum_on_mesh += c.fields.cast<double>();
  }
  channels_ = (sum / double(cases.size())).cast<float>();
  for (const auto& [mesh, total] : sums) of_mesh_[mesh] = (total / double(sharing[mesh])).cast<float>();
}

Matrix MeanField::on(Index mesh_index, const Mesh& mesh) const {
  const auto known = of_mesh_.find(mesh_index);
  return known != of_mesh_.end() ? known->second : channels_.replicate(mesh.size(), 1);
}

Matrix mean_at_places(const Dataset& dataset, const std::vector<Index>& cases) {
  if (cases.empty()) fail("{}: no cases to take the mean of", dataset.name());
  const auto mesh = dataset.mesh(dataset.mesh_of(cases.front()));
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(mesh->places(), std::ssize(dataset.schema().channels));
  for (auto index : cases) {
    if (dataset.mesh_of(index) != dataset.mesh_of(cases.front()))
      fail("{}: cases {} and {} are on different meshes, so there is no mean at each point", dataset.name(),
           cases.front(), index);
    const auto c = dataset.load(index);
    sum.topRows(c.fields.rows()) += c.fields.cast<double>();
    if (c.wall_fields.rows() > 0) sum.bottomRows(c.wall_fields.rows()) += c.wall_fields.cast<double>();
  }
  return (sum / double(cases.size())).cast<float>();
}

}  // namespace fluidsplat::field
