// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/torch.h>

#include <map>
#include <string>

#include "base/index.h"
#include "io/safetensors.h"

namespace fluidsplat::learn {

using TensorMap = std::map<std::string, torch::Tensor>;

// Named parameters of a module, sharing its memory.
TensorMap parameters_of(const torch::nn::Module& module);
TensorMap clone(const TensorMap& tensors);
// Copies values into the tensors of the same names.  Throws Error, naming `where`, when names or shapes differ.
void copy_into(const TensorMap& target, const TensorMap& source, const std::string& where);

io::Array to_array(const torch::Tensor& tensor);
torch::Tensor to_tensor(const io::TensorView& view);

}  // namespace fluidsplat::learn
