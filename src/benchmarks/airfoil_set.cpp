// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfoil_set.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"
#include "benchmarks/airfoil_case_files.h"
#include "benchmarks/airfoil_splits.h"

namespace fluidsplat::benchmarks {

namespace {

using nlohmann::json;

// Raised when the same settings give other cases or other fields than before.
constexpr int kGenerator = 1;

// AirfRANS's speeds, m/s, over the range of Reynolds numbers: a decade of speeds would let the fastest cases outweigh
// all others.
constexpr double kSlowest = 31.25, kFastest = 93.75;

// The lattice of a case that diverged is finer by this, and its steps are smaller.
constexpr double kFiner = 1.3;

double thousandths(double value) {
  return std::round(1000 * value) / 1000;
}

json settings_json(const AirfoilSetOptions& o) {
  return {{"format", "fluidsplat airfoil set"},
          {"generator", kGenerator},
          {"seed", o.seed},
          {"reynolds", {o.reynolds_least, o.reynolds_most}},
          {"angle", {o.angle_least, o.angle_most}},
          {"thickness", {o.thickness_least, o.thickness_most}},
          {"cells_per_chord", o.cells_per_chord}};
}

void check(const AirfoilSetOptions& o) {
  if (o.cases < 1 || o.cases > 1000000) fail("{} airfoil cases asked for, expected 1 to 1000000", o.cases);
  if (!(o.reynolds_least > 0 && o.reynolds_least < o.reynolds_most))
    fail("airfoils at Reynolds numbers {} to {}: expected a range above 0", o.reynolds_least, o.reynolds_most);
  if (!(o.angle_least < o.angle_most && o.angle_least >= -30 && o.angle_most <= 30))
    fail("airfoils at angles {} to {}: expected a range within -30 to 30 degrees", o.angle_least, o.angle_most);
  if (!(o.thickness_least < o.thickness_most && o.thickness_least >= 4 && o.thickness_most <= 40))
    fail("airfoils with thicknesses {} to {}: expected a range within 4 to 40 percent of the chord", o.thickness_least,
         o.thickness_most);
}

// The number of cases may grow; everything else must stay what it was.
void settle_metadata(const std::filesystem::path& folder, const AirfoilSetOptions& options) {
  const auto file = folder / "metadata.json";
  const auto now = settings_json(options);
  if (std::filesystem::exists(file)) {
    auto before = json::parse(read_file(file, 1 << 20), nullptr, false);
    if (before.is_discarded()) fail("{}: damaged; remove the folder to make the set anew", file.string());
    // Sets from before thicknesses could be chosen have those of the default.
    if (before.is_object() && !before.contains("thickness")) before["thickness"] = settings_json({})["thickness"];
    if (before != now)
      fail(
          "{}: the folder holds airfoils made with other settings ({}) than those asked for ({}); choose another folder",
          file.string(), before.dump(), now.dump());
    return;
  }
  std::filesystem::create_directories(folder);
  write_file(file, now.dump(1) + "\n");
}

// What is known of a case once it is finished; the file is written last.
struct Finished {
  bool left_out = false;
};

std::optional<Finished> find_finished(const AirfransFiles& files, const std::string& name) {
  const auto file = files.facts(name);
  if (!std::filesystem::exists(file)) return {};
  const auto facts = json::parse(read_file(file, 1 << 20), nullptr, false);
  if (facts.is_discarded()) return {};  // made again
  return Finished{facts.value("diverged", false)};
}

// Makes one case; false when interrupted.
class CaseMaker {
 public:
  CaseMaker(const AirfransFiles& files, const AirfoilSetOptions& options) : files_(files), options_(options) {}

  bool make(const AirfoilPlan& plan, const RunHooks& hooks) const {
    for (const double finer : {1.0, kFiner}) {
      sim::AirfoilCase c;
      c.digits = plan.name.digits;
      c.reynolds = plan.reynolds;
      c.angle = plan.name.angle;
      c.cells_per_chord = finer * options_.cells_per_chord;
      c.lattice_velocity /= finer;
      c.threads = 1;
      sim::AirfoilFlow flow(c);
      const auto report = flow.run(hooks);
      if (!report.complete && !report.diverged) return false;
      if (!report.diverged || finer > 1) return write(plan, flow, report), true;
    }
    return true;
  }

 private:
  void write(const AirfoilPlan& plan, const sim::AirfoilFlow& flow, const sim::AirfoilReport& report) const {
    const auto name = to_string(plan.name);
    json facts = {{"reynolds", plan.reynolds},
                  {"viscosity", plan.viscosity()},
                  {"cells_per_chord", flow.settings().cells_per_chord},
                  {"diverged", report.diverged},
                  {"time", report.time}};
    if (!report.diverged)
      facts.update({{"steady", report.steady},
                    {"drag", report.drag},
                    {"lift", report.lift},
                    {"lift_amplitude", report.lift_amplitude}});
    std::filesystem::create_directories(files_.folder(name));
    if (!report.diverged)
      write_airfoil_case(files_, plan.name, make_airfoil_cloud(flow.airfoil()),
                         [&](sim::Vec2 p) { return flow.at(p); });
    write_file(files_.facts(name), facts.dump(1) + "\n");
  }

  const AirfransFiles& files_;
  const AirfoilSetOptions& options_;
};

// Adds up how far several workers are, and speaks with one voice.
class SharedProgress {
 public:
  SharedProgress(const RunHooks& hooks, Index cases, Index finished, Index workers)
      : hooks_(hooks), cases_(cases), finished_(finished), part_(workers, 0.0) {}

  void tell(Index worker, double done) {
    const std::scoped_lock lock(mutex_);
    part_[worker] = done;
    double sum = double(finished_);
    for (double p : part_) sum += p;
    hooks_.tell(sum / double(cases_), "airfoils");
  }
  void finish(Index worker) {
    {
      const std::scoped_lock lock(mutex_);
      ++finished_;
    }
    tell(worker, 0);
  }

 private:
  const RunHooks& hooks_;
  std::mutex mutex_;
  Index cases_, finished_;
  std::vector<double> part_;
};

// Makes all of `todo`; false when interrupted.
bool make_cases(const std::vector<AirfoilPlan>& todo, const AirfransFiles& files, const AirfoilSetOptions& options,
                Index finished, const RunHooks& hooks) {
  const Index workers = std::min<Index>(std::ssize(todo), options.threads > 0 ? options.threads : available_threads());
  const CaseMaker maker(files, options);
  SharedProgress progress(hooks, finished + std::ssize(todo), finished, workers);
  std::atomic<Index> next = 0;
  std::atomic<bool> stop = false;
  std::exception_ptr error;
  std::mutex error_mutex;
  const auto work = [&](Index worker) {
    RunHooks own;
    own.progress = [&](double done, const std::string&) { progress.tell(worker, done); };
    own.interrupted = [&] { return stop || hooks.should_stop(); };
    try {
      for (Index k = next++; k < std::ssize(todo) && !own.interrupted(); k = next++) {
        if (!maker.make(todo[k], own)) break;
        progress.finish(worker);
      }
    } catch (...) {
      const std::scoped_lock lock(error_mutex);
      error = std::current_exception();
    }
    // Whoever ends early, by an error or an interrupt, ends the others.
    if (next < std::ssize(todo)) stop = true;
  };
  std::vector<std::jthread> threads;
  for (Index w = 0; w < workers; ++w) threads.emplace_back(work, w);
  threads.clear();
  if (error) std::rethrow_exception(error);
  return !stop && !hooks.should_stop();
}

}  // namespace

AirfoilPlan plan_airfoil(const AirfoilSetOptions& o, Index number) {
  Random random(o.seed, 0xa1f, static_cast<std::uint64_t>(number));
  AirfoilPlan plan;
  const double along = random.uniform();
  plan.reynolds = o.reynolds_least * std::pow(o.reynolds_most / o.reynolds_least, along);
  plan.name.speed = thousandths(kSlowest * std::pow(kFastest / kSlowest, along));
  plan.name.angle = thousandths(random.uniform(o.angle_least, o.angle_most));
  const double thickness = thousandths(random.uniform(o.thickness_least, o.thickness_most));
  if (random.uniform() < 0.5) {
    plan.name.digits = {thousandths(random.uniform(0, 7)), thousandths(random.uniform(2, 7)), thickness};
  } else {
    const bool reflexed = random.uniform() < 0.5;
    plan.name.digits = {thousandths(random.uniform(0, 4)), thousandths(random.uniform(3, reflexed ? 5 : 8)),
                        reflexed ? 1.0 : 0.0, thickness};
  }
  return plan;
}

Outcome make_airfoil_set(const std::filesystem::path& folder, const AirfoilSetOptions& options, const RunHooks& hooks) {
  check(options);
  settle_metadata(folder, options);
  const AirfransFiles files{folder};
  std::vector<AirfoilPlan> all, todo;
  for (Index k = 0; k < options.cases; ++k) {
    all.push_back(plan_airfoil(options, k));
    if (options.shard.has(k) && !find_finished(files, to_string(all.back().name))) todo.push_back(all.back());
  }
  Outcome out;
  const Index mine = (options.cases - options.shard.index) / options.shard.count + 1;
  out.complete = todo.empty() || make_cases(todo, files, options, mine - std::ssize(todo), hooks);
  // Other processes may still be at work.
  const auto is_there = [&](const AirfoilPlan& plan) { return find_finished(files, to_string(plan.name)).has_value(); };
  out.complete = out.complete && std::ranges::all_of(all, is_there);
  if (!out.complete) return out;
  std::vector<AirfoilPlan> good;
  for (const auto& plan : all) {
    if (!find_finished(files, to_string(plan.name)).value().left_out)
      good.push_back(plan);
    else
      out.notes.push_back(fmt::format("{}: its flow diverged, on a finer lattice too; left out", to_string(plan.name)));
  }
  write_file(files.manifest(), json(split_airfoils(good, options)).dump(1) + "\n");
  out.cases = std::ssize(good);
  return out;
}

}  // namespace fluidsplat::benchmarks
