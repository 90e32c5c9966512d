// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fluidsplat/fluidsplat.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/error.h"
#include "runtime/left_out.h"
#include "runtime/reconstructor.h"

using fluidsplat::fail;
using fluidsplat::Index;
namespace model = fluidsplat::model;
namespace runtime = fluidsplat::runtime;
namespace uncertainty = fluidsplat::uncertainty;

struct fluidsplat_model {
  runtime::Reconstructor reconstructor;
};
struct fluidsplat_plan {
  runtime::Plan plan;
  Index channels, descriptors;
  std::vector<Index> places;  // where each reading belongs among the values [sensors][channels]
  std::mutex mutex;           // of `values`
  std::vector<float> values;  // all NaN but at `places`
  std::string guarantee;
  std::unique_ptr<runtime::LeftOutReadings> left_out;
  std::unique_ptr<uncertainty::SensorCheck> sensor_check;  // asks left_out
};

namespace {

thread_local std::string last_error;

// Runs `body`, turning exceptions into a status and a text.  No exception crosses into C.
template <class Body>
fluidsplat_status guarded(Body body) noexcept {
  try {
    last_error.clear();
    body();
    return FLUIDSPLAT_OK;
  } catch (const fluidsplat::Error& e) {
    last_error = e.what();
    return FLUIDSPLAT_INVALID;
  } catch (const std::bad_alloc&) {
    last_error = "out of memory";
    return FLUIDSPLAT_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    last_error = std::string("internal error: ") + e.what();
    return FLUIDSPLAT_INTERNAL;
  }
}

template <class T>
T& given(T* pointer, const char* what) {
  if (!pointer) fail("{} is NULL", what);
  return *pointer;
}

runtime::Outputs convert(const fluidsplat_outputs* out) {
  const auto& o = given(out, "out");
  return {.field = o.field,
          .primitive = o.primitive,
          .mass = o.mass,
          .gradient = o.gradient,
          .vorticity = o.vorticity,
          .divergence = o.divergence,
          .lower = o.lower,
          .upper = o.upper,
          .scale = o.scale};
}

const char* name_of(const std::vector<model::Column>& columns, size_t i) {
  return i < columns.size() ? columns[i].name.c_str() : nullptr;
}

// The sensors that a caller places.  One that stands exactly where a sensor of the model stands is that sensor: it sees
// what that one sees and has its mean reading.  Any other may read every channel.
model::SensorLayout layout_of(const fluidsplat_plan_options& o, const runtime::ModelDescription& d) {
  const Index dim = d.spec.dim, channels = d.spec.channels, count = Index(o.sensor_count);
  model::SensorLayout layout;
  layout.positions = Eigen::Map<const model::Matrix>(o.sensor_positions, count, dim);
  layout.mean_readings.resize(count, channels);
  std::vector<int> all(channels);
  std::iota(all.begin(), all.end(), 0);
  layout.channels.assign(count, all);
  const auto& known = d.sensors;
  for (Index i = 0; i < count; ++i) {
    for (Index c = 0; c < channels; ++c) layout.mean_readings(i, c) = d.normalization.readings.mean[c];
    for (Index k = 0; k < known.size(); ++k)
      if (known.positions.row(k) == layout.positions.row(i)) {
        layout.channels[i] = known.channels[k];
        if (known.mean_readings.size() > 0) layout.mean_readings.row(i) = known.mean_readings.row(k);
      }
  }
  if (o.sensor_mean_readings)
    layout.mean_readings = Eigen::Map<const model::Matrix>(o.sensor_mean_readings, count, channels);
  return layout;
}

// Where each reading belongs in [sensors][channels].
std::vector<Index> reading_places(const model::SensorLayout& sensors, Index channels) {
  std::vector<Index> out;
  for (Index i = 0; i < sensors.size(); ++i)
    for (int c : sensors.channels[i]) out.push_back(i * channels + c);
  return out;
}

uncertainty::Side side_of(fluidsplat_side side) {
  switch (side) {
    case FLUIDSPLAT_BOTH:
      return uncertainty::Side::both;
    case FLUIDSPLAT_UPPER:
      return uncertainty::Side::upper;
    case FLUIDSPLAT_LOWER:
      return uncertainty::Side::lower;
  }
  fail("there is no side {}", int(side));
}

fluidsplat_sensor_state state_of(uncertainty::SensorState state) {
  switch (state) {
    case uncertainty::SensorState::fine:
      return FLUIDSPLAT_SENSOR_FINE;
    case uncertainty::SensorState::silent:
      return FLUIDSPLAT_SENSOR_SILENT;
    case uncertainty::SensorState::out_of_range:
      return FLUIDSPLAT_SENSOR_OUT_OF_RANGE;
    case uncertainty::SensorState::swapped:
      return FLUIDSPLAT_SENSOR_SWAPPED;
    default:  // what takes several instants to see, a check of one does not give
      return FLUIDSPLAT_SENSOR_DISAGREES;
  }
}

// Where each reading belongs, after checking that there are as many as the plan takes.
void check_counts(const fluidsplat_plan& p, const float* readings, size_t reading_count, size_t descriptor_count) {
  if (reading_count != p.places.size())
    fail("{} readings given, the sensors measure {}", reading_count, p.places.size());
  if (Index(descriptor_count) != p.descriptors)
    fail("{} descriptors given, the model needs {}", descriptor_count, p.descriptors);
  if (reading_count > 0) given(readings, "readings");
}

void add_sensor_check(fluidsplat_plan& plan, const runtime::Reconstructor& r, const runtime::PlanOptions& options,
                      const float* features) {
  if (!r.calibration())
    fail("the model has no calibration to hold sensors against each other by; \"fluidsplat calibrate\" adds one");
  plan.left_out = std::make_unique<runtime::LeftOutReadings>(r, options, features);
  plan.sensor_check = std::make_unique<uncertainty::SensorCheck>(
      r.calibration(), uncertainty::InstantReadings(r.description().sensors, r.description().normalization),
      [left_out = plan.left_out.get()](const float* values, float* expected) { (*left_out)(values, expected); },
      uncertainty::SensorCheck::Options{});
}

#define FLUIDSPLAT_TEXT(x) #x
#define FLUIDSPLAT_VERSION_TEXT(a, b, c) FLUIDSPLAT_TEXT(a) "." FLUIDSPLAT_TEXT(b) "." FLUIDSPLAT_TEXT(c)

}  // namespace

extern "C" {

const char* fluidsplat_version(void) {
  return FLUIDSPLAT_VERSION_TEXT(FLUIDSPLAT_VERSION_MAJOR, FLUIDSPLAT_VERSION_MINOR, FLUIDSPLAT_VERSION_PATCH);
}

const char* fluidsplat_last_error(void) {
  return last_error.c_str();
}

fluidsplat_status fluidsplat_model_open(const char* path, fluidsplat_model** model) {
  return guarded([&] {
    given(model, "model") = nullptr;
    given(path, "path");
    *model = new fluidsplat_model{runtime::Reconstructor::open(path)};
  });
}

void fluidsplat_model_close(fluidsplat_model* model) {
  delete model;
}

fluidsplat_status fluidsplat_model_get_info(const fluidsplat_model* model, fluidsplat_model_info* info) {
  return guarded([&] {
    const auto& r = given(model, "model").reconstructor;
    const auto& spec = r.description().spec;
    auto& out = given(info, "info");
    out.dim = spec.dim;
    out.channels = spec.channels;
    out.features = spec.features;
    out.descriptors = spec.descriptors;
    out.sensors = r.description().sensors.size();
    out.primitives = spec.primitives;
    out.primitive_columns = spec.primitive_columns();
    out.parameters = r.parameters();
    out.geometry_features = spec.geometry_features;
    out.readings = reading_places(r.description().sensors, spec.channels).size();
  });
}

const char* fluidsplat_model_channel_name(const fluidsplat_model* model, size_t i) {
  return model ? name_of(model->reconstructor.description().schema.channels, i) : nullptr;
}

const char* fluidsplat_model_channel_unit(const fluidsplat_model* model, size_t i) {
  if (!model || i >= model->reconstructor.description().schema.channels.size()) return nullptr;
  return model->reconstructor.description().schema.channels[i].unit.c_str();
}

const char* fluidsplat_model_feature_name(const fluidsplat_model* model, size_t i) {
  return model ? name_of(model->reconstructor.description().schema.features, i) : nullptr;
}

const char* fluidsplat_model_descriptor_name(const fluidsplat_model* model, size_t i) {
  return model ? name_of(model->reconstructor.description().schema.descriptors, i) : nullptr;
}

const char* fluidsplat_model_sensor_name(const fluidsplat_model* model, size_t i) {
  if (!model || Index(i) >= model->reconstructor.description().sensors.size()) return nullptr;
  const auto& names = model->reconstructor.description().sensors.names;
  return i < names.size() ? names[i].c_str() : "";
}

fluidsplat_status fluidsplat_model_reading(const fluidsplat_model* model, size_t reading, size_t* sensor,
                                           size_t* channel) {
  return guarded([&] {
    const auto& d = given(model, "model").reconstructor.description();
    const auto places = reading_places(d.sensors, d.spec.channels);
    if (reading >= places.size()) fail("there is no reading {}, the sensors measure {}", reading, places.size());
    given(sensor, "sensor") = places[reading] / d.spec.channels;
    given(channel, "channel") = places[reading] % d.spec.channels;
  });
}

fluidsplat_status fluidsplat_model_domain(const fluidsplat_model* model, double* low, double* high) {
  return guarded([&] {
    const auto& d = given(model, "model").reconstructor.description();
    const auto& box = d.normalization.domain;
    std::copy(box.low.begin(), box.low.end(), &given(low, "low"));
    std::copy(box.high.begin(), box.high.end(), &given(high, "high"));
  });
}

fluidsplat_status fluidsplat_model_sensor_positions(const fluidsplat_model* model, float* positions) {
  return guarded([&] {
    const auto& p = given(model, "model").reconstructor.description().sensors.positions;
    std::copy_n(p.data(), p.size(), &given(positions, "positions"));
  });
}

fluidsplat_status fluidsplat_model_sensor_mean_readings(const fluidsplat_model* model, float* means) {
  return guarded([&] {
    const auto& d = given(model, "model").reconstructor.description();
    float* out = &given(means, "means");
    const bool known = d.sensors.mean_readings.size() > 0;
    for (Index i = 0; i < d.sensors.size(); ++i)
      for (Index c = 0; c < d.spec.channels; ++c)
        *out++ = known ? d.sensors.mean_readings(i, c) : d.normalization.readings.mean[c];
  });
}

fluidsplat_status fluidsplat_model_calibration(const fluidsplat_model* model, double* highest_level,
                                               size_t* silent_sensors) {
  return guarded([&] {
    const auto& calibration = given(model, "model").reconstructor.calibration();
    given(highest_level, "highest_level") = calibration ? calibration->highest_level() : 0;
    given(silent_sensors, "silent_sensors") = calibration ? calibration->rungs.back().silent : 0;
  });
}

fluidsplat_plan_options fluidsplat_plan_default_options(void) {
  fluidsplat_plan_options options = {};
  options.threads = 1;
  return options;
}

fluidsplat_status fluidsplat_plan_create(const fluidsplat_model* model, const fluidsplat_plan_options* options,
                                         fluidsplat_plan** plan) {
  return guarded([&] {
    given(plan, "plan") = nullptr;
    const auto& r = given(model, "model").reconstructor;
    const auto& o = given(options, "options");
    runtime::PlanOptions p;
    p.points = o.points;
    p.count = o.count;
    p.features = o.features;
    p.geometry = {.positions = o.wall_points, .features = o.wall_features, .count = Index(o.wall_count)};
    p.threads = o.threads;
    p.gradients = o.gradients != 0;
    p.sensor_features = o.sensor_features;
    model::SensorLayout layout;
    if (o.sensor_positions) {
      layout = layout_of(o, r.description());
      p.sensors = &layout;
    }
    if (o.level != 0)
      p.band = uncertainty::BandRequest{
          .level = o.level,
          .simultaneous = o.simultaneous != 0,
          .side = side_of(o.side),
          .promise = o.on_average != 0 ? uncertainty::Promise::on_average : uncertainty::Promise::at_least};
    const auto& spec = r.description().spec;
    const auto& sensors = p.sensors ? *p.sensors : r.description().sensors;
    std::unique_ptr<fluidsplat_plan> made(new fluidsplat_plan{
        r.plan(p), spec.channels, spec.descriptors, reading_places(sensors, spec.channels), {}, {}, {}, {}, {}});
    made->values.assign(sensors.size() * spec.channels, std::numeric_limits<float>::quiet_NaN());
    if (p.band) made->guarantee = uncertainty::guarantee(*r.calibration(), *p.band);
    if (o.check_sensors) add_sensor_check(*made, r, p, o.sensor_features);
    *plan = made.release();
  });
}

void fluidsplat_plan_destroy(fluidsplat_plan* plan) {
  delete plan;
}

fluidsplat_status fluidsplat_plan_get_sizes(const fluidsplat_plan* plan, fluidsplat_plan_sizes* sizes) {
  return guarded([&] {
    const auto& p = given(plan, "plan");
    given(sizes, "sizes") = {p.places.size(), p.values.size(), size_t(p.descriptors), size_t(p.plan.count())};
  });
}

fluidsplat_status fluidsplat_run_readings(fluidsplat_plan* plan, const float* readings, size_t reading_count,
                                          const float* descriptors, size_t descriptor_count,
                                          const fluidsplat_outputs* out) {
  return guarded([&] {
    auto& p = given(plan, "plan");
    check_counts(p, readings, reading_count, descriptor_count);
    const std::lock_guard lock(p.mutex);
    for (size_t i = 0; i < reading_count; ++i) p.values[p.places[i]] = readings[i];
    p.plan.run(p.values.data(), descriptor_count > 0 ? descriptors : nullptr, convert(out));
  });
}

fluidsplat_status fluidsplat_run(fluidsplat_plan* plan, const float* readings, const float* descriptors,
                                 const fluidsplat_outputs* out) {
  return guarded([&] { given(plan, "plan").plan.run(readings, descriptors, convert(out)); });
}

fluidsplat_status fluidsplat_run_batch(fluidsplat_plan* plan, const float* readings, const float* descriptors,
                                       size_t frames, const fluidsplat_outputs* out) {
  return guarded([&] { given(plan, "plan").plan.run_batch(readings, descriptors, frames, convert(out)); });
}

fluidsplat_status fluidsplat_observe(fluidsplat_plan* plan, const float* readings, const float* descriptors) {
  return guarded([&] { given(plan, "plan").plan.observe(readings, descriptors); });
}

fluidsplat_status fluidsplat_evaluate_at(fluidsplat_plan* plan, const float* points, const float* features,
                                         size_t count, const fluidsplat_outputs* out) {
  return guarded([&] {
    auto& p = given(plan, "plan").plan;
    if (count > 0) given(points, "points");
    p.evaluate_at(points, features, count, convert(out));
  });
}

const char* fluidsplat_plan_guarantee(const fluidsplat_plan* plan) {
  return plan ? plan->guarantee.c_str() : "";
}

double fluidsplat_plan_false_alarms(const fluidsplat_plan* plan) {
  return plan && plan->sensor_check ? plan->sensor_check->false_alarms() : 0;
}

fluidsplat_status fluidsplat_check_sensors(fluidsplat_plan* plan, const float* readings, size_t reading_count,
                                           const float* descriptors, size_t descriptor_count, float* checked,
                                           fluidsplat_sensor_finding* findings, int* unresolved) {
  return guarded([&] {
    auto& p = given(plan, "plan");
    if (!p.sensor_check) fail("sensors were not planned to be checked; make the plan with check_sensors = 1");
    check_counts(p, readings, reading_count, descriptor_count);
    const std::lock_guard lock(p.mutex);
    std::vector<float> values(p.values.size(), std::numeric_limits<float>::quiet_NaN());
    for (size_t i = 0; i < reading_count; ++i) values[p.places[i]] = readings[i];
    p.left_out->set_descriptors(descriptor_count > 0 ? descriptors : nullptr);
    const auto found = p.sensor_check->check(values.data());
    for (size_t i = 0; checked && i < reading_count; ++i) checked[i] = values[p.places[i]];
    for (size_t i = 0; findings && i < found.sensors.size(); ++i) {
      const auto& f = found.sensors[i];
      findings[i] = {state_of(f.state), f.reading < 0 ? 0 : size_t(p.places[f.reading] % p.channels), f.said,
                     f.expected, float(f.steps)};
    }
    if (unresolved) *unresolved = found.is_unresolved ? 1 : 0;
  });
}

fluidsplat_status fluidsplat_primitives(fluidsplat_plan* plan, float* primitives) {
  return guarded([&] {
    auto& p = given(plan, "plan").plan;
    p.copy_primitives(&given(primitives, "primitives"));
  });
}

}  // extern "C"
