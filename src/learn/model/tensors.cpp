// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/tensors.h"

#include "base/error.h"

namespace fluidsplat::learn {

TensorMap parameters_of(const torch::nn::Module& module) {
  TensorMap out;
  for (const auto& item : module.named_parameters()) out[item.key()] = item.value();
  return out;
}

TensorMap clone(const TensorMap& tensors) {
  TensorMap out;
  for (const auto& [name, t] : tensors) out[name] = t.detach().clone();
  return out;
}

void copy_into(const TensorMap& target, const TensorMap& source, const std::string& where) {
  torch::NoGradGuard no_grad;
  for (const auto& [name, t] : target) {
    const auto it = source.find(name);
    if (it == source.end()) fail("{}: the tensor \"{}\" is missing", where, name);
    if (it->second.sizes() != t.sizes())
      fail("{}: the tensor \"{}\" has shape {}, the config asks for {}", where, name,
           io::shape_text(it->second.sizes()), io::shape_text(t.sizes()));
    t.data().copy_(it->second);
  }
  for (const auto& [name, t] : source)
    if (!target.contains(name)) fail("{}: the tensor \"{}\" does not belong to this model", where, name);
}

io::Array to_array(const torch::Tensor& tensor) {
  const auto t = tensor.detach().to(torch::kCPU).contiguous();
  const std::vector<Index> shape = t.sizes().vec();
  const std::size_t n = t.numel();
  if (t.dtype() == torch::kFloat64) return io::Array::from<double>(shape, {t.data_ptr<double>(), n});
  return io::Array::from<float>(shape, {t.data_ptr<float>(), n});
}

torch::Tensor to_tensor(const io::TensorView& view) {
  const auto options = torch::TensorOptions().dtype(view.dtype == io::DType::f64 ? torch::kFloat64 : torch::kFloat32);
  if (view.dtype != io::DType::f64 && view.dtype != io::DType::f32)
    fail("a tensor of type {} where floating point was expected", io::name_of(view.dtype));
  auto out = torch::empty(view.shape, options);
  std::memcpy(out.data_ptr(), view.bytes.data(), view.bytes.size());
  return out;
}

}  // namespace fluidsplat::learn
