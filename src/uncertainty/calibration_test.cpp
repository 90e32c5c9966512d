// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "uncertainty/band.h"
#include "uncertainty/calibration_fixture.h"
#include "uncertainty/calibration_text.h"

namespace fluidsplat::uncertainty {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Of a model with sensors that see two channels, the last but one.
model::Description description_for(const RandomCalibration& random) {
  model::Description d;
  d.kind = "any";
  for (Index a = 0; a < random.dim; ++a) d.schema.coordinates.push_back({"x", "m"});
  for (Index c = 0; c < random.channels; ++c) d.schema.channels.push_back({"u", "m/s"});
  for (Index f = 0; f < random.features; ++f) d.schema.features.push_back({"distance", "m"});
  d.sensors.positions = model::Matrix::Zero(random.sensors, random.dim);
  d.sensors.channels.assign(random.sensors, {0, 1});
  d.sensors.channels.back() = {0};
  d.normalization.readings = {{0.5f, 0.f}, {2.f, 1.f}};
  return d;
}

std::string refusal(const model::Block& block, const model::Description& description) {
  try {
    calibration_from_block(block, description, "m.safetensors");
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Calibration, SurvivesTheModelFile) {
  for (bool by_place : {true, false}) {
    RandomCalibration random;
    random.by_place = random.by_distance = random.with_instants = by_place;
    const auto made = random.make();
    const auto read = calibration_from_block(to_block(made), description_for(random), "m.safetensors");
    EXPECT_EQ(read->groups(), 39);
    EXPECT_EQ(read->cases, made.cases);
    EXPECT_EQ(read->chosen, made.chosen);
    EXPECT_EQ(read->functional("tail"), 1);
    EXPECT_EQ(read->functional("nose"), -1);
    EXPECT_EQ(json::parse(read->functionals[1].definition), json::parse(made.functionals[1].definition));
    ASSERT_EQ(read->rungs.size(), made.rungs.size());
    for (std::size_t r = 0; r < made.rungs.size(); ++r)
      for (double level : {0.1, 0.5, 0.9, 0.97}) {
        for (std::size_t c = 0; c < 2; ++c) {
          EXPECT_EQ(read->rungs[r].pointwise[c].size.quantile(level), made.rungs[r].pointwise[c].size.quantile(level));
          EXPECT_EQ(read->rungs[r].pointwise[c].size.quantile(level, Promise::on_average),
                    made.rungs[r].pointwise[c].size.quantile(level, Promise::on_average));
          EXPECT_EQ(read->rungs[r].simultaneous[c].above.quantile(level),
                    made.rungs[r].simultaneous[c].above.quantile(level));
          EXPECT_EQ(read->rungs[r].functionals[c].below.quantile(level),
                    made.rungs[r].functionals[c].below.quantile(level));
        }
        EXPECT_EQ(read->rungs[r].disagreement.quantile(level), made.rungs[r].disagreement.quantile(level));
        EXPECT_EQ(read->rungs[r].reading_scale, made.rungs[r].reading_scale);
      }
    const float place[] = {0.3f, 0.8f};
    float a[2], b[2];
    made.scale.evaluate(place, 1, a);
    read->scale.evaluate(place, 1, b);
    EXPECT_EQ(a[0], b[0]);
    EXPECT_EQ(a[1], b[1]);
    std::vector<float> z(9, 0.4f);
    EXPECT_FLOAT_EQ(float(read->distance.factor(z.data())), float(made.distance.factor(z.data())));
    EXPECT_EQ(read->instants.usual, made.instants.usual);
    EXPECT_EQ(read->instants.calibrated, made.instants.calibrated);
    EXPECT_EQ(read->instants.group, made.instants.group);
    EXPECT_EQ(read->instants.consistency, made.instants.consistency);
  }
}

TEST(Calibration, DamagedBlocksAreRefused) {
  RandomCalibration random;
  random.with_instants = true;
  const auto description = description_for(random);
  const auto sound = to_block(random.make());
  EXPECT_EQ(refusal(sound, description), "accepted");

  const auto with_config = [&](const char* key, const json& value) {
    auto block = sound;
    auto config = json::parse(block.config);
    config[key] = value;
    block.config = config.dump();
    return refusal(block, description);
  };
  EXPECT_THAT(with_config("groups", 0), AllOf(HasSubstr("m.safetensors"), HasSubstr("groups")));
  EXPECT_THAT(with_config("groups", "many"), HasSubstr("groups"));
  EXPECT_THAT(with_config("sensors", 6), HasSubstr("6 sensors"));
  EXPECT_THAT(with_config("cases", json::array({-1})), HasSubstr("case"));
  EXPECT_THAT(with_config("rungs", json::array()), HasSubstr("silent"));
  EXPECT_THAT(with_config("functionals", 3), HasSubstr("functionals"));
  auto no_json = sound;
  no_json.config = "{";
  EXPECT_THAT(refusal(no_json, description), HasSubstr("m.safetensors"));

  for (const char* name : {"silent0.pointwise.1.above", "silent2.disagreement", "silent1.reading_scale", "log_scales",
                           "training_readings", "usual_readings", "calibrated_instants"}) {
    auto missing = sound;
    missing.tensors.erase(name);
    EXPECT_THAT(refusal(missing, description), HasSubstr(name));
  }
  const auto with_tensor = [&](const char* name, std::vector<std::int64_t> shape, std::vector<float> values) {
    auto block = sound;
    block.tensors[name] = io::Array::from<float>(std::move(shape), values);
    return refusal(block, description);
  };
  const char* table = "silent0.simultaneous.0.size";
  EXPECT_THAT(with_tensor(table, {2, 2}, {0.5f, 1, 3, 2}), HasSubstr(table));     // scores fall
  EXPECT_THAT(with_tensor(table, {2, 2}, {0.5f, 0.9f, 2, 3}), HasSubstr(table));  // levels end before 1
  EXPECT_THAT(with_tensor(table, {2, 2}, {0.5f, 1.5f, 2, 3}), HasSubstr(table));
  EXPECT_THAT(with_tensor(table, {1, 2}, {0.5f, 1}), HasSubstr(table));
  EXPECT_THAT(with_tensor(table, {2, 1}, {1, std::nanf("")}), HasSubstr(table));
  const char* holds = "silent0.simultaneous.0.size.holds";
  EXPECT_THAT(with_tensor(holds, {1, 3}, {0, 0.5f, 1}), HasSubstr(holds));
  EXPECT_THAT(with_tensor(holds, {1, 41}, std::vector<float>(41, 0.5f)), HasSubstr(holds));
  EXPECT_THAT(with_tensor("silent0.reading_scale", {1, 9}, std::vector<float>(9, -1)), HasSubstr("positive"));
  std::vector<float> instants(2 * 78, 1);
  for (int i = 0; i < 78; ++i) instants[i] = float(i / 2);
  const auto with_instant = [&](int i, float value) {
    auto changed = instants;
    changed[i] = value;
    return with_tensor("calibrated_instants", {2, 78}, changed);
  };
  EXPECT_EQ(with_instant(0, 0), "accepted");
  for (const auto& text :
       {with_instant(7, 9), with_instant(7, -1), with_instant(77, 37), with_instant(77, 1e20f), with_instant(80, -1)})
    EXPECT_THAT(text, HasSubstr("do not fit its 39 groups"));
  EXPECT_THAT(with_tensor("usual_readings", {1, 9}, std::vector<float>(9, std::nanf(""))), HasSubstr("finite"));
  EXPECT_THAT(with_tensor("places", {2, 2}, {0, 0, 1, 1}), HasSubstr("2 places"));
}

TEST(Calibration, ClassesOfPlacesAndTheLayerSurviveTheModelFile) {
  RandomCalibration random;
  random.classes = 3;
  random.layer_width = 12;
  const auto made = random.make();
  const auto block = to_block(made);
  const auto description = description_for(random);
  const auto read = calibration_from_block(block, description, "m.safetensors");
  ASSERT_EQ(read->classes.count(), 3);
  EXPECT_EQ(read->classes.meaning(), "here and there");
  EXPECT_EQ(read->classes.classes(), made.classes.classes());
  EXPECT_EQ(read->classes.places(), made.classes.places());
  EXPECT_TRUE(read->knows_average());
  EXPECT_EQ(read->layer.directions, made.layer.directions);
  for (std::size_t r = 0; r < made.rungs.size(); ++r)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t c = 0; c < 2; ++c)
        for (auto promise : {Promise::at_least, Promise::on_average})
          EXPECT_EQ(read->rungs[r].by_class[k][c].size.quantile(0.9, promise),
                    made.rungs[r].by_class[k][c].size.quantile(0.9, promise));

  const auto without = [&](const char* name) {
    auto changed = block;
    changed.tensors.erase(name);
    return refusal(changed, description);
  };
  for (const char* name : {"class_places", "place_classes", "silent1.class2.0.above"})
    EXPECT_THAT(without(name), HasSubstr(name));
  const auto with_classes = [&](float first, float others) {
    auto changed = block;
    std::vector<float> numbers(200, others);
    numbers[0] = first;
    changed.tensors["place_classes"] = io::Array::from<float>({1, 200}, numbers);
    return refusal(changed, description);
  };
  EXPECT_EQ(with_classes(2, 0), "accepted");
  for (float wrong : {3.0f, -1.0f, 0.5f, 1e20f}) EXPECT_THAT(with_classes(wrong, 0), HasSubstr("below 3"));
  EXPECT_THAT(with_classes(1, 0), HasSubstr("fewer classes"));
}

TEST(Calibration, ClassesByAFeatureSurviveTheModelFile) {
  RandomCalibration random;
  random.classes = 3;
  random.features = 2;
  const auto made = random.make();
  const auto block = to_block(made);
  const auto description = description_for(random);
  EXPECT_EQ(calibration_from_block(block, description, "m.safetensors")->classes.near_wall(), made.classes.near_wall());

  const auto with = [&](const char* name, const std::vector<float>& values) {
    auto changed = block;
    changed.tensors[name] = io::Array::from<float>({1, std::ssize(values)}, values);
    return refusal(changed, description);
  };
  EXPECT_EQ(with("class_edges", {0, 1}), "accepted");
  EXPECT_THAT(with("class_edges", {1, 1}), HasSubstr("must rise"));
  EXPECT_THAT(with("class_edges", {0, std::nanf("")}), HasSubstr("finite"));
  EXPECT_THAT(with("class_edges", {0, 1, 2}), HasSubstr("class_edges"));
  for (float wrong : {3.0f, -1.0f, 0.5f}) EXPECT_THAT(with("edge_classes", {0, wrong}), HasSubstr("below 3"));
  auto other = block;
  auto config = json::parse(block.config);
  config["classes"]["feature"] = 2;
  other.config = config.dump();
  EXPECT_THAT(refusal(other, description), HasSubstr("feature"));
  random.features = 0;
  EXPECT_THAT(refusal(block, description_for(random)), HasSubstr("the model has no features"));
}

class BandTest : public testing::Test {
 protected:
  BandTest() : description_(description_for(random_)) {}
  Band band(const BandRequest& request) const {
    return {std::make_shared<Calibration>(random_.make()), {description_.sensors, description_.normalization}, request};
  }
  RandomCalibration random_;
  model::Description description_;
  static constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
};

TEST_F(BandTest, IsWhatTheTablesSay) {
  const auto made = random_.make();
  auto b = band({.level = 0.8});
  std::vector<float> readings(10, 0.5f);
  b.observe(readings.data());
  const float field[] = {1, 2, 3, 4}, local[] = {1, 1, 2, 2};
  float lower[4], upper[4], scale[4];
  b.edges(field, {local, nullptr}, 2, lower, upper, scale);
  const double factor = b.factor();
  EXPECT_GT(factor, 1);
  for (int i = 0; i < 4; ++i) {
    const double q = made.rungs[0].pointwise[i % 2].size.quantile(0.8);
    EXPECT_FLOAT_EQ(lower[i], float(field[i] - q * factor * local[i]));
    EXPECT_FLOAT_EQ(upper[i], float(field[i] + q * factor * local[i]));
    EXPECT_FLOAT_EQ(scale[i], float(factor * local[i]));
  }
  const auto drag = b.interval(0, 10);
  EXPECT_DOUBLE_EQ(drag.upper - 10, 10 - drag.lower);
  EXPECT_DOUBLE_EQ(drag.upper, 10 + factor * made.rungs[0].functionals[0].size.quantile(0.8));
}

TEST_F(BandTest, HasAThresholdOfItsOwnInEachClassOfPlaces) {
  random_.classes = 3;
  const auto made = random_.make();
  auto b = band({.level = 0.8}), everywhere = band({.level = 0.8, .simultaneous = true});
  const std::vector<float> readings(10, 0.5f);
  b.observe(readings.data());
  everywhere.observe(readings.data());
  const float field[] = {0, 0, 0, 0}, local[] = {1, 1, 1, 1};
  const PlaceClasses::Class classes[] = {2, 1};
  float upper[4];
  b.edges(field, {local, classes}, 2, nullptr, upper, nullptr);
  for (int i = 0; i < 4; ++i)
    EXPECT_FLOAT_EQ(upper[i], float(b.factor() * made.rungs[0].by_class[classes[i / 2]][i % 2].size.quantile(0.8)));
  EXPECT_NE(upper[0], upper[2]);
  EXPECT_THAT(guarantee(made, {.level = 0.8}), HasSubstr("any one of 3 classes of places (here and there)"));
  // A whole field is inside everywhere or not: it has no classes.
  everywhere.edges(field, {local, classes}, 2, nullptr, upper, nullptr);
  EXPECT_EQ(upper[0], upper[2]);
  EXPECT_THAT(guarantee(made, {.simultaneous = true}), Not(HasSubstr("classes")));
}

TEST_F(BandTest, WidensWhenSensorsFallSilentAndEndsWithHalfOfThem) {
  auto b = band({.level = 0.9});
  std::vector<float> readings(10, 0.5f);
  const float field[] = {0, 0}, local[] = {1, 1};
  double last = 0;
  for (int silent = 0; silent <= 3; ++silent) {
    if (silent > 0) readings[2 * silent] = kNone;
    b.observe(readings.data());
    EXPECT_EQ(b.silent(), silent);
    float lower[2], upper[2];
    b.edges(field, {local, nullptr}, 1, lower, upper, nullptr);
    if (silent == 3) {
      EXPECT_FALSE(b.is_known());
      EXPECT_EQ(upper[0], std::numeric_limits<float>::infinity());
      EXPECT_EQ(lower[1], -std::numeric_limits<float>::infinity());
    } else {
      EXPECT_GT(upper[0] / b.factor(), last);
      last = upper[0] / b.factor();
    }
  }
  // What a sensor does not measure is not missing.
  std::vector<float> all(10, 0.5f);
  all[9] = kNone;
  b.observe(all.data());
  EXPECT_EQ(b.silent(), 0);
}

TEST_F(BandTest, LevelsThatCannotBePromisedAreRefused) {
  EXPECT_NO_THROW(band({.level = 0.975}));
  for (double level : {0.0, 1.0, -0.5, 0.98, 0.999, double(kNone)})
    EXPECT_THROW(band({.level = level}), Error) << level;
  try {
    band({.level = 0.99});
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("99 cases"), HasSubstr("39"), HasSubstr("0.975")));
  }
}

TEST_F(BandTest, HoldsOnAverageWhatIsAskedForIfTheFileKnows) {
  const auto made = random_.make();
  auto at_least = band({.level = 0.9}), on_average = band({.level = 0.9, .promise = Promise::on_average});
  std::vector<float> readings(10, 0.5f);
  const float field[] = {0, 0}, local[] = {1, 1};
  float wide[2], narrow[2];
  at_least.observe(readings.data());
  at_least.edges(field, {local, nullptr}, 1, nullptr, wide, nullptr);
  on_average.observe(readings.data());
  on_average.edges(field, {local, nullptr}, 1, nullptr, narrow, nullptr);
  EXPECT_LT(narrow[0], wide[0]);
  EXPECT_FLOAT_EQ(narrow[0],
                  float(on_average.factor() * made.rungs[0].pointwise[0].size.quantile(0.9, Promise::on_average)));
  // A file of an older version.
  auto block = to_block(made);
  std::erase_if(block.tensors, [](const auto& t) { return t.first.ends_with(".holds"); });
  const auto old = calibration_from_block(block, description_, "m.safetensors");
  EXPECT_FALSE(old->knows_average());
  const InstantReadings own(description_.sensors, description_.normalization);
  EXPECT_NO_THROW(Band(old, own, {.level = 0.9}));
  EXPECT_THROW(Band(old, own, {.level = 0.9, .promise = Promise::on_average}), Error);
}

TEST(CalibrationText, NamesDataGroupsLevelsScaleAndIntervals) {
  RandomCalibration random;
  auto made = random.make();
  EXPECT_THAT(describe(&made), AllOf(HasSubstr("flow.h5 (39 cases), every second case"), HasSubstr("up to 97.50 %"),
                                     HasSubstr("0, 1, 2 of 5 sensors"), HasSubstr("by place, known at 300 points"),
                                     HasSubstr("12 training cases"), HasSubstr("drag"), HasSubstr("tail in m/s")));
  random.by_place = random.by_distance = false;
  random.classes = 3;
  made = random.make();
  made.block = 9;
  EXPECT_THAT(describe(&made), HasSubstr("3 classes: here and there"));
  EXPECT_THAT(describe(&made), AllOf(HasSubstr("39 blocks of 9 frames in a row"), HasSubstr("the same everywhere")));
  EXPECT_THAT(describe(nullptr), HasSubstr("fluidsplat calibrate"));
  // 39 blocks cannot promise one false alarm in a hundred, and say what they can.
  EXPECT_THAT(describe(&made), HasSubstr("a sound one is taken out in 2.5 % of instants"));
  EXPECT_DOUBLE_EQ(achievable_false_alarms(made, 0.01), 0.025);
  EXPECT_DOUBLE_EQ(achievable_false_alarms(made, 0.05), 0.05);
  EXPECT_THAT(describe_false_alarms(made, 0.01), HasSubstr("39 blocks of 9 frames in a row can promise no less"));
  EXPECT_THAT(describe_false_alarms(made, 0.05), AllOf(HasSubstr("5 %"), Not(HasSubstr("no less"))));
}

TEST_F(BandTest, SaysWhatHolds) {
  const auto made = random_.make();
  EXPECT_THAT(guarantee(made, {.level = 0.9}), AllOf(HasSubstr("90 %"), HasSubstr("mesh point drawn at random"),
                                                     HasSubstr("39 cases"), HasSubstr("up to 2 of 5")));
  EXPECT_THAT(guarantee(made, {.level = 0.95, .simultaneous = true, .side = Side::upper}),
              AllOf(HasSubstr("95 %"), HasSubstr("everywhere at once"), HasSubstr("below the upper edge")));
  EXPECT_THAT(guarantee(made, {.level = 0.9}), HasSubstr("or more"));
  EXPECT_THAT(guarantee(made, {.promise = Promise::on_average}), HasSubstr("on average over calibrations"));
}

}  // namespace
}  // namespace fluidsplat::uncertainty
