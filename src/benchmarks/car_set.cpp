// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_set.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folder_lock.h"
#include "benchmarks/car_raw.h"
#include "field/content_hash.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kFormat = "fluidsplat-cars";
constexpr Index kMethod = 1;  // another number when the same options give other cars
constexpr Index kAttempts = 5;

ordered_json to_json(const sim::CarShape& s) {
  return {{"length", s.length},
          {"width", s.width},
          {"height", s.height},
          {"ride_height", s.ride_height},
          {"bonnet_length", s.bonnet_length},
          {"bonnet_height", s.bonnet_height},
          {"windscreen", s.windscreen},
          {"roof_length", s.roof_length},
          {"slant", s.slant},
          {"deck_height", s.deck_height},
          {"rounding", s.rounding},
          {"lean", s.lean},
          {"taper", s.taper},
          {"diffuser", s.diffuser}};
}

// What decides the bits of a case, beside its number.
ordered_json made_with(const CarSetOptions& options) {
  return {{"method", kMethod},
          {"seed", options.seed},
          {"panel_size", options.flow.panel_size},
          {"rows", options.flow.rows}};
}

// Where a process that makes some of the cars keeps its records.
std::string records_name(const Shard& shard) {
  return shard.is_whole() ? "cars.json" : fmt::format("cars-{}-of-{}.json", shard.index, shard.count);
}

bool has_records(const fs::path& folder) {
  if (!fs::is_directory(folder)) return false;
  return std::ranges::any_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    const auto name = entry.path().filename().string();
    return name.starts_with("cars") && name.ends_with(".json");
  });
}

// cars.json: what the set is made with, and a record of every finished case.  Processes that share the cars have a file
// of their own each, beside what cars.json knows already.
class CarRecords {
 public:
  CarRecords(const fs::path& folder, const Shard& shard) : folder_(folder), shard_(shard) {
    if (!has_records(folder))
      for (const char* name : {"pressure_files", "velocity_files"})
        if (fs::exists(folder / name))
          fail("{}: holds cars that this program did not make (it has no cars.json); choose another folder",
               folder.string());
    add(folder / records_name({}));
    if (!shard.is_whole()) add(folder / records_name(shard));
  }

  // The records of all parts, cases in order, become those of the set; false when some are not there yet.
  bool merge(Index cases, const ordered_json& with) {
    for (Index part = 1; part <= shard_.count; ++part) add(folder_ / records_name({part, shard_.count}));
    auto all = ordered_json::object();
    for (Index number = 1; number <= cases; ++number) {
      const auto found = cases_.find(std::to_string(number));
      if (found == cases_.end() || found->value("made_with", ordered_json()) != with) return false;
      all[std::to_string(number)] = *found;
    }
    write(records_name({}), all);
    return true;
  }

  // The case is there as it would be made now.
  bool finished(Index number, const ordered_json& with, const CarFileNames& files) const {
    const auto found = cases_.find(std::to_string(number));
    if (found == cases_.end() || !found->is_object() || found->value("made_with", ordered_json()) != with) return false;
    for (const auto& [name, file] : {std::pair("pressure_hash", files.pressure), {"velocity_hash", files.velocity}})
      if (!fs::exists(file) || found->value(name, "") != field::hash_file(file)) return false;
    return true;
  }

  bool knows(Index number) const { return cases_.contains(std::to_string(number)); }
  void set(Index number, ordered_json record) { cases_[std::to_string(number)] = std::move(record); }
  void write() const {
    auto mine = ordered_json::object();
    for (const auto& [number, record] : cases_.items())
      if (shard_.has(std::stoll(number) - 1)) mine[number] = record;
    write(records_name(shard_), mine);
  }

 private:
  // What a file knows, if it is there.
  void add(const fs::path& file) {
    if (!fs::exists(file)) return;
    const auto json = ordered_json::parse(read_file(file, 1 << 28), nullptr, false);
    if (json.is_discarded() || !json.is_object() || json.value("format", "") != kFormat || !json.contains("cases") ||
        !json["cases"].is_object())
      fail("{}: is damaged; remove the folder to make its cars anew", file.string());
    for (const auto& [number, record] : json["cases"].items()) {
      Index checked = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), checked);
      if (error != std::errc() || end != number.data() + number.size() || checked < 1)
        fail("{}: \"{}\" is no case; remove the folder to make its cars anew", file.string(), number);
      cases_[number] = record;
    }
  }

  void write(const std::string& name, const ordered_json& cases) const {
    write_file(folder_ / name,
               ordered_json{{"format", kFormat}, {"program", FLUIDSPLAT_VERSION}, {"cases", cases}}.dump(1) + "\n");
  }

  fs::path folder_;
  Shard shard_;
  ordered_json cases_ = ordered_json::object();
};

// Draws and solves until one is right; returns its record without the hashes.
ordered_json make_case(const CarSetOptions& options, Index number, const CarFileNames& files,
                       std::vector<std::string>& notes) {
  auto rejected = ordered_json::array();
  for (Index attempt = 0; attempt < kAttempts; ++attempt) {
    const auto car = sim::random_car_case(options.seed, number, attempt);
    sim::CarPressure flow;
    try {
      flow = sim::car_pressure(car, options.flow);
    } catch (const Error& e) {
      rejected.push_back(e.what());
      notes.push_back(fmt::format("case {}, attempt {}: {}; another car is drawn", number, attempt + 1, e.what()));
      continue;
    }
    write_file(files.pressure, car_pressure_text(flow.cloud));
    write_file(files.velocity, flow_velocity_text(car.stream()));
    return {{"made_with", made_with(options)},
            {"attempt", attempt},
            {"rejected", rejected},
            {"speed", car.speed},
            {"yaw", car.yaw},
            {"shape", to_json(car.shape)},
            {"panels", flow.panels},
            {"rows", flow.cloud.values.size()},
            {"solver_steps", flow.iterations},
            {"drag", flow.drag},
            {"lowest_pressure", flow.cloud.values.minCoeff()},
            {"highest_pressure", flow.cloud.values.maxCoeff()}};
  }
  fail("case {}: none of {} cars could be solved (the last: {}); try another --seed or smaller panels", number,
       kAttempts, rejected.back().get<std::string>());
}

}  // namespace

Outcome make_car_set(const fs::path& folder, const CarSetOptions& options, const RunHooks& hooks) {
  CarRecords records(folder, options.shard);
  std::optional<FolderLock> lock;
  if (options.shard.is_whole()) lock.emplace(folder, "making cars");
  fs::create_directories(folder);
  // From now on files without a record are known to be leftovers of an interrupted run.
  records.write();
  for (const char* name : {"pressure_files", "velocity_files"}) fs::create_directories(folder / name);
  for (const auto number : car_case_numbers(folder))
    if (number < 1 || number > options.cases)
      fail("{}: holds case {}, {} cases are asked for; ask for as many as there are, or choose another folder",
           folder.string(), number, options.cases);
  Outcome outcome;
  Index kept = 0, repeated = 0;
  for (Index number = 1; number <= options.cases; ++number) {
    if (!options.shard.has(number - 1)) continue;
    if (hooks.should_stop()) return {.complete = false, .cases = number - 1, .notes = outcome.notes};
    hooks.tell(double(number - 1) / double(options.cases), "solving the flow past cars");
    const auto files = car_file_names(folder, number);
    if (records.finished(number, made_with(options), files)) {
      ++kept;
      continue;
    }
    if (records.knows(number)) ++repeated;
    auto record = make_case(options, number, files, outcome.notes);
    record["pressure_hash"] = field::hash_file(files.pressure);
    record["velocity_hash"] = field::hash_file(files.velocity);
    records.set(number, std::move(record));
    records.write();
  }
  hooks.tell(1, "solving the flow past cars");
  if (!options.shard.is_whole()) outcome.complete = records.merge(options.cases, made_with(options));
  outcome.cases = options.cases;
  if (kept > 0) outcome.notes.push_back(fmt::format("{} cases were there already", kept));
  if (repeated > 0)
    outcome.notes.push_back(
        fmt::format("{} cases were damaged or made with other settings and have been made anew", repeated));
  return outcome;
}

Outcome make_car_files(const fs::path& folder, const RunHooks& hooks) {
  return make_car_set(folder, {}, hooks);
}

}  // namespace fluidsplat::benchmarks
