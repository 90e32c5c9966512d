// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// fluidsplat._train: datasets and training for Python, in the interpreter's own process.  Configs travel as the TOML
// text that `fluidsplat train` reads, so that every setting has one name and one check.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "baselines/compare.h"
#include "baselines/register.h"
#include "field/dataset_file.h"
#include "learn/config/measure_step.h"
#include "learn/config/setup.h"
#include "learn/config/suggest.h"
#include "learn/train/trainer.h"
#include "reconstruct/comparison.h"
#include "survey/summary.h"

namespace py = pybind11;

namespace {

using namespace fluidsplat;
using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Names = std::vector<std::string>;

std::vector<model::Column> columns(const Names& names, const Names& units) {
  std::vector<model::Column> out;
  for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], i < units.size() ? units[i] : ""});
  return out;
}

field::Matrix matrix(const Floats& a, Index rows, Index cols, const char* what) {
  if (a.ndim() != 2 || a.shape(0) != rows || a.shape(1) != cols)
    fail("{} have the shape {}, needed is ({}, {})", what, std::string(py::str(a.attr("shape"))), rows, cols);
  return Eigen::Map<const field::Matrix>(a.data(), rows, cols);
}

// Frames on one set of points.  fields [frames][points][channels]; shape is the grid's, first axis slowest, or empty.
void write_dataset(const std::string& path, const Names& coordinates, const Names& channels, const Names& units,
                   const Floats& points, const Floats& fields, const std::vector<double>& times,
                   const Names& descriptor_names, const Floats& descriptors, const Names& feature_names,
                   const Floats& features, const std::vector<Index>& shape) {
  if (fields.ndim() != 3) fail("fields have {} axes; (instants, points, channels) is needed", fields.ndim());
  const Index frames = fields.shape(0), count = fields.shape(1), c = fields.shape(2);
  if (c != std::ssize(channels)) fail("fields have {} channels, {} names are given", c, channels.size());
  if (std::ssize(times) != frames) fail("{} times are given for {} instants", times.size(), frames);
  model::Schema schema;
  schema.coordinates = columns(coordinates, {});
  schema.channels = columns(channels, units);
  schema.descriptors = columns(descriptor_names, {});
  schema.features = columns(feature_names, {});
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points = matrix(points, count, std::ssize(coordinates), "points");
  mesh->features = matrix(features, count, std::ssize(feature_names), "features");
  if (!shape.empty()) {
    mesh->grid_shape = shape;
    for (Index i = 0; i < count; ++i) mesh->grid_cell.push_back(i);
  }
  const auto told = matrix(descriptors, frames, std::ssize(descriptor_names), "descriptors");
  const float* values = fields.data();
  const py::gil_scoped_release others_may_run;
  field::DatasetWriter writer(path, schema);
  for (Index t = 0; t < frames; ++t) {
    field::Case one;
    one.time = times[t];
    one.mesh = mesh;
    one.fields = Eigen::Map<const field::Matrix>(values + t * count * c, count, c);
    one.descriptors = told.row(t).transpose();
    writer.add(one);
  }
  writer.commit();
}

// What `fluidsplat data info` prints, and the same as JSON.
std::pair<std::string, std::string> info(const std::string& path) {
  const py::gil_scoped_release others_may_run;
  const auto summary = survey::summarize(field::DatasetFile(path));
  return {survey::to_text(summary), survey::to_json(summary).dump()};
}

// The points of a dataset's first mesh.
Floats points(const std::string& path) {
  const auto mesh = field::DatasetFile(path).mesh(0);
  Floats out({mesh->points.rows(), mesh->points.cols()});
  std::copy_n(mesh->points.data(), mesh->points.size(), out.mutable_data());
  return out;
}

// A config that suits a dataset; with a budget in minutes, as many steps as fit into it on this machine.
std::string suggest(const std::string& path, const std::string& out, const std::vector<std::vector<double>>& positions,
                    const Names& channels, double minutes) {
  const py::gil_scoped_release others_may_run;
  learn::check_dataset_exists(path);
  const field::DatasetFile dataset(path);
  learn::SuggestRequest request;
  request.data_file = path;
  request.out = out;
  request.channels = channels;
  request.keep_units = true;  // predict() is asked in the units of fit()
  learn::SensorConfig sensors;
  sensors.kind = learn::SensorKind::kPositions;
  sensors.positions = positions;
  if (!positions.empty()) request.sensors = sensors;
  if (minutes > 0) request.minutes = minutes;
  auto suggestion = learn::suggest(dataset, request);
  auto& data = suggestion.config.data;
  if (minutes > 0)
    learn::fit_budget(
        suggestion,
        learn::measure_step(suggestion.config, *field::SeenData(dataset, learn::how_seen(data)),
                            learn::make_split(data, dataset), learn::make_sensors(suggestion.config.sensors, dataset)));
  return learn::to_toml(suggestion.config);
}

std::string resolve(const std::string& toml, const Names& overrides) {
  return learn::to_toml(learn::parse_train_config(toml, "the settings", overrides));
}

// Asks Python for Ctrl-C, and tells it of progress, a few times a second.
class Listener {
 public:
  explicit Listener(py::object tell) : tell_(std::move(tell)) {}
  bool should_stop() {
    if (stopped_) return true;
    const auto now = Clock::now();
    if (now - asked_ < std::chrono::milliseconds(100)) return false;
    asked_ = now;
    const py::gil_scoped_acquire ours;
    if (PyErr_CheckSignals() != 0) {
      const py::error_already_set pending;  // takes the exception: the work ends in good order first
      stopped_ = true;
    }
    return stopped_;
  }
  template <class... Args>
  void tell(bool always, const Args&... args) {
    const auto now = Clock::now();
    if (!always && now - told_ < std::chrono::milliseconds(200)) return;
    told_ = now;
    const py::gil_scoped_acquire ours;
    if (!tell_.is_none()) tell_(args...);
  }

 private:
  using Clock = std::chrono::steady_clock;
  py::object tell_;
  Clock::time_point asked_{}, told_{};
  bool stopped_ = false;
};

const char* text_of(learn::TrainOutcome outcome) {
  switch (outcome) {
    case learn::TrainOutcome::finished:
      return "finished";
    case learn::TrainOutcome::early_stopped:
      return "early stop";
    case learn::TrainOutcome::out_of_time:
      return "out of time";
    case learn::TrainOutcome::interrupted:
      return "interrupted";
  }
  return "";
}

// Trains and leaves the best model in the config's folder.  tell(step, steps, loss, validation or None) is called now
// and then.  Gives the outcome, the steps taken, the best validation error and the seconds.
py::tuple train(const std::string& toml, py::object tell) {
  const auto config = learn::parse_train_config(toml, "the settings", {});
  config.check();
  Listener listener(std::move(tell));
  learn::TrainOutcome outcome{};
  Index steps = 0;
  double best = 0, seconds = 0;
  {
    const py::gil_scoped_release others_may_run;
    const field::DatasetFile dataset(config.data.file);
    auto split = learn::make_split(config.data, dataset);
    // No case is kept for a test: whoever calls has the fields and judges by score().
    split.train.insert(split.train.end(), split.test.begin(), split.test.end());
    split.test.clear();
    const field::SeenData data(dataset, learn::how_seen(config.data));
    learn::Trainer trainer(config, *data, split, learn::make_sensors(config.sensors, dataset));
    learn::TrainCallbacks callbacks;
    callbacks.on_step = [&](Index step, double loss, double) {
      listener.tell(step >= config.schedule.steps, step, config.schedule.steps, loss, trainer.best().error);
    };
    callbacks.should_stop = [&] { return listener.should_stop(); };
    outcome = trainer.run(callbacks);
    steps = trainer.counters().step;
    seconds = trainer.counters().seconds;
    best = trainer.best().error;
  }
  return py::make_tuple(text_of(outcome), steps, best, seconds);
}

// Every method on the same unseen cases, as CSV, and the recommendation; nothing when it was stopped.
std::optional<std::pair<std::string, std::string>> compare(const std::string& toml, const Names& overrides,
                                                           double minutes, const Names& networks, Index cases,
                                                           py::object tell) {
  baselines::CompareRequest request;
  request.config = learn::parse_train_config(toml, "the settings", overrides);
  request.config.check();
  request.minutes = minutes;
  request.networks = networks;
  request.cases = cases;
  Listener listener(std::move(tell));
  request.hooks.progress = [&](double done, const std::string& part) { listener.tell(false, done, part); };
  request.hooks.interrupted = [&] { return listener.should_stop(); };
  const py::gil_scoped_release others_may_run;
  const field::DatasetFile dataset(request.config.data.file);
  const field::SeenData data(dataset, learn::how_seen(request.config.data));
  const auto result = baselines::compare(request, data, learn::make_split(request.config.data, dataset),
                                         learn::make_sensors(request.config.sensors, dataset));
  if (!result) return {};
  return std::pair{reconstruct::comparison_csv(*result), reconstruct::recommend(*result)};
}

}  // namespace

PYBIND11_MODULE(_train, m) {
  baselines::register_baselines();
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const Error& e) {
      PyErr_SetString(py::module_::import("fluidsplat._runtime").attr("Error").ptr(), e.what());
    }
  });
  m.def("write_dataset", &write_dataset);
  m.def("info", &info);
  m.def("points", &points);
  m.def("suggest", &suggest);
  m.def("resolve", &resolve);
  m.def("train", &train);
  m.def("compare", &compare);
}
