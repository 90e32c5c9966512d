// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/calibrate_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "calibrate/toy_fixture.h"
#include "calibrate/trust_sheet.h"
#include "io/csv.h"
#include "reconstruct/evaluate_model.h"
#include "reconstruct/field_bands.h"

namespace fluidsplat::calibrate {
namespace {

constexpr Index kPoints = 60, kSensors = 4;

// Cases u = a (1 + x) + noise that grows along x by a factor of fifty, with a tail; sensors see a almost exactly.
field::MemoryDataset make_dataset(Index cases, bool series = false) {
  field::MemoryDataset out(toy_schema(), "toy.h5");
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(kPoints, 2);
  mesh->features.resize(kPoints, 0);
  for (Index i = 0; i < kPoints; ++i) {
    mesh->points(i, 0) = float(i) / float(kPoints - 1);
    mesh->points(i, 1) = float(i % 7) / 7;
  }
  Random random(1);
  for (Index k = 0; k < cases; ++k) {
    field::Case c;
    c.mesh = mesh;
    c.time = series ? double(k) : 0;
    c.fields.resize(kPoints, 1);
    const double a = random.normal();
    // Frames of a series share much of their error with the seven others of their period.
    const double size = std::exp(0.5 * (series ? std::sin(2 * 3.14159265 * double(k) / 8) : random.normal()));
    for (Index i = 0; i < kPoints; ++i) {
      const double x = mesh->points(i, 0);
      c.fields(i, 0) = float(a * (1 + x) + 0.002 * (1 + 49 * x) * size * random.normal());
    }
    out.add(c);
  }
  return out;
}

// Says a (1 + x), with a the mean of what the sensors suggest.
class ToyModel : public ToyFieldModel {
 public:
  explicit ToyModel(const field::Dataset& dataset) : ToyFieldModel(dataset, kSensors, 1.5f) {}
  reconstruct::Reconstruction reconstruct(const field::SensorReadings& readings, const field::Vector&,
                                          const std::shared_ptr<const field::Mesh>& mesh,
                                          const reconstruct::Extras&) override {
    double a = 0;
    Index count = 0;
    for (Index i = 0; i < readings.values.rows(); ++i)
      if (!std::isnan(readings.values(i, 0))) {
        a += readings.values(i, 0) / (1 + readings.positions(i, 0));
        ++count;
      }
    reconstruct::Reconstruction out;
    out.field = float(count > 0 ? a / double(count) : 0) * (1 + mesh->points.col(0).array()).matrix();
    return out;
  }
};

CalibrationRequest request_for(Index cases) {
  CalibrationRequest r;
  r.train_cases = numbers(0, 20);
  r.validation_cases = numbers(20, 60);
  r.cases = numbers(60, cases);
  r.points = 60;
  r.data = "toy.h5";
  return r;
}

// The share of values of the cases that were left which a calibration's bands hold, and the bands' mean width.
struct Judged {
  double share = 0, width = 0;
  double left = 0, right = 0;  // the share in the first and in the last fifth along x
};
Judged judge(ToyModel& model, const field::Dataset& dataset, const CalibrationResult& result, double level,
             Index silent) {
  reconstruct::FieldBands bands(std::make_shared<uncertainty::Calibration>(result.calibration), model.description(),
                                {.level = level});
  const field::SensorPlacement sensors(model.sensors(), dataset);
  Judged out;
  for (auto index : result.left) {
    const auto c = dataset.load(index);
    const auto readings =
        reconstruct::disturb(sensors.read(c, index), {0, silent, 99}, model.description().normalization.readings);
    const auto edges = bands.around(model.reconstruct(readings, {}, c.mesh, {}), readings, c.mesh);
    out.width += (edges.upper - edges.lower).mean() / double(result.left.size());
    for (Index i = 0; i < kPoints; ++i) {
      const double inside = double(c.fields(i, 0) >= edges.lower(i, 0) && c.fields(i, 0) <= edges.upper(i, 0)) /
                            double(std::ssize(result.left));
      out.share += inside / double(kPoints);
      if (i < kPoints / 5) out.left += inside / double(kPoints / 5);
      if (i >= kPoints - kPoints / 5) out.right += inside / double(kPoints / 5);
    }
  }
  return out;
}

TEST(CalibrateModel, BandsHoldWhatTheyPromiseAndAreNarrowWhereTheModelIsGood) {
  const auto dataset = make_dataset(660);
  ToyModel model(dataset);
  auto request = request_for(660);
  request.scale = ScaleRecipe{};
  const auto by_place = calibrate_model(model, dataset, request);
  ASSERT_TRUE(by_place);
  EXPECT_EQ(by_place->calibration.groups(), 300);
  EXPECT_EQ(by_place->left.size(), 300);
  for (Index silent : {0, 1, 2})
    for (double level : {0.5, 0.9, 0.95})
      EXPECT_NEAR(judge(model, dataset, *by_place, level, silent).share, level, 0.035) << silent << " " << level;
  // With thresholds by place a constant scale is one by place, too.
  request.scale = ScaleRecipe{.by_place = false};
  request.levels = 0;
  const auto constant = calibrate_model(model, dataset, request);
  EXPECT_NEAR(judge(model, dataset, *constant, 0.9, 0).share, 0.9, 0.035);
  EXPECT_LT(judge(model, dataset, *by_place, 0.9, 0).width, 0.95 * judge(model, dataset, *constant, 0.9, 0).width);
}

// A scale that knows nothing of places: one threshold holds everything where errors are small and too little where they
// are large; classes of places hold the level in both.
TEST(CalibrateModel, ClassesOfPlacesMakeBandsEven) {
  const auto dataset = make_dataset(660);
  ToyModel model(dataset);
  auto request = request_for(660);
  request.scale = ScaleRecipe{.by_place = false};
  request.levels = 0;
  const auto uneven = judge(model, dataset, *calibrate_model(model, dataset, request), 0.9, 0);
  EXPECT_GT(uneven.left, 0.99);
  EXPECT_LT(uneven.right, 0.83);
  request.levels = 5;
  const auto result = calibrate_model(model, dataset, request);
  EXPECT_EQ(result->calibration.classes.count(), 5);
  EXPECT_THAT(uncertainty::guarantee(result->calibration, {}), testing::HasSubstr("any one of 5 classes of places"));
  const auto even = judge(model, dataset, *result, 0.9, 0);
  EXPECT_NEAR(even.share, 0.9, 0.03);
  EXPECT_NEAR(even.left, 0.9, 0.03);
  EXPECT_NEAR(even.right, 0.9, 0.03);
}

TEST(CalibrateModel, CoverageOverSplitsIsTheLevel) {
  const auto dataset = make_dataset(260);
  ToyModel model(dataset);
  auto request = request_for(260);
  request.splits = 60;
  request.functionals = {reconstruct::parse_probe("tail=u@1,0.5", dataset.schema()),
                         reconstruct::parse_box("inner=u@0.2,0:0.4,1", dataset.schema())};
  const auto result = calibrate_model(model, dataset, request);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->table.size(), 3 * 2 * 5);  // silent sensors, promises, levels
  for (const auto& row : result->table) {
    EXPECT_NEAR(row.pointwise, row.level, 0.02) << row.silent << " " << row.level;
    EXPECT_NEAR(row.simultaneous, row.level, 0.03) << row.silent << " " << row.level;
    for (double share : row.functionals) EXPECT_NEAR(share, row.level, 0.03) << row.silent << " " << row.level;
  }
  EXPECT_EQ(result->calibration.functional("inner"), 1);
}

// Cases that calibrated say nothing of how good intervals are, and those of other data with the same numbers do.
TEST(CalibrateModel, IntervalsAreJudgedByCasesThatDidNotCalibrate) {
  const auto dataset = make_dataset(200);
  ToyModel model(dataset);
  auto request = request_for(200);
  request.functionals = {reconstruct::parse_probe("tail=u@1,0.5", dataset.schema())};
  reconstruct::EvaluationRequest judge;
  judge.calibration = std::make_shared<uncertainty::Calibration>(calibrate_model(model, dataset, request)->calibration);
  const auto calibrated = std::ssize(judge.calibration->cases);
  ASSERT_GT(calibrated, 0);
  judge.cases = numbers(60, 200);
  judge.sensors = model.sensors();
  judge.level = 0.9;
  const TemporaryFolder folder;
  judge.out = folder.path();
  std::string said;
  reconstruct::evaluate_model(model, dataset, judge, {}, &said);
  EXPECT_THAT(said, testing::HasSubstr(fmt::format("of {} cases", 140 - calibrated)));
  EXPECT_EQ(std::ranges::count(io::read_csv(folder / "functionals.csv").columns[2], 1.0), calibrated);
  judge.is_calibrated_data = false;
  reconstruct::evaluate_model(model, dataset, judge, {}, &said);
  EXPECT_THAT(said, testing::HasSubstr("of 140 cases"));
}

TEST(CalibrateModel, FramesOfASeriesCountInBlocks) {
  const auto dataset = make_dataset(460, true);
  ToyModel model(dataset);
  const auto result = calibrate_model(model, dataset, request_for(460));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->calibration.block, 8);
  EXPECT_NEAR(double(result->calibration.groups()), 400.0 / 8 / 2, 1);
  EXPECT_THAT(uncertainty::guarantee(result->calibration, {}), testing::HasSubstr("blocks of 8 frames"));
}

TEST(CalibrateModel, KnowsWhatSensorsUsuallyDifferBy) {
  const auto dataset = make_dataset(160);
  ToyModel model(dataset);
  const auto result = calibrate_model(model, dataset, request_for(160));
  ASSERT_TRUE(result);
  const auto& c = result->calibration;
  // Four sensors: one may be silent and the three others still be held against each other, of three left none of two.
  EXPECT_TRUE(c.rungs[0].knows_sensors());
  // With silent ones the readings of the past are asked.
  EXPECT_FALSE(c.rungs[1].knows_sensors());
  ASSERT_TRUE(c.law);
  EXPECT_EQ(c.instants.calibrated.rows(), std::ssize(c.cases));
  EXPECT_EQ(c.instants.group.back(), c.groups() - 1);
  EXPECT_FALSE(c.rungs[2].knows_sensors());
  for (float s : c.rungs[0].reading_scale) EXPECT_NEAR(s, 0.01, 0.01);
  EXPECT_LT(c.lowest[0], -1);
  EXPECT_GT(c.highest[0], 1);
}

// Bands of one width and of a Gaussian process, after the same calibration: they hold what is asked for, too.  The
// first is wider, because errors grow along x by a factor of fifty; the second knows that from what its modes leave.
TEST(CalibrateModel, RivalsHoldTheLevelAndOneWidthIsWider) {
  const auto dataset = make_dataset(260);
  ToyModel model(dataset);
  auto request = request_for(260);
  request.splits = 40;
  request.with_rivals = true;
  request.points = 200;
  const auto result = calibrate_model(model, dataset, request);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->rivals.size(), 4u);
  const auto at_90 = [](const std::vector<CoverageRow>& table) {
    for (const auto& r : table)
      if (r.silent == 0 && r.promise == uncertainty::Promise::on_average && r.level == 0.9) return r;
    return CoverageRow{};
  };
  const auto own = at_90(result->table);
  EXPECT_NEAR(own.pointwise, 0.9, 0.01);
  for (const auto& rival : result->rivals) EXPECT_NEAR(at_90(rival.table).pointwise, 0.9, 0.01) << rival.name;
  EXPECT_NEAR(at_90(result->rivals[0].table).width / own.width, 1, 0.1);  // one threshold for all places
  EXPECT_GT(at_90(result->rivals[1].table).width, 1.08 * own.width);
  EXPECT_NEAR(at_90(result->rivals[2].table).width / own.width, 1.1, 0.2);
  EXPECT_NEAR(result->rivals[2].error, 1, 0.3);  // both err by what sensors do not see

  field::Provenance provenance;
  provenance.command = "fluidsplat calibrate toy";
  const TrustSheet sheet{"A toy", provenance, "a machine", std::ssize(request.cases), request, *result};
  EXPECT_THAT(
      trust_markdown(sheet),
      testing::AllOf(testing::HasSubstr("# A toy"), testing::HasSubstr("fluidsplat calibrate toy"),
                     testing::HasSubstr("| 0 of 4 | on average | "), testing::HasSubstr("| 2 of 4 | at least |"),
                     testing::HasSubstr("within 90 +- 1"), testing::HasSubstr("a band of one width")));
  EXPECT_THAT(trust_csv(sheet), testing::AllOf(testing::HasSubstr("# machine: a machine\nband,silent,promise"),
                                               testing::HasSubstr("\nmodel,0,on average,0.9,40,")));
}

TEST(CalibrateModel, SplitsMayCalibrateOnMoreThanAHalf) {
  EXPECT_EQ(calibrating_groups(20, 0.5), 10);
  EXPECT_EQ(calibrating_groups(21, 0.7), 14);
  EXPECT_EQ(calibrating_groups(3, 0.99), 2);
  EXPECT_EQ(calibrating_groups(3, 0.01), 1);
}

TEST(CalibrateModel, TooFewCasesAndUnknownPlacesAreRefused) {
  const auto dataset = make_dataset(61);
  ToyModel model(dataset);
  EXPECT_THROW(calibrate_model(model, dataset, request_for(61)), Error);
  const auto more = make_dataset(80);
  auto request = request_for(80);
  request.functionals = {reconstruct::parse_probe("far=u@30,30", more.schema())};
  EXPECT_THROW(calibrate_model(model, more, request), Error);
  EXPECT_THROW(reconstruct::parse_probe("far=w@0,0", more.schema()), Error);
  EXPECT_THROW(reconstruct::parse_probe("far", more.schema()), Error);
  EXPECT_THROW(reconstruct::parse_box("b=u@1,1:0,2", more.schema()), Error);
}

TEST(SilentLadder, GoesToHalf) {
  EXPECT_EQ(silent_ladder(8), (std::vector<Index>{0, 1, 2, 3, 4}));
  EXPECT_EQ(silent_ladder(1), (std::vector<Index>{0}));
  EXPECT_EQ(silent_ladder(200).back(), 100);
  EXPECT_LT(silent_ladder(200).size(), 20);
}

// Whoever measures the cases, the calibration has the same bits.
TEST(CalibrateModel, PartsGiveTheCalibrationOfOneProcess) {
  const auto data = make_dataset(130);
  ToyModel model(data);
  auto request = request_for(130);
  const auto whole = calibrate_model(model, data, request);
  ASSERT_TRUE(whole);
  const TemporaryFolder folder;
  std::optional<CalibrationResult> joined;
  for (const Index part : {3, 1, 2}) {
    EXPECT_FALSE(joined) << "not before the last";
    request.parts = ErrorParts{{part, 3}, folder.path(), "this"};
    joined = calibrate_model(model, data, request);
  }
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->left, whole->left);
  const auto a = uncertainty::to_block(joined->calibration), b = uncertainty::to_block(whole->calibration);
  EXPECT_EQ(a.config, b.config);
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (const auto& [name, tensor] : b.tensors) EXPECT_EQ(a.tensors.at(name).bytes, tensor.bytes) << name;
}

}  // namespace
}  // namespace fluidsplat::calibrate
