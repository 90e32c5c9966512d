// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/fluidsplat/fused_operator.h"

#include <ATen/Parallel.h>

#include <optional>

#include "base/error.h"
#include "kernels/backward.h"

namespace fluidsplat::learn {
namespace {

float* row(const torch::Tensor& t, Index i) {
  return t.data_ptr<float>() + i * (t.numel() / std::max<Index>(1, t.size(0)));
}

}  // namespace

// The tensors of one call, contiguous floats; each case is a row of each.
struct FusedDecoder::Inputs {
  torch::Tensor flat, primitives, positions, features, z, descriptors;
  Index cases() const { return positions.size(0); }
  Index queries() const { return positions.size(1); }
};

namespace {

struct Gradients {
  Gradients(const FusedDecoder::Inputs& in, bool with_positions)
      : flat(torch::empty_like(in.flat)), primitives(torch::empty_like(in.primitives)), z(torch::empty_like(in.z)) {
    if (with_positions) positions = torch::empty_like(in.positions);
  }
  torch::Tensor flat, primitives, z, positions;
};

}  // namespace

// Weights in packed form and memory for tiles, kept from step to step.
struct FusedDecoder::State : torch::CustomClassHolder {
  explicit State(const model::FluidSplatSpec& shape) : decoder(shape, true) {}

  void prepare(const Inputs& in) {
    const int threads = at::get_num_threads();
    if (threads != threads_ || in.cases() > capacity_) {
      capacity_ = std::max(capacity_, in.cases());
      threads_ = threads;
      forward.emplace(decoder.shape(), threads);
      backward.reset();
      while (std::ssize(states) < capacity_) states.emplace_back(decoder.shape(), true);
    }
    decoder.set(in.flat.data_ptr<float>());
    at::parallel_for(0, in.cases(), 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) states[i].fold(decoder, case_input(in, i));
    });
  }
  kernels::CaseInput case_input(const Inputs& in, Index i) const {
    return {row(in.z, i), row(in.primitives, i), row(in.descriptors, i)};
  }
  kernels::QueryPoints points(const Inputs& in, Index i) const {
    return {row(in.positions, i), row(in.features, i), in.queries(), nullptr};
  }
  std::vector<kernels::BackwardCase> backward_cases(const Inputs& in, const Gradients& out) const {
    std::vector<kernels::BackwardCase> cases(in.cases());
    for (Index i = 0; i < std::ssize(cases); ++i) {
      cases[i].state = &states[i];
      cases[i].input = case_input(in, i);
      cases[i].points = points(in, i);
      cases[i].context_gradient = row(out.z, i);
      cases[i].primitives_gradient = row(out.primitives, i);
      if (out.positions.defined()) cases[i].positions_gradient = row(out.positions, i);
    }
    return cases;
  }
  void run_backward(const std::vector<kernels::BackwardCase>& cases, const Gradients& out) {
    if (!backward) backward.emplace(decoder.shape(), capacity_, threads_);
    kernels::backward(decoder, cases.data(), cases.size(), out.flat.data_ptr<float>(), *backward);
  }

  kernels::PackedDecoder decoder;
  std::vector<kernels::CaseState> states;
  std::optional<kernels::ForwardWorkspace> forward;

 private:
  std::optional<kernels::BackwardWorkspace> backward;
  Index capacity_ = 0;
  int threads_ = 0;
};

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct FusedFunction : torch::autograd::Function<FusedFunction> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor flat, torch::Tensor primitives,
                               torch::Tensor positions, torch::Tensor features, torch::Tensor z,
                               torch::Tensor descriptors, c10::intrusive_ptr<FusedDecoder::State> state) {
    const FusedDecoder::Inputs in{flat, primitives, positions, features, z, descriptors};
    const Index channels = state->decoder.shape().channels;
    auto field = torch::empty({positions.size(0), positions.size(1), channels});
    state->prepare(in);
    std::vector<kernels::ForwardCase> cases;
    for (Index i = 0; i < in.cases(); ++i)
      cases.push_back({&state->states[i], state->points(in, i), {row(field, i), nullptr, nullptr}});
    kernels::forward(state->decoder, cases.data(), cases.size(), *state->forward);
    context->save_for_backward({flat, primitives, positions, features, z, descriptors});
    context->saved_data["state"] = c10::IValue::make_capsule(state);
    context->saved_data["positions"] = positions.requires_grad();
    return field;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const FusedDecoder::Inputs in{saved[0], saved[1], saved[2], saved[3], saved[4], saved[5]};
    const auto state =
        c10::static_intrusive_pointer_cast<FusedDecoder::State>(context->saved_data["state"].toCapsule());
    const auto upstream = gradients[0].contiguous();
    Gradients out(in, context->saved_data["positions"].toBool());
    // Other calls may have come in between, with other weights: packing anew costs a hundredth of the gradient.
    state->prepare(in);
    auto cases = state->backward_cases(in, out);
    for (Index i = 0; i < std::ssize(cases); ++i) cases[i].field_gradient = row(upstream, i);
    state->run_backward(cases, out);
    return {out.flat, out.primitives, out.positions, {}, out.z, {}, {}};
  }
};

struct FusedSquaredError : torch::autograd::Function<FusedSquaredError> {
  static variable_list forward(AutogradContext* context, torch::Tensor flat, torch::Tensor primitives,
                               torch::Tensor positions, torch::Tensor features, torch::Tensor z,
                               torch::Tensor descriptors, torch::Tensor targets, torch::Tensor weights,
                               c10::intrusive_ptr<FusedDecoder::State> state) {
    const FusedDecoder::Inputs in{flat, primitives, positions, features, z, descriptors};
    auto field = torch::empty_like(targets);
    Gradients out(in, false);
    state->prepare(in);
    auto cases = state->backward_cases(in, out);
    for (Index i = 0; i < std::ssize(cases); ++i) {
      cases[i].target = row(targets, i);
      cases[i].weight = row(weights, i);
      cases[i].field = row(field, i);
    }
    state->run_backward(cases, out);
    context->save_for_backward({out.flat, out.primitives, out.z});
    context->mark_non_differentiable({field});
    return {((field - targets).square() * weights).sum(), field};
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto saved = context->get_saved_variables();
    const auto& scale = gradients[0];
    return {saved[0] * scale, saved[1] * scale, {}, {}, saved[2] * scale, {}, {}, {}, {}};
  }
};

}  // namespace

FusedDecoder::FusedDecoder(const model::FluidSplatSpec& spec, const torch::nn::Module* decoder)
    : state_(c10::make_intrusive<State>(spec)) {
  const auto& tensors = state_->decoder.parameters().tensors();
  if (tensors.empty()) return;
  const auto named = decoder->named_parameters();
  for (const auto& t : tensors) parameters_.push_back(named[t.name.substr(std::string("decoder.").size())]);
}

FusedDecoder::~FusedDecoder() = default;

FusedDecoder::Inputs FusedDecoder::gather(const Primitives& p, const torch::Tensor& queries,
                                          const torch::Tensor& features, const torch::Tensor& z,
                                          const torch::Tensor& descriptors) const {
  std::vector<torch::Tensor> flat, parts = {p.centre, p.scale};
  for (const auto& t : parameters_) flat.push_back(t.reshape(-1));
  if (p.rotation.defined()) parts.push_back(p.rotation.flatten(2));
  parts.push_back(p.log_weight.unsqueeze(-1));
  parts.push_back(p.amplitude);
  const auto plain = [&](const torch::Tensor& t) {
    return t.defined() ? t.contiguous() : torch::zeros({queries.size(0), 0});
  };
  const auto joined = flat.empty() ? torch::zeros({0}) : torch::cat(flat);
  for (const auto& t : {joined, queries, z})
    if (t.scalar_type() != torch::kFloat32 || !t.device().is_cpu())
      fail("the fused engine works on 32-bit floats on the CPU; use the reference engine here");
  return {joined, torch::cat(parts, -1).contiguous(), plain(queries), plain(features), plain(z), plain(descriptors)};
}

torch::Tensor FusedDecoder::operator()(const Primitives& primitives, const torch::Tensor& queries,
                                       const torch::Tensor& features, const torch::Tensor& z,
                                       const torch::Tensor& descriptors) {
  const auto in = gather(primitives, queries, features, z, descriptors);
  return FusedFunction::apply(in.flat, in.primitives, in.positions, in.features, in.z, in.descriptors, state_);
}

SquaredError FusedDecoder::squared_error(const Primitives& primitives, const torch::Tensor& queries,
                                         const torch::Tensor& features, const torch::Tensor& z,
                                         const torch::Tensor& descriptors, const torch::Tensor& targets,
                                         const torch::Tensor& weights) {
  const auto in = gather(primitives, queries, features, z, descriptors);
  const auto out = FusedSquaredError::apply(in.flat, in.primitives, in.positions, in.features, in.z, in.descriptors,
                                            targets.contiguous(), weights.contiguous(), state_);
  return {out[0], out[1]};
}

}  // namespace fluidsplat::learn
