// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// fluidsplat._runtime: the C interface as Python sees it.  It takes C-contiguous float32 arrays and fills arrays that
// the caller made, so nothing is copied here; what users may give instead is the business of the Python part.
#include <fluidsplat/fluidsplat.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

// What the user gave cannot be used: fluidsplat.Error in Python.
struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(fluidsplat_status status) {
  if (status == FLUIDSPLAT_OK) return;
  if (status == FLUIDSPLAT_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status == FLUIDSPLAT_INVALID) throw UserError(fluidsplat_last_error());
  throw std::runtime_error(fluidsplat_last_error());
}

// py::array_t would convert other types silently; `.noconvert()` on the arguments keeps it from that.
using Floats = py::array_t<float, py::array::c_style>;

std::string shape_text(const py::array& a) {
  return py::str(a.attr("shape"));
}

struct Model {
  explicit Model(const std::string& path) {
    const py::gil_scoped_release others_may_run;
    fluidsplat_model* opened = nullptr;
    check(fluidsplat_model_open(path.c_str(), &opened));
    handle.reset(opened);
    check(fluidsplat_model_get_info(opened, &info));
  }
  struct Close {
    void operator()(fluidsplat_model* m) const { fluidsplat_model_close(m); }
  };
  std::unique_ptr<fluidsplat_model, Close> handle;
  fluidsplat_model_info info{};

  using NameOf = const char* (*)(const fluidsplat_model*, size_t);
  std::vector<std::string> names(NameOf name, size_t count) const {
    std::vector<std::string> out;
    for (size_t i = 0; i < count; ++i) out.emplace_back(name(handle.get(), i));
    return out;
  }
  std::vector<std::pair<size_t, size_t>> readings() const {
    std::vector<std::pair<size_t, size_t>> out(info.readings);
    for (size_t i = 0; i < info.readings; ++i)
      check(fluidsplat_model_reading(handle.get(), i, &out[i].first, &out[i].second));
    return out;
  }
  py::array domain() const {
    py::array_t<double> box({size_t{2}, info.dim});
    check(fluidsplat_model_domain(handle.get(), box.mutable_data(0), box.mutable_data(1)));
    return box;
  }
  Floats sensor_positions() const {
    Floats out({info.sensors, info.dim});
    if (info.sensors > 0) check(fluidsplat_model_sensor_positions(handle.get(), out.mutable_data()));
    return out;
  }
  Floats sensor_means() const {
    Floats out({info.sensors, info.channels});
    if (info.sensors > 0) check(fluidsplat_model_sensor_mean_readings(handle.get(), out.mutable_data()));
    return out;
  }
  std::pair<double, size_t> calibration() const {
    std::pair<double, size_t> out;
    check(fluidsplat_model_calibration(handle.get(), &out.first, &out.second));
    return out;
  }
};

// The array's numbers after checking that it has `rows` rows of `columns`; null for None.
const float* table(const std::optional<Floats>& a, size_t rows, size_t columns, const char* what) {
  if (!a) return nullptr;
  if (a->ndim() != 2 || size_t(a->shape(0)) != rows || size_t(a->shape(1)) != columns)
    throw UserError(std::string(what) + " have the shape " + shape_text(*a) + ", needed is (" + std::to_string(rows) +
                    ", " + std::to_string(columns) + ")");
  return a->data();
}

size_t rows_of(const std::optional<Floats>& a) {
  return a && a->ndim() > 0 ? size_t(a->shape(0)) : 0;
}

class Plan {
 public:
  Plan(const Model& model, const std::optional<Floats>& points, const std::optional<Floats>& features,
       const std::optional<Floats>& sensors, const std::optional<Floats>& sensor_means,
       const std::optional<Floats>& sensor_features, const std::optional<Floats>& wall_points,
       const std::optional<Floats>& wall_features, int threads, bool gradients, double level, bool simultaneous,
       int side, bool check_sensors, bool on_average)
      : info_(model.info) {
    auto o = fluidsplat_plan_default_options();
    o.count = rows_of(points);
    o.points = table(points, o.count, info_.dim, "points");
    o.features = table(features, o.count, info_.features, "features");
    o.sensor_count = rows_of(sensors);
    o.sensor_positions = table(sensors, o.sensor_count, info_.dim, "sensors");
    sensors_ = sensors ? o.sensor_count : info_.sensors;
    o.sensor_mean_readings = table(sensor_means, sensors_, info_.channels, "mean readings of sensors");
    o.sensor_features = table(sensor_features, sensors_, info_.features, "features of sensors");
    o.wall_count = rows_of(wall_points);
    o.wall_points = table(wall_points, o.wall_count, info_.dim, "points of the wall");
    o.wall_features = table(wall_features, o.wall_count, info_.geometry_features, "features of the wall");
    o.threads = threads;
    o.gradients = gradients ? 1 : 0;
    o.level = level;
    o.simultaneous = simultaneous ? 1 : 0;
    o.side = fluidsplat_side(side);
    o.check_sensors = check_sensors ? 1 : 0;
    o.on_average = on_average ? 1 : 0;
    const py::gil_scoped_release others_may_run;
    fluidsplat_plan* made = nullptr;
    check(fluidsplat_plan_create(model.handle.get(), &o, &made));
    handle_.reset(made);
    check(fluidsplat_plan_get_sizes(made, &sizes_));
  }

  size_t readings() const { return sizes_.readings; }
  std::string guarantee() const { return fluidsplat_plan_guarantee(handle_.get()); }
  double false_alarms() const { return fluidsplat_plan_false_alarms(handle_.get()); }

  // Fills `outputs`, arrays by name with a leading axis of frames, from readings [frames][readings].
  void run(const Floats& readings, const std::optional<Floats>& descriptors, const py::dict& outputs) {
    const Frames frames = frames_of(readings, descriptors);
    const size_t channels = info_.channels;
    const struct {
      const char* name;
      float* fluidsplat_outputs::*place;
      size_t width;  // numbers per point
    } known[] = {{"field", &fluidsplat_outputs::field, channels},
                 {"primitive", &fluidsplat_outputs::primitive, channels},
                 {"mass", &fluidsplat_outputs::mass, 1},
                 {"gradient", &fluidsplat_outputs::gradient, channels * info_.dim},
                 {"vorticity", &fluidsplat_outputs::vorticity, info_.dim == 2 ? 1u : 3u},
                 {"divergence", &fluidsplat_outputs::divergence, 1},
                 {"lower", &fluidsplat_outputs::lower, channels},
                 {"upper", &fluidsplat_outputs::upper, channels},
                 {"scale", &fluidsplat_outputs::scale, channels}};
    fluidsplat_outputs out{};
    std::vector<std::pair<float * fluidsplat_outputs::*, size_t>> steps;  // from one frame's array to the next
    for (const auto& [key, value] : outputs) {
      const auto name = key.cast<std::string>();
      const auto* k = std::find_if(std::begin(known), std::end(known), [&](const auto& e) { return name == e.name; });
      if (k == std::end(known)) throw UserError("there is no output \"" + name + "\"");
      out.*k->place = to_fill(value, frames.count * sizes_.points * k->width, name);
      steps.emplace_back(k->place, sizes_.points * k->width);
    }
    each(frames, [&](const float* said, const float* told) {
      check(fluidsplat_run_readings(handle_.get(), said, sizes_.readings, told, sizes_.descriptors, &out));
      for (const auto& [place, step] : steps) out.*place += step;
    });
  }

  // Fills primitives [frames][primitives][columns].
  void primitives(const Floats& readings, const std::optional<Floats>& descriptors, const py::object& result) {
    const Frames frames = frames_of(readings, descriptors);
    const size_t width = info_.primitives * info_.primitive_columns;
    float* out = to_fill(result, frames.count * width, "primitives");
    const fluidsplat_outputs nothing{};
    each(frames, [&](const float* said, const float* told) {
      check(fluidsplat_run_readings(handle_.get(), said, sizes_.readings, told, sizes_.descriptors, &nothing));
      check(fluidsplat_primitives(handle_.get(), out));
      out += width;
    });
  }

  // One instant.  Fills checked [readings] and gives (state, channel, said, expected, steps) of every sensor and
  // whether the readings stay unresolved.
  py::tuple check_sensors(const Floats& readings, const std::optional<Floats>& descriptors, const py::object& checked) {
    const Frames frames = frames_of(readings, descriptors);
    if (frames.count != 1) throw UserError("sensors are checked one instant at a time");
    float* out = to_fill(checked, sizes_.readings, "checked");
    std::vector<fluidsplat_sensor_finding> findings(sensors_);
    int unresolved = 0;
    each(frames, [&](const float* said, const float* told) {
      check(fluidsplat_check_sensors(handle_.get(), said, sizes_.readings, told, sizes_.descriptors, out,
                                     findings.data(), &unresolved));
    });
    py::list list;
    for (const auto& f : findings) list.append(py::make_tuple(int(f.state), f.channel, f.said, f.expected, f.steps));
    return py::make_tuple(list, unresolved != 0);
  }

 private:
  struct Frames {
    const float *readings, *descriptors;
    size_t count;
  };

  Frames frames_of(const Floats& readings, const std::optional<Floats>& descriptors) const {
    const size_t count = readings.ndim() == 2 ? size_t(readings.shape(0)) : 0;
    if (readings.ndim() != 2 || size_t(readings.shape(1)) != sizes_.readings)
      throw UserError("readings have the shape " + shape_text(readings) + ": the sensors measure " +
                      std::to_string(sizes_.readings) + " values, and (instants, " + std::to_string(sizes_.readings) +
                      ") is needed");
    const float* end = readings.data() + readings.size();
    if (const float* at = std::find_if(readings.data(), end, [](float v) { return std::isinf(v); }); at != end)
      throw UserError("reading " + std::to_string(size_t(at - readings.data()) % sizes_.readings) + " of instant " +
                      std::to_string(size_t(at - readings.data()) / sizes_.readings) +
                      " is infinite; NaN says that a sensor says nothing");
    if (!descriptors && sizes_.descriptors > 0)
      throw UserError("the model needs " + std::to_string(sizes_.descriptors) + " descriptors with every reading");
    return {readings.data(), table(descriptors, count, sizes_.descriptors, "descriptors"), count};
  }

  // Where to write, after checking that the array is ours to fill and has the room.
  static float* to_fill(const py::handle& given, size_t count, const std::string& name) {
    if (!py::isinstance<Floats>(given)) throw UserError(name + " must be a C-contiguous float32 array");
    auto a = py::reinterpret_borrow<Floats>(given);
    if (!a.writeable()) throw UserError(name + " is read-only and cannot be filled");
    if (size_t(a.size()) != count)
      throw UserError(name + " has the shape " + shape_text(a) + ", needed is room for " + std::to_string(count) +
                      " numbers");
    return a.mutable_data();
  }

  // body(readings, descriptors) for each frame, without the interpreter's lock; Ctrl-C stops between two of them.
  template <class Body>
  void each(const Frames& frames, const Body& body) {
    using Clock = std::chrono::steady_clock;
    const py::gil_scoped_release others_may_run;
    auto asked = Clock::now();
    for (size_t i = 0; i < frames.count; ++i) {
      {
        const std::lock_guard lock(running_);  // what a body calls belongs together
        body(frames.readings + i * sizes_.readings,
             frames.descriptors ? frames.descriptors + i * sizes_.descriptors : nullptr);
      }
      if (Clock::now() - asked < std::chrono::milliseconds(50)) continue;
      const py::gil_scoped_acquire ours;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      asked = Clock::now();
    }
  }

  struct Destroy {
    void operator()(fluidsplat_plan* p) const { fluidsplat_plan_destroy(p); }
  };
  fluidsplat_model_info info_;
  fluidsplat_plan_sizes sizes_{};
  size_t sensors_ = 0;
  std::mutex running_;
  std::unique_ptr<fluidsplat_plan, Destroy> handle_;
};

}  // namespace

PYBIND11_MODULE(_runtime, m) {
  m.attr("__version__") = fluidsplat_version();
  py::register_exception<UserError>(m, "Error", PyExc_ValueError);

  py::class_<Model>(m, "Model")
      .def(py::init<std::string>())
      .def_property_readonly("dim", [](const Model& o) { return o.info.dim; })
      .def_property_readonly("sensor_count", [](const Model& o) { return o.info.sensors; })
      .def_property_readonly("primitives", [](const Model& o) { return o.info.primitives; })
      .def_property_readonly("primitive_columns", [](const Model& o) { return o.info.primitive_columns; })
      .def_property_readonly("parameters", [](const Model& o) { return o.info.parameters; })
      .def_property_readonly("wall_features", [](const Model& o) { return o.info.geometry_features; })
      .def("channels", [](const Model& o) { return o.names(fluidsplat_model_channel_name, o.info.channels); })
      .def("units", [](const Model& o) { return o.names(fluidsplat_model_channel_unit, o.info.channels); })
      .def("features", [](const Model& o) { return o.names(fluidsplat_model_feature_name, o.info.features); })
      .def("descriptors", [](const Model& o) { return o.names(fluidsplat_model_descriptor_name, o.info.descriptors); })
      .def("sensors", [](const Model& o) { return o.names(fluidsplat_model_sensor_name, o.info.sensors); })
      .def("readings", &Model::readings)
      .def("domain", &Model::domain)
      .def("sensor_positions", &Model::sensor_positions)
      .def("sensor_means", &Model::sensor_means)
      .def("calibration", &Model::calibration);

  const auto none = py::none();
  py::class_<Plan>(m, "Plan")
      .def(py::init<const Model&, std::optional<Floats>, std::optional<Floats>, std::optional<Floats>,
                    std::optional<Floats>, std::optional<Floats>, std::optional<Floats>, std::optional<Floats>, int,
                    bool, double, bool, int, bool, bool>(),
           py::arg("model"), py::arg("points").noconvert() = none, py::arg("features").noconvert() = none,
           py::arg("sensors").noconvert() = none, py::arg("sensor_means").noconvert() = none,
           py::arg("sensor_features").noconvert() = none, py::arg("wall_points").noconvert() = none,
           py::arg("wall_features").noconvert() = none, py::arg("threads") = 1, py::arg("gradients") = false,
           py::arg("level") = 0.0, py::arg("simultaneous") = false, py::arg("side") = 0,
           py::arg("check_sensors") = false, py::arg("on_average") = false)
      .def_property_readonly("readings", &Plan::readings)
      .def_property_readonly("guarantee", &Plan::guarantee)
      .def_property_readonly("false_alarms", &Plan::false_alarms)
      .def("run", &Plan::run, py::arg("readings").noconvert(), py::arg("descriptors").noconvert(), py::arg("outputs"))
      .def("primitives", &Plan::primitives, py::arg("readings").noconvert(), py::arg("descriptors").noconvert(),
           py::arg("result"))
      .def("check_sensors", &Plan::check_sensors, py::arg("readings").noconvert(), py::arg("descriptors").noconvert(),
           py::arg("checked"));
}
