// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/train_config.h"

#include "base/error.h"
#include "base/memory_budget.h"

namespace fluidsplat::learn {

void DataConfig::bind(Config& c) {
  c.add("data.file", &file, "the dataset (HDF5)");
  c.add("data.benchmark", &benchmark, "what data.source holds (fluidsplat data import --benchmark lists them)");
  c.add("data.source", &source,
        "of a benchmark: embedded (what this program makes itself) or the folder of the published files; data.file is "
        "made of it when it is not there");
  c.add_choice(
      "data.split", &split,
      {{"protocol", SplitKind::kProtocol},
       {"disjoint", SplitKind::kDisjoint},
       {"blocks", SplitKind::kBlocks},
       {"file", SplitKind::kFile},
       {"named", SplitKind::kNamed}},
      "protocol: first of a random order train, all others test; disjoint: three sets; blocks: three blocks of "
      "time, the last one tests; file; named: one that came with the data");
  c.add("data.held_out", &held_out,
        "the cases that test, whatever data.split says: a condition on descriptors or time, such as Re > 150");
  c.add("data.split_file", &split_file, "a frozen split (JSON), for split = file");
  c.add("data.split_name", &split_name, "for split = named");
  c.add("data.train_cases", &train_cases, "cases to train on").at_least(1);
  c.add("data.validation_cases", &validation_cases, "cases that choose the checkpoint; 0: the last one is kept")
      .at_least(0);
  c.add("data.split_seed", &split_seed, "seed of the random order").at_least(0);
  c.add("data.use_descriptors", &use_descriptors, "false: the model is not told what describes a case (speed, angle)");
  c.add("data.use_features", &use_features,
        "false: the model is not told what is known at a point beforehand (wall distance, normal)");
  c.add_choice("data.units", &units, {{"given", DataUnits::kGiven}, {"free-stream", DataUnits::kFreeStream}},
               "given: as the data have them; free-stream: velocities over the speed of each case's free stream, "
               "pressures over its square, for cases at several speeds; the model then takes and gives such values");
  c.add("data.cache_gigabytes", &cache_gigabytes, "memory for cases; others are read again when needed").at_least(0.01);
}

bool SensorConfig::is_random() const {
  return kind == SensorKind::kRandom || kind == SensorKind::kRandomEach || kind == SensorKind::kRandomWall;
}

void SensorConfig::bind(Config& c) {
  c.add_choice(
      "sensors.kind", &kind,
      {{"cells", SensorKind::kCells},
       {"positions", SensorKind::kPositions},
       {"file", SensorKind::kFile},
       {"wall", SensorKind::kWall},
       {"random", SensorKind::kRandom},
       {"random-each", SensorKind::kRandomEach},
       {"random-wall", SensorKind::kRandomWall}},
      "cells, positions, file: as listed; wall: along the wall of each mesh; random: places with data on every "
      "mesh; random-each: without places of their own, drawn anew at every step; random-wall: on the wall");
  c.add("sensors.cells", &cells, "grid cells [row, column] or [layer, row, column], for kind = cells");
  c.add("sensors.positions", &positions, "coordinates, for kind = positions");
  c.add("sensors.file", &file,
        "CSV with a column per coordinate (or arclength), and optional columns name and channels, for kind = file");
  c.add("sensors.arclengths", &arclengths,
        "fractions 0 to 1 of the wall's perimeter, for kind = wall; empty = count of them at equal distances")
      .at_least(0)
      .at_most(1);
  c.add("sensors.count", &count, "how many, for wall and the random kinds").at_least(1).at_most(100000);
  c.add("sensors.seed", &seed, "for the random kinds").at_least(0);
  c.add_choice("sensors.generator", &generator, {{"own", SensorGenerator::kOwn}, {"torch", SensorGenerator::kTorch}},
               "of random-each; torch: the first of torch.manual_seed(seed); torch.randperm(points) on every mesh, as "
               "published protocols have it");
  c.add("sensors.channels", &channels, "names of the channels the sensors see; empty = all");
}

void PriorConfig::bind(Config& c) {
  c.add_choice("model.prior", &kind, {{"none", PriorKind::kNone}, {"pod-kernel", PriorKind::kPodKernel}},
               "what the network's field is added to, beside the mean field: nothing, or the training cases' POD modes "
               "with coefficients that a kernel makes of the readings; the network learns what that leaves");
  c.add("model.prior_rank", &rank, "of the prior: modes at most").at_least(1).at_most(256);
  c.add("model.prior_noise", &noise,
        "of the prior: noise that it presumes where readings do not tell how much they have, as a share of how much "
        "they vary; 0: it takes them for clean")
      .at_least(0)
      .at_most(10);
}

void SamplingConfig::bind(Config& c) {
  c.add_choice("sampling.kind", &kind,
               {{"uniform", SamplingKind::kUniform},
                {"surface", SamplingKind::kSurface},
                {"surface-unbiased", SamplingKind::kSurfaceUnbiased},
                {"rms", SamplingKind::kRms}},
               "uniform; surface: a share of the queries near the wall, which then counts more, as in the paper; "
               "surface-unbiased: the same, weighted so that the loss stays the mean over all points; rms: where the "
               "training fields are strong, weighted likewise");
  c.add("sampling.queries", &queries, "query points per case and step").at_least(1).at_most(1 << 20);
  c.add(
       "sampling.chunks", &chunks,
       "the queries of a case come from so many runs of 32,768 points, drawn anew at every step: a few reads of a case "
       "that is larger than memory; 0: from anywhere. For kind = uniform")
      .at_least(0)
      .at_most(1 << 20);
  c.add("sampling.near_fraction", &near_fraction, "share of the queries near the wall, for kind = surface")
      .at_least(0)
      .at_most(1);
  c.add("sampling.near_distance", &near_distance, "what is near, as a share of the domain's longest side").at_least(0);
  c.add("sampling.surface_queries", &surface_queries, "further queries on the wall for the surface term").at_least(0);
  c.add("sampling.rms_floor", &rms_floor, "smallest sampling density relative to the mean, for kind = rms")
      .at_least(1e-3)
      .at_most(1);
}

void TrainConfig::bind(Config& c) {
  c.add("out", &out, "folder for the run: log, checkpoint, model");
  data.bind(c);
  sensors.bind(c);
  c.add("model.kind",
        Config::Choice{[this] { return model->kind(); },
                       [this](const std::string& name) { return name == model->kind(); }},
        "the kind of model; its other settings depend on it")
      .one_of({model->kind()});
  model->bind(c);
  prior.bind(c);
  c.add_choice("model.correction", &correction,
               {{"none", CorrectionKind::kNone}, {"kriging", CorrectionKind::kKriging}},
               "what becomes of what sensors say beyond the model's answer: nothing, or it is carried to their "
               "neighbourhood, over lengths that suit the validation cases (those of training when there are none)");
  sampling.bind(c);
  c.add("train.from", &from, "a model file to start from: its weights, its [model] settings, its normalisation");
  c.add("train.seed", &seed, "of the initial weights and of every draw").at_least(0);
  schedule.bind(c);
  c.add("train.min_steps", &min_steps, "no early stop before").at_least(0);
  c.add("train.max_minutes", &max_minutes, "stop after this time, 0 = no limit").at_least(0);
  c.add("train.stop_at", &stop_at, "stop at this step as if time were up, however long the schedule is; 0 = no limit")
      .at_least(0);
  c.add("train.batch", &batch, "cases per step").at_least(1).at_most(4096);
  optimizer.bind(c);
  c.add("train.clip_norm", &clip_norm, "largest gradient norm, 0 = no clipping").at_least(0);
  c.add_choice(
      "train.loss", &loss, {{"absolute", LossKind::kAbsolute}, {"relative", LossKind::kRelative}},
      "absolute: squared errors, so that strong flows count most; relative: those of each case and channel over "
      "its own mean square, for cases whose strength differs");
  c.add("train.lambda_obs", &lambda_obs, "weight of the sensor-consistency term").at_least(0);
  c.add("train.lambda_surface", &lambda_surface, "weight of the surface term").at_least(0);
  c.add(
      "train.subtract_mean", &subtract_mean,
      "learn the deviation from the training cases' mean field, which the model then keeps; they must share one mesh");
  c.add("train.classical", &classical,
        "in the end, tell what the best method without training errs by (`fluidsplat compare` tells more)");
  c.add("train.ema", &ema, "decay of the averaged weights that are kept, 0 = none").at_least(0).at_most(0.99999);
  c.add(
       "train.sensor_dropout", &sensor_dropout,
       "share of the sensors that are silent in training; half of the cases keep all of theirs, others lose twice as many")
      .at_least(0)
      .at_most(0.5);
  c.add("train.sensor_noise", &sensor_noise, "noise added to readings in training, in channel scales").at_least(0);
  c.add("train.sensors_min", &sensors_min, "random sensor counts in training from this ...").at_least(0);
  c.add("train.sensors_max", &sensors_max, "... to this; 0 = always all").at_least(0);
  c.add("train.validate_every", &validate_every, "steps between validations").at_least(1);
  c.add("train.validation_points", &validation_points, "points per case in a validation, 0 = all").at_least(0);
  c.add("train.checkpoint_every", &checkpoint_every, "steps between checkpoints").at_least(1);
  c.add("train.early_stop", &early_stop, "stop after this many validations without a new best, 0 = never").at_least(0);
  c.add("train.explode_factor", &explode_factor, "a loss this many times its recent mean is a spike: roll back")
      .at_least(2);
  c.add("train.max_rollbacks", &max_rollbacks, "give up after this many").at_least(0);
  c.add(
      "train.memory_budget", &memory_budget,
      "memory for the process as a whole (each rank), such as \"2GB\": cases and meshes are held in what everything "
      "else leaves of it; of the others only the points that a step asks for are read. Empty: data.cache_gigabytes holds for them alone");
  c.add("train.threads", &threads, "0 = OMP_NUM_THREADS or all processors").at_least(0).at_most(1024);
  c.add("train.device", &device, "cpu, cuda, cuda:1 ...");
  c.add_choice("train.engine", &engine, {{"fused", Engine::kFused}, {"reference", Engine::kReference}},
               "fused: SIMD kernels, on the CPU; reference: plain libtorch, always used elsewhere");
}

std::vector<std::string*> TrainConfig::paths() {
  std::vector<std::string*> list = {&out, &from, &data.file, &data.split_file, &sensors.file};
  if (data.source != kEmbedded) list.push_back(&data.source);
  return list;
}

std::size_t TrainConfig::budget_bytes() const {
  return memory_budget.empty() ? 0 : parse_bytes(memory_budget, "config: train.memory_budget");
}

void TrainConfig::check() const {
  budget_bytes();
  if (correction != CorrectionKind::kNone && model->kind() != model::FluidSplatSpec::kKind)
    fail("config: model.correction is for kind \"{}\", not for \"{}\"", model::FluidSplatSpec::kKind, model->kind());
  if (prior.kind != PriorKind::kNone && !subtract_mean)
    fail("config: model.prior stands on the mean field; set train.subtract_mean = true");
  if (data.file.empty()) fail("config: data.file is not set; name the dataset to train on");
  if ((data.split == SplitKind::kFile || data.split == SplitKind::kNamed) && !data.held_out.empty())
    fail("config: data.split and data.held_out both say which cases test; keep one");
  if (data.split == SplitKind::kFile && data.split_file.empty())
    fail("config: data.split = file needs data.split_file");
  if (data.split == SplitKind::kNamed && data.split_name.empty())
    fail("config: data.split = named needs data.split_name");
  if (!data.source.empty() && data.benchmark.empty())
    fail("config: data.source = {} needs data.benchmark, which says what kind of files these are", data.source);
  if (sensors.kind == SensorKind::kCells && sensors.cells.empty())
    fail("config: sensors.kind = cells needs sensors.cells");
  if (sensors.kind == SensorKind::kPositions && sensors.positions.empty())
    fail("config: sensors.kind = positions needs sensors.positions");
  if (sensors.generator == SensorGenerator::kTorch && sensors.kind != SensorKind::kRandomEach)
    fail("config: sensors.generator = torch needs sensors.kind = random-each");
  if (sensors.kind == SensorKind::kFile && sensors.file.empty()) fail("config: sensors.kind = file needs sensors.file");
  if (sampling.chunks > 0 && sampling.kind != SamplingKind::kUniform)
    fail("config: sampling.chunks is for sampling.kind = uniform, where all points are drawn equally often");
  if (sensors_max > 0 && sensors_min > sensors_max)
    fail("config: train.sensors_min = {} is above train.sensors_max = {}", sensors_min, sensors_max);
  if (sensors_max > 0 && sensors_min < 1) fail("config: train.sensors_min must be at least 1 with train.sensors_max");
}

}  // namespace fluidsplat::learn
