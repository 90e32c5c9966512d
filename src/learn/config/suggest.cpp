// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/config/suggest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.h"
#include "field/seen_data.h"
#include "field/sensors.h"
#include "field/surface_view.h"
#include "survey/length_scale.h"
#include "survey/pod.h"

namespace fluidsplat::learn {
namespace {

// Fewer cases say too little of each other for a prior; its modes are to stay below this.
constexpr Index kCasesForPrior = 5, kPriorBytes = Index{256} << 20;
// Fewer flows do not tell what lies between them.
constexpr Index kFlowsForSweep = 8;
// Speeds and strengths (mean squares) that are farther apart are told apart.
constexpr double kOtherSpeed = 1.1, kOtherStrength = 2;
// Fewer shapes are soon learnt by heart.
constexpr Index kManyShapes = 100;

// A descriptor that takes several values, each in several cases: frames of flows at several Reynolds numbers.
struct Sweep {
  std::string descriptor;
  std::vector<float> values;  // ascending
};

// What the choices depend on.
struct Facts {
  Index cases = 0, meshes = 0, points_least = 0, points_most = 0, wall_least = 0;
  int dim = 2, channels = 1;
  bool normals_everywhere = true, wall_only = true;  // wall_only: there are no points but those of the wall
  survey::LengthScales lengths;
  std::optional<survey::PodEnergy> pod;
  std::optional<Sweep> sweep;
  double gigabytes = 0;
  bool speeds_differ = false;  // of the free streams, which are known, and units tell what that means
  double strengths = 1;        // largest over least mean square of a case, in the channel where they differ most

  bool wall_everywhere() const { return wall_least > 0; }
  bool shared() const { return cases >= 4 * meshes; }
};

// The descriptor with the most values that is swept, if there is one.
std::optional<Sweep> find_sweep(const field::Dataset& dataset) {
  const auto& names = dataset.schema().descriptors;
  std::vector<std::set<float>> values(names.size());
  for (Index i = 0; !names.empty() && i < dataset.size(); ++i) {
    const auto descriptors = dataset.without_fields(i).descriptors;
    for (std::size_t d = 0; d < names.size(); ++d) values[d].insert(descriptors[Index(d)]);
  }
  std::optional<Sweep> out;
  for (std::size_t d = 0; d < names.size(); ++d) {
    const auto count = std::ssize(values[d]);
    if (count < kFlowsForSweep || dataset.size() < 4 * count) continue;
    if (!out || count > std::ssize(out->values)) out = Sweep{names[d].name, {values[d].begin(), values[d].end()}};
  }
  return out;
}

// Whether cases are at several speeds, and units of their free streams are known.
bool find_speeds(const field::Dataset& dataset) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (Index i = 0; i < dataset.size(); ++i) {
    const auto c = dataset.without_fields(i);
    const double speed = field::free_stream_speed(dataset.schema(), c.reference, c.descriptors);
    if (!(speed > 0)) return false;
    least = std::min(least, speed), most = std::max(most, speed);
  }
  return most > kOtherSpeed * least && field::has_free_stream_units(dataset.schema());
}

// Of some of the cases, evenly spread.
double find_strengths(const field::Dataset& dataset) {
  const Index looked_at = std::min<Index>(dataset.size(), 64);
  Eigen::ArrayXd least, most;
  for (Index i = 0; i < looked_at; ++i) {
    const auto c = dataset.load(i * dataset.size() / looked_at);
    const Eigen::ArrayXd squares = c.fields.cast<double>().array().square().colwise().mean().transpose();
    least = i == 0 ? squares : least.min(squares).eval();
    most = i == 0 ? squares : most.max(squares).eval();
  }
  double out = 1;
  for (Index c = 0; c < least.size(); ++c)
    if (least[c] > 0) out = std::max(out, most[c] / least[c]);
  return out;
}

Facts look_at(const field::Dataset& dataset, bool keep_units) {
  Facts f;
  f.cases = dataset.size();
  f.meshes = dataset.mesh_count();
  f.dim = dataset.schema().dim();
  f.channels = int(dataset.schema().channels.size());
  for (Index m = 0; m < f.meshes; ++m) {
    const auto mesh = dataset.mesh(m);
    f.points_least = m == 0 ? mesh->size() : std::min(f.points_least, mesh->size());
    f.points_most = std::max(f.points_most, mesh->size());
    const field::SurfaceView wall(*mesh);
    f.wall_least = m == 0 ? wall.size() : std::min(f.wall_least, wall.size());
    f.normals_everywhere = f.normals_everywhere && wall.has_normals();
    f.wall_only = f.wall_only && wall.size() >= mesh->size();
  }
  f.lengths = survey::measure_length_scales(dataset);
  f.pod = survey::pod_energy(dataset);
  if (f.meshes == 1) f.sweep = find_sweep(dataset);
  f.speeds_differ = !keep_units && find_speeds(dataset);
  f.strengths = find_strengths(*field::SeenData(dataset, {.descriptors = true, .free_stream_units = f.speeds_differ}));
  f.gigabytes = 4e-9 * double(f.cases) * double(f.points_most) * f.channels;
  return f;
}

// Whole flows judge, evenly spread over the range: frames of a flow that trains would say nothing of other flows.
void hold_out_flows(Suggestion& s, const Sweep& sweep, Index validation) {
  const auto flows = std::ssize(sweep.values), held_out = std::max<Index>(1, std::llround(0.15 * double(flows)));
  std::vector<float> values;
  for (Index i = 0; i < held_out; ++i) values.push_back(sweep.values[(2 * i + 1) * flows / (2 * held_out)]);
  auto& d = s.config.data;
  d.held_out = fmt::format("{} in {}", sweep.descriptor, fmt::join(values, ","));
  d.validation_cases = validation;
  s.set("data.held_out", fmt::format("of {} values of {} these judge the model, which sees none of their cases", flows,
                                     sweep.descriptor));
  s.set("data.validation_cases", "about: whole flows choose the checkpoint too");
}

void choose_split(Suggestion& s, const Facts& f) {
  const auto part = std::max<Index>(1, std::llround(0.15 * double(f.cases)));
  auto& d = s.config.data;
  if (f.sweep) return hold_out_flows(s, *f.sweep, part);
  d.split = SplitKind::kDisjoint;
  d.validation_cases = std::min<Index>(part, 50);
  d.train_cases = f.cases - part - d.validation_cases;
  s.set("data.split", std::string("three sets that share no case, drawn at random") +
                          (f.meshes == 1 ? "; frames of one flow in time are alike, so unseen frames are easier than "
                                           "an unseen flow"
                                         : ""));
  s.set(
      "data.train_cases",
      fmt::format("of {} cases; {} for choosing the checkpoint, {} for judging the model{}", f.cases,
                  d.validation_cases, f.cases - d.train_cases - d.validation_cases,
                  f.cases < 20 ? ".  So few cases cannot teach much of others: take the error for a first look" : ""));
  s.set("data.validation_cases", "");
  if (f.gigabytes > d.cache_gigabytes) {
    d.cache_gigabytes = std::min(16.0, std::ceil(1.1 * f.gigabytes));
    s.set("data.cache_gigabytes", fmt::format("all fields are {:.1f} GB; lower it on a small machine", f.gigabytes));
  }
}

void choose_units(Suggestion& s, const Facts& f) {
  if (!f.speeds_differ) return;
  s.config.data.units = DataUnits::kFreeStream;
  s.set("data.units",
        "cases are at several speeds: velocities over the free stream's, pressures over its square, in and out");
}

void choose_features(Suggestion& s, const Facts& f, const field::Dataset& dataset) {
  if (f.meshes > 1 && f.wall_only && dataset.schema().features.empty())
    s.set("data.use_features",
          "there are none: \"data import --shape\" tells which way the surface looks at each point, and bodies that "
          "differ are then told apart far better");
}

bool random_places_exist(const field::Dataset& dataset, const SensorConfig& sensors) {
  try {
    field::random_layout(dataset, int(sensors.count), sensors.seed, {0});
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The lines that describe sensors of any kind.
void write_sensor_lines(Suggestion& s, const std::string& why, const std::string& why_count) {
  auto& sensors = s.config.sensors;
  const bool random = sensors.is_random();
  s.set("sensors.kind", why);
  if (sensors.kind == SensorKind::kFile) s.set("sensors.file", "");
  if (sensors.kind == SensorKind::kCells) s.set("sensors.cells", "");
  if (sensors.kind == SensorKind::kPositions) s.set("sensors.positions", "");
  if (sensors.kind == SensorKind::kWall && !sensors.arclengths.empty())
    s.set("sensors.arclengths", "");
  else if (sensors.kind == SensorKind::kWall || random)
    s.set("sensors.count", why_count);
  if (random) s.set("sensors.seed", "");
  const bool wall = sensors.kind == SensorKind::kWall || sensors.kind == SensorKind::kRandomWall;
  if (!sensors.channels.empty())
    s.set("sensors.channels", wall ? "what sensors on the wall can measure; velocity is zero there" : "");
}

// What no instrument on a wall reads, though it may vary along it: density and the quantities of turbulence models.
bool is_only_computed(const std::string& channel) {
  constexpr const char* kNames[] = {"rho", "Rho", "density", "Density", "nut", "nuTilda", "mut", "alphat"};
  return std::ranges::find(kNames, channel) != std::end(kNames);
}

// What sensors on the wall can measure: the pressure where there is one, since velocity is zero there; otherwise what
// varies along the wall.  Empty when nothing does.
std::vector<std::string> measurable_on_wall(const field::Dataset& dataset) {
  const auto& channels = dataset.schema().channels;
  for (const char* pressure : {"p", "P", "pressure", "Pressure", "p_rgh", "cp", "Cp", "static_pressure"})
    for (const auto& c : channels)
      if (c.name == pressure) return {c.name};
  const auto first = dataset.load(0);
  const field::Matrix wall = field::SurfaceView(*first.mesh).fields(first);
  std::vector<std::string> out;
  for (Index c = 0; c < std::ssize(channels); ++c) {
    const auto spread = [c](const field::Matrix& fields) {
      return fields.col(c).maxCoeff() - fields.col(c).minCoeff();
    };
    if (spread(wall) > 1e-3f * spread(first.fields) && !is_only_computed(channels[c].name))
      out.push_back(channels[c].name);
  }
  return out;
}

void choose_sensors(Suggestion& s, const Facts& f, const field::Dataset& dataset, const SuggestRequest& request) {
  auto& sensors = s.config.sensors;
  if (request.sensors) sensors = *request.sensors;
  sensors.channels = request.channels;
  const bool asked_for_wall =
      request.sensors && (sensors.kind == SensorKind::kWall || sensors.kind == SensorKind::kRandomWall);
  const auto on_wall = f.wall_everywhere() ? measurable_on_wall(dataset) : std::vector<std::string>{};
  const auto observe_on_wall = [&] {
    if (request.channels.empty() && std::ssize(on_wall) < f.channels) sensors.channels = on_wall;
  };
  if (asked_for_wall && f.wall_everywhere() && on_wall.empty() && request.channels.empty())
    fail(
        "{}: sensors on the wall would measure nothing there: none of its channels is a pressure or varies along the "
        "wall; name what they measure (--channels), or place sensors in the flow (--sensors)",
        dataset.name());
  if (asked_for_wall) observe_on_wall();
  if (request.sensors) return write_sensor_lines(s, "as you asked", "");
  const Index modes = f.pod ? f.pod->modes_for(0.99) : 8;
  const auto places = f.wall_everywhere() ? f.wall_least : f.points_least / 4;
  sensors.count = std::min(std::clamp<Index>(2 * modes, 8, 32), std::max<Index>(1, places));
  std::string why;
  const bool wall = !on_wall.empty() || (f.wall_everywhere() && !request.channels.empty());
  if (wall) observe_on_wall();
  if (wall && f.dim == 2) {
    sensors.kind = SensorKind::kWall;
    why = "at equal distances along the wall";
  } else if (wall) {
    sensors.kind = SensorKind::kRandomWall;
    why = "random points of the wall";
  } else if (random_places_exist(dataset, sensors)) {
    sensors.kind = SensorKind::kRandom;
    why = "random places that have data on every mesh";
  } else {
    sensors.kind = SensorKind::kRandomEach;
    why = "random points of each mesh, since the meshes share too few places";
  }
  write_sensor_lines(
      s, "none were given: " + why + "; put yours here (docs/data.md)",
      f.pod ? fmt::format("two for each of the {} modes that hold 99 % of what varies, 8 to 32", modes) : "");
}

void choose_model(Suggestion& s, const Facts& f, const field::Dataset& dataset) {
  auto& m = s.config.model.fluidsplat();
  m.primitives = std::clamp<Index>(f.points_least / 8, 4, f.dim == 3 ? 96 : 64);
  s.set("model.primitives", f.dim == 3 ? "3-D" : "enough for a wake in 2-D; more cost time");
  if (f.meshes == 1) {
    m.encoder = model::TokenKind::kLinear;
    s.set("model.encoder", "readings enter linearly: on one mesh this errs less between the training cases");
  }
  m.layers = 3;
  s.set("model.layers", "");
  m.width = f.cases < 10 ? 128 : 256;
  s.set("model.width", f.cases < 10 ? "narrow: few cases are soon learnt by heart" : "");
  // The finest band has a wavelength of 2^(2 - bands): an eighth of what the correlation length stands for (a wave is
  // half decorrelated after a sixth), but no finer than the mesh resolves.
  const double wavelength = std::max(0.75 * f.lengths.correlation, 2 * f.lengths.spacing);
  m.bands = std::clamp<Index>(static_cast<Index>(std::ceil(2 - std::log2(wavelength))), 3, 9);
  s.set("model.bands", fmt::format("fields decorrelate over {:.2g} of the domain, the mesh resolves {:.2g}",
                                   f.lengths.correlation, f.lengths.spacing));
  // Where every point is of the wall, the wall's points only helped to learn shapes by heart (docs/training.md).
  if (f.meshes > 1 && f.wall_everywhere() && !f.wall_only) {
    m.geometry = true;
    s.set("model.geometry",
          fmt::format("the shapes differ: the model sees the wall's points{}",
                      f.normals_everywhere ? " and normals" : " (their normals would help: see import)"));
  }
  if (!dataset.schema().descriptors.empty())
    s.set("model.modulation_gain", "0.1 lets descriptors also modulate the decoder; try it when they say much");
}

void choose_prior(Suggestion& s, const Facts& f) {
  auto& c = s.config;
  // Between flows the network errs several times less than what a prior would make of the readings.
  if (f.sweep || f.meshes > 1 || c.sensors.kind == SensorKind::kRandomEach || c.data.train_cases < kCasesForPrior)
    return;
  c.prior.kind = PriorKind::kPodKernel;
  s.set("model.prior", "what a kernel on the readings says of the cases' POD modes; the network learns the rest");
  const Index bytes = f.points_most * f.channels * Index{sizeof(float)};  // of a mode
  c.prior.rank = std::clamp<Index>(kPriorBytes / bytes, 1, c.prior.rank);
  if (c.prior.rank < PriorConfig().rank) s.set("model.prior_rank", "so that the modes stay below 256 MB");
}

// On one mesh a model learns to say what its sensors say.
void choose_correction(Suggestion& s, const Facts& f) {
  if (f.meshes == 1) return;
  s.config.correction = CorrectionKind::kKriging;
  s.set("model.correction", "what sensors say beyond the answer is carried to their neighbourhood, where that helps");
}

// Whether a sensor has its place in all cases, and is missed when it dies.
bool sensors_stay(const SensorConfig& sensors, const Facts& f) {
  return sensors.kind != SensorKind::kRandomEach &&
         !(sensors.kind == SensorKind::kRandomWall && f.dim == 3 && f.meshes > 1);
}

void choose_training(Suggestion& s, const Facts& f) {
  auto& c = s.config;
  c.batch = std::min<Index>(16, c.data.train_cases);
  c.sampling.kind = f.shared() ? SamplingKind::kRms : SamplingKind::kUniform;
  s.set("sampling.kind", f.shared() ? "cases share meshes: draw more queries where the fields are strong (unbiased)"
                                    : "every mesh has few cases, too few to know where fields are strong");
  c.sampling.queries = std::min(std::clamp<Index>(4096 / c.batch, 256, 2048), f.points_least);
  s.set("sampling.queries", "with the batch, about 4096 points a step");
  s.set("train.batch", c.batch < 16 ? "all training cases" : "");
  if (f.meshes == 1) {
    c.subtract_mean = true;
    s.set("train.subtract_mean",
          "all cases share one mesh: learn how each differs from the mean of the training cases");
  }
  c.optimizer.kind = OptimizerKind::kSoap;
  s.set("train.optimizer", "errs several times less than adam after the same time (docs/training.md)");
  if (!f.shared() && c.data.train_cases < kManyShapes) {
    c.optimizer.weight_decay = 0.3;
    s.set("train.weight_decay", "few shapes are soon learnt by heart");
  }
  c.schedule.kind = ScheduleKind::kOneCycle;
  s.set("train.schedule", "ends at a small rate after a fixed number of steps");
  c.schedule.warmup = 0.05;
  s.set("train.warmup", "");
  c.schedule.rate = 8e-3;
  s.set("train.rate", "halve it when rollbacks are reported");
  if (c.prior.kind == PriorKind::kNone && f.strengths > kOtherStrength) {
    c.loss = LossKind::kRelative;
    s.set("train.loss", "flows are of different strength: the relative error of each counts the same");
  }
  c.lambda_obs = 0.01;
  s.set("train.lambda_obs", "");
  if (c.prior.kind == PriorKind::kNone && sensors_stay(c.sensors, f)) {
    // Where bodies differ so little is enough; one body's wakes want more (docs/training.md).
    c.sensor_dropout = f.meshes > 1 ? 0.03 : 0.1;
    s.set("train.sensor_dropout", "dead sensors then cost little; 0 errs a little less while all of them speak");
  }
}

Index round_down(Index value) {
  const Index unit = value >= 1000 ? 100 : value >= 100 ? 10 : 1;
  return std::max<Index>(1, value / unit * unit);
}

}  // namespace

Suggestion suggest(const field::Dataset& dataset, const SuggestRequest& request) {
  if (dataset.size() < 3)
    fail("{}: has {} case{}; at least 3 are needed: one to train on, one to choose the model by, one to judge it",
         dataset.name(), dataset.size(), dataset.size() == 1 ? "" : "s");
  if (dataset.schema().dim() < 2) fail("{}: is 1-D; models are for 2-D and 3-D data", dataset.name());
  const auto facts = look_at(dataset, request.keep_units);
  Suggestion s;
  s.minutes = request.minutes;
  s.config.out = request.out;
  s.config.data.file = request.data_file;
  s.set("out", "where the run goes");
  s.set("data.file", "");
  choose_units(s, facts);
  choose_split(s, facts);
  choose_features(s, facts, dataset);
  choose_sensors(s, facts, dataset, request);
  choose_model(s, facts, dataset);
  choose_prior(s, facts);
  choose_correction(s, facts);
  choose_training(s, facts);
  return s;
}

void fit_budget(Suggestion& s, const StepCost& cost) {
  constexpr Index kValidations = 10, kFewest = 50, kMost = 30000;
  const double seconds = 60 * s.minutes;
  // Validations may take a fifth of the time: fewer of them when each is slow.
  const auto validations =
      std::clamp(Index(0.2 * seconds / std::max(1e-9, cost.validation_seconds)), Index{2}, kValidations);
  const double left = 0.95 * seconds - double(validations) * cost.validation_seconds;
  const auto fitting = Index(left / std::max(1e-9, cost.step_seconds));
  auto& c = s.config;
  c.schedule.steps = round_down(std::clamp(fitting, kFewest, kMost));
  c.validate_every = std::max<Index>(1, c.schedule.steps / validations);
  c.checkpoint_every = std::max<Index>(1, std::min(c.validate_every, c.schedule.steps));
  const auto measured = fmt::format("{:.3g} s a step and {:.2g} s a validation, measured here", cost.step_seconds,
                                    cost.validation_seconds);
  s.set("train.steps", fitting < kFewest
                           ? fmt::format("the least that makes sense; {}: more than {:g} min", measured, s.minutes)
                       : fitting > kMost ? fmt::format("done before {:g} min; {}", s.minutes, measured)
                                         : fmt::format("what {:g} min allow: {}", s.minutes, measured));
  s.set("train.validate_every", "");
  s.set("train.checkpoint_every", "");
}

std::string to_toml(const Suggestion& suggestion) {
  TrainConfig config = suggestion.config;
  Config keys;
  config.bind(keys);
  std::string out =
      "# Train with \"fluidsplat train THIS_FILE\"; \"--show\" lists every other setting with its meaning.\n";
  std::string section;
  for (const auto& line : suggestion.lines) {
    const auto dot = line.key.find('.');
    const auto table = dot == std::string::npos ? std::string() : line.key.substr(0, dot);
    if (table != section) out += fmt::format("\n[{}]\n", section = table);
    if (!line.why.empty()) out += fmt::format("# {}\n", line.why);
    out += fmt::format("{} = {}\n", dot == std::string::npos ? line.key : line.key.substr(dot + 1),
                       keys.value_text(line.key));
  }
  return out;
}

}  // namespace fluidsplat::learn
