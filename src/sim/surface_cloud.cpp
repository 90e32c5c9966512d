// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/surface_cloud.h"

#include <algorithm>
#include <map>

#include "base/misuse.h"

namespace fluidsplat::sim {
namespace {

// Sums of the panels' values around each corner and edge.
class Means {
 public:
  Means(const PanelMesh& mesh, const Eigen::VectorXd& values) : corners_(mesh.vertices.size()) {
    for (Index p = 0; p < std::ssize(mesh.panels); ++p)
      for (int i = 0; i < 4; ++i) {
        const auto& panel = mesh.panels[p];
        corners_[panel[i]].add(values[p]);
        edges_[key(panel[i], panel[(i + 1) % 4])].add(values[p]);
      }
  }
  double at_corner(Index vertex) const { return corners_[vertex].value(); }
  double at_edge(Index a, Index b) const { return edges_.at(key(a, b)).value(); }

 private:
  struct Mean {
    double sum = 0;
    int count = 0;
    void add(double v) { sum += v, ++count; }
    double value() const { return sum / count; }
  };
  static std::pair<Index, Index> key(Index a, Index b) { return std::minmax(a, b); }

  std::vector<Mean> corners_;
  std::map<std::pair<Index, Index>, Mean> edges_;
};

// s and t from 0 to 1; a, b, c, d counter-clockwise from the corner (0, 0).
template <class T>
T bilinear(const T& a, const T& b, const T& c, const T& d, double s, double t) {
  return (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d;
}

// In the quarter of a panel that holds (s, t), from that quarter's corner to the panel's middle.
double in_panel(const Means& means, const std::array<Index, 4>& panel, double own, double s, double t) {
  const int corner = s < 0.5 ? (t < 0.5 ? 0 : 3) : (t < 0.5 ? 1 : 2);
  const double u = 1 - 2 * std::abs(s - 0.5), v = 1 - 2 * std::abs(t - 0.5);  // 0 at the panel's rim, 1 in its middle
  const Index here = panel[corner];
  // The neighbour along s shares the edge on which t is constant.
  const Index along_s = panel[corner ^ 1], along_t = panel[3 - corner];
  return bilinear(means.at_corner(here), means.at_edge(here, along_s), own, means.at_edge(here, along_t), u, v);
}

}  // namespace

SurfaceCloud refine_surface(const PanelMesh& mesh, const Eigen::VectorXd& values, Index divisions) {
  if (divisions < 1 || values.size() != std::ssize(mesh.panels))
    misuse("refine_surface: {} divisions, {} values on {} panels", divisions, values.size(), mesh.panels.size());
  if (std::ranges::any_of(mesh.panels, [](const auto& p) { return sides_of(p) != 4; }))
    misuse("refine_surface: quadrilaterals only");
  const Means means(mesh, values);
  SurfaceCloud out;
  out.points.resize(3, std::ssize(mesh.panels) * divisions * divisions);
  out.values.resize(out.points.cols());
  Index row = 0;
  for (Index p = 0; p < std::ssize(mesh.panels); ++p) {
    const auto& panel = mesh.panels[p];
    const auto corner = [&](int i) { return mesh.vertices[panel[i]]; };
    for (Index i = 0; i < divisions; ++i)
      for (Index j = 0; j < divisions; ++j, ++row) {
        const double s = (double(i) + 0.5) / double(divisions), t = (double(j) + 0.5) / double(divisions);
        out.points.col(row) = bilinear<Eigen::Vector3d>(corner(0), corner(1), corner(2), corner(3), s, t);
        out.values[row] = in_panel(means, panel, values[p], s, t);
      }
  }
  return out;
}

}  // namespace fluidsplat::sim
