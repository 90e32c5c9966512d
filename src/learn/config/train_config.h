// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "base/config.h"
#include "base/index.h"
#include "learn/optim/optimizer_config.h"
#include "learn/optim/schedule.h"
#include "model/any_spec.h"

namespace fluidsplat::learn {

enum class SplitKind { kProtocol, kDisjoint, kBlocks, kFile, kNamed };
enum class DataUnits { kGiven, kFreeStream };
enum class SensorKind { kCells, kPositions, kFile, kWall, kRandom, kRandomEach, kRandomWall };
enum class SensorGenerator { kOwn, kTorch };
enum class SamplingKind { kUniform, kSurface, kSurfaceUnbiased, kRms };
// What training makes small: squared errors, or squared errors relative to each case's own size.
enum class LossKind { kAbsolute, kRelative };
enum class Engine { kFused, kReference };

// data.source of data that this program makes itself; anything else is a path.
inline constexpr const char* kEmbedded = "embedded";

// Which data, split how.
struct DataConfig {
  std::string file, benchmark, source;
  SplitKind split = SplitKind::kProtocol;
  std::string split_file, split_name, held_out;
  Index train_cases = 50, validation_cases = 50, split_seed = 123;
  bool use_descriptors = true, use_features = true;
  DataUnits units = DataUnits::kGiven;
  double cache_gigabytes = 4;
  void bind(Config& config);
};

// Where the sensors are.
struct SensorConfig {
  SensorKind kind = SensorKind::kRandom;
  std::vector<std::vector<double>> cells, positions;
  std::vector<double> arclengths;
  std::string file;
  Index count = 8, seed = 1;
  SensorGenerator generator = SensorGenerator::kOwn;
  std::vector<std::string> channels;
  bool is_random() const;
  void bind(Config& config);
};

// How query points are drawn, and what is asked at them.
struct SamplingConfig {
  SamplingKind kind = SamplingKind::kUniform;
  Index queries = 1024, surface_queries = 256, chunks = 0;
  double near_fraction = 0.6, near_distance = 0.05;
  double rms_floor = 0.05;
  void bind(Config& config);
};

// What a network's field is added to beside the mean field: nothing, or what a kernel on the readings says of the
// training cases' POD modes.
enum class PriorKind { kNone, kPodKernel };

struct PriorConfig {
  PriorKind kind = PriorKind::kNone;
  Index rank = 100;
  double noise = 0.01;
  void bind(Config& config);
};

// What happens after training to what the sensors say beyond the model's answer: nothing, or it is carried to their
// neighbourhood (classical/kriging.h).
enum class CorrectionKind { kNone, kKriging };

struct TrainConfig {
  DataConfig data;
  SensorConfig sensors;
  model::AnySpec model;
  PriorConfig prior;
  CorrectionKind correction = CorrectionKind::kNone;
  SamplingConfig sampling;
  ScheduleConfig schedule;
  OptimizerConfig optimizer;

  std::string out = "runs/model";
  std::string from;  // a model file to start from
  Index seed = 123, batch = 16, threads = 0;
  std::string device = "cpu";
  Engine engine = Engine::kFused;
  double clip_norm = 1.0;
  LossKind loss = LossKind::kAbsolute;
  double lambda_obs = 0.01, lambda_surface = 0.0;
  double ema = 0.0;
  bool subtract_mean = false, classical = true;
  double sensor_dropout = 0.0, sensor_noise = 0.0;
  Index sensors_min = 0, sensors_max = 0;
  Index validate_every = 100, validation_points = 4096, checkpoint_every = 500;
  Index early_stop = 0, min_steps = 0, stop_at = 0;
  double max_minutes = 0;
  double explode_factor = 20;
  Index max_rollbacks = 10;
  std::string memory_budget;

  void bind(Config& config);
  void check() const;
  // Of train.memory_budget; 0: none.
  std::size_t budget_bytes() const;
  // The settings that are paths.
  std::vector<std::string*> paths();
};

// A config file, whose paths are relative to its folder, with `key=value` settings laid over it.  Which settings there
// are depends on model.kind, so that is looked for first.
TrainConfig read_train_config(const std::filesystem::path& file, const std::vector<std::string>& overrides);
TrainConfig parse_train_config(const std::string& toml, const std::string& source,
                               const std::vector<std::string>& overrides = {});
// Every setting with its value and its meaning.
std::string to_toml(TrainConfig config);
// With its paths as a config in this folder writes them.
TrainConfig seen_from(const std::filesystem::path& folder, TrainConfig config);

// Throws Error unless a run that was made with the settings of `before` (a whole config, see to_toml) may go on with
// those of `now`: it names what differs, and what may.
void check_may_go_on(const std::string& before, const TrainConfig& now, const std::string& where);

}  // namespace fluidsplat::learn
