// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/backward_buffers.h"

#include <algorithm>

#include "kernels/attention_fold.h"
#include "kernels/packed_matrix.h"
#include "kernels/primitive_maps.h"

namespace fluidsplat::kernels {

CaseGradients::CaseGradients(const FluidSplatSpec& s, Carver& carver) {
  const Index before = carver.used();
  const Index a = s.attends() ? s.attention_width : 0, head_rows = s.attends() ? s.head_rows() : 0;
  const Index token_rows = s.attends() ? s.primitives * padded(s.token_columns()) : 0;
  begin = query_bias = carver.take(a);
  score_map = carver.take(head_rows * padded(s.query_inputs()));
  score_bias = carver.take(head_rows);
  out_map = carver.take(a * padded(head_rows));
  out_bias = carver.take(a);
  mlp_bias = carver.take(s.layers > 0 ? s.width : s.channels);
  modulation = carver.take(s.layers * 2 * s.width);
  tokens_by_score = carver.take(token_rows);
  tokens_by_value = carver.take(token_rows);
  moments = carver.take(s.primitives * moment_count(s));
  size = carver.used() - before;
}

FoldBuffers::FoldBuffers(const FluidSplatSpec& s, Carver& carver) {
  const Index a = s.attends() ? s.attention_width : 0, columns = AttentionFold::basis_columns(s);
  basis_transposed = carver.take(columns * padded(a));
  values_transposed = carver.take(s.heads * columns * padded(a));
  out = carver.take(a * padded(s.heads * columns));
  values_by_head = carver.take(a * padded(s.heads * columns));
  score_rows = carver.take(s.head_rows() * padded(a));
  keys = carver.take(a * padded(columns));
  values = carver.take(a * padded(columns));
  basis = carver.take(a * padded(columns));
  global = carver.take(a);
  token = carver.take(s.token_columns());
}

BackwardBuffers::BackwardBuffers(const FluidSplatSpec& s, Carver& carver) : forward(s, true, carver) {
  const Index width = panel_width(), a = s.attention_width;
  const auto panels = [&](Index rows) { return take_panels(carver, rows); };
  out = panels(s.channels), scaffold = panels(s.channels), log_mass = panels(1), positions = panels(s.dim);
  partition = carver.take(kTilePanels * width);
  Index widest = 0;
  if (s.has_decoder()) {
    input = panels(s.tile_inputs());
    hidden[0] = panels(s.width), hidden[1] = panels(s.width);
    widest = std::max(s.width, s.tile_inputs());
  }
  if (s.attends()) {
    attended = panels(a), ffn = panels(2 * a), sum2 = panels(a), sum1 = panels(a);
    heads = panels(s.head_rows()), attend_q = panels(s.head_rows()), mesh = panels(s.query_inputs());
    widest = std::max({widest, 2 * a, s.head_rows()});
    scores = panels(kKeyBlock), delta = panels(1);
    head_q = carver.take(kTilePanels * width * padded(s.token_columns()));
    head_gradient = carver.take(kTilePanels * width * padded(s.token_columns()));
  }
  transposed = carver.take(kTilePanels * width * round_up(widest, width));
}

}  // namespace fluidsplat::kernels
