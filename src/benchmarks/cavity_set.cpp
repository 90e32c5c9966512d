// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cavity_set.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folder_lock.h"
#include "base/threads.h"
#include "benchmarks/cavity_case_file.h"
#include "benchmarks/cavity_set_files.h"
#include "benchmarks/ldc3d_grid.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using sim::d3::CavityEnd;
constexpr Index kCasesPerObstacle = 10;
constexpr double kGap = 0.2;  // between obstacle and walls
// Lid speed * lattice cell / viscosity, at most.  Cavities of 32^3 cells are stable up to 22 and diverge at 31.
constexpr double kCellReynolds = 21;
constexpr const char* kRecord = "cavity3d.json";

// What decides the numbers; the number of cases does not, so that a set can grow.
ordered_json settings_of(const CavitySetOptions& o) {
  ordered_json out = {{"recipe", 1},  // of this file: another way to make cases gets another number
                      {"seed", o.seed},
                      {"size", o.size},
                      {"refine", o.refine},
                      {"cell_reynolds", kCellReynolds},
                      {"lattice_velocity", o.lattice_velocity},
                      {"tolerance", o.steady.tolerance},
                      {"longest", o.steady.longest}};
  // Folders from before there was a choice do not name it.
  if (o.reynolds_most != CavitySetOptions().reynolds_most) out["reynolds_most"] = o.reynolds_most;
  return out;
}

void check(const CavitySetOptions& o) {
  if (o.cases < 1) fail("cavity3d: {} cases: at least 1", o.cases);
  if (!(o.reynolds_most >= 100 && o.reynolds_most <= 1000))
    fail("cavity3d: Reynolds numbers up to {}: 100 to 1000 can be made", o.reynolds_most);
  if (o.size < 8 || o.size > 256 || o.refine < 1 || o.refine > 8)
    fail("cavity3d: size {} refined {} times: sizes are 8 to 256, refinements 1 to 8", o.size, o.refine);
}

// True when the folder's record says that these very cases are complete.
bool already_made(const fs::path& folder, const CavitySetOptions& o) {
  const auto file = folder / kRecord;
  if (!fs::exists(file)) return false;
  ordered_json record;
  try {
    record = ordered_json::parse(read_file(file, std::size_t{1} << 28));
    if (record.at("settings") != settings_of(o))
      fail("{}: this folder's cases were made with other settings ({}); choose another folder or delete this one",
           file.string(), record.at("settings").dump());
    return record.at("complete").get<bool>() && record.at("cases").get<Index>() == o.cases &&
           fs::exists(folder / kLdc3dInputs) && fs::exists(folder / kLdc3dOutputs);
  } catch (const nlohmann::json::exception& e) {
    fail("{}: is damaged ({}); delete it to make the cases again", file.string(), e.what());
  }
}

fs::path case_file(const fs::path& folder, Index number) {
  return folder / "cases" / fmt::format("{:05d}.npz", number);
}

// The mean of the neighbours that have a value, for the rare cell whose centre is in the fluid while no lattice cell's
// centre near it is.
double mean_around(const std::vector<double>& values, const CellAverage& average, Index cell) {
  const Index n = average.size();
  const auto near = [n](Index a, Index b) { return std::abs(a - b) <= 1; };
  double sum = 0, count = 0;
  for (Index i = 0; i < std::ssize(values); ++i)
    if (average.any_fluid(i) && near(i % n, cell % n) && near(i / n % n, cell / n % n) && near(i / n / n, cell / n / n))
      sum += values[i], ++count;
  return count > 0 ? sum / count : 0;
}

// On the grid of the files.  What is fluid is decided by the centres of its cells, so that cases of one obstacle agree
// whatever their lattices were.
MadeCavity averaged(const sim::d3::CavityFlow& flow, const sim::d3::CavityCase& c, Index n) {
  const auto fine = flow.fields();
  const CellAverage average(fine.fluid, c.cells, n);
  MadeCavity made;
  for (const double distance : cell_distances(*c.obstacle, n)) made.fluid.push_back(distance > 0);
  for (const auto* field : {&fine.u, &fine.v, &fine.w, &fine.pressure}) {
    const auto means = average.of_fluid(std::vector<double>(field->begin(), field->end()));
    made.fields.emplace_back(means.size());
    for (Index i = 0; i < std::ssize(means); ++i)
      if (made.fluid[i])
        made.fields.back()[i] = float(average.any_fluid(i) ? means[i] : mean_around(means, average, i));
  }
  return made;
}

// Nothing when interrupted.
std::optional<MadeCavity> simulate(const CavitySetOptions& o, Index number, const RunHooks& hooks) {
  MadeCavity made;
  auto settings = cavity_case(o, number);
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt > 0) settings.cells += settings.cells / 2, settings.lattice_velocity /= 1.5;
    sim::d3::CavityFlow flow(settings);
    const auto report = flow.settle(o.steady, hooks);
    if (report.end == CavityEnd::kInterrupted) return std::nullopt;
    made = averaged(flow, settings, o.size);
    made.report = report;
    made.lattice_velocity = lattice_velocity(settings);
    made.force = flow.force_coefficients();
    if (report.end == CavityEnd::kSteady) break;
  }
  return made;
}

// How long a case takes, in any unit: sides / lid speed until it is steady (fitted by eye), steps in each, cells.
double expected_cost(const sim::d3::CavityCase& c) {
  return (3 + 1.2 * std::sqrt(c.reynolds)) * std::pow(double(c.cells), 4) / lattice_velocity(c);
}

// Makes what is missing, a case per thread: threads that share one small lattice would wait for each other at every
// step, which on a busy machine takes most of the time.  False when interrupted.
class CaseMaker {
 public:
  CaseMaker(const fs::path& folder, const CavitySetOptions& options, const RunHooks& hooks)
      : folder_(folder), options_(options), hooks_(hooks), done_(options.cases) {
    for (Index i = 0; i < options.cases; ++i)
      if (options.shard.has(i)) total_ += expected_cost(cavity_case(options, i));
  }

  bool run() {
    const Index threads = options_.threads > 0 ? options_.threads : available_threads();
    std::vector<std::jthread> workers;
    for (Index t = 0; t < std::min(threads, options_.cases); ++t) workers.emplace_back([this] { work(); });
    workers.clear();
    if (problem_) std::rethrow_exception(problem_);
    return !stopped_;
  }

 private:
  void work() {
    try {
      for (Index i = next_++; i < options_.cases && !stopped_; i = next_++)
        if (options_.shard.has(i) && !make(i)) stopped_ = true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      problem_ = std::current_exception();
      stopped_ = true;
    }
  }

  bool make(Index i) {
    const double cost = expected_cost(cavity_case(options_, i));
    if (!read_cavity_case(case_file(folder_, i), options_.size)) {
      const RunHooks inside{[&](double share, const std::string&) { tell(i, share * cost); },
                            [&] { return stopped_ || hooks_.should_stop(); }};
      const auto made = simulate(options_, i, inside);
      if (!made) return false;
      write_cavity_case(case_file(folder_, i), *made, options_.size);
    }
    tell(i, cost);
    return true;
  }

  void tell(Index i, double cost) {
    const std::lock_guard lock(mutex_);
    done_[i] = cost;
    hooks_.tell(std::accumulate(done_.begin(), done_.end(), 0.0) / total_, "simulate");
  }

  const fs::path& folder_;
  const CavitySetOptions& options_;
  const RunHooks& hooks_;
  double total_ = 0;
  std::atomic<Index> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;  // for what follows
  std::vector<double> done_;
  std::exception_ptr problem_;
};

ordered_json describe(const sim::d3::CavityCase& c, const MadeCavity& made, Index number) {
  const auto& o = *c.obstacle;
  ordered_json axes;
  for (const auto& axis : o.axes) axes.push_back({axis.x, axis.y, axis.z});
  const bool ring = o.kind == sim::d3::ObstacleKind::kRing;
  return {{"case", number},
          {"Re", c.reynolds},
          {"obstacle", ring ? "ring" : "ellipsoid"},
          {"centre", {o.centre.x, o.centre.y, o.centre.z}},
          {"axes", axes},
          {"radii", ring ? ordered_json{o.radii[0], o.radii[1]} : ordered_json(o.radii)},
          {"steady", made.report.end == CavityEnd::kSteady},
          {"sides_per_lid_speed", made.report.time},
          {"last_change", made.report.change},
          {"lattice_velocity", made.lattice_velocity}};
}

}  // namespace

sim::d3::CavityCase cavity_case(const CavitySetOptions& o, Index number) {
  sim::d3::CavityCase c;
  c.lattice_velocity = o.lattice_velocity;
  c.threads = 1;
  c.obstacle = sim::d3::random_obstacle(sim::d3::kCavitySide, kGap, Random(o.seed, number / kCasesPerObstacle, 1));
  const bool thin = number % kCasesPerObstacle >= kCasesPerObstacle / 2;
  c.reynolds = Random(o.seed, number, 2).uniform(10, 100) * (thin ? o.reynolds_most / 100 : 1);
  const Index stable = (Index(std::ceil(c.reynolds / kCellReynolds)) + 3) / 4 * 4;
  c.cells = std::max(o.size * o.refine, stable);
  return c;
}

Outcome make_cavity_set(const fs::path& folder, const CavitySetOptions& o, const RunHooks& hooks) {
  check(o);
  fs::create_directories(folder / "cases");
  // Processes that share the cases share the folder: each writes cases of its own, and the last one the rest.
  std::optional<FolderLock> lock;
  if (o.shard.is_whole()) lock.emplace(folder, "making cavities");
  if (already_made(folder, o)) return {.cases = o.cases};
  ordered_json record = {{"what", "lid-driven cavities with obstacles, made by fluidsplat in FlowBench's layout"},
                         {"settings", settings_of(o)},
                         {"cases", o.cases},
                         {"complete", false}};
  write_file(folder / kRecord, record.dump(1) + "\n");
  if (!CaseMaker(folder, o, hooks).run()) return {.complete = false};
  for (Index i = 0; i < o.cases && !o.shard.is_whole(); ++i)
    if (!read_cavity_case(case_file(folder, i), o.size)) return {.complete = false};

  Outcome outcome;
  std::vector<Index> steady;
  for (Index i = 0; i < o.cases; ++i) {
    const auto made = read_cavity_case(case_file(folder, i), o.size);
    const auto c = cavity_case(o, i);
    if (!made) fail("{}: was damaged while the set was made; run the command again", case_file(folder, i).string());
    record["list"].push_back(describe(c, *made, i));
    const bool good = made->report.end == CavityEnd::kSteady;
    if (good) steady.push_back(i);
    if (!good)
      outcome.notes.push_back(
          fmt::format("case {} (Re {:.0f}) {} and is left out", i, c.reynolds,
                      made->report.end == CavityEnd::kDiverged
                          ? "diverged twice"
                          : fmt::format("still changed by {:.1e} per side / lid speed after {:.0f} of them",
                                        made->report.change, made->report.time)));
    else if (made->lattice_velocity < lattice_velocity(c))
      outcome.notes.push_back(fmt::format(
          "case {} (Re {:.0f}) diverged or did not settle and was repeated on a finer lattice", i, c.reynolds));
  }
  if (steady.empty()) fail("{}: none of the {} cases became steady", folder.string(), o.cases);
  const auto load = [&](Index i) { return *read_cavity_case(case_file(folder, i), o.size); };
  if (!write_ldc3d_files(folder, o, steady, load, hooks)) return {.complete = false};
  record["complete"] = true;
  write_file(folder / kRecord, record.dump(1) + "\n");
  outcome.cases = std::ssize(steady);
  return outcome;
}

}  // namespace fluidsplat::benchmarks
