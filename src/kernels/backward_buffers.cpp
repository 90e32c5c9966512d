// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/backward_buffers.h"

#include <algorithm>

#include "kernels/packed_matrix.h"
#include "kernels/primitive_maps.h"

namespace fluidsplat::kernels {

CaseGradients::CaseGradients(const DecoderShape& s, Carver& carver) {
  const std::size_t before = carver.used();
  const std::size_t head_rows = s.attends() ? s.heads * s.tokens() * padded(s.head_width()) : 0;
  begin = query_bias = carver.take(s.attention_width);
  mesh_q_bias = carver.take(s.attention_width);
  mlp_bias = carver.take(s.layers > 0 ? s.width : s.channels);
  modulation = carver.take(s.layers * 2 * s.width);
  keys = carver.take(head_rows);
  values = carver.take(head_rows);
  moments = carver.take(s.primitives * moment_count(s));
  size = carver.used() - before;
}

FoldBuffers::FoldBuffers(const DecoderShape& s, Carver& carver) {
  const std::size_t rows = s.attends() ? s.tokens() * padded(s.attention_width) : 0;
  keys = carver.take(rows);
  values = carver.take(rows);
  embedded = carver.take(rows);
  tokens = carver.take(s.attends() ? s.primitives * padded(s.token_columns()) : 0);
}

BackwardBuffers::BackwardBuffers(const DecoderShape& s, Carver& carver) : forward(s, true, carver) {
  const std::size_t width = panel_width(), a = s.attention_width;
  const auto panels = [&](std::size_t rows) {
    return Panels{carver.take(kTilePanels * rows * width), rows * width};
  };
  out = panels(s.channels), scaffold = panels(s.channels), log_mass = panels(1), positions = panels(s.dim);
  partition = carver.take(kTilePanels * width);
  std::size_t widest = 0;
  if (s.has_decoder()) {
    input = panels(s.tile_inputs());
    hidden[0] = panels(s.width), hidden[1] = panels(s.width);
    widest = std::max(s.width, s.tile_inputs());
  }
  if (s.attends()) {
    r1 = panels(a), ffn = panels(2 * a), sum2 = panels(a), sum1 = panels(a);
    heads = panels(a), attend_q = panels(a), mesh = panels(s.query_inputs());
    widest = std::max(widest, 2 * a);
    scores = panels(kKeyBlock), delta = panels(1);
    head_q = carver.take(kTilePanels * width * padded(s.head_width()));
    head_gradient = carver.take(kTilePanels * width * padded(s.head_width()));
  }
  transposed = carver.take(kTilePanels * width * round_up(widest, width));
}

}  // namespace fluidsplat::kernels
