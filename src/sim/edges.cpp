// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/edges.h"

#include <numbers>

namespace fluidsplat::sim {

namespace {

constexpr float kSound = float(kSoundSpeed);

// The stream component along the outward normal, and the state of the halo cell next to an inner one.
struct FarField {
  float normal, tangential;

  // Sets the outward and tangential velocity of m, and its density, to those of the halo.
  void apply(float& density, float& outward, float& along) const {
    const float outgoing = outward + density * kSound;  // pressure / sound speed = density * sound speed
    outward = 0.5f * (outgoing + normal);
    density = 0.5f * (outgoing - normal) / kSound;
    if (normal < 0) along = tangential;  // the stream brings it in; elsewhere the flow carries it out
  }
};

// The halo takes the non-equilibrium part of its inner neighbour.
inline void copy_with_moments(Populations& g, long halo, long inner, const Moments& from, const Moments& to) {
  for (int i = 0; i < kDirections; ++i) {
    g.plane(i)[halo] = g.plane(i)[inner] + (equilibrium(i, to) - equilibrium(i, from));
  }
}

inline void copy(Populations& g, long to, long from) {
  for (int i = 0; i < kDirections; ++i) g.plane(i)[to] = g.plane(i)[from];
}

void copy_row(Populations& g, int to, int from) {
  for (int x = -1; x <= g.nx(); ++x) copy(g, g.index(x, to), g.index(x, from));
}

void far_side(Populations& g, long halo, long inner, float sign, Vec2 stream) {
  const Moments from = moments(g.planes(), inner);
  const FarField far{sign * float(stream.x), float(stream.y)};
  Moments to = from;
  to.u *= sign;
  far.apply(to.density, to.u, to.v);
  to.u *= sign;
  copy_with_moments(g, halo, inner, from, to);
}

void far_row(Populations& g, int halo_y, int inner_y, float sign, const FarStream& stream) {
  const auto planes = g.planes();
  for (int x = -1; x <= g.nx(); ++x) {
    const long inner = g.index(x, inner_y);
    const Vec2 at = stream.at(x, 0.5 * (halo_y + inner_y));
    const FarField far{sign * float(at.y), float(at.x)};
    const Moments from = moments(planes, inner);
    Moments to = from;
    to.v *= sign;
    far.apply(to.density, to.v, to.u);
    to.v *= sign;
    copy_with_moments(g, g.index(x, halo_y), inner, from, to);
  }
}

}  // namespace

Vec2 FarStream::at(double x, double y) const {
  if (radius == 0 && source == 0 && circulation == 0) return velocity;
  const double dx = x - body.x, dy = y - body.y, r2 = dx * dx + dy * dy;
  const double doublet = radius * radius / r2;
  const double outward = source / (2 * std::numbers::pi * r2) - 2 * doublet * (velocity.x * dx + velocity.y * dy) / r2;
  const double around = circulation / (2 * std::numbers::pi * r2);
  return {velocity.x * (1 + doublet) + outward * dx + around * dy,
          velocity.y * (1 + doublet) + outward * dy - around * dx};
}

void Edges::fill_from_row(Populations& g, int row) const {
  const long left = g.index(0, row), right = g.index(g.nx() - 1, row);
  if (x == Edge::kPeriodic) {
    copy(g, left - 1, right);
    copy(g, right + 1, left);
  } else {
    far_side(g, left - 1, left, -1, stream.at(-0.5, row));
    far_side(g, right + 1, right, 1, stream.at(g.nx() - 0.5, row));
  }
  const int last = g.ny() - 1;
  if (y == Edge::kPeriodic) {
    if (row == 0) copy_row(g, last + 1, 0);
    if (row == last) copy_row(g, -1, last);
  } else {
    if (row == 0) far_row(g, -1, 0, -1, stream);
    if (row == last) far_row(g, last + 1, last, 1, stream);
  }
}

}  // namespace fluidsplat::sim
