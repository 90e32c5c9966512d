// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/index.h"
#include "model/fluidsplat_spec.h"

namespace fluidsplat::bench {

// Work that the fused decoder is compared with, ready to be called again and again on `threads` threads.  The decoder's
// matrix products alone, for `queries` queries of one case, as calls of the installed BLAS.
std::function<void()> blas_products(const model::FluidSplatSpec& shape, Index queries);
// The same model as plain libtorch modules: one case without gradients, or a training step (forward, mean square,
// backward).
std::function<void()> torch_forward(const model::FluidSplatSpec& shape, Index queries, int threads);
std::function<void()> torch_step(const model::FluidSplatSpec& shape, Index cases, Index queries, int threads);

void set_blas_threads(int threads);

// Multiply-adds of the matrix products that one query needs once everything that depends on z alone is folded.
double products_per_query(const model::FluidSplatSpec& shape);

}  // namespace fluidsplat::bench
