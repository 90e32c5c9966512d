// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Judging a model on its own data, on other data, and with worse sensors.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class EvaluationTest : public WaveTest {
 protected:
  void SetUp() override {
    WaveTest::SetUp();
    const auto trained = fluidsplat({"train", "wave.toml"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    said_ = trained.out;
  }
  // The wave with other amplitudes, on a grid that is moved along x.
  void write_other(float amplitude, float shift) {
    const field::DatasetFile wave(folder_ / "wave.h5");
    auto mesh = std::make_shared<field::Mesh>(*wave.mesh(0));
    mesh->points.col(0).array() += shift;
    field::DatasetWriter writer(folder_ / "other.h5", wave.schema());
    for (Index k = 0; k < 7; ++k) {
      auto c = wave.load(k);
      c.mesh = mesh;
      c.fields *= amplitude;
      writer.add(c);
    }
    writer.commit();
  }
  nlohmann::json metrics(const std::string& folder) {
    return nlohmann::json::parse(contents((folder + "/metrics.json").c_str()));
  }

  std::string said_;
};

TEST_F(EvaluationTest, OtherDataGoElsewhereAndSayWhatTheyAre) {
  const auto own = contents("run/metrics.json"), cases = contents("run/cases.csv");
  write_other(1, 0);
  const auto outcome = fluidsplat({"eval", "run", "--data", "other.h5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(contents("run/metrics.json"), own);
  EXPECT_EQ(contents("run/cases.csv"), cases);
  EXPECT_THAT(outcome.out, HasSubstr("run/eval-all-other: cases.csv, metrics.json"));
  const auto other = metrics("run/eval-all-other");
  EXPECT_EQ(other["cases"], 7) << "the run's split says nothing of other data";
  EXPECT_EQ(other["provenance"]["data"], "other.h5");
  EXPECT_FALSE(other["provenance"].contains("split"));
  EXPECT_EQ(outcome.err, "") << "these are like those of training";
  EXPECT_THAT(fluidsplat({"eval", "run", "--data", "other.h5", "--cases", "test"}).err, HasSubstr("--split"));
  fs::copy_file(folder_ / "wave.h5", folder_ / "copy.h5");
  ASSERT_EQ(fluidsplat({"eval", "run", "--data", "copy.h5"}).exit_code, 0);
  EXPECT_EQ(metrics("run")["provenance"]["data"], "copy.h5") << "the same data under another name";
}

TEST_F(EvaluationTest, DataBeyondTrainingAreWarnedOf) {
  write_other(50, 1);
  const auto outcome = fluidsplat({"eval", "run", "--data", "other.h5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("warning: other.h5: 8.3 % of the points lie outside the domain"),
                    HasSubstr("of 7 cases the readings are unlike those of training"), HasSubstr("far outside")));
}

TEST_F(EvaluationTest, OtherSensorsAreJudgedApart) {
  const auto own = contents("run/metrics.json");
  write_file(folder_ / "s.csv", "name,x,y\na,1,1\nb,6,4\nc,9,6\nd,3,5\n");
  const auto outcome = fluidsplat({"eval", "run", "--data", "wave.h5", "--sensors", "s.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(contents("run/metrics.json"), own);
  const auto other = metrics("run/eval-test-s");
  EXPECT_EQ(other["provenance"]["sensors"], "s.csv");
  EXPECT_NE(other["relative_l2"], metrics("run")["relative_l2"]);
}

TEST_F(EvaluationTest, SensorsThatHaveNoPlaceInTheDataAreRefused) {
  write_other(1, 40);
  EXPECT_THAT(fluidsplat({"eval", "run", "--data", "other.h5"}).err, HasSubstr("fluidsplat: other.h5: sensor 1 "));
  write_file(folder_ / "s.csv", "name,x,y\na,1,1\nfar,50,1\n");
  EXPECT_THAT(fluidsplat({"eval", "run", "--data", "wave.h5", "--sensors", "s.csv"}).err,
              HasSubstr("fluidsplat: s.csv: sensor 2 \"far\" at (50, 1) is outside the domain"));
  EXPECT_FALSE(fs::exists(folder_ / "run/eval-test-s"));
}

TEST_F(EvaluationTest, NoiseAndDeadSensorsGoToAFolderOfTheirOwn) {
  const auto own = contents("run/metrics.json");
  ASSERT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--noise", "0.5", "--dead", "1"}).exit_code, 0);
  EXPECT_EQ(contents("run/metrics.json"), own);
  const auto worse = metrics("run/eval-test-noise-0.5-dead-1");
  EXPECT_NE(worse["relative_l2"], metrics("run")["relative_l2"]);
  EXPECT_EQ(worse["provenance"]["sensors"], "as in training, with noise 0.5, 1 of them silent");
  ASSERT_EQ(
      fluidsplat({"eval", "run", "--data", "wave.h5", "--noise", "0.5", "--dead", "1", "--out", "again"}).exit_code, 0);
  EXPECT_EQ(metrics("again")["relative_l2"], worse["relative_l2"]) << "the same draw";
  EXPECT_EQ(fluidsplat({"eval", "run", "--data", "wave.h5", "--dead", "3"}).exit_code, 1) << "none is left";
}

// Processes that share the cases leave, together, the numbers of one to the last digit.
TEST_F(EvaluationTest, ShardsJoinToOneEvaluation) {
  const auto numbers = [&](const char* file) {
    const auto text = contents(file);
    return text.substr(text.find("\ncase") + 1);  // without the lines that tell the command and the time
  };
  const std::vector<std::string> eval = {"eval", "run", "--data", "wave.h5", "--cases", "all", "--out"};
  const auto judge = [&](const std::string& out, const std::string& shard) {
    auto arguments = eval;
    arguments.insert(arguments.end(), {out, "--shard", shard});
    return fluidsplat(arguments);
  };
  ASSERT_EQ(judge("whole", "1/1").exit_code, 0);
  EXPECT_THAT(judge("parts", "2/3").out, HasSubstr("part 2 of 3 is done"));
  EXPECT_THAT(judge("parts", "1/3").out, HasSubstr("part 1 of 3 is done"));
  EXPECT_FALSE(fs::exists(folder_ / "parts/cases.csv"));
  const auto last = judge("parts", "3/3");
  EXPECT_THAT(last.out, HasSubstr("cases.csv, metrics.json"));
  EXPECT_EQ(numbers("parts/cases.csv"), numbers("whole/cases.csv"));
  auto whole = metrics("whole"), parts = metrics("parts");
  whole.erase("provenance");
  parts.erase("provenance");
  EXPECT_EQ(parts, whole);
  EXPECT_EQ(files("parts").size(), 2u) << "parts are left";
  EXPECT_EQ(judge("parts", "4/3").exit_code, 1);
}

TEST_F(EvaluationTest, TheMeanFieldStandsBesideTheHeadline) {
  EXPECT_THAT(said_, AllOf(HasSubstr("the mean field alone errs by "), HasSubstr("no better than the mean field")))
      << "sixty steps teach it nothing, and it says so";
  const auto m = metrics("run");
  const double mean = m["mean_field"]["relative_l2"], own = m["relative_l2"],
               deviation = m["deviation_from_mean"]["relative_l2"];
  EXPECT_GT(mean, 0.5) << "a wave without a mean";
  EXPECT_NEAR(own / mean, deviation, 0.2 * deviation);
}

// Two channels, of which one has a large mean that hides what is missing.
TEST_F(EvaluationTest, AWeakChannelIsNamed) {
  const field::DatasetFile wave(folder_ / "wave.h5");
  auto schema = wave.schema();
  schema.channels.push_back({"v", ""});
  field::DatasetWriter writer(folder_ / "two.h5", schema);
  for (Index k = 0; k < wave.size(); ++k) {
    auto c = wave.load(k);
    c.fields.conservativeResize(Eigen::NoChange, 2);
    c.fields.col(1) = 100.0f + c.fields.col(0).array();
    writer.add(c);
  }
  writer.commit();
  const auto trained = fluidsplat({"train", "wave.toml", "data.file=two.h5", "out=two", "train.steps=5"});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_THAT(trained.out, AllOf(HasSubstr("  w            relative L2 "), HasSubstr("  v            relative L2 0.00"),
                                 HasSubstr("of the deviation from the mean field "), Not(HasSubstr(" \n"))));
  EXPECT_GT(metrics("two")["deviation_from_mean"]["channels"][1]["relative_l2"], 0.3) << "0.00 hid this";
}

}  // namespace
}  // namespace fluidsplat::tests
