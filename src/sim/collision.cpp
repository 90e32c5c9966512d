// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/collision.h"

// One binary, the widest vectors of the machine it runs on.  The sanitizers' runtime is not ready when the loader asks
// for the right version, so they get the plain one.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FLUIDSPLAT_SIM_VERSIONS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FLUIDSPLAT_SIM_VERSIONS
#endif

namespace fluidsplat::sim {

Collision::Collision(double viscosity, double magic, double fx, double fy)
    : even_rate(float(1 / (3 * viscosity + 0.5))),
      odd_rate(float(1 / (magic / (3 * viscosity) + 0.5))),
      force_x(float(fx)),
      force_y(float(fy)) {}

FLUIDSPLAT_SIM_VERSIONS
void stream_collide_row(const ConstRows& from, const Rows& to, int n, const Collision& collision) {
  const float* __restrict f0 = from[0];
  const float* __restrict f1 = from[1];
  const float* __restrict f2 = from[2];
  const float* __restrict f3 = from[3];
  const float* __restrict f4 = from[4];
  const float* __restrict f5 = from[5];
  const float* __restrict f6 = from[6];
  const float* __restrict f7 = from[7];
  const float* __restrict f8 = from[8];
  float* __restrict t0 = to[0];
  float* __restrict t1 = to[1];
  float* __restrict t2 = to[2];
  float* __restrict t3 = to[3];
  float* __restrict t4 = to[4];
  float* __restrict t5 = to[5];
  float* __restrict t6 = to[6];
  float* __restrict t7 = to[7];
  float* __restrict t8 = to[8];
  constexpr float kRest = kWeight[0], kAxis = kWeight[1], kDiagonal = kWeight[5];
  const float keep_even = 1.f - collision.even_rate;
  const float half_keep_even = 0.5f * keep_even, half_keep_odd = 0.5f * (1.f - collision.odd_rate);
  const float rest_rate = kRest * collision.even_rate, axis_rate = kAxis * collision.even_rate,
              diagonal_rate = kDiagonal * collision.even_rate;
  const float axis_odd_rate = 3.f * kAxis * collision.odd_rate,
              diagonal_odd_rate = 3.f * kDiagonal * collision.odd_rate;
  // The equilibrium takes half of the force with the velocity; the other share enters here so that each step adds
  // exactly the force to the momentum.
  const float half_x = 0.5f * collision.force_x, half_y = 0.5f * collision.force_y;
  const float share = 1.f - 0.5f * collision.odd_rate;
  const float axis_x = 3.f * kAxis * share * collision.force_x, axis_y = 3.f * kAxis * share * collision.force_y;
  const float diagonal_x = 3.f * kDiagonal * share * collision.force_x,
              diagonal_y = 3.f * kDiagonal * share * collision.force_y;

#pragma GCC ivdep
  for (int x = 0; x < n; ++x) {
    const float g0 = f0[x], g1 = f1[x], g2 = f2[x], g3 = f3[x], g4 = f4[x], g5 = f5[x], g6 = f6[x], g7 = f7[x],
                g8 = f8[x];
    const float sum_x = g1 + g2, sum_y = g3 + g4, sum_p = g5 + g6, sum_m = g7 + g8;
    const float odd_x = g1 - g2, odd_y = g3 - g4, odd_p = g5 - g6, odd_m = g7 - g8;
    const float density = g0 + (sum_x + sum_y) + (sum_p + sum_m);
    const float u = odd_x + (odd_p + odd_m) + half_x, v = odd_y + (odd_p - odd_m) + half_y;
    const float u_plus_v = u + v, u_minus_v = u - v;
    const float base = density - 1.5f * (u * u + v * v);

    t0[x] = keep_even * g0 + rest_rate * base;

    const float even1 = half_keep_even * sum_x + axis_rate * (base + 4.5f * (u * u));
    const float odd1 = half_keep_odd * odd_x + (axis_odd_rate * u + axis_x);
    t1[x] = even1 + odd1;
    t2[x] = even1 - odd1;

    const float even3 = half_keep_even * sum_y + axis_rate * (base + 4.5f * (v * v));
    const float odd3 = half_keep_odd * odd_y + (axis_odd_rate * v + axis_y);
    t3[x] = even3 + odd3;
    t4[x] = even3 - odd3;

    const float even5 = half_keep_even * sum_p + diagonal_rate * (base + 4.5f * (u_plus_v * u_plus_v));
    const float odd5 = half_keep_odd * odd_p + (diagonal_odd_rate * u_plus_v + (diagonal_x + diagonal_y));
    t5[x] = even5 + odd5;
    t6[x] = even5 - odd5;

    const float even7 = half_keep_even * sum_m + diagonal_rate * (base + 4.5f * (u_minus_v * u_minus_v));
    const float odd7 = half_keep_odd * odd_m + (diagonal_odd_rate * u_minus_v + (diagonal_x - diagonal_y));
    t7[x] = even7 + odd7;
    t8[x] = even7 - odd7;
  }
}

}  // namespace fluidsplat::sim
