// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Speed of the lattice-Boltzmann solver in million lattice updates per second (MLUPS), and what the memory allows.
//
// An update reads and writes nine floats, 72 bytes.  The copy benchmark moves an array of the same size as the
// populations with the same two streams (reads plus writes), on the same threads, in the same run: its bytes per second
// over 72 is the number of updates that a kernel limited by memory alone would reach.  Compare `MLUPS` with
// `bound_MLUPS` of the same size and threads.  In three dimensions (Update3, the lid-driven cavity) an update moves 152
// bytes.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "sim/cylinder.h"
#include "sim/d3/lbm.h"
#include "sim/lbm.h"

namespace fluidsplat::sim {
namespace {

constexpr double kBytesPerUpdate = 2.0 * kDirections * sizeof(float);

LbmSettings lattice(int nx, int ny, int threads) {
  LbmSettings s;
  s.nx = nx;
  s.ny = ny;
  s.viscosity = 0.016;
  s.edges.x = s.edges.y = Edge::kFarField;
  s.edges.stream.velocity = {0.1, 0};
  s.threads = threads;
  return s;
}

void Update(benchmark::State& state) {
  const int nx = int(state.range(0)), ny = int(state.range(1)), threads = int(state.range(2));
  Lbm lbm(lattice(nx, ny, threads), circle({0.3 * nx, 0.5 * ny}, 8));
  lbm.step(10);
  for (auto _ : state) lbm.step(10);
  state.counters["MLUPS"] = benchmark::Counter(1e-6 * 10 * nx * ny, benchmark::Counter::kIsIterationInvariantRate);
}

void Update3(benchmark::State& state) {
  const Index n = state.range(0);
  d3::LbmSettings s;
  s.size = {n, n, n};
  s.edges = {d3::Edge::kWall, d3::Edge::kWall, d3::Edge::kWall, {0.1, 0, 0}};
  s.threads = int(state.range(1));
  d3::Lbm lbm(s);
  lbm.step(10);
  for (auto _ : state) lbm.step(10);
  state.counters["MLUPS"] =
      benchmark::Counter(1e-6 * 10 * double(s.size.cells()), benchmark::Counter::kIsIterationInvariantRate);
}

void Copy(benchmark::State& state) {
  const long cells = state.range(0) * state.range(1);
  const int threads = int(state.range(2)), blocks = 64;
  const long size = cells * kDirections / blocks;
  std::vector<float> a(size * blocks, 1.f), b(a.size(), 2.f);
  for (auto _ : state) {
    for (int k = 0; k < 10; ++k) {
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int block = 0; block < blocks; ++block) {
        std::memcpy(b.data() + block * size, a.data() + block * size, static_cast<Index>(size) * sizeof(float));
      }
      benchmark::ClobberMemory();
      std::swap(a, b);
    }
  }
  const double bytes = 2.0 * 10 * double(a.size() * sizeof(float));
  state.counters["GB/s"] = benchmark::Counter(1e-9 * bytes, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bound_MLUPS"] =
      benchmark::Counter(1e-6 * bytes / kBytesPerUpdate, benchmark::Counter::kIsIterationInvariantRate);
}

// The lattice of the quick cylinder (10 MB, fits a large last-level cache) and one that no cache holds (300 MB).
void sizes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"nx", "ny", "threads"})->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int threads : {1, 2}) {
    b->Args({448, 320, threads});
    b->Args({2400, 1800, threads});
  }
}

BENCHMARK(Update)->Apply(sizes);
BENCHMARK(Copy)->Apply(sizes);
BENCHMARK(Update3)
    ->ArgNames({"n", "threads"})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond)
    ->ArgsProduct({{32, 64, 128}, {1, 2}});

}  // namespace
}  // namespace fluidsplat::sim

BENCHMARK_MAIN();
