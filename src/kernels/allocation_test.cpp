// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Once workspaces are made, nothing is allocated, however many queries there are.
#include "base/allocation_counter.h"

#include <gtest/gtest.h>

#include "kernels/backward.h"
#include "kernels/random_decoder.h"

namespace fluidsplat::kernels {
namespace {

TEST(Allocation, IsCounted) {
  // Called by name: the compiler may leave out a pair of new and delete expressions.
  EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(100)); }), 1);
  EXPECT_EQ(allocations_of([] { Buffer(10); }), 1);
}

TEST(Allocation, NoneWhateverTheNumberOfQueries) {
  FluidSplatSpec shape;
  shape.features = 2, shape.descriptors = 2, shape.modulation_gain = 0.3;
  const Index most = 5000;
  RandomDecoder random(shape, most, 1);
  std::vector<float> field(most), other(most * shape.dim), target(most), weight(most, 1.0f);
  std::vector<float> parameters(random.parameters.size()), context(shape.context), primitives(random.primitives.size());
  float* jacobians[] = {other.data()};
  for (int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    PackedDecoder decoder(shape, true);
    CaseState state(shape, true);
    const ForwardWorkspace forward_workspace(shape, threads);
    const JacobianWorkspace jacobian_workspace(shape, threads);
    BackwardWorkspace backward_workspace(shape, 1, threads);
    EXPECT_EQ(allocations_of([&] { decoder.set(random.parameters.data()); }), 0);
    EXPECT_EQ(allocations_of([&] { state.fold(decoder, random.case_input()); }), 0);
    for (Index queries : {Index{1}, Index{100}, most}) {
      SCOPED_TRACE(queries);
      QueryPoints points = random.points();
      points.count = queries;
      const ForwardCase there{.state = &state, .points = points, .out = {.field = field.data()}};
      const BackwardCase back{.state = &state,
                              .input = random.case_input(),
                              .points = points,
                              .context_gradient = context.data(),
                              .primitives_gradient = primitives.data(),
                              .positions_gradient = other.data(),
                              .target = target.data(),
                              .weight = weight.data(),
                              .field = field.data()};
      EXPECT_EQ(allocations_of([&] { forward(decoder, &there, 1, forward_workspace); }), 0);
      EXPECT_EQ(allocations_of([&] { forward_with_jacobian(decoder, &there, jacobians, 1, jacobian_workspace); }), 0);
      EXPECT_EQ(allocations_of([&] { backward(decoder, &back, 1, parameters.data(), backward_workspace); }), 0);
    }
  }
}

}  // namespace
}  // namespace fluidsplat::kernels
