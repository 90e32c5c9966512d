// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/comparison.h"

#include <gmock/gmock.h>

namespace fluidsplat::reconstruct {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

MethodResult method(const std::string& name, bool trained, const std::vector<double>& errors) {
  MethodResult m{.name = name, .is_trained = trained, .seconds_to_fit = trained ? 60.0 : 0.01};
  for (const double e : errors) m.errors.push_back({e, 2 * e});
  return m;
}

Comparison wake(std::vector<MethodResult> methods) {
  Comparison c;
  c.conditions = {usual_conditions(8)[0], usual_conditions(8)[2], usual_conditions(8)[3]};
  c.methods = std::move(methods);
  return c;
}

TEST(Comparison, ConditionsFitTheNumberOfSensors) {
  EXPECT_EQ(usual_conditions(8).size(), 5);
  EXPECT_EQ(usual_conditions(2).size(), 4) << "two of two dead sensors leave nothing";
  EXPECT_EQ(usual_conditions(1).size(), 3);
}

TEST(Comparison, RecommendsTheClassicalMethodWhereItWins) {
  const auto text =
      recommend(wake({method(kTrainingMean, false, {0.5, 0.5, 0.5}), method("POD", false, {0.001, 0.01, 0.01}),
                      method("fluidsplat", true, {0.002, 0.02, 0.02})}));
  EXPECT_THAT(text, StartsWith("Use POD (0.0010): it errs less than fluidsplat (0.0020)"));
  EXPECT_THAT(text, HasSubstr("10 ms instead of 60.0 s"));
  EXPECT_THAT(text, HasSubstr("does not earn its place"));
}

TEST(Comparison, RecommendsTheNetworkWhereItWinsAndSaysWhereItDoesNot) {
  const auto text =
      recommend(wake({method(kTrainingMean, false, {0.5, 0.5, 0.5}), method("POD", false, {0.004, 0.005, 0.3}),
                      method("fluidsplat", true, {0.001, 0.02, 0.01})}));
  EXPECT_THAT(text, StartsWith("Use fluidsplat (0.0010)"));
  EXPECT_THAT(text, HasSubstr("POD, errs by 0.0040, 4.0 times as much"));
  EXPECT_THAT(text, HasSubstr("With 5 % noise POD is better (0.0050 against 0.0200)"));
  EXPECT_THAT(text, Not(HasSubstr("dead")));
}

TEST(Comparison, EqualErrorsSpeakForTheSimplerMethod) {
  EXPECT_THAT(recommend(wake({method("POD", false, {0.0105, 1, 1}), method("fluidsplat", true, {0.01, 1, 1})})),
              StartsWith("Use POD (0.0105): it errs about as much as"));
}

TEST(Comparison, SaysWhenTheSensorsTellNothing) {
  EXPECT_THAT(recommend(wake({method(kTrainingMean, false, {0.5, 0.5, 0.5}), method("POD", false, {0.49, 1, 1})})),
              StartsWith("Use none of them"));
}

TEST(Comparison, AMethodInTroubleIsListedAndNotJudged) {
  MethodResult broken{.name = "other"};
  broken.trouble = "does not fit";
  const auto c = wake({broken, method("POD", false, {0.1, 0.2, 0.3})});
  EXPECT_THAT(comparison_table(c), HasSubstr("does not fit"));
  EXPECT_EQ(c.best(0)->name, "POD");
  EXPECT_THAT(comparison_csv(c), HasSubstr("\n\"POD\",0,0,0.01,0,0.1,0.2,0.2,0.4,0.3,0.6\n"));
}

}  // namespace
}  // namespace fluidsplat::reconstruct
