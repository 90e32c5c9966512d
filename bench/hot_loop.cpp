// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The fused kernels alone on one thread, for perf and callgrind, with no other library to load.
//
//   bench_hot airfrans|cylinder [repeats] [forward|backward]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "decoder_sizes.h"
#include "kernels/backward.h"
#include "kernels/forward.h"
#include "kernels/random_decoder.h"

int main(int argc, char** argv) {
  using namespace fluidsplat;
  constexpr Index kQueries = 1024, kCases = 16;
  const auto shape = argc > 1 && std::string(argv[1]) == "airfrans" ? bench::airfrans() : bench::cylinder();
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 1;
  const bool gradients = argc > 3 && std::string(argv[3]) == "backward";
  const kernels::RandomDecoder inputs(shape, kQueries, 1);
  kernels::PackedDecoder decoder(shape, gradients);
  decoder.set(inputs.parameters.data());
  kernels::CaseState state(shape, gradients);
  const kernels::ForwardWorkspace workspace(shape, 1);
  kernels::BackwardWorkspace backward_workspace(shape, kCases, 1);
  std::vector<float> field(kQueries * shape.channels), target(field), weight(field.size(), 1.0f);
  std::vector<float> parameters(inputs.parameters.size()), context(shape.context), primitives(inputs.primitives.size());
  double least = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    state.fold(decoder, inputs.case_input());
    if (gradients) {
      const kernels::BackwardCase item{.state = &state,
                                       .input = inputs.case_input(),
                                       .points = inputs.points(),
                                       .context_gradient = context.data(),
                                       .primitives_gradient = primitives.data(),
                                       .target = target.data(),
                                       .weight = weight.data(),
                                       .field = field.data()};
      const std::vector<kernels::BackwardCase> items(kCases, item);
      kernels::backward(decoder, items.data(), kCases, parameters.data(), backward_workspace);
    } else {
      const kernels::ForwardCase item{.state = &state, .points = inputs.points(), .out = {.field = field.data()}};
      kernels::forward(decoder, &item, 1, workspace);
    }
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::printf("%td queries, the quickest of %d: %.3f ms\n", kQueries, repeats, least * 1e3);
}
