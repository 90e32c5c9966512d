// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/fault_trials.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "calibrate/shift_trial.h"
#include "calibrate/toy_fixture.h"

namespace fluidsplat::calibrate {
namespace {

constexpr Index kSensors = 5, kPoints = 12, kCases = 320;

// Cases u = a sin(x) + b cos(x) + `beyond` sin(3 x), with a little noise at every point.
field::MemoryDataset make_dataset(double beyond = 0) {
  field::MemoryDataset out(toy_schema(), "toy.h5");
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.setZero(kPoints, 2);
  mesh->features.resize(kPoints, 0);
  for (Index i = 0; i < kPoints; ++i) mesh->points(i, 0) = 0.5f * float(i);
  Random random(1);
  for (Index k = 0; k < kCases; ++k) {
    field::Case c;
    c.mesh = mesh;
    c.fields.resize(kPoints, 1);
    const double a = random.normal(), b = random.normal();
    for (Index i = 0; i < kPoints; ++i) {
      const double x = mesh->points(i, 0);
      c.fields(i, 0) = float(a * std::sin(x) + b * std::cos(x) + beyond * std::sin(3 * x) + 0.01 * random.normal());
    }
    out.add(c);
  }
  return out;
}

// Fits a and b to the readings; with a silent sensor it is off by much, as a network is that never saw one.
class ToyModel : public ToyFieldModel {
 public:
  explicit ToyModel(const field::Dataset& dataset) : ToyFieldModel(dataset, kSensors, 1) {}
  reconstruct::Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector&,
                                          const std::shared_ptr<const field::Mesh>& mesh,
                                          const reconstruct::Extras&) override {
    Eigen::Matrix2d gram = 1e-9 * Eigen::Matrix2d::Identity();
    Eigen::Vector2d right(0, 0);
    bool all = true;
    for (Index i = 0; i < readings.values.rows(); ++i) {
      if (std::isnan(readings.values(i, 0))) {
        all = false;
        continue;
      }
      const double x = readings.positions(i, 0);
      const Eigen::Vector2d row(std::sin(x), std::cos(x));
      gram += row * row.transpose();
      right += double(readings.values(i, 0)) * row;
    }
    const Eigen::Vector2d fit =
        gram.ldlt().solve(right) + Eigen::Vector2d::Constant(all ? 0 : 0.4 * std::sin(9 * right[0]));
    reconstruct::Reconstruction out;
    out.field.resize(mesh->size(), 1);
    for (Index i = 0; i < mesh->size(); ++i) {
      const double x = mesh->points(i, 0);
      out.field(i, 0) = float(fit[0] * std::sin(x) + fit[1] * std::cos(x));
    }
    return out;
  }
};

class FaultTrials : public testing::Test {
 protected:
  FaultTrials() : dataset(make_dataset()), model(dataset) {
    CalibrationRequest r;
    r.train_cases = numbers(0, 60);
    r.validation_cases = numbers(60, 100);
    r.cases = numbers(100, kCases);
    r.points = kPoints;
    r.data = "toy.h5";
    const auto result = calibrate_model(model, dataset, r);
    calibration = std::make_shared<uncertainty::Calibration>(result->calibration);
    left = result->left;
  }
  field::MemoryDataset dataset;
  ToyModel model;
  std::shared_ptr<const uncertainty::Calibration> calibration;
  std::vector<Index> left;
};

TEST_F(FaultTrials, FindNameAndHandleWhatIsWrong) {
  ASSERT_TRUE(calibration->law);
  EXPECT_TRUE(calibration->law->is_always_sharper());
  FaultRequest request{.cases = left, .train_cases = numbers(0, 60), .calibration = calibration};
  request.rows = 20;
  request.trials = 5;
  const auto rows = try_faults(model, dataset, request);
  for (const auto& r : rows) {
    if (r.kind == uncertainty::SensorState::fine) {
      EXPECT_LT(r.blamed_rows, 0.06);
    } else if (r.size >= 1 || r.kind == uncertainty::SensorState::silent) {
      EXPECT_EQ(r.found, 1) << name_of(r.kind) << " " << r.size;
      EXPECT_GE(r.named, 0.8) << name_of(r.kind) << " " << r.size;
      EXPECT_GT(r.found_rows, 0.6) << name_of(r.kind) << " " << r.size;
      // Big enough that nothing better is known than to do without.
      EXPECT_TRUE(r.size < 2 || r.handled < r.believed) << name_of(r.kind) << " " << r.size;
    }
  }
  EXPECT_NE(faults_csv(rows).find("out of range,10,5,1.0000"), std::string::npos) << faults_csv(rows);
}

TEST_F(FaultTrials, AnotherFlowIsNoticedAndTheSameIsNot) {
  const auto normal = strangeness_of(model, dataset, left, calibration);
  EXPECT_LE(false_shift_alarms(normal, *calibration, 20000, 1), 4);
  const auto other = make_dataset(0.5);
  const auto frames = frames_to_warning(strangeness_of(model, other, numbers(0, 100), calibration), *calibration);
  EXPECT_GT(frames, 0);
  EXPECT_LT(frames, 30);
}

}  // namespace
}  // namespace fluidsplat::calibrate
