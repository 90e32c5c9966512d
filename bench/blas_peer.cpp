// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <cblas.h>

#include <memory>
#include <vector>

#include "decoder_peers.h"

extern "C" void openblas_set_num_threads(int);

namespace fluidsplat::bench {
namespace {

struct Product {
  int rows, cols, times = 1;  // y[queries][rows] = x[queries][cols] W^T, this many times
};

std::vector<Product> products(const model::FluidSplatSpec& s) {
  const auto i = [](Index n) { return int(n); };
  const int a = i(s.attention_width), h = i(s.width), heads = i(s.heads), token = i(s.token_columns());
  std::vector<Product> list;
  if (s.attends()) {
    // The query token; the heads' queries, scores and results in the space of tokens (kernels/attention_fold.h);
    // attention's output; feed-forward.
    list = {{.rows = a, .cols = i(s.query_inputs())},
            {.rows = i(s.head_rows()), .cols = i(s.query_inputs())},
            {.rows = i(s.primitives), .cols = token, .times = heads},
            {.rows = token, .cols = i(s.primitives), .times = heads},
            {.rows = a, .cols = i(s.head_rows())},
            {.rows = 2 * a, .cols = a},
            {.rows = a, .cols = 2 * a}};
  }
  list.push_back({.rows = h, .cols = i(s.tile_inputs())});
  list.push_back({.rows = h, .cols = h, .times = i(s.layers) - 1});
  list.push_back({.rows = i(s.channels), .cols = h});
  return list;
}

}  // namespace

double products_per_query(const model::FluidSplatSpec& shape) {
  double sum = 0;
  for (const auto& p : products(shape)) sum += double(p.rows) * p.cols * p.times;
  return sum;
}

void set_blas_threads(int threads) {
  openblas_set_num_threads(threads);
}

std::function<void()> blas_products(const model::FluidSplatSpec& shape, Index queries) {
  const auto list = products(shape);
  Index widest = 0;
  for (const auto& p : list) widest = std::max<Index>({widest, p.rows, p.cols});
  auto x = std::make_shared<std::vector<float>>(queries * widest, 0.5f);
  auto y = std::make_shared<std::vector<float>>(queries * widest);
  auto w = std::make_shared<std::vector<float>>(widest * widest, 0.01f);
  return [=] {
    for (const auto& p : list)
      for (int t = 0; t < p.times; ++t)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, int(queries), p.rows, p.cols, 1.0f, x->data(), p.cols,
                    w->data(), p.cols, 0.0f, y->data(), p.rows);
  };
}

}  // namespace fluidsplat::bench
