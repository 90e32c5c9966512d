// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/sheet.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "baselines/register.h"
#include "reproduce/claims.h"
#include "reproduce/front_page.h"
#include "reproduce/sample_results.h"
#include "reproduce/sheet_text.h"
#include "reproduce/table_files.h"

namespace fluidsplat::reproduce {
namespace {

using testing::HasSubstr;

const Table& table(const std::string& name) {
  for (const auto& t : error_tables())
    if (t.name == name) return t;
  throw std::logic_error("no such table");
}

const Subject kPaper{"cylinder", "surface-8", "paper"}, kRecipe{"cylinder", "surface-8", "recipe"},
    kFlronet{"cylinder", "surface-8", "flronet"}, kPod{"cylinder", "surface-8", "pod-linear-ridge"};
constexpr std::size_t kColumn = 2;  // Surface-8

Finished classical(const Subject& subject, double error, const std::string& data = "data") {
  auto run = sample_run(subject, 0, 0);
  run.is_classical = true;
  return sample_result(run, error, data);
}

class SheetTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { baselines::register_baselines(); }
  static const Entry& entry(const Sheet& sheet, const Subject& subject) {
    for (std::size_t r = 0; r < sheet.table->rows.size(); ++r)
      for (std::size_t c = 0; c < sheet.table->columns.size(); ++c)
        if (sheet.table->rows[r].cells[c].subject == subject) return sheet.entries[r][c];
    throw std::logic_error("no such entry");
  }
};

TEST_F(SheetTest, MeanAndDeviationAreOverSeeds) {
  const std::vector<Finished> runs = {sample_result(sample_run(kPaper, 0), 0.1),
                                      sample_result(sample_run(kPaper, 1), 0.2),
                                      sample_result(sample_run(kPaper, 2), 0.3)};
  const auto sheets = make_sheets(table("cylinder"), runs);
  ASSERT_EQ(sheets.size(), 1u);
  const auto& e = entry(sheets[0], kPaper);
  EXPECT_THAT(e.seeds, testing::ElementsAre(123, 124, 125));
  EXPECT_DOUBLE_EQ(e.mean, 0.2);
  EXPECT_NEAR(e.deviation, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(e.worst, 0.6);
  EXPECT_NEAR(e.quarter_dead, 1.4, 1e-12);
  EXPECT_FALSE(entry(sheets[0], kRecipe).has_numbers());
}

TEST_F(SheetTest, NothingIsCountedTwice) {
  const auto run = sample_result(sample_run(kPaper), 0.1);
  const auto sheets = make_sheets(table("cylinder"), {run, run});
  EXPECT_EQ(entry(sheets.at(0), kPaper).seeds.size(), 1u);
}

TEST_F(SheetTest, OtherDataTimesAndVersionsAreOtherSheets) {
  std::vector<Finished> runs = {
      sample_result(sample_run(kPaper, 0), 0.1), sample_result(sample_run(kPaper, 1), 0.2, "other"),
      sample_result(sample_run(kPaper, 2, 5), 0.3), sample_result(sample_run(kPaper, 3), 0.4)};
  runs.back().manifest.version = "another";
  const auto sheets = make_sheets(table("cylinder"), runs);
  ASSERT_EQ(sheets.size(), 4u);
  for (const auto& sheet : sheets) EXPECT_EQ(entry(sheet, kPaper).seeds.size(), 1u);
}

TEST_F(SheetTest, OtherSettingsAreLeftOutAndCounted) {
  auto other = sample_run(kPaper, 3);
  other.config.schedule.rate *= 2;
  const auto sheets =
      make_sheets(table("cylinder"), {sample_result(sample_run(kPaper, 0), 0.1),
                                      sample_result(sample_run(kPaper, 1), 0.2), sample_result(other, 0.9)});
  ASSERT_EQ(sheets.size(), 1u);
  EXPECT_THAT(entry(sheets[0], kPaper).errors, testing::ElementsAre(0.1, 0.2));
  EXPECT_EQ(sheets[0].left_out, 1);
  EXPECT_THAT(markdown_document(table("cylinder"), sheets), HasSubstr("1 run with other settings is left out"));
}

TEST_F(SheetTest, ClassicalMethodsGoWithEveryTimeButNotWithOtherData) {
  const auto sheets = make_sheets(
      table("cylinder"), {sample_result(sample_run(kPaper, 0, 1), 0.1), sample_result(sample_run(kPaper, 0, 5), 0.05),
                          classical(kPod, 0.3), sample_result(sample_run(kPaper), 0.2, "other")});
  ASSERT_EQ(sheets.size(), 3u);
  for (const auto& sheet : sheets) EXPECT_EQ(entry(sheet, kPod).has_numbers(), sheet.terms.data_hash == "data");
  EXPECT_EQ(make_sheets(table("cylinder"), {classical(kPod, 0.3)}).size(), 1u);
}

TEST_F(SheetTest, DocumentHasOursBesideThePapers) {
  const auto sheets = make_sheets(
      table("cylinder"),
      {sample_result(sample_run(kPaper, 0), 0.02), sample_result(sample_run(kPaper, 1), 0.04), classical(kPod, 0.3)});
  const auto text = markdown_document(table("cylinder"), sheets);
  EXPECT_THAT(text, HasSubstr("**0.0300 ± 0.0141 (2 seeds)** | 0.0358 ± 0.0073 |"));
  EXPECT_THAT(text, HasSubstr("| POD, linear ridge |  |  |  |  | 0.3000 |"));
  EXPECT_THAT(text, HasSubstr("hash data"));
  EXPECT_THAT(text, HasSubstr("--seeds 2 --budget 1 --threads 1 --cases 100"));
  EXPECT_THAT(text, HasSubstr("| Surface-8 | FluidSplat, the paper's form, the paper | 0.0479 | 0.0298 |"));
  const auto csv = csv_document(sheets);
  EXPECT_THAT(csv,
              HasSubstr("cylinder,\"FluidSplat, the paper's form\",\"Surface-8\",cylinder,surface-8,paper,124,0.04,"));
  EXPECT_THAT(csv, HasSubstr(",0.0358,0.0073\n"));
}

TEST_F(SheetTest, ClaimsSayWhoIsBetter) {
  const auto claims = [&](double paper, double flronet, double pod) {
    return fmt::format(
        "{}", fmt::join(claims_of(make_sheets(table("cylinder"),
                                              {sample_result(sample_run(kPaper), paper),
                                               sample_result(sample_run(kFlronet), flronet), classical(kPod, pod)})
                                      .at(0)),
                        "\n"));
  };
  EXPECT_THAT(claims(0.1, 0.2, 0.3), HasSubstr("in every column\": holds; the paper's form does in 1 of 1 columns."));
  EXPECT_THAT(claims(0.1, 0.05, 0.3),
              HasSubstr("does not hold; the paper's form does in 0 of 1 columns (not in Surface-8: FLRONet 0.0500"));
  EXPECT_THAT(claims(0.1, 0.2, 0.01), HasSubstr("Least of all: Surface-8: POD, linear ridge 0.0100"));
}

TEST_F(SheetTest, ClaimsOfTheSweepNameTheBestNumber) {
  std::vector<Finished> runs;
  const std::pair<const char*, double> full[] = {
      {"paper.k64", 0.2}, {"paper.k128", 0.1}, {"paper.k256", 0.15}, {"paper", 0.3}};
  for (const auto& [method, error] : full)
    runs.push_back(sample_result(sample_run({"cylinder", "surface-8", method}), error));
  const auto sheet = make_sheets(table("k-sweep"), runs).at(0);
  EXPECT_THAT(claims_of(sheet), testing::Contains(HasSubstr("holds; K = 128 errs least (0.1000), K = 384 by 0.3000")));
  EXPECT_THAT(claims_of(make_sheets(table("k-sweep"), {runs.back()}).at(0)),
              testing::ElementsAre(HasSubstr("Too little")));
  runs.back() = sample_result(sample_run(kPaper), 0.01);
  EXPECT_THAT(claims_of(make_sheets(table("k-sweep"), runs).at(0)),
              testing::Contains(HasSubstr("does not hold; the most, K = 384")));
}

TEST_F(SheetTest, TheFrontPageKeepsWhatPeopleWrote) {
  const TemporaryFolder folder;
  const std::vector<Finished> runs = {sample_result(sample_run(kPaper), 0.125), classical(kPod, 0.5)};
  EXPECT_FALSE(write_front_page({}, folder.path()));
  write_file(folder / "README.md", fmt::format("Before.\n{}\nof yesterday\n{}\nAfter.\n", kBegin, kEnd));
  ASSERT_TRUE(write_front_page(runs, folder.path()));
  const auto text = read_file(folder / "README.md");
  EXPECT_THAT(text, testing::AllOf(testing::StartsWith("Before.\n"), testing::EndsWith("\nAfter.\n"),
                                   testing::Not(HasSubstr("yesterday"))));
  EXPECT_THAT(text, HasSubstr("| 0.0358 ± 0.0073 | **0.1250** |  |  | 0.5000 (POD, linear ridge) |"));
  write_front_page(runs, folder.path());
  EXPECT_EQ(read_file(folder / "README.md"), text);
  write_file(folder / "README.md", "Somebody's own page.\n");
  EXPECT_THROW(write_front_page(runs, folder.path()), Error);
}

TEST_F(SheetTest, FilesAreWrittenForWhatWasRun) {
  const TemporaryFolder folder;
  EXPECT_FALSE(write_table(table("car"), {sample_result(sample_run(kPaper), 0.1)}, folder.path()));
  EXPECT_TRUE(write_table(table("k-sweep"), {sample_result(sample_run(kPaper), 0.1)}, folder.path()));
  for (const char* name : {"k-sweep.md", "k-sweep.csv", "k-sweep.html"})
    EXPECT_GT(read_file(folder / name).size(), 100u) << name;
  EXPECT_THAT(read_file(folder / "k-sweep.html"), HasSubstr("<svg"));
}

}  // namespace
}  // namespace fluidsplat::reproduce
