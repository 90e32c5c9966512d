// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/faces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace fluidsplat::field {
namespace {

using Vector3 = Eigen::Vector3d;

Vector3 at(const Matrix& points, Index i) {
  return points.row(i).transpose().cast<double>();
}

Index count(const Faces& faces, Index f) {
  return faces.offsets[static_cast<std::size_t>(f) + 1] - faces.offsets[f];
}

Index corner(const Faces& faces, Index f, Index k) {
  return faces.corners[faces.offsets[f] + k % count(faces, f)];
}

// The normal, as long as the area; exact for flat polygons and a fair mean for others.
Vector3 vector_area(const Faces& faces, const Matrix& points, Index f) {
  Vector3 out = Vector3::Zero();
  const Vector3 first = at(points, corner(faces, f, 0));
  for (Index k = 1; k + 1 < count(faces, f); ++k)
    out += 0.5 * (at(points, corner(faces, f, k)) - first).cross(at(points, corner(faces, f, k + 1)) - first);
  return out;
}

// The volume between a point and a face, positive where the face looks away from the point.
double volume_from(const Vector3& origin, const Faces& faces, const Matrix& points, Index f) {
  double out = 0;
  const Vector3 first = at(points, corner(faces, f, 0)) - origin;
  for (Index k = 1; k + 1 < count(faces, f); ++k)
    out +=
        first.dot((at(points, corner(faces, f, k)) - origin).cross(at(points, corner(faces, f, k + 1)) - origin)) / 6;
  return out;
}

void turn(Faces& faces, Index f) {
  std::reverse(faces.corners.begin() + faces.offsets[f],
               faces.corners.begin() + faces.offsets[static_cast<std::size_t>(f) + 1]);
}

// One number for all points at the same place.
std::vector<Index> places(const Matrix& points) {
  std::map<std::array<float, 3>, Index> known;
  std::vector<Index> out;
  for (Index i = 0; i < points.rows(); ++i)
    out.push_back(
        points.row(i).allFinite() ? known.try_emplace({points(i, 0), points(i, 1), points(i, 2)}, i).first->second : i);
  return out;
}

// A face at an edge, and whether it runs along it from the lower to the higher place.
struct Side {
  Index face;
  bool up;
};
using Edge = std::pair<Index, Index>;

class Neighbours {
 public:
  Neighbours(const Faces& faces, const std::vector<Index>& place) : faces_(faces), place_(place) {
    for (Index f = 0; f < faces.size(); ++f)
      each_edge(f, [&](const Edge& edge, bool up) { sides_[edge].push_back({f, up}); });
  }
  // Calls what(edge, up) for the edges of a face as the file has it.
  template <class What>
  void each_edge(Index f, What what) const {
    for (Index k = 0; k < count(faces_, f); ++k) {
      const auto a = place_[corner(faces_, f, k)], b = place_[corner(faces_, f, k + 1)];
      if (a != b) what(Edge(std::min(a, b), std::max(a, b)), a < b);
    }
  }
  const std::vector<Side>& sides(const Edge& edge) const { return sides_.at(edge); }

 private:
  const Faces& faces_;
  const std::vector<Index>& place_;
  std::map<Edge, std::vector<Side>> sides_;
};

// A piece that hangs together: its faces, those among them to turn for all to agree, whether it is closed.
struct Body {
  std::vector<Index> faces;
  bool closed = true;
};

Body grow(Index first, const Neighbours& neighbours, std::vector<int>& turned) {
  Body body{{first}, true};
  turned[first] = 0;
  for (std::size_t i = 0; i < body.faces.size(); ++i) {
    const auto f = body.faces[i];
    neighbours.each_edge(f, [&](const Edge& edge, bool up) {
      const auto& sides = neighbours.sides(edge);
      if (sides.size() != 2) {
        body.closed = false;
        return;
      }
      const auto& other = sides[0].face == f ? sides[1] : sides[0];
      // Neighbours agree when they run along their edge in opposite directions.
      const int wanted = turned[f] ^ (other.up == up);
      auto& have = turned[other.face];
      if (have < 0) {
        have = wanted;
        body.faces.push_back(other.face);
      } else if (have != wanted) {
        body.closed = false;  // a strip with one side only
      }
    });
  }
  return body;
}

Patches unit_and_length(const std::vector<Vector3>& vectors) {
  Patches out;
  out.normals = Matrix::Zero(std::ssize(vectors), 3);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    out.areas.push_back(vectors[i].norm());
    if (out.areas.back() > 0) out.normals.row(i) = (vectors[i] / out.areas.back()).transpose().cast<float>();
  }
  return out;
}

}  // namespace

void Faces::add(const std::vector<Index>& points) {
  corners.insert(corners.end(), points.begin(), points.end());
  offsets.push_back(std::ssize(corners));
}

Orientation orient(Faces& faces, const Matrix& points) {
  const auto place = places(points);
  const Faces original = faces;
  const Neighbours neighbours(original, place);
  std::vector<int> turned(faces.size(), -1);  // -1: not reached yet
  Orientation out;
  for (Index first = 0; first < faces.size(); ++first) {
    if (turned[first] >= 0) continue;
    const auto body = grow(first, neighbours, turned);
    const Vector3 origin = at(points, corner(faces, first, 0));
    double outward = 0;
    for (auto f : body.faces) {
      const bool other_way = turned[f] == 1;
      outward += (other_way ? -1 : 1) *
                 (body.closed ? volume_from(origin, original, points, f) : vector_area(original, points, f).norm());
    }
    for (auto f : body.faces)
      if ((turned[f] == 1) != (outward < 0)) turn(faces, f);
    ++out.bodies;
    out.open += !body.closed;
  }
  return out;
}

Patches face_patches(const Faces& faces, const Matrix& points) {
  std::vector<Vector3> vectors;
  for (Index f = 0; f < faces.size(); ++f) vectors.push_back(vector_area(faces, points, f));
  return unit_and_length(vectors);
}

Patches point_patches(const Faces& faces, const Matrix& points) {
  std::vector<Vector3> vectors(points.rows(), Vector3::Zero());
  for (Index f = 0; f < faces.size(); ++f) {
    const Vector3 share = vector_area(faces, points, f) / double(count(faces, f));
    for (Index k = 0; k < count(faces, f); ++k) vectors[corner(faces, f, k)] += share;
  }
  return unit_and_length(vectors);
}

}  // namespace fluidsplat::field
