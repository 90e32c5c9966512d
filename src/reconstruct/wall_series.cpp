// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/wall_series.h"

#include <numeric>

#include "field/wall.h"

namespace fluidsplat::reconstruct {

WallSeries::WallSeries(field::ForceSettings settings, field::Schema schema)
    : settings_(std::move(settings)), schema_(std::move(schema)) {
  settings_.check(schema_);
  forces_.header = {"time", "drag", "lift"};
  if (!settings_.moment_centre.empty()) forces_.header.push_back("moment");
  pressure_.header = {"time"};
  if (schema_.dim() == 2) pressure_.header.push_back("arclength");
  for (const auto& c : schema_.coordinates) pressure_.header.push_back(c.name);
  pressure_.header.push_back("cp");
  forces_.columns.resize(forces_.header.size());
  pressure_.columns.resize(pressure_.header.size());
}

const WallSeries::Wall& WallSeries::wall_of(const std::shared_ptr<const field::Mesh>& mesh) {
  if (const auto it = walls_.find(mesh.get()); it != walls_.end()) return it->second;
  const field::SurfaceView view(*mesh);
  Wall wall{mesh, field::WallForces(settings_, schema_, view, "the mesh"), {}, {}};
  if (schema_.dim() == 2) {
    std::map<Index, Index> point_at;
    for (Index s = 0; s < view.size(); ++s) point_at[view.place(s)] = s;
    const auto walk = field::walk_wall(view);
    for (std::size_t k = 0; k < walk.points.size(); ++k) {
      wall.order.push_back(point_at.at(walk.points[k]));
      wall.arclength.push_back(walk.distance[k] / walk.perimeter);
    }
  } else {
    wall.order.resize(view.size());
    std::iota(wall.order.begin(), wall.order.end(), 0);
  }
  return walls_.emplace(mesh.get(), std::move(wall)).first->second;
}

void WallSeries::add(double time, const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& fields,
                     const field::Matrix& on_wall, const field::Reference& reference) {
  const auto& wall = wall_of(mesh);
  const field::SurfaceView view(*mesh);
  const auto values = view.fields(fields, on_wall);
  const auto force = wall.forces.of(view, values, reference);
  forces_.columns[0].push_back(time);
  forces_.columns[1].push_back(force.drag);
  forces_.columns[2].push_back(force.lift);
  if (force.moment) forces_.columns[3].push_back(*force.moment);
  const auto cp = wall.forces.pressure(values, reference);
  for (std::size_t k = 0; k < wall.order.size(); ++k) {
    const auto s = wall.order[k];
    std::size_t column = 0;
    const auto put = [&](double value) { pressure_.columns[column++].push_back(value); };
    put(time);
    if (!wall.arclength.empty()) put(wall.arclength[k]);
    for (Index a = 0; a < view.dim(); ++a) put(view.position(s)[a]);
    put(cp[s]);
  }
}

}  // namespace fluidsplat::reconstruct
