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
#include "runtime/random_model.h"
#include "runtime/reconstructor.h"

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

TEST_F(CApi, CppWrapperMovesSensorsAndThrows) {
  const Model model(path);
  const auto positions = model.sensor_positions();
  PlanOptions options;
  options.points = points.data();
  options.count = count;
  options.sensor_positions = positions.data();
  options.sensor_count = 3;
  Plan plan(model, options);
  std::vector<float> field(2 * count);
  Outputs out{};
  out.field = field.data();
  plan.run(readings.data(), nullptr, out);
  for (float v : field) EXPECT_TRUE(std::isfinite(v));
  out.divergence = field.data();
  EXPECT_THROW(plan.run(readings.data(), nullptr, out), std::runtime_error);
  EXPECT_THROW(Model("/no/such/file"), std::runtime_error);
}

}  // namespace
}  // namespace fluidsplat
