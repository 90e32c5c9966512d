// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/packed_decoder.h"

#include <initializer_list>

namespace fluidsplat::kernels {
namespace {

// A range of columns of a row-major matrix.
struct Columns {
  Index first, count;
};

// The transpose of a packed matrix, packed: element (i, j) sits in block i / 4, column j, slot i % 4.
PackedView packed_transpose(Carver& carver, bool fill, const PackedView& m) {
  float* out = carver.take(packed_size(m.cols, m.rows));
  for (Index j = 0; fill && j < round_up(m.cols, kPackRows); ++j)
    for (Index i = 0; i < m.rows; ++i)
      out[(j / kPackRows * m.rows + i) * kPackRows + j % kPackRows] =
          j < m.cols ? m.data[(i / kPackRows * m.cols + j) * kPackRows + i % kPackRows] : 0.0f;
  return {out, m.cols, m.rows};
}

// Packs the given column ranges, one after the other, as one matrix.
PackedView packed_columns(Carver& carver, bool fill, const float* weight, Index rows, Index stride,
                          std::initializer_list<Columns> ranges) {
  Index cols = 0;
  for (const auto& range : ranges) cols += range.count;
  float* out = carver.take(packed_size(rows, cols));
  Index first = 0;
  for (const auto& range : ranges) {
    if (fill) pack_columns(weight + range.first, rows, range.count, stride, 1, first, cols, out);
    first += range.count;
  }
  return {out, rows, cols};
}

const float* plain_matrix(Carver& carver, bool fill, const float* weight, Index rows, Index cols, Index row_step,
                          Index col_step) {
  float* out = carver.take(rows * padded(cols));
  for (Index i = 0; fill && i < rows; ++i)
    for (Index j = 0; j < cols; ++j) out[i * padded(cols) + j] = weight[i * row_step + j * col_step];
  return out;
}

}  // namespace

PackedDecoder::PackedDecoder(const FluidSplatSpec& shape, bool for_gradients)
    : shape_(shape), for_gradients_(for_gradients), parameters_(shape), flat_(parameters_.size()) {
  mlp.resize(parameters_.mlp.size());
  Carver measure;
  arrange(measure, false);
}

void PackedDecoder::set(const float* flat) {
  std::copy_n(flat, flat_.size(), flat_.data());
  arrange(Carver(storage_.data()), true);
}

void PackedDecoder::arrange(Carver carver, bool fill) {
  if (!shape_.has_decoder()) return;
  const Index inputs = shape_.query_inputs();
  const auto tile = [&](const LinearParameters& p, std::initializer_list<Columns> ranges) {
    const PackedView forward = packed_columns(carver, fill, at(p.weight), p.rows, p.cols, ranges);
    return TileMatrix{forward, for_gradients_ ? packed_transpose(carver, fill, forward) : PackedView()};
  };
  const auto whole = [&](const LinearParameters& p) { return tile(p, {{0, p.cols}}); };
  if (shape_.attends()) {
    const LinearParameters& q = parameters_.query;
    query = tile(q, {{0, inputs}});
    ffn0 = whole(parameters_.ffn0);
    ffn1 = whole(parameters_.ffn1);
    query_mesh = plain_matrix(carver, fill, at(q.weight), q.rows, inputs, q.cols, 1);
    if (for_gradients_) query_mesh_transposed = plain_matrix(carver, fill, at(q.weight), inputs, q.rows, 1, q.cols);
  }
  for (Index l = 0; l < std::ssize(mlp); ++l) {
    const Index state = inputs + shape_.context;
    if (l == 0)
      mlp[0] = tile(parameters_.mlp[0], {{state, shape_.state_inputs() + shape_.attention_inputs()}, {0, inputs}});
    else
      mlp[l] = whole(parameters_.mlp[l]);
  }
  if (!fill) storage_ = Buffer(carver.used());
}

}  // namespace fluidsplat::kernels
