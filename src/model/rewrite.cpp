// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/rewrite.h"

#include <limits>

namespace fluidsplat::model {

ModelContents contents_of(const ModelFile& file) {
  ModelContents out{file.description(), {}, {}};
  for (const auto& name : file.tensor_names()) out.tensors[name] = file.tensor(name).copy();
  for (const auto& name : file.block_names()) out.blocks[name] = file.block(name, std::numeric_limits<int>::max());
  return out;
}

}  // namespace fluidsplat::model
