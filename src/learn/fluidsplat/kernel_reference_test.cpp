// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference.h"

#include <gtest/gtest.h>

#include "kernels/parameters.h"
#include "kernels/random_decoder.h"
#include "learn/fluidsplat/fluidsplat.h"

namespace fluidsplat::learn {
namespace {

torch::Tensor tensor_of(const std::vector<double>& values, std::vector<Index> shape) {
  return torch::tensor(values, torch::kFloat64).reshape(shape);
}

Primitives primitives_of(const model::FluidSplatSpec& s, const std::vector<double>& values) {
  const Index k = s.primitives, d = s.dim, r = s.rotation_columns(), c = s.channels;
  const auto parts = tensor_of(values, {1, k, 2 * d + r + 1 + c}).split_with_sizes({d, d, r, 1, c}, -1);
  return {parts[0], parts[1], r > 0 ? parts[2].reshape({1, k, d, d}) : torch::Tensor(), parts[3].squeeze(-1), parts[4]};
}

void expect_equal(const torch::Tensor& modules, const std::vector<double>& loops, const char* what) {
  const auto difference = (modules.reshape(-1) - torch::tensor(loops, torch::kFloat64)).abs().max().item<double>();
  EXPECT_LE(difference, 1e-12 * (1 + modules.abs().max().item<double>())) << what;
}

// The kernels are tested against plain double-precision loops on every instruction set.  These loops are libtorch's
// arithmetic: modules in double precision give the same numbers to double's rounding.
TEST(KernelReference, IsWhatTheModulesComputeInDoublePrecision) {
  for (const auto& [name, shape] : kernels::shape_grid()) {
    if (shape.layers == 0) continue;  // the modules have one hidden layer or more
    SCOPED_TRACE(name);
    constexpr Index kQueries = 7;
    const kernels::RandomDecoder random(shape, kQueries, 3);
    const auto& in = random.exact;
    FluidSplat model(shape);
    model.to(torch::kFloat64);
    torch::NoGradGuard no_grad;
    auto weights = model.named_parameters();
    const kernels::Parameters layout(shape);
    for (const auto& t : layout.tensors())
      weights[t.name].copy_(
          torch::tensor(std::vector<double>(in.parameters.begin() + static_cast<std::ptrdiff_t>(t.offset),
                                            in.parameters.begin() + static_cast<std::ptrdiff_t>(t.offset + t.size())),
                        torch::kFloat64)
              .reshape(weights[t.name].sizes()));

    const auto positions = tensor_of(in.positions, {1, kQueries, -1});
    const auto features = shape.features > 0 ? tensor_of(in.features, {1, kQueries, -1}) : torch::Tensor();
    const auto primitives = primitives_of(shape, in.primitives);
    const auto scaffold = evaluate_scaffold(primitives, positions);
    auto field = scaffold.field;
    if (shape.has_decoder()) {
      const auto residual =
          model.decoder(positions, features, tensor_of(in.context, {1, -1}),
                        tensor_of(in.descriptors, {1, static_cast<Index>(shape.descriptors)}), primitives, scaffold);
      field = shape.output == model::Output::kResidual ? residual : field + residual;
    }
    const auto loops = kernels::reference_forward(shape, in);
    expect_equal(field, loops.field, "field");
    expect_equal(scaffold.field, loops.primitive, "scaffold");
    expect_equal(scaffold.log_mass, loops.log_mass, "log mass");
  }
}

}  // namespace
}  // namespace fluidsplat::learn
