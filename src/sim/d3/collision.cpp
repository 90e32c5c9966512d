// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/d3/collision.h"

// One binary, the widest vectors of the machine it runs on.  The sanitizers' runtime is not ready when the loader asks
// for the right version, so they get the plain one.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FLUIDSPLAT_SIM_VERSIONS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FLUIDSPLAT_SIM_VERSIONS
#endif

namespace fluidsplat::sim::d3 {

Collision::Collision(double viscosity, double magic)
    : even_rate(float(1 / (3 * viscosity + 0.5))), odd_rate(float(1 / (magic / (3 * viscosity) + 0.5))) {}

namespace {

// A population and its opposite relax together: their sum at the even rate, their difference at the odd one.
struct PairRates {
  float half_keep_even, half_keep_odd, even, odd;

  PairRates(const Collision& c, float weight)
      : half_keep_even(0.5f * (1.f - c.even_rate)),
        half_keep_odd(0.5f * (1.f - c.odd_rate)),
        even(weight * c.even_rate),
        odd(3.f * weight * c.odd_rate) {}
};

// `along` is the velocity in the first one's direction, `base` what all equilibria share.
[[gnu::always_inline]] inline void relax(const PairRates& rate, float sum, float difference, float along, float base,
                                         float& first, float& second) {
  const float even = rate.half_keep_even * sum + rate.even * (base + 4.5f * (along * along));
  const float odd = rate.half_keep_odd * difference + rate.odd * along;
  first = even + odd;
  second = even - odd;
}

}  // namespace

FLUIDSPLAT_SIM_VERSIONS
void stream_collide_row(const ConstRows& from, const Rows& to, Index n, const Collision& collision) {
  const ConstRows f = from;
  const Rows t = to;
  const PairRates axis(collision, kAxisWeight), diagonal(collision, kDiagonalWeight);
  const float keep_rest = 1.f - collision.even_rate, rest = kRestWeight * collision.even_rate;

#pragma GCC ivdep
  for (Index x = 0; x < n; ++x) {
    const float g0 = f[0][x];
    const float sum_x = f[1][x] + f[2][x], odd_x = f[1][x] - f[2][x];
    const float sum_y = f[3][x] + f[4][x], odd_y = f[3][x] - f[4][x];
    const float sum_z = f[5][x] + f[6][x], odd_z = f[5][x] - f[6][x];
    // The diagonals of the three planes: along both axes (p), along the first and against the second (m).
    const float sum_xy_p = f[7][x] + f[8][x], odd_xy_p = f[7][x] - f[8][x];
    const float sum_xy_m = f[9][x] + f[10][x], odd_xy_m = f[9][x] - f[10][x];
    const float sum_xz_p = f[11][x] + f[12][x], odd_xz_p = f[11][x] - f[12][x];
    const float sum_xz_m = f[13][x] + f[14][x], odd_xz_m = f[13][x] - f[14][x];
    const float sum_yz_p = f[15][x] + f[16][x], odd_yz_p = f[15][x] - f[16][x];
    const float sum_yz_m = f[17][x] + f[18][x], odd_yz_m = f[17][x] - f[18][x];

    const float density =
        (g0 + ((sum_x + sum_y) + sum_z)) + (((sum_xy_p + sum_xy_m) + (sum_xz_p + sum_xz_m)) + (sum_yz_p + sum_yz_m));
    const float u = odd_x + ((odd_xy_p + odd_xy_m) + (odd_xz_p + odd_xz_m));
    const float v = odd_y + ((odd_xy_p - odd_xy_m) + (odd_yz_p + odd_yz_m));
    const float w = odd_z + ((odd_xz_p - odd_xz_m) + (odd_yz_p - odd_yz_m));
    const float base = density - 1.5f * (u * u + v * v + w * w);

    t[0][x] = keep_rest * g0 + rest * base;
    relax(axis, sum_x, odd_x, u, base, t[1][x], t[2][x]);
    relax(axis, sum_y, odd_y, v, base, t[3][x], t[4][x]);
    relax(axis, sum_z, odd_z, w, base, t[5][x], t[6][x]);
    relax(diagonal, sum_xy_p, odd_xy_p, u + v, base, t[7][x], t[8][x]);
    relax(diagonal, sum_xy_m, odd_xy_m, u - v, base, t[9][x], t[10][x]);
    relax(diagonal, sum_xz_p, odd_xz_p, u + w, base, t[11][x], t[12][x]);
    relax(diagonal, sum_xz_m, odd_xz_m, u - w, base, t[13][x], t[14][x]);
    relax(diagonal, sum_yz_p, odd_yz_p, v + w, base, t[15][x], t[16][x]);
    relax(diagonal, sum_yz_m, odd_yz_m, v - w, base, t[17][x], t[18][x]);
  }
}

}  // namespace fluidsplat::sim::d3
