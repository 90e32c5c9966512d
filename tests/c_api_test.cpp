// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fluidsplat/fluidsplat.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <fluidsplat/fluidsplat.hpp>
#include <new>
#include <string>
#include <thread>

#include "base/temporary_folder.h"
#include "model/rewrite.h"
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"
#include "uncertainty/calibration_fixture.h"

// Every allocation of this process, counted, to hold the library to its word.
static std::atomic<long> allocations{0};
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t align) {
  ++allocations;
  if (void* p = std::aligned_alloc(static_cast<std::size_t>(align),
                                   (size + static_cast<std::size_t>(align)) & ~(static_cast<std::size_t>(align) - 1)))
    return p;
  throw std::bad_alloc();
}
// The replaced operators are a matching pair; GCC does not see that when it inlines only one of them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace fluidsplat {
namespace {

struct CApi : testing::Test {
  CApi() {
    runtime::RandomModel().write(folder / "m.safetensors");
    path = (folder / "m.safetensors").string();
    for (std::size_t i = 0; i < 2 * count; ++i) points.push_back(0.01f * static_cast<float>(i));
    for (int i = 0; i < 10; ++i) readings.push_back(0.3f * static_cast<float>(i));
  }
  TemporaryFolder folder;
  std::string path;
  const std::size_t count = 150;
  std::vector<float> points, readings;
};

TEST_F(CApi, SaysWhatTheModelIs) {
  fluidsplat_model* model = nullptr;
  ASSERT_EQ(fluidsplat_model_open(path.c_str(), &model), FLUIDSPLAT_OK) << fluidsplat_last_error();
  EXPECT_STREQ(fluidsplat_last_error(), "");
  fluidsplat_model_info info;
  ASSERT_EQ(fluidsplat_model_get_info(model, &info), FLUIDSPLAT_OK);
  EXPECT_EQ(info.dim, 2u);
  EXPECT_EQ(info.channels, 2u);
  EXPECT_EQ(info.sensors, 5u);
  EXPECT_EQ(info.primitives, 9u);
  EXPECT_GT(info.parameters, 100u);
  EXPECT_STREQ(fluidsplat_model_channel_name(model, 1), "v");
  EXPECT_STREQ(fluidsplat_model_channel_unit(model, 1), "m");
  EXPECT_EQ(fluidsplat_model_channel_name(model, 2), nullptr);
  double low[3], high[3];
  ASSERT_EQ(fluidsplat_model_domain(model, low, high), FLUIDSPLAT_OK);
  EXPECT_EQ(low[0], -1.0);
  EXPECT_EQ(high[0], 5.0);
  fluidsplat_model_close(model);
}

TEST_F(CApi, GivesTheNumbersOfTheCppClassesAndAllocatesNothing) {
  fluidsplat_model* model = nullptr;
  ASSERT_EQ(fluidsplat_model_open(path.c_str(), &model), FLUIDSPLAT_OK);
  auto options = fluidsplat_plan_default_options();
  options.points = points.data();
  options.count = count;
  options.gradients = 1;
  fluidsplat_plan* plan = nullptr;
  ASSERT_EQ(fluidsplat_plan_create(model, &options, &plan), FLUIDSPLAT_OK) << fluidsplat_last_error();
  fluidsplat_model_close(model);  // the plan keeps what it needs

  std::vector<float> field(2 * count), vorticity(count), primitives(9 * 11), expected(2 * count);
  fluidsplat_outputs out = {};
  out.field = field.data();
  out.vorticity = vorticity.data();
  const long before = allocations;
  ASSERT_EQ(fluidsplat_run(plan, readings.data(), nullptr, &out), FLUIDSPLAT_OK) << fluidsplat_last_error();
  EXPECT_EQ(fluidsplat_evaluate_at(plan, points.data(), nullptr, count, &out), FLUIDSPLAT_OK);
  EXPECT_EQ(fluidsplat_primitives(plan, primitives.data()), FLUIDSPLAT_OK);
  EXPECT_EQ(allocations, before);
  fluidsplat_plan_destroy(plan);

  runtime::PlanOptions same;
  same.points = points.data();
  same.count = count;
  runtime::Outputs wanted;
  wanted.field = expected.data();
  runtime::Reconstructor::open(path).plan(same).run(readings.data(), nullptr, wanted);
  EXPECT_EQ(field, expected);
}

TEST_F(CApi, TurnsEveryMistakeIntoACodeAndAText) {
  fluidsplat_model* model = nullptr;
  EXPECT_EQ(fluidsplat_model_open("/no/such/file", &model), FLUIDSPLAT_INVALID);
  EXPECT_NE(std::string(fluidsplat_last_error()).find("/no/such/file"), std::string::npos);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(fluidsplat_model_open(nullptr, &model), FLUIDSPLAT_INVALID);
  EXPECT_EQ(fluidsplat_model_open(path.c_str(), nullptr), FLUIDSPLAT_INVALID);
  ASSERT_EQ(fluidsplat_model_open(path.c_str(), &model), FLUIDSPLAT_OK);
  fluidsplat_plan* plan = nullptr;
  auto options = fluidsplat_plan_default_options();
  options.threads = 0;
  EXPECT_EQ(fluidsplat_plan_create(model, &options, &plan), FLUIDSPLAT_INVALID);
  EXPECT_EQ(fluidsplat_plan_create(model, nullptr, &plan), FLUIDSPLAT_INVALID);
  options.threads = 1;
  ASSERT_EQ(fluidsplat_plan_create(model, &options, &plan), FLUIDSPLAT_OK);
  fluidsplat_outputs out = {};
  EXPECT_EQ(fluidsplat_run(plan, nullptr, nullptr, &out), FLUIDSPLAT_INVALID);
  EXPECT_EQ(fluidsplat_run(plan, readings.data(), nullptr, nullptr), FLUIDSPLAT_INVALID);
  EXPECT_EQ(fluidsplat_run(nullptr, readings.data(), nullptr, &out), FLUIDSPLAT_INVALID);
  // Another thread's calls do not disturb this thread's text.
  const std::string text = fluidsplat_last_error();
  std::thread([&] { fluidsplat_run(plan, readings.data(), nullptr, &out); }).join();
  EXPECT_EQ(text, fluidsplat_last_error());
  fluidsplat_plan_destroy(plan);
  fluidsplat_model_close(model);
  fluidsplat_model_close(nullptr);
  fluidsplat_plan_destroy(nullptr);
}

// The field of a plan made with the given options.
std::vector<float> field_of(const Model& model, PlanOptions options, const std::vector<float>& readings) {
  std::vector<float> field(options.count * model.info().channels);
  Outputs out{};
  out.field = field.data();
  Plan(model, options).run(readings.data(), nullptr, out);
  return field;
}

// The same through the C++ runtime, for sensors of any layout.
std::vector<float> expected_field(const std::string& path, const PlanOptions& o, const model::SensorLayout& sensors,
                                  const std::vector<float>& readings) {
  const auto reconstructor = runtime::Reconstructor::open(path);
  runtime::PlanOptions options;
  options.points = o.points;
  options.count = Index(o.count);
  options.sensors = &sensors;
  std::vector<float> field(o.count * reconstructor.description().spec.channels);
  runtime::Outputs out;
  out.field = field.data();
  reconstructor.plan(options).run(readings.data(), nullptr, out);
  return field;
}

TEST_F(CApi, SensorsWhereTheModelsStandAreTheModels) {
  const Model model(path);
  PlanOptions options;
  options.points = points.data();
  options.count = count;
  const auto own = field_of(model, options, readings);
  const auto positions = model.sensor_positions();
  options.sensor_positions = positions.data();
  options.sensor_count = model.info().sensors;
  EXPECT_EQ(field_of(model, options, readings), own);
}

TEST_F(CApi, MovedSensorsKeepTheirMeanReadingsWhenTheseAreGiven) {
  const Model model(path);
  auto sensors = runtime::Reconstructor::open(path).description().sensors;
  sensors.positions.array() += 0.125f;
  sensors.channels.assign(sensors.size(), {0, 1});
  PlanOptions options;
  options.points = points.data();
  options.count = count;
  options.sensor_positions = sensors.positions.data();
  options.sensor_count = model.info().sensors;
  const auto unknown = field_of(model, options, readings);
  const auto means = model.sensor_mean_readings();
  options.sensor_mean_readings = means.data();
  const auto known = field_of(model, options, readings);
  EXPECT_EQ(known, expected_field(path, options, sensors, readings));
  EXPECT_NE(known, unknown);
  sensors.mean_readings.resize(0, 0);
  EXPECT_EQ(unknown, expected_field(path, options, sensors, readings));
}

TEST_F(CApi, CppWrapperTellsAllThatTheModelSays) {
  runtime::RandomModel([](auto& m) {
    m["features"] = 1, m["descriptors"] = 2, m["geometry"] = true, m["geometry_features"] = 2;
  }).write(folder / "full.safetensors");
  const Model model((folder / "full.safetensors").string());
  EXPECT_EQ(model.info().geometry_features, 2u);
  EXPECT_EQ(model.feature_name(0), "q0");
  EXPECT_EQ(model.descriptor_name(1), "q1");
  EXPECT_EQ(model.feature_name(7), "");
  EXPECT_EQ(model.domain().low, (std::vector<double>{-1, -1}));
  EXPECT_EQ(model.domain().high, (std::vector<double>{5, 3}));
  EXPECT_EQ(Model(path).info().geometry_features, 0u);
}

TEST_F(CApi, CppWrapperGivesPrimitivesAndThrows) {
  const Model model(path);
  PlanOptions options;
  options.points = points.data();
  options.count = count;
  Plan plan(model, options);
  std::vector<float> field(2 * count);
  Outputs out{};
  out.field = field.data();
  EXPECT_THROW(plan.primitives(), std::runtime_error) << "nothing observed yet";
  plan.run(readings.data(), nullptr, out);
  const auto primitives = plan.primitives();
  ASSERT_EQ(primitives.size(), model.info().primitives * model.info().primitive_columns);
  for (std::size_t k = 0; k < model.info().primitives; ++k) {
    const float x = primitives[k * model.info().primitive_columns];
    EXPECT_TRUE(x > 0 && x < 1) << "centres are in the unit box";
  }
  out.divergence = field.data();
  EXPECT_THROW(plan.run(readings.data(), nullptr, out), std::runtime_error);
  EXPECT_THROW(Model("/no/such/file"), std::runtime_error);
}

// Only what the sensors measure: the random model's last sensor sees one of two channels.
TEST_F(CApi, TakesWhatTheSensorsMeasureAndRefusesOtherCounts) {
  const Model model(path);
  ASSERT_EQ(model.info().readings, 9u);
  EXPECT_EQ(model.reading(3).sensor, 1u);
  EXPECT_EQ(model.reading(3).channel, 1u);
  EXPECT_EQ(model.reading(8).sensor, 4u);
  EXPECT_THROW(model.reading(9), std::runtime_error);
  Plan plan(model, PlanOptions{.points = points.data(), .count = count});
  EXPECT_EQ(plan.sizes().readings, 9u);
  EXPECT_EQ(plan.sizes().values, 10u);
  EXPECT_EQ(plan.sizes().descriptors, 0u);
  EXPECT_EQ(plan.sizes().points, count);

  std::vector<float> measured, whole(10, std::nanf("")), field(2 * count), expected(2 * count);
  for (std::size_t i = 0; i < 9; ++i) {
    measured.push_back(0.3f * static_cast<float>(i));
    whole[2 * model.reading(i).sensor + model.reading(i).channel] = measured.back();
  }
  Outputs out{};
  out.field = expected.data();
  plan.run(whole.data(), nullptr, out);
  out.field = field.data();
  const long before = allocations;
  plan.run_readings(measured, {}, out);
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(field, expected);

  for (std::size_t wrong : {0u, 4u, 8u, 10u, 24u}) {
    const std::vector<float> some(wrong, 0.5f);
    EXPECT_EQ(fluidsplat_run_readings(nullptr, some.data(), wrong, nullptr, 0, &out), FLUIDSPLAT_INVALID);
    try {
      plan.run_readings(some, {}, out);
      ADD_FAILURE() << wrong << " readings were taken";
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(e.what(), std::to_string(wrong) + " readings given, the sensors measure 9");
    }
  }
  EXPECT_THROW(plan.run_readings(measured, {1.0f}, out), std::runtime_error) << "a descriptor too many";
}

// The same model with a calibration: what is out of range is told, whatever else is random.
struct CalibratedCApi : CApi {
  CalibratedCApi() {
    auto contents = model::contents_of(model::ModelFile::open(path));
    auto made = uncertainty::RandomCalibration().make();
    made.lowest.assign(9, -10);
    made.highest.assign(9, 10);
    for (auto& rung : made.rungs) rung.reading_scale.assign(9, 1e9f);
    contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(made);
    model::write_model_file(folder / "calibrated.safetensors", contents);
    calibrated = (folder / "calibrated.safetensors").string();
    readings.resize(9);
  }
  std::string calibrated;
};

TEST_F(CalibratedCApi, GivesBandsAndSaysWhatTheyPromise) {
  const Model model(calibrated);
  EXPECT_NEAR(model.calibration().highest_level, 39.0 / 40, 1e-9);
  EXPECT_EQ(model.calibration().silent_sensors, 2u);
  Plan plan(model, {.points = points.data(), .count = count, .level = 0.9});
  EXPECT_NE(plan.guarantee().find("90 %"), std::string::npos);
  std::vector<float> field(2 * count), lower(2 * count), upper(2 * count), scale(2 * count);
  const Outputs out{.field = field.data(),
                    .primitive = nullptr,
                    .mass = nullptr,
                    .gradient = nullptr,
                    .vorticity = nullptr,
                    .divergence = nullptr,
                    .lower = lower.data(),
                    .upper = upper.data(),
                    .scale = scale.data()};
  plan.run_readings(readings, {}, out);
  for (std::size_t i = 0; i < 2 * count; ++i) {
    EXPECT_LT(lower[i], field[i]);
    EXPECT_GT(upper[i], field[i]);
    EXPECT_GT(scale[i], 0);
  }
  const std::vector<float> none;
  const long before = allocations;
  plan.run_readings(readings, none, out);
  EXPECT_EQ(allocations - before, 0);
  const Plan on_average(model, {.points = points.data(), .count = count, .level = 0.9, .on_average = true});
  EXPECT_NE(on_average.guarantee().find("on average"), std::string::npos);
}

TEST_F(CalibratedCApi, TellsTheStateOfEverySensorAndIgnoresItsValue) {
  const Model model(calibrated);
  Plan plan(model, {.points = points.data(), .count = count, .level = 0.9, .check_sensors = true});
  EXPECT_NEAR(plan.false_alarms(), 1.0 / 40, 1e-9);
  std::vector<std::vector<float>> answers;
  for (float wild : {1e6f, -1e3f}) {
    auto wrong = readings;
    wrong[2] = wild;  // of the second sensor
    const auto found = plan.check_sensors(wrong, {});
    ASSERT_EQ(found.findings.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(found.findings[i].state, i == 1 ? FLUIDSPLAT_SENSOR_OUT_OF_RANGE : FLUIDSPLAT_SENSOR_FINE) << i;
    EXPECT_TRUE(std::isnan(found.checked[2]) && std::isnan(found.checked[3]));
    EXPECT_EQ(found.checked[0], wrong[0]);
    EXPECT_FALSE(found.unresolved);
    std::vector<float> out(2 * count);
    Outputs to{};
    to.upper = out.data();
    plan.run_readings(found.checked, {}, to);
    answers.push_back(out);
  }
  EXPECT_EQ(answers[0], answers[1]);
}

TEST_F(CalibratedCApi, AModelWithoutCalibrationSaysSo) {
  const Model model(path);
  EXPECT_EQ(model.calibration().highest_level, 0);
  EXPECT_THROW(Plan(model, {.points = points.data(), .count = count, .level = 0.9}), std::runtime_error);
  EXPECT_NE(std::string(fluidsplat_last_error()).find("fluidsplat calibrate"), std::string::npos);
  EXPECT_THROW(Plan(model, {.points = points.data(), .count = count, .check_sensors = true}), std::runtime_error);
  const Model good(calibrated);
  EXPECT_THROW(Plan(good, {.points = points.data(), .count = count, .level = 0.99}), std::runtime_error);
  Plan plan(good, {.points = points.data(), .count = count});
  EXPECT_EQ(plan.guarantee(), "");
  EXPECT_THROW(plan.check_sensors(readings, {}), std::runtime_error);
}

}  // namespace
}  // namespace fluidsplat
