// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Gradients of the elementwise parts of the decoder on panels.
#if defined(FLUIDSPLAT_KERNELS_LAYERS_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_LAYERS_BACKWARD_INL_H_
#undef FLUIDSPLAT_KERNELS_LAYERS_BACKWARD_INL_H_
#else
#define FLUIDSPLAT_KERNELS_LAYERS_BACKWARD_INL_H_
#endif

#include <cstddef>

#include "kernels/layers-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

HWY_INLINE float lane_sum(Vec v) {
  return hn::GetLane(hn::SumOfLanes(Tag(), v));
}

// sums[row] += sum over the tile of a (times b).
HWY_NOINLINE inline void add_row_sums(Panels a, Index panels, float* sums) {
  const Tag d;
  for (Index row = 0; row < a.rows; ++row) {
    Vec sum = hn::Zero(d);
    for (Index p = 0; p < panels; ++p)
      for (Index i = 0; i < kPanel; i += kLanes) sum = hn::Add(sum, hn::LoadU(d, a.panel(p) + row * kPanel + i));
    sums[row] += lane_sum(sum);
  }
}
HWY_NOINLINE inline void add_row_products(Panels a, Panels b, Index panels, float* sums) {
  const Tag d;
  for (Index row = 0; row < a.rows; ++row) {
    Vec sum = hn::Zero(d);
    for (Index p = 0; p < panels; ++p)
      for (Index i = row * kPanel; i < (row + 1) * kPanel; i += kLanes)
        sum = hn::MulAdd(hn::LoadU(d, a.panel(p) + i), hn::LoadU(d, b.panel(p) + i), sum);
    sums[row] += lane_sum(sum);
  }
}

// a += b.
HWY_INLINE void add_panels(Panels a, Panels b, Index panels) {
  const Tag d;
  for (Index p = 0; p < panels; ++p)
    for (Index i = 0; i < a.rows * kPanel; i += kLanes)
      hn::StoreU(hn::Add(hn::LoadU(d, a.panel(p) + i), hn::LoadU(d, b.panel(p) + i)), d, a.panel(p) + i);
}

// a *= b.
HWY_INLINE void multiply_panels(Panels a, Panels b, Index panels) {
  const Tag d;
  for (Index p = 0; p < panels; ++p)
    for (Index i = 0; i < a.rows * kPanel; i += kLanes)
      hn::StoreU(hn::Mul(hn::LoadU(d, a.panel(p) + i), hn::LoadU(d, b.panel(p) + i)), d, a.panel(p) + i);
}

// The gradient of a modulated activation, in place, and that of its modulation [2][rows], unless null.
HWY_NOINLINE inline void modulated_backward(const float* modulation, Panels gradient, Panels pre, Panels slope,
                                            Index panels, float* modulation_gradient) {
  const Tag d;
  const Index rows = gradient.rows;
  for (Index row = 0; row < rows; ++row) {
    const Vec gain = hn::Set(d, modulation[row]);
    Vec product = hn::Zero(d), sum = hn::Zero(d);
    for (Index p = 0; p < panels; ++p)
      for (Index i = row * kPanel; i < (row + 1) * kPanel; i += kLanes) {
        float* at = gradient.panel(p) + i;
        const Vec g = hn::Mul(hn::LoadU(d, at), hn::LoadU(d, slope.panel(p) + i));
        product = hn::MulAdd(g, hn::LoadU(d, pre.panel(p) + i), product);
        sum = hn::Add(sum, g);
        hn::StoreU(hn::Mul(g, gain), d, at);
      }
    if (!modulation_gradient) continue;
    modulation_gradient[row] += lane_sum(product);
    modulation_gradient[rows + row] += lane_sum(sum);
  }
}

// x_gradient of layer_norm from the gradient of its result: scale (g w - mean(g w) - normal mean(g w normal)).
HWY_NOINLINE inline void layer_norm_backward(const float* weight, const NormPanels& norm, Panels gradient,
                                             Panels x_gradient, Index panels) {
  const Tag d;
  const Index rows = norm.normal.rows;
  const Vec inverse_rows = hn::Set(d, 1.0f / float(rows));
  for (Index p = 0; p < panels; ++p) {
    const float *g = gradient.panel(p), *n = norm.normal.panel(p), *scale = norm.scale.panel(p);
    float* out = x_gradient.panel(p);
    Vec mean[kPanelVectors], along[kPanelVectors], factor[kPanelVectors];
    for (int j = 0; j < kPanelVectors; ++j) mean[j] = along[j] = hn::Zero(d);
    for (Index row = 0; row < rows; ++row) {
      const Vec w = hn::Set(d, weight[row]);
      for (int j = 0; j < kPanelVectors; ++j) {
        const Index at = row * kPanel + j * kLanes;
        const Vec gw = hn::Mul(hn::LoadU(d, g + at), w);
        mean[j] = hn::Add(mean[j], gw);
        along[j] = hn::MulAdd(gw, hn::LoadU(d, n + at), along[j]);
      }
    }
    for (int j = 0; j < kPanelVectors; ++j) {
      mean[j] = hn::Mul(mean[j], inverse_rows);
      along[j] = hn::Mul(along[j], inverse_rows);
      factor[j] = hn::LoadU(d, scale + j * kLanes);
    }
    for (Index row = 0; row < rows; ++row) {
      const Vec w = hn::Set(d, weight[row]);
      for (int j = 0; j < kPanelVectors; ++j) {
        const Index at = row * kPanel + j * kLanes;
        const Vec gw = hn::Mul(hn::LoadU(d, g + at), w);
        const Vec centred = hn::NegMulAdd(hn::LoadU(d, n + at), along[j], hn::Sub(gw, mean[j]));
        hn::StoreU(hn::Mul(factor[j], centred), d, out + at);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_LAYERS_BACKWARD_INL_H_
