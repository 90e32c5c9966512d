// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_buffers.h"

namespace fluidsplat::kernels {

Panels take_panels(Carver& carver, Index rows) {
  const Index size = rows * panel_width();
  return {.data = carver.take(kTilePanels * size), .rows = rows, .stride = size};
}

TileBuffers::TileBuffers(const FluidSplatSpec& s, bool keep, Carver& carver) {
  const Index width = panel_width(), a = s.attention_width;
  const auto panels = [&](Index rows) { return take_panels(carver, rows); };
  input = panels(s.tile_inputs());
  scaffold = panels(s.channels);
  log_mass = panels(1);
  out = panels(s.channels);
  scores = carver.take(kKeyBlock * width);
  softmax_max = carver.take(width);
  softmax_sum = carver.take(width);
  if (!s.has_decoder()) return;
  if (s.attends()) {
    query = panels(a), attend_q = panels(s.head_rows()), heads = panels(s.head_rows());
    head_log_sum = panels(s.heads);
    if (keep) kept_weights = panels(s.heads * s.tokens()), kept_max = panels(s.heads * key_blocks(s.tokens()));
    norm1 = {.normal = panels(a), .scale = panels(1)};
    attended = panels(a);
    ffn_post = panels(2 * a);
    ffn_pre = keep ? panels(2 * a) : ffn_post;
    ffn_slope = keep ? ffn_pre : Panels();
    norm2 = {.normal = panels(a), .scale = panels(1)};
  }
  for (Index l = 0; l < s.layers; ++l) {
    post.push_back(keep || l < 2 ? panels(s.width) : post[l - 2]);
    pre.push_back(keep ? panels(s.width) : post[l]);
    slope.push_back(!keep ? Panels() : s.modulated() ? panels(s.width) : pre[l]);
  }
}

}  // namespace fluidsplat::kernels
