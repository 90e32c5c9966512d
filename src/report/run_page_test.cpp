// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/run_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "field/error_text.h"
#include "field/sensor_placement.h"
#include "reconstruct/answer.h"
#include "report/sample_run.h"
#include "uncertainty/calibration_fixture.h"

namespace fluidsplat::report {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string page_of(SampleRun& run) {
  return read_file(write_run_page(*run.model, *run.dataset, {run.folder.path(), run.folder / "page", "A run"}));
}

// What is said when a file of the run holds this text instead.
std::string complaint(SampleRun& run, const char* name, const std::string& text) {
  const auto before = read_file(run.folder / name);
  write_file(run.folder / name, text);
  std::string said;
  try {
    page_of(run);
  } catch (const Error& e) {
    said = e.what();
  }
  write_file(run.folder / name, before);
  return said;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(RunPage, ShowsTheMedianTheWorstAndTheBestCaseAndTheNumbers) {
  SampleRun run;
  const auto html = page_of(run);
  EXPECT_TRUE(std::filesystem::exists(run.folder / "page/index.html"));
  EXPECT_THAT(html, AllOf(HasSubstr("Median case: number 1,"), HasSubstr("Worst case: number 3,"),
                          HasSubstr("Best case: number 2,")));
  EXPECT_THAT(html,
              AllOf(HasSubstr("<td>relative L2 error, mean over unseen cases</td><td>0.3000</td>"),
                    HasSubstr("<td>of u alone</td><td>0.3000</td></tr>\n<tr><td>of v alone</td><td>0.6000</td>"),
                    HasSubstr("<td>worst</td><td>0.5000 (case 3)</td>"), HasSubstr("<td>primitives</td><td>9</td>"),
                    HasSubstr("<td>training steps</td><td>20</td>"), HasSubstr("trained on 1 of 6 cases")));
  EXPECT_THAT(html, AllOf(HasSubstr("A sample flow"), HasSubstr("the 9 primitives"), HasSubstr("out = 'sample'")));
}

// Cases that calibrated do not judge; of those left, points inside the band are counted.
TEST(RunPage, OfACalibratedModelShowsHowWrongItMayBe) {
  SampleRun run;
  uncertainty::RandomCalibration random;
  random.by_place = random.by_distance = false;
  auto made = std::make_shared<uncertainty::Calibration>(random.make());
  made->cases = {2, 4};
  made->functionals = {{"tail", "m/s", R"({"kind": "probe", "channel": "u", "place": [0.78, -0.06]})"}};
  for (auto& rung : made->rungs) rung.functionals.resize(1);
  const auto html =
      read_file(write_run_page(*run.model, *run.dataset, {run.folder.path(), run.folder / "page", "A run", made}));
  EXPECT_THAT(html, AllOf(HasSubstr("How wrong it may be"), HasSubstr("90 % or more"), HasSubstr("Reliability"),
                          HasSubstr("of 3 cases that neither trained nor calibrated"),
                          HasSubstr("Width against error, v"), HasSubstr("width of the 90 % band"),
                          HasSubstr("tail: reconstruction with its 90 % interval"), HasSubstr("of 3 cases")));
  EXPECT_THAT(page_of(run), Not(HasSubstr("How wrong it may be")));
}

// Numbers, pictures and units of a case are the data's, whatever the model works in.
TEST(RunPage, OfAModelInUnitsOfTheFreeStreamIsInThoseOfTheData) {
  SampleRun run(SampleRun::Units::free_stream);
  const auto worst = run.dataset->load(3);
  const auto readings = field::SensorPlacement(run.model->sensors(), *run.dataset).read(worst, 3);
  const auto said = reconstruct::answer(*run.model, readings, {}, worst, run.dataset->schema(), worst.mesh);
  const auto heading = fmt::format("Worst case: number 3, relative L2 error {}",
                                   field::error_text(field::compare(said, worst.fields).relative_l2));
  uncertainty::RandomCalibration random;
  random.by_place = random.by_distance = false;
  auto made = std::make_shared<uncertainty::Calibration>(random.make());
  made->cases = {2, 4};
  made->functionals.clear();
  for (auto& rung : made->rungs) rung.functionals.clear();
  const auto html =
      read_file(write_run_page(*run.model, *run.dataset, {run.folder.path(), run.folder / "page", "A run", made}));
  EXPECT_THAT(html, AllOf(HasSubstr(heading), HasSubstr("u (m/s)"), HasSubstr("v (m2/s2)"),
                          HasSubstr("half the band's width (U^2)")));
}

TEST(RunPage, OneCaseIsShownOnce) {
  SampleRun run;
  write_file(run.folder / "cases.csv", field::cases_csv({SampleRun::results().front()}, run.model->schema(), {}));
  EXPECT_THAT(page_of(run),
              AllOf(HasSubstr("Median case: number 1,"), Not(HasSubstr("Worst case")), Not(HasSubstr("Best case"))));
}

TEST(RunPage, SaysWhereTheCasesAreDamagedAndWhatMendsIt) {
  SampleRun run;
  const auto good = read_file(run.folder / "cases.csv"), file = (run.folder / "cases.csv").string();
  const std::string header = good.substr(0, good.find('\n') + 1);
  const auto expect = [&](const std::string& text, const std::vector<std::string>& parts) {
    const auto said = complaint(run, "cases.csv", text);
    EXPECT_THAT(said, AllOf(HasSubstr(file), HasSubstr("run \"fluidsplat eval\" again"))) << text;
    for (const auto& part : parts) EXPECT_THAT(said, HasSubstr(part)) << text;
  };
  for (const char* cell : {"0.2x", "x", "", "nan", "inf", "1e999"})
    expect(replaced(good, "\n2,,2,0.1,", fmt::format("\n2,,2,{},", cell)),
           {"row 2", "column \"relative_l2\"", fmt::format("\"{}\"", cell)});
  expect(replaced(good, "\n4,", "\n4.5,"), {"row 4", "column \"case\"", "4.5"});
  expect(replaced(good, "\n4,", "\n6,"), {"row 4", "column \"case\"", "cases 0 to 5"});
  expect(replaced(good, "\n4,", "\n-1,"), {"row 4", "column \"case\""});
  expect(replaced(good, "l2_v", "l2_q"), {"has no column \"l2_v\""});
  expect(replaced(good, "sensor_consistency", "consistency"), {"has no column \"sensor_consistency\""});
  expect(header, {"has no cases"});
  expect(header + "1,,1,0.3\n", {":2:"});
}

TEST(RunPage, NeedsATrainingLog) {
  SampleRun run;
  EXPECT_THAT(complaint(run, "log.csv", "step,seconds,loss,validation\n"),
              AllOf(HasSubstr("log.csv"), HasSubstr("has no steps"), HasSubstr("fluidsplat train")));
}

}  // namespace
}  // namespace fluidsplat::report
