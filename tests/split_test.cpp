// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cases a run trains on and which judge it, as the config asks.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/index.h"
#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::SizeIs;
using Cases = std::vector<Index>;

// Waves at the Reynolds numbers 100, 110, ... 210, whose times run backwards.
class SplitTest : public WaveTest {
 protected:
  void SetUp() override {
    WaveTest::SetUp();
    const field::DatasetFile wave(folder_ / "wave.h5");
    auto schema = wave.schema();
    schema.descriptors = {{"Re", ""}};
    field::DatasetWriter writer(folder_ / "flows.h5", schema, "Flows");
    for (Index i = 0; i < kFlows; ++i) {
      auto c = wave.load(i);
      c.time = double(kFlows - i);
      c.descriptors = Eigen::VectorXf::Constant(1, 100 + 10 * float(i));
      writer.add(c);
    }
    writer.commit();
  }
  Outcome train(const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = {"train",
                                          "wave.toml",
                                          "data.file=flows.h5",
                                          "data.train_cases=6",
                                          "data.validation_cases=2",
                                          "train.steps=10",
                                          "train.validate_every=5"};
    arguments.insert(arguments.end(), settings.begin(), settings.end());
    return fluidsplat(arguments);
  }
  nlohmann::json split() { return nlohmann::json::parse(contents("run/split.json")); }
  nlohmann::json metrics() { return nlohmann::json::parse(contents("run/metrics.json")); }

  static constexpr Index kFlows = 12;
};

TEST_F(SplitTest, BlocksKeepTimeTogether) {
  const auto outcome = train({"data.split=blocks"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(split().at("train").get<Cases>(), ElementsAre(11, 10, 9, 8, 7, 6));
  EXPECT_THAT(split().at("validation").get<Cases>(), ElementsAre(5, 4));
  EXPECT_THAT(split().at("test").get<Cases>(), ElementsAre(3, 2, 1, 0));
  EXPECT_EQ(metrics().at("cases"), 4);
  const auto too_many = train({"data.split=blocks", "data.train_cases=10", "out=other"});
  EXPECT_EQ(too_many.exit_code, 1);
  EXPECT_THAT(too_many.err, HasSubstr("leave none of the 12 cases"));
}

TEST_F(SplitTest, AConditionOnDescriptorsHoldsCasesOut) {
  const auto outcome = train({"data.held_out=Re > 150"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(split().at("test").get<Cases>(), ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THAT(split().at("train").get<Cases>(), AllOf(SizeIs(4), Each(Lt(6))));
  EXPECT_THAT(split().at("validation").get<Cases>(), AllOf(SizeIs(2), Each(Lt(6))));
  EXPECT_EQ(metrics().at("cases"), 6);
}

TEST_F(SplitTest, TheConditionMayStandInTheConfig) {
  auto text = contents("wave.toml");
  text.replace(text.find("train_cases"), 0, "held_out = \"Re > 150 and time < 4\"\n");
  write_file(folder_ / "wave.toml", text);
  const auto outcome = train({});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(split().at("test").get<Cases>(), ElementsAre(9, 10, 11));
  const auto unknown = train({"data.held_out=Reynolds > 150", "out=other"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("has no descriptor \"Reynolds\""), HasSubstr("Re")));
}

}  // namespace
}  // namespace fluidsplat::tests
