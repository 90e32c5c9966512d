// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/panel_mesh.h"

#include <Eigen/Geometry>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::sim {
namespace {

// Points of a box lattice that are on its surface, numbered as they are first asked for.
class SurfacePoints {
 public:
  SurfacePoints(const std::array<const std::vector<double>*, 3>& planes, PanelMesh& mesh)
      : planes_(planes), mesh_(mesh) {}

  Index operator()(const std::array<Index, 3>& at) {
    const auto [entry, is_new] = numbers_.try_emplace(at, std::ssize(mesh_.vertices));
    if (is_new) mesh_.vertices.emplace_back((*planes_[0])[at[0]], (*planes_[1])[at[1]], (*planes_[2])[at[2]]);
    return entry->second;
  }

 private:
  std::array<const std::vector<double>*, 3> planes_;
  PanelMesh& mesh_;
  std::map<std::array<Index, 3>, Index> numbers_;
};

}  // namespace

PanelMesh box_surface(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
  const std::array<const std::vector<double>*, 3> planes = {&x, &y, &z};
  for (const auto* list : planes)
    if (list->size() < 2) misuse("box_surface: {} planes along an axis, at least 2 are needed", list->size());
  PanelMesh mesh;
  SurfacePoints point(planes, mesh);
  for (int axis = 0; axis < 3; ++axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;  // a, b, axis are right-handed
    const Index last = std::ssize(*planes[axis]) - 1;
    for (const Index side : {Index{0}, last})
      for (Index i = 0; i + 1 < std::ssize(*planes[a]); ++i)
        for (Index j = 0; j + 1 < std::ssize(*planes[b]); ++j) {
          const auto corner = [&](Index di, Index dj) {
            std::array<Index, 3> at{};
            at[axis] = side;
            at[a] = i + di;
            at[b] = j + dj;
            return point(at);
          };
          const Index c00 = corner(0, 0), c10 = corner(1, 0), c11 = corner(1, 1), c01 = corner(0, 1);
          if (side == 0)
            mesh.panels.push_back({c00, c01, c11, c10});
          else
            mesh.panels.push_back({c00, c10, c11, c01});
        }
  }
  return mesh;
}

void check_closed(const PanelMesh& mesh, const std::string& where) {
  std::set<std::pair<Index, Index>> edges;
  for (Index p = 0; p < std::ssize(mesh.panels); ++p) {
    const auto& panel = mesh.panels[p];
    const int sides = sides_of(panel);
    for (int i = 0; i < sides; ++i) {
      if (panel[i] < 0 || panel[i] >= std::ssize(mesh.vertices))
        fail("{}: panel {} names vertex {}, there are {}", where, p, panel[i], mesh.vertices.size());
      if (!edges.emplace(panel[i], panel[(i + 1) % sides]).second)
        fail("{}: panel {} shares an edge with another panel that is turned the other way, or with two others", where,
             p);
    }
  }
  for (const auto& [from, to] : edges)
    if (!edges.contains({to, from}))
      fail("{}: is open at the edge between vertices {} and {}; a panel method needs a closed body", where, from, to);
  if (!(enclosed_volume(mesh) > 0)) fail("{}: its panels look inward; turn them round", where);
}

double enclosed_volume(const PanelMesh& mesh) {
  double volume = 0;
  for (const auto& panel : mesh.panels) {
    const auto& v = mesh.vertices;
    volume += v[panel[0]].dot(v[panel[1]].cross(v[panel[2]])) / 6;
    volume += v[panel[0]].dot(v[panel[2]].cross(v[panel[3]])) / 6;
  }
  return volume;
}

}  // namespace fluidsplat::sim
