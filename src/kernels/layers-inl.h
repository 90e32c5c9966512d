// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementwise parts of the decoder on panels: activations and layer normalisation.
#if defined(FLUIDSPLAT_KERNELS_LAYERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef FLUIDSPLAT_KERNELS_LAYERS_INL_H_
#undef FLUIDSPLAT_KERNELS_LAYERS_INL_H_
#else
#define FLUIDSPLAT_KERNELS_LAYERS_INL_H_
#endif

#include <cstddef>

#include "kernels/product-inl.h"
#include "kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace fluidsplat::kernels {
namespace HWY_NAMESPACE {

struct Gelu {
  HWY_INLINE Vec value(Vec x) const { return gelu(Tag(), x); }
  HWY_INLINE Vec value_and_slope(Vec x, Vec& slope) const { return gelu_and_slope(Tag(), x, slope); }
};
struct Sine {
  float omega;
  HWY_INLINE Vec turn(Vec x) const { return hn::Mul(hn::Set(Tag(), omega), x); }
  HWY_INLINE Vec value(Vec x) const { return sin(Tag(), turn(x)); }
  HWY_INLINE Vec value_and_slope(Vec x, Vec& slope) const {
    slope = hn::Mul(hn::Set(Tag(), omega), cos(Tag(), turn(x)));
    return value(x);
  }
};

// What an activation function is applied to.
struct ActivationPanels {
  Panels pre, post;                   // may be the same memory
  Panels slope = {};                  // receives the function's derivative if it has memory; may be that of pre
  const float* modulation = nullptr;  // [2][rows]: pre is multiplied by the first and the second is added; or null
};

template <bool kSlope, class Function>
HWY_NOINLINE inline void activate_rows(Function f, const ActivationPanels& io, Index panels) {
  const Tag d;
  const Index rows = io.pre.rows;
  const float* modulation = io.modulation;
  for (Index p = 0; p < panels; ++p) {
    const float* in = io.pre.panel(p);
    float *out = io.post.panel(p), *out_slope = io.slope.panel(p);
    const auto activate_at = [=](Index i, Vec x) HWY_ATTR {
      if constexpr (kSlope) {
        Vec derivative;
        hn::StoreU(f.value_and_slope(x, derivative), d, out + i);
        hn::StoreU(derivative, d, out_slope + i);
      } else {
        hn::StoreU(f.value(x), d, out + i);
      }
    };
    if (modulation)
      for (Index row = 0; row < rows; ++row) {
        const Vec gain = hn::Set(d, modulation[row]), shift = hn::Set(d, modulation[rows + row]);
        for (Index i = row * kPanel; i < (row + 1) * kPanel; i += kLanes)
          activate_at(i, hn::MulAdd(hn::LoadU(d, in + i), gain, shift));
      }
    else
      for (Index i = 0; i < rows * kPanel; i += kLanes) activate_at(i, hn::LoadU(d, in + i));
  }
}

// post = f(modulated pre) over every panel.
template <class Function>
HWY_INLINE void activate_panels(Function f, const ActivationPanels& io, Index panels) {
  if (io.slope.data)
    activate_rows<true>(f, io, panels);
  else
    activate_rows<false>(f, io, panels);
}

// A hidden layer's activation.
HWY_INLINE void activate(const FluidSplatSpec& s, const ActivationPanels& io, Index panels) {
  if (s.activation == Activation::kSine)
    activate_panels(Sine{.omega = float(s.omega)}, io, panels);
  else
    activate_panels(Gelu(), io, panels);
}

// Normalises the sum of `residual` and what norm.normal holds, which the normalised sum takes the place of:
// out = normal * weight + bias.
HWY_NOINLINE inline void layer_norm(const float* weight, const float* bias, const NormPanels& norm, Panels residual,
                                    Panels out, Index panels) {
  const Tag d;
  const Index rows = norm.normal.rows;
  const Vec inverse_rows = hn::Set(d, 1.0f / float(rows));
  for (Index p = 0; p < panels; ++p) {
    float* HWY_RESTRICT x = norm.normal.panel(p);
    const float* HWY_RESTRICT y = residual.panel(p);
    float* HWY_RESTRICT scale = norm.scale.panel(p);
    float* HWY_RESTRICT result = out.panel(p);
    // The vectors of a panel go together: one sum alone would wait for itself at every row.
    Vec mean[kPanelVectors], variance[kPanelVectors], inverse[kPanelVectors];
    for (int j = 0; j < kPanelVectors; ++j) mean[j] = variance[j] = hn::Zero(d);
    for (Index row = 0; row < rows; ++row)
      for (int j = 0; j < kPanelVectors; ++j) {
        const Index at = row * kPanel + j * kLanes;
        const Vec sum = hn::Add(hn::LoadU(d, x + at), hn::LoadU(d, y + at));
        mean[j] = hn::Add(mean[j], sum);
        hn::StoreU(sum, d, x + at);
      }
    for (int j = 0; j < kPanelVectors; ++j) mean[j] = hn::Mul(mean[j], inverse_rows);
    for (Index row = 0; row < rows; ++row)
      for (int j = 0; j < kPanelVectors; ++j) {
        const Vec centred = hn::Sub(hn::LoadU(d, x + row * kPanel + j * kLanes), mean[j]);
        variance[j] = hn::MulAdd(centred, centred, variance[j]);
      }
    for (int j = 0; j < kPanelVectors; ++j) {
      variance[j] = hn::MulAdd(variance[j], inverse_rows, hn::Set(d, 1e-5f));
      inverse[j] = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(variance[j]));
      hn::StoreU(inverse[j], d, scale + j * kLanes);
    }
    for (Index row = 0; row < rows; ++row) {
      const Vec w = hn::Set(d, weight[row]), shift = hn::Set(d, bias[row]);
      for (int j = 0; j < kPanelVectors; ++j) {
        const Index at = row * kPanel + j * kLanes;
        const Vec normal = hn::Mul(hn::Sub(hn::LoadU(d, x + at), mean[j]), inverse[j]);
        hn::StoreU(normal, d, x + at);
        hn::StoreU(hn::MulAdd(normal, w, shift), d, result + at);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_LAYERS_INL_H_
