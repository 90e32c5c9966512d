// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/theory_report.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"

namespace fluidsplat::report {
namespace {

int count_of(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void expect_whole(const Exhibit& exhibit, std::size_t rows, int charts) {
  EXPECT_EQ(exhibit.table.header.size(), exhibit.table.columns.size());
  for (const auto& column : exhibit.table.columns) EXPECT_EQ(column.size(), rows);
  EXPECT_EQ(count_of(exhibit.html, "<svg"), charts);
  EXPECT_EQ(count_of(exhibit.html, "nan"), 0);
}

theory::RateCurve curve_of(double exponent) {
  theory::RateCurve curve;
  for (int k : {16, 64, 256}) curve.add(k, theory::Vector::Constant(2, 0.8 * std::pow(k, exponent)));
  curve.finish();
  return curve;
}

TEST(TheoryReport, OracleListsEverySmoothingBesideThePapers) {
  std::vector<theory::OracleSweepRow> rows(2);
  rows[0].curve = curve_of(-0.25);
  rows[1].smooth_pixels = 4;
  rows[1].curve = curve_of(-0.5);
  const Exhibit exhibit = show_oracle(rows, {}, "A wake");
  expect_whole(exhibit, 6, 1);
  EXPECT_NE(exhibit.html.find("-0.236"), std::string::npos);
  EXPECT_NE(exhibit.html.find("-0.521"), std::string::npos);
  EXPECT_NE(exhibit.html.find("4 px"), std::string::npos);
}

TEST(TheoryReport, RatesShowOneChartPerDimension) {
  theory::RateStudy study;
  study.field = "a < b";
  study.dimension = 2;
  study.smoothness = 1;
  study.expected = -0.5;
  study.curve = curve_of(-0.5);
  const Exhibit exhibit = show_rates({study});
  expect_whole(exhibit, 3, 3);
  EXPECT_EQ(exhibit.html.find("a < b"), std::string::npos);  // escaped
}

TEST(TheoryReport, CapacityHasThePapersNumbers) {
  CapacityQuestion question;
  question.reynolds = 1e4;
  question.corner_degrees = 360;
  const Exhibit exhibit = show_capacity(question);
  expect_whole(exhibit, 12, 1);
  EXPECT_NEAR(exhibit.table.column("capacity")[3], 5.657, 1e-3);  // s = 1, N = 32
  EXPECT_NE(exhibit.html.find("1.50"), std::string::npos);
}

TEST(TheoryReport, IsWrittenAsCsvAndPage) {
  const TemporaryFolder folder;
  const Exhibit exhibit = show_capacity({});
  write_exhibit(exhibit, folder / "new" / "deep", "capacity");
  EXPECT_EQ(io::read_csv(folder / "new" / "deep" / "capacity.csv").column("risk"), exhibit.table.column("risk"));
  EXPECT_EQ(read_file(folder / "new" / "deep" / "capacity.html"), exhibit.html);
}

TEST(TheoryReport, RiskShowsTheCurve) {
  theory::RiskStudySettings settings;
  settings.samples = 200;
  const theory::RiskStudy study = study_risk(settings);
  expect_whole(show_risk(study), study.curve.terms.size(), 2);
}

TEST(TheoryReport, VarianceTellsCrowdedCellsFromPlentifulOnes) {
  theory::VarianceCell crowded{.primitives = 36,
                               .samples = 144,
                               .noise = 1,
                               .ratio = 1.5,
                               .exact_ratio = 1.5,
                               .stability = 0.25,
                               .inflation = 1.34};
  theory::VarianceCell roomy{.primitives = 4,
                             .samples = 4096,
                             .noise = 1,
                             .ratio = 1.02,
                             .exact_ratio = 1.01,
                             .stability = 0.9,
                             .inflation = 1.001};
  theory::VarianceCell even = crowded;
  even.stratified = true;
  even.ratio = 1.03;
  theory::VarianceCell even_roomy = roomy;
  even_roomy.stratified = true;
  const Exhibit exhibit = show_variance({crowded, roomy}, {even, even_roomy});
  expect_whole(exhibit, 4, 1);
  EXPECT_EQ(exhibit.table.column("plentiful"), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(exhibit.table.column("bound")[0], 4);
  EXPECT_NE(exhibit.html.find("1.1 (too few)"), std::string::npos);
  EXPECT_NE(exhibit.html.find("1 cells with"), std::string::npos);
}

TEST(TheoryReport, AdviceRepeatsItsCaveats) {
  theory::Advice advice;
  advice.sensors = 8;
  advice.rms = 1;
  advice.noise = 0.1;
  advice.oracle = advice.best = curve_of(-0.5);
  advice.caveats = {"mind the gap"};
  const Exhibit exhibit = show_advice(advice, "A wake");
  expect_whole(exhibit, 1, 2);
  EXPECT_NE(exhibit.html.find("mind the gap"), std::string::npos);
}

}  // namespace
}  // namespace fluidsplat::report
