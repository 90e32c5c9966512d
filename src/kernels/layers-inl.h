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

// post = f(pre) over `rows` rows of every panel; in place when they are the same.
template <class Function>
HWY_INLINE void map_panels(Panels pre, Panels post, size_t panels, size_t rows, Function f) {
  const Tag d;
  for (size_t p = 0; p < panels; ++p) {
    const float* in = pre.panel(p);
    float* out = post.panel(p);
    for (size_t row = 0; row < rows; ++row)
      for (size_t i = 0; i < kPanel; i += kLanes)
        hn::StoreU(f(row, hn::LoadU(d, in + row * kPanel + i)), d, out + row * kPanel + i);
  }
}

HWY_NOINLINE inline void gelu_panels(Panels pre, Panels post, size_t panels, size_t rows) {
  map_panels(pre, post, panels, rows, [](size_t, Vec x) HWY_ATTR { return gelu(Tag(), x); });
}

// A hidden layer's activation, after featurewise modulation [2][rows] when there is any.
HWY_NOINLINE inline void activate(const DecoderShape& s, const float* modulation, Panels pre, Panels post,
                                  size_t panels) {
  const Tag d;
  const size_t rows = s.width;
  const auto modulate = [=](size_t row, Vec a) HWY_ATTR {
    return modulation ? hn::MulAdd(a, hn::Set(d, modulation[row]), hn::Set(d, modulation[rows + row])) : a;
  };
  if (s.activation == Activation::kSine) {
    const Vec omega = hn::Set(d, s.omega);
    map_panels(pre, post, panels, rows,
               [=](size_t row, Vec a) HWY_ATTR { return sin(d, hn::Mul(omega, modulate(row, a))); });
  } else if (modulation) {
    map_panels(pre, post, panels, rows,
               [=](size_t row, Vec a) HWY_ATTR { return gelu(d, modulate(row, a)); });
  } else {
    gelu_panels(pre, post, panels, rows);
  }
}

// x = a + b over `rows` features; normal = (x - mean) / deviation, kept in place of a; scale = 1 / deviation;
// out = normal * weight + bias.
HWY_NOINLINE inline void layer_norm(const float* weight, const float* bias, size_t rows, Panels a, Panels b,
                                    Panels scale, Panels out, size_t panels) {
  const Tag d;
  const Vec inverse_rows = hn::Set(d, 1.0f / static_cast<float>(rows));
  for (size_t p = 0; p < panels; ++p)
    for (size_t i = 0; i < kPanel; i += kLanes) {
      float* HWY_RESTRICT x = a.panel(p) + i;
      const float* HWY_RESTRICT y = b.panel(p) + i;
      Vec mean = hn::Zero(d), variance = hn::Zero(d);
      for (size_t row = 0; row < rows; ++row) {
        const Vec sum = hn::Add(hn::LoadU(d, x + row * kPanel), hn::LoadU(d, y + row * kPanel));
        mean = hn::Add(mean, sum);
        hn::StoreU(sum, d, x + row * kPanel);
      }
      mean = hn::Mul(mean, inverse_rows);
      for (size_t row = 0; row < rows; ++row) {
        const Vec centred = hn::Sub(hn::LoadU(d, x + row * kPanel), mean);
        variance = hn::MulAdd(centred, centred, variance);
      }
      variance = hn::MulAdd(variance, inverse_rows, hn::Set(d, 1e-5f));
      const Vec inverse = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(variance));
      hn::StoreU(inverse, d, scale.panel(p) + i);
      float* HWY_RESTRICT result = out.panel(p) + i;
      for (size_t row = 0; row < rows; ++row) {
        const Vec normal = hn::Mul(hn::Sub(hn::LoadU(d, x + row * kPanel), mean), inverse);
        hn::StoreU(normal, d, x + row * kPanel);
        hn::StoreU(hn::MulAdd(normal, hn::Set(d, weight[row]), hn::Set(d, bias[row])), d,
                   result + row * kPanel);
      }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace fluidsplat::kernels
HWY_AFTER_NAMESPACE();

#endif  // FLUIDSPLAT_KERNELS_LAYERS_INL_H_
