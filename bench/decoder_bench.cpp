// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The fused decoder beside its peers, in one run: the processor's multiply-add peak, BLAS on the bare matrix products,
// and the same model in plain libtorch.  bench/run calls it and writes bench/RESULTS.md.
//
//   bench_decoder compare THREADS        a line for each peer, fields separated by tabs: task, size, peer,
//                                        milliseconds, share of the peak in percent (0: not counted), time
//                                        divided by the fused kernels'
//   bench_decoder cost THREADS [CALLS]   latency, and cost against queries and K, as Markdown
//   bench_decoder memory fused|libtorch airfrans|cylinder
//                                        MB that training steps add to the process' peak memory
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "decoder_peers.h"
#include "decoder_sizes.h"
#include "fma_peak.h"
#include "kernels/backward.h"
#include "kernels/random_decoder.h"

namespace fluidsplat::bench {
namespace {

using model::FluidSplatSpec;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median of at least five runs and at least a second of work.
double median_seconds(const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (double sum = 0; times.size() < 5 || (sum < 1 && times.size() < 1000); sum += times.back())
    times.push_back(seconds_of(work));
  return median(times);
}

// Peers in turn, round after round, so that a disturbance of the machine meets all of them alike.
struct Rounds {
  std::vector<std::vector<double>> seconds;  // [peer][round]

  Rounds(int rounds, const std::vector<std::function<void()>>& peers) : seconds(peers.size()) {
    for (const auto& work : peers) work();
    for (int i = 0; i < rounds; ++i)
      for (Index p = 0; p < std::ssize(peers); ++p) seconds[p].push_back(seconds_of(peers[p]));
  }
  double typical(Index peer) const { return median(seconds[peer]); }
  // How many times longer `peer` takes than the first: the median of the rounds' ratios.
  double ratio(Index peer) const {
    std::vector<double> ratios;
    for (Index i = 0; i < std::ssize(seconds[peer]); ++i) ratios.push_back(seconds[peer][i] / seconds[0][i]);
    return median(ratios);
  }
};

// One case with random weights, ready to be evaluated.
struct Fused {
  Fused(const FluidSplatSpec& shape, Index queries, int threads)
      : inputs(shape, queries, 1), decoder(shape, false), state(shape, false), workspace(shape, threads) {
    decoder.set(inputs.parameters.data());
    state.fold(decoder, inputs.case_input());
    field.resize(queries * shape.channels);
  }
  void run() {
    state.fold(decoder, inputs.case_input());
    const kernels::ForwardCase item{.state = &state, .points = inputs.points(), .out = {.field = field.data()}};
    kernels::forward(decoder, &item, 1, workspace);
  }
  kernels::RandomDecoder inputs;
  kernels::PackedDecoder decoder;
  kernels::CaseState state;
  kernels::ForwardWorkspace workspace;
  std::vector<float> field;
};

// A training step: the squared error against zero, and the gradient of everything.
struct FusedStep {
  FusedStep(const FluidSplatSpec& shape, Index cases, Index queries, int threads)
      : decoder(shape, true),
        workspace(shape, cases, threads),
        target(queries * shape.channels, 0.0f),
        weight(queries * shape.channels, 1.0f / float(cases * queries * shape.channels)) {
    gradient.resize(decoder.parameters().size());
    for (Index i = 0; i < cases; ++i) {
      inputs.emplace_back(shape, queries, i);
      states.emplace_back(shape, true);
      fields.emplace_back(queries * shape.channels);
      contexts.emplace_back(shape.context);
      primitives.emplace_back(shape.primitives * shape.primitive_columns());
    }
  }
  void run() {
    decoder.set(inputs[0].parameters.data());
    std::vector<kernels::BackwardCase> cases;
    for (Index i = 0; i < std::ssize(inputs); ++i) {
      states[i].fold(decoder, inputs[i].case_input());
      cases.push_back({.state = &states[i],
                       .input = inputs[i].case_input(),
                       .points = inputs[i].points(),
                       .context_gradient = contexts[i].data(),
                       .primitives_gradient = primitives[i].data(),
                       .target = target.data(),
                       .weight = weight.data(),
                       .field = fields[i].data()});
    }
    kernels::backward(decoder, cases.data(), std::ssize(cases), gradient.data(), workspace);
  }
  kernels::PackedDecoder decoder;
  kernels::BackwardWorkspace workspace;
  std::vector<float> target, weight;
  std::vector<kernels::RandomDecoder> inputs;
  std::vector<kernels::CaseState> states;
  std::vector<std::vector<float>> fields, contexts, primitives;
  std::vector<float> gradient;
};

void print_peer(const std::string& task, const std::string& size, const std::string& peer, double seconds, double share,
                double ratio) {
  std::printf("%s\t%s\t%s\t%.2f\t%.1f\t%.3f\n", task.c_str(), size.c_str(), peer.c_str(), seconds * 1e3, share, ratio);
}

void compare(const std::string& name, const FluidSplatSpec& shape, int threads) {
  constexpr Index kQueries = 16384;
  const double flops = 2 * products_per_query(shape) * kQueries;
  Fused fused(shape, kQueries, threads);
  double peak_flops = 0;
  const Rounds rounds(11, {[&] { fused.run(); }, blas_products(shape, kQueries),
                           torch_forward(shape, kQueries, threads), [&] { peak_flops = multiply_adds() * threads; }});
  const double at_peak = flops / (peak_flops / rounds.typical(3));
  const char* peers[] = {"fused", "BLAS, bare products", "plain libtorch"};
  for (Index i = 0; i < 3; ++i)
    print_peer("forward", name, peers[i], rounds.typical(i), 100 * at_peak / rounds.typical(i), rounds.ratio(i));
  print_peer("forward", name, "needed products at the peak", at_peak, 100, at_peak / rounds.typical(0));
}

void compare_step(const std::string& name, const FluidSplatSpec& shape, int threads) {
  FusedStep fused(shape, 16, 1024, threads);
  const Rounds rounds(7, {[&] { fused.run(); }, torch_step(shape, 16, 1024, threads)});
  print_peer("step", name, "fused", rounds.typical(0), 0, 1);
  print_peer("step", name, "plain libtorch", rounds.typical(1), 0, rounds.ratio(1));
}

void compare_all(int threads) {
  set_blas_threads(threads);
  compare("AirfRANS", airfrans(), threads);
  compare("cylinder", cylinder(), threads);
  compare_step("AirfRANS", airfrans(), threads);
  compare_step("cylinder", cylinder(), threads);
}

void latency(const std::string& name, const FluidSplatSpec& shape, Index calls) {
  for (Index queries : {1, 100, 1000}) {
    Fused fused(shape, queries, 1);
    std::vector<double> times;
    for (Index i = 0; i < calls; ++i) times.push_back(seconds_of([&] { fused.run(); }) * 1e6);
    std::sort(times.begin(), times.end());
    std::printf("| %s | %td | %.0f | %.0f |\n", name.c_str(), queries, times[calls / 2], times[calls * 99 / 100]);
  }
}

void sweep(int threads) {
  std::printf("\n| queries | ms | ns per query | workspace, kB |\n|---|---|---|---|\n");
  for (Index n : {1000, 10000, 100000, 1000000, 10000000}) {
    Fused fused(airfrans(), n, threads);
    const double seconds = n > 1000000 ? seconds_of([&] { fused.run(); }) : median_seconds([&] { fused.run(); });
    std::printf("| %td | %.2f | %.0f | %td |\n", n, seconds * 1e3, seconds / double(n) * 1e9,
                fused.workspace.bytes() / 1000);
  }
  std::printf("\n| K | ms for 16,384 queries | ns per query |\n|---|---|---|\n");
  for (Index k : {16, 64, 256, 1024, 4096}) {
    FluidSplatSpec shape = airfrans();
    shape.primitives = k;
    Fused fused(shape, 16384, threads);
    const double seconds = median_seconds([&] { fused.run(); });
    std::printf("| %td | %.2f | %.0f |\n", k, seconds * 1e3, seconds / 16384 * 1e9);
  }
}

// A line of /proc/self/status, in MB.
double status_megabytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key, 0) == 0) return std::atof(line.substr(key.size()).c_str()) / 1024;
  return 0;
}

// Both engines with the same inputs in memory before the count begins: what is counted is the work's own.
void memory(bool use_fused, const FluidSplatSpec& shape) {
  FusedStep fused(shape, 16, 1024, 1);
  const auto torch = torch_step(shape, 16, 1024, 1);
  const double before = status_megabytes("VmRSS:") - (use_fused ? double(fused.workspace.bytes()) / 1048576 : 0);
  for (int i = 0; i < 3; ++i) use_fused ? fused.run() : torch();
  std::printf("%.0f\n", status_megabytes("VmHWM:") - before);
}

void cost(int threads, Index calls) {
  std::printf("| latency | queries | p50, us | p99, us |\n|---|---|---|---|\n");
  latency("AirfRANS", airfrans(), calls);
  latency("cylinder", cylinder(), calls / 10);
  sweep(threads);
}

}  // namespace
}  // namespace fluidsplat::bench

int main(int argc, char** argv) {
  using namespace fluidsplat::bench;
  const std::string mode = argc > 1 ? argv[1] : "", second = argc > 2 ? argv[2] : "1",
                    third = argc > 3 ? argv[3] : "10000";
  const auto shape = [](const std::string& name) { return name == "airfrans" ? airfrans() : cylinder(); };
  const int threads = std::atoi(second.c_str());
  const long calls = std::atol(third.c_str());
  if (mode == "memory") {
    memory(second == "fused", shape(third));
  } else if (mode == "compare" && threads > 0) {
    compare_all(threads);
  } else if (mode == "cost" && threads > 0 && calls > 0) {
    cost(threads, calls);
  } else {
    std::fprintf(stderr, "usage: bench_decoder compare THREADS | cost THREADS [CALLS] | memory ENGINE SIZE\n");
    return 2;
  }
}
