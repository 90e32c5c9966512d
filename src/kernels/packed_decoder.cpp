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

// The transpose of a packed matrix, packed.
PackedView packed_transpose(Carver& carver, bool fill, const PackedView& m) {
  float* out = carver.take(packed_size(m.cols, m.rows));
  const auto transpose = PackedView::whole(out, m.cols, m.rows);
  for (Index i = 0; fill && i < round_up(m.cols, kPackRows); ++i)
    for (Index j = 0; j < m.rows; ++j) out[transpose.offset(i, j)] = i < m.cols ? m(j, i) : 0.0f;
  return transpose;
}

// Packs the given column ranges, one after the other, as one matrix.
PackedView packed_columns(Carver& carver, bool fill, const MatrixView& weight, std::initializer_list<Columns> ranges) {
  Index cols = 0;
  for (const auto& range : ranges) cols += range.count;
  float* out = carver.take(packed_size(weight.rows, cols));
  Index first = 0;
  for (const auto& range : ranges) {
    if (fill) pack_columns(weight.some_columns(range.first, range.count), first, cols, out);
    first += range.count;
  }
  return PackedView::whole(out, weight.rows, cols);
}

// A copy with padded rows.
const float* plain_matrix(Carver& carver, bool fill, const MatrixView& weight) {
  float* out = carver.take(weight.rows * padded(weight.cols));
  for (Index i = 0; fill && i < weight.rows; ++i)
    for (Index j = 0; j < weight.cols; ++j) out[i * padded(weight.cols) + j] = weight(i, j);
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
    TileMatrix out{.forward = packed_columns(carver, fill, weight(p), ranges)};
    if (for_gradients_) out.backward = packed_transpose(carver, fill, out.forward);
    return out;
  };
  const auto whole = [&](const LinearParameters& p) { return tile(p, {{.first = 0, .count = p.cols}}); };
  if (shape_.attends()) {
    query = tile(parameters_.query, {{.first = 0, .count = inputs}});
    ffn0 = whole(parameters_.ffn0);
    ffn1 = whole(parameters_.ffn1);
    const MatrixView mesh = weight(parameters_.query).some_columns(0, inputs);
    query_mesh = plain_matrix(carver, fill, mesh);
    if (for_gradients_) query_mesh_transposed = plain_matrix(carver, fill, mesh.transposed());
  }
  const Columns state_and_attention{.first = inputs + shape_.context,
                                    .count = shape_.state_inputs() + shape_.attention_inputs()};
  mlp[0] = tile(parameters_.mlp[0], {state_and_attention, {.first = 0, .count = inputs}});
  for (Index l = 1; l < std::ssize(mlp); ++l) mlp[l] = whole(parameters_.mlp[l]);
  if (!fill) storage_ = Buffer(carver.used());
}

}  // namespace fluidsplat::kernels
