// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// A model that is calibrated, and what every command says then.
#include <gmock/gmock.h>

#include "tests/wave_fixture.h"

namespace fluidsplat::tests {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class TrustTest : public WaveTest {
 protected:
  void SetUp() override {
    WaveTest::SetUp();
    const auto trained = fluidsplat({"train", "wave.toml"});
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
  }
  // Fewest cases: every frame counts for itself.
  Outcome calibrate() {
    return fluidsplat(
        {"calibrate", "run", "--data", "wave.h5", "--share", "0.7", "--block", "1", "--probe", "tail=w@6,4"});
  }
};

TEST_F(TrustTest, WithoutACalibrationEveryCommandNamesTheRemedy) {
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5"}).exit_code, 0);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"reconstruct", "run", "--readings", "readings.csv", "--level", "0.75"},
           {"reconstruct", "run", "--readings", "readings.csv", "--check-sensors", "mask"},
           {"eval", "run", "--data", "wave.h5", "--level", "0.75"},
           {"faults", "run", "--data", "wave.h5"}}) {
    const auto outcome = fluidsplat(words);
    EXPECT_NE(outcome.exit_code, 0) << words[0];
    EXPECT_THAT(outcome.err, HasSubstr("fluidsplat calibrate")) << words[0];
  }
}

TEST_F(TrustTest, IntervalsAreJudgedByWhatDidNotCalibrate) {
  const auto calibrated = calibrate();
  ASSERT_EQ(calibrated.exit_code, 0) << calibrated.err;
  EXPECT_THAT(calibrated.out, HasSubstr("calibrated on 4 of 6 cases"));
  EXPECT_THAT(fluidsplat({"inspect", "run"}).out, HasSubstr("calibration: on wave.h5"));
  const auto own = fluidsplat({"eval", "run", "--data", "wave.h5", "--level", "0.75"});
  ASSERT_EQ(own.exit_code, 0) << own.err;
  EXPECT_THAT(own.out, AllOf(HasSubstr("tail (1/s): interval of 75 %"), HasSubstr("of 6 cases")));
  // Cases of other data have the numbers of those that calibrated, and nothing else in common with them.
  field::DatasetWriter writer(folder_ / "other.h5", field::DatasetFile(folder_ / "wave.h5").schema());
  for (Index k = 0; k < 20; ++k) {
    auto c = field::DatasetFile(folder_ / "wave.h5").load(k);
    c.fields *= 1.01f;
    writer.add(c);
  }
  writer.commit();
  const auto other = fluidsplat({"eval", "run", "--data", "other.h5", "--level", "0.75"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("of 20 cases"));
  const auto page = fluidsplat({"report", "run", "--data", "wave.h5"});
  ASSERT_EQ(page.exit_code, 0) << page.err;
  EXPECT_THAT(contents("run/report/index.html"),
              AllOf(HasSubstr("How wrong it may be"), HasSubstr("Reliability"), HasSubstr("Width against error"),
                    HasSubstr("width of the"), HasSubstr("Calibrated numbers with their intervals")));
}

TEST_F(TrustTest, ALyingSensorIsNamedIgnoredOrRefused) {
  ASSERT_EQ(calibrate().exit_code, 0);
  ASSERT_EQ(fluidsplat({"readings", "run", "--data", "wave.h5"}).exit_code, 0);
  // The first number of the last row.
  auto table = contents("readings.csv");
  const auto row = table.rfind('\n', table.size() - 2) + 1, first = table.find(',', row) + 1;
  table.replace(first, table.find(',', first) - first, "50");
  write_file(folder_ / "wild.csv", table);
  const auto ask = [&](const std::string& policy) {
    return fluidsplat({"reconstruct", "run", "--readings", "wild.csv", "--level", "0.75", "--check-sensors", policy,
                       "--out", policy});
  };
  const auto masked = ask("mask"), warned = ask("warn"), refused = ask("refuse");
  ASSERT_EQ(masked.exit_code, 0) << masked.err;
  ASSERT_EQ(warned.exit_code, 0) << warned.err;
  EXPECT_NE(refused.exit_code, 0);
  for (const auto* outcome : {&masked, &warned, &refused}) EXPECT_THAT(outcome->err, HasSubstr("out of range"));
  EXPECT_THAT(masked.err, HasSubstr("ignored there"));
  EXPECT_THAT(warned.err, HasSubstr("used all the same"));
  for (const std::string folder : {"mask", "warn"}) {
    EXPECT_THAT(contents((folder + "/sensors.csv").c_str()), HasSubstr("out of range"));
    EXPECT_THAT(contents((folder + "/guarantee.txt").c_str()), HasSubstr("With probability 75 %"));
    EXPECT_THAT(contents((folder + "/functionals.csv").c_str()), HasSubstr("tail,tail_lower,tail_upper"));
    EXPECT_THAT(contents((folder + "/report.html").c_str()), HasSubstr("out of range"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "refuse/guarantee.txt"));
  EXPECT_TRUE(contents("mask/field_0009.vti") != contents("warn/field_0009.vti"));
}

}  // namespace
}  // namespace fluidsplat::tests
