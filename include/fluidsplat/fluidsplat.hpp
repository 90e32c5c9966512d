// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The C interface with C++ manners: handles that close themselves, errors as exceptions.  Header only, so a program
// depends on the library's C symbols alone.  fluidsplat.h says what every call does.
//
//   fluidsplat::Model model("model.safetensors");
//   fluidsplat::Plan plan(model, fluidsplat::PlanOptions{.points = xy.data(), .count = n});
//   plan.run_readings(readings, {}, {.field = field.data()});
#pragma once

#include <fluidsplat/fluidsplat.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace fluidsplat {

using ModelInfo = fluidsplat_model_info;
using PlanSizes = fluidsplat_plan_sizes;
using Outputs = fluidsplat_outputs;

// fluidsplat_plan_options with the defaults already in place.
struct PlanOptions {
  const float* points = nullptr;
  std::size_t count = 0;
  const float* features = nullptr;
  const float* sensor_positions = nullptr;
  std::size_t sensor_count = 0;
  const float* sensor_mean_readings = nullptr;
  const float* wall_points = nullptr;
  const float* wall_features = nullptr;
  std::size_t wall_count = 0;
  int threads = 1;
  bool gradients = false;
  double level = 0;
  bool simultaneous = false;
  fluidsplat_side side = FLUIDSPLAT_BOTH;
  bool check_sensors = false;
  const float* sensor_features = nullptr;
  bool on_average = false;
};

inline void check(fluidsplat_status status) {
  if (status == FLUIDSPLAT_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status != FLUIDSPLAT_OK) throw std::runtime_error(fluidsplat_last_error());
}

class Model {
 public:
  explicit Model(const std::string& path) {
    fluidsplat_model* model = nullptr;
    check(fluidsplat_model_open(path.c_str(), &model));
    handle_.reset(model);
  }
  ModelInfo info() const {
    ModelInfo info;
    check(fluidsplat_model_get_info(handle_.get(), &info));
    return info;
  }
  std::string channel_name(std::size_t i) const { return text(fluidsplat_model_channel_name(handle_.get(), i)); }
  std::string channel_unit(std::size_t i) const { return text(fluidsplat_model_channel_unit(handle_.get(), i)); }
  std::string feature_name(std::size_t i) const { return text(fluidsplat_model_feature_name(handle_.get(), i)); }
  std::string descriptor_name(std::size_t i) const { return text(fluidsplat_model_descriptor_name(handle_.get(), i)); }
  std::string sensor_name(std::size_t i) const { return text(fluidsplat_model_sensor_name(handle_.get(), i)); }
  struct Reading {
    std::size_t sensor, channel;
  };
  Reading reading(std::size_t i) const {
    Reading r;
    check(fluidsplat_model_reading(handle_.get(), i, &r.sensor, &r.channel));
    return r;
  }
  struct Box {
    std::vector<double> low, high;
  };
  Box domain() const {
    Box box{std::vector<double>(info().dim), std::vector<double>(info().dim)};
    check(fluidsplat_model_domain(handle_.get(), box.low.data(), box.high.data()));
    return box;
  }
  std::vector<float> sensor_positions() const {  // [sensors][dim]
    std::vector<float> positions(info().sensors * info().dim);
    check(fluidsplat_model_sensor_positions(handle_.get(), positions.data()));
    return positions;
  }
  std::vector<float> sensor_mean_readings() const {  // [sensors][channels]
    std::vector<float> means(info().sensors * info().channels);
    check(fluidsplat_model_sensor_mean_readings(handle_.get(), means.data()));
    return means;
  }
  struct Calibration {
    double highest_level;  // 0: not calibrated
    std::size_t silent_sensors;
  };
  Calibration calibration() const {
    Calibration c;
    check(fluidsplat_model_calibration(handle_.get(), &c.highest_level, &c.silent_sensors));
    return c;
  }
  const fluidsplat_model* get() const { return handle_.get(); }

 private:
  static std::string text(const char* s) { return s ? s : ""; }
  struct Close {
    void operator()(fluidsplat_model* m) const { fluidsplat_model_close(m); }
  };
  std::unique_ptr<fluidsplat_model, Close> handle_;
};

class Plan {
 public:
  Plan(const Model& model, const PlanOptions& o) {
    fluidsplat_plan_options options = fluidsplat_plan_default_options();
    options.points = o.points;
    options.count = o.count;
    options.features = o.features;
    options.sensor_positions = o.sensor_positions;
    options.sensor_count = o.sensor_count;
    options.sensor_mean_readings = o.sensor_mean_readings;
    options.wall_points = o.wall_points;
    options.wall_features = o.wall_features;
    options.wall_count = o.wall_count;
    options.threads = o.threads;
    options.gradients = o.gradients ? 1 : 0;
    options.level = o.level;
    options.simultaneous = o.simultaneous ? 1 : 0;
    options.side = o.side;
    options.check_sensors = o.check_sensors ? 1 : 0;
    options.sensor_features = o.sensor_features;
    options.on_average = o.on_average ? 1 : 0;
    fluidsplat_plan* plan = nullptr;
    check(fluidsplat_plan_create(model.get(), &options, &plan));
    handle_.reset(plan);
    primitive_values_ = model.info().primitives * model.info().primitive_columns;
    sensors_ = o.sensor_positions ? o.sensor_count : model.info().sensors;
  }
  PlanSizes sizes() const {
    PlanSizes sizes;
    check(fluidsplat_plan_get_sizes(handle_.get(), &sizes));
    return sizes;
  }
  void run_readings(const std::vector<float>& readings, const std::vector<float>& descriptors, const Outputs& out) {
    check(fluidsplat_run_readings(handle_.get(), readings.data(), readings.size(), descriptors.data(),
                                  descriptors.size(), &out));
  }
  std::string guarantee() const { return fluidsplat_plan_guarantee(handle_.get()); }
  double false_alarms() const { return fluidsplat_plan_false_alarms(handle_.get()); }
  struct SensorCheck {
    std::vector<float> checked;  // readings to reconstruct from
    std::vector<fluidsplat_sensor_finding> findings;
    bool unresolved;
  };
  SensorCheck check_sensors(const std::vector<float>& readings, const std::vector<float>& descriptors) {
    SensorCheck out{std::vector<float>(readings.size()), std::vector<fluidsplat_sensor_finding>(sensors_), false};
    int unresolved = 0;
    check(fluidsplat_check_sensors(handle_.get(), readings.data(), readings.size(), descriptors.data(),
                                   descriptors.size(), out.checked.data(), out.findings.data(), &unresolved));
    out.unresolved = unresolved != 0;
    return out;
  }
  void run(const float* readings, const float* descriptors, const Outputs& out) {
    check(fluidsplat_run(handle_.get(), readings, descriptors, &out));
  }
  void run_batch(const float* readings, const float* descriptors, std::size_t frames, const Outputs& out) {
    check(fluidsplat_run_batch(handle_.get(), readings, descriptors, frames, &out));
  }
  void observe(const float* readings, const float* descriptors) {
    check(fluidsplat_observe(handle_.get(), readings, descriptors));
  }
  void evaluate_at(const float* points, const float* features, std::size_t count, const Outputs& out) {
    check(fluidsplat_evaluate_at(handle_.get(), points, features, count, &out));
  }
  std::vector<float> primitives() {  // [primitives][primitive_columns]
    std::vector<float> out(primitive_values_);
    check(fluidsplat_primitives(handle_.get(), out.data()));
    return out;
  }

 private:
  struct Destroy {
    void operator()(fluidsplat_plan* p) const { fluidsplat_plan_destroy(p); }
  };
  std::unique_ptr<fluidsplat_plan, Destroy> handle_;
  std::size_t primitive_values_ = 0;
  std::size_t sensors_ = 0;
};

}  // namespace fluidsplat
