// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/block_matrix.h"

#include "base/error.h"

namespace fluidsplat::model {

io::Array to_array(const Matrix& m) {
  return io::Array::from<float>({m.rows(), m.cols()}, {m.data(), std::size_t(m.size())});
}

Matrix matrix_of(const Block& block, const char* name, Index columns, const char* what, const std::string& where) {
  const auto it = block.tensors.find(name);
  if (it == block.tensors.end()) fail("{}: {} has no \"{}\"; the file is damaged", where, what, name);
  const auto& a = it->second;
  if (a.dtype != io::DType::f32 || a.shape.size() != 2 || a.shape[0] < 1 || (columns >= 0 && a.shape[1] != columns))
    fail("{}: \"{}\" of {} must be F32 in {} columns; the file is damaged", where, name, what,
         columns >= 0 ? std::to_string(columns) : "rows and");
  Matrix out = Eigen::Map<const Matrix>(reinterpret_cast<const float*>(a.bytes.data()), a.shape[0], a.shape[1]);
  if (!out.allFinite()) fail("{}: \"{}\" of {} are not finite; the file is damaged", where, name, what);
  return out;
}

}  // namespace fluidsplat::model
