// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/plan.h"

#include <gmock/gmock.h>

#include <set>

#include "base/error.h"
#include "baselines/register.h"
#include "reproduce/embedded_configs.h"
#include "reproduce/methods.h"

namespace fluidsplat::reproduce {
namespace {

using testing::HasSubstr;

class Plan : public testing::Test {
 protected:
  static void SetUpTestSuite() { baselines::register_baselines(); }
  static const reproduce::Run* find(const std::vector<reproduce::Run>& runs, const std::string& name) {
    for (const auto& run : runs)
      if (run.name() == name) return &run;
    return nullptr;
  }
};

TEST_F(Plan, IsTheSameForTheSameRequest) {
  const PlanRequest request{.tables = table_names(), .seeds = 2, .minutes = 3};
  const auto a = plan(request), b = plan(request);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name(), b[i].name());
    EXPECT_EQ(settings_text(a[i].config), settings_text(b[i].config));
  }
}

TEST_F(Plan, HasEveryRunOnceAlsoWhereTablesShareIt) {
  const auto runs = plan({.tables = table_names(), .seeds = 3, .minutes = 1});
  std::set<std::string> names, settings;
  for (const auto& run : runs) {
    EXPECT_TRUE(names.insert(run.subject.benchmark + "/" + run.name()).second) << run.name();
    EXPECT_TRUE(settings.insert(settings_text(run.config) + (run.subject.method == "cost" ? "cost" : "")).second)
        << run.name();
  }
}

TEST_F(Plan, CoversEveryCellOfTheTablesWithEverySeed) {
  const PlanRequest request{.tables = table_names(), .seeds = 2};
  const auto runs = plan(request);
  for (const auto& table : error_tables())
    for (const auto& row : table.rows)
      for (const auto& cell : row.cells) {
        if (cell.subject.method.empty()) continue;
        std::set<Index> seeds;
        bool classical = false;
        for (const auto& run : runs)
          if (run.subject == cell.subject) {
            EXPECT_THAT(run.sensors, testing::Contains(cell.sensors));
            seeds.insert(run.seed());
            classical = run.is_classical;
          }
        EXPECT_EQ(std::ssize(seeds), classical ? 1 : 2) << table.name << " " << cell.subject.method;
      }
}

TEST_F(Plan, DoesAllMethodsOfOneSeedBeforeTheNext) {
  const auto runs = plan({.tables = {"cylinder"}, .seeds = 2});
  std::vector<Index> seeds;
  for (const auto& run : runs)
    if (!run.is_classical) seeds.push_back(run.seed());
  EXPECT_TRUE(std::ranges::is_sorted(seeds));
}

TEST_F(Plan, GivesTheTimeToNetworksAlone) {
  for (const auto& run : plan({.tables = {"airfrans"}, .seeds = 1, .minutes = 2.5}))
    EXPECT_EQ(run.config.max_minutes, run.is_classical ? 0 : 2.5) << run.name();
}

TEST_F(Plan, MethodsMayBeChosen) {
  const auto runs = plan({.tables = {"cylinder", "k-sweep"}, .seeds = 1, .methods = {"network", "classical"}});
  for (const auto& run : runs) EXPECT_TRUE(run.is_classical || base_method(run.subject.method) == "network");
  EXPECT_TRUE(find(runs, "surface-8-network.k128-primitive-only-s123"));
  EXPECT_TRUE(find(runs, "interior-8-gappy-pod"));
}

TEST_F(Plan, VariantsChangeOneThing) {
  const auto full = config_of({"airfrans", "full-8", "recipe"});
  const auto without = config_of({"airfrans", "full-8", "recipe.no-attention"});
  auto expected = full;
  expected.model.fluidsplat().attention = false;
  EXPECT_EQ(settings_text(without), settings_text(expected));
  EXPECT_EQ(config_of({"airfrans", "full-8", "paper.no-observation"}).lambda_obs, 0);
  EXPECT_EQ(config_of({"cylinder", "surface-8", "paper.k64"}).model.fluidsplat().primitives, 64);
}

TEST_F(Plan, MethodsOfAColumnHaveTheSameSensorsAndCases) {
  for (const auto& table : error_tables())
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      std::set<std::string> protocols;
      for (const auto& row : table.rows) {
        if (row.cells[c].subject.method.empty()) continue;
        learn::TrainConfig same;
        const auto config = config_of(row.cells[c].subject);
        same.data = config.data;
        same.data.units = learn::DataUnits::kGiven;  // whatever a method works in, it is judged in the data's units
        same.data.use_features = true;               // the paper's form is told of points what the paper tells it
        same.data.validation_cases = 0;              // those that choose a checkpoint are no part of how one is judged
        same.sensors = config.sensors;
        protocols.insert(settings_text(same));
      }
      EXPECT_EQ(protocols.size(), 1u) << table.name << ", " << table.columns[c];
    }
}

TEST_F(Plan, NamesWhatIsNotThere) {
  EXPECT_THAT([] { plan({.tables = {"cylnder"}}); }, testing::ThrowsMessage<Error>(HasSubstr("cylinder")));
  EXPECT_THAT([] { plan({.tables = {"car"}, .methods = {"sensiver"}}); },
              testing::ThrowsMessage<Error>(HasSubstr("senseiver")));
}

TEST_F(Plan, SettingsAreReadBackAsTheyWere) {
  const auto text = settings_text(config_of({"ldc3d", "n10", "recfno"}));
  EXPECT_EQ(settings_today(text), text);
  const auto seed = text.find("\nseed = 123\n");
  ASSERT_NE(seed, std::string::npos);
  // A setting that is new since has its default; one that is gone is an error.
  EXPECT_EQ(settings_today(std::string(text).erase(seed, 11)), text);
  EXPECT_THROW(settings_today(text + "[train]\nwas_here = 1\n"), Error);
}

TEST_F(Plan, SeedsAreNoPartOfWhatRunsHaveInCommon) {
  auto config = config_of({"cylinder", "surface-8", "paper"});
  const auto text = settings_text(config);
  config.seed += 1;
  EXPECT_NE(settings_text(config), text);
  EXPECT_EQ(settings_without_seed(settings_text(config)), settings_without_seed(text));
  config.sensors.seed += 1;
  EXPECT_NE(settings_without_seed(settings_text(config)), settings_without_seed(text));
}

TEST_F(Plan, EmbeddedConfigsAreThoseOfTheFolder) {
  EXPECT_THAT(embedded_configs().at("cylinder/surface-8"), HasSubstr("[[55, 20], [51, 18], [49, 14]"));
  EXPECT_TRUE(embedded_configs().contains("car/reduced"));
}

TEST(PaperNumbers, AreFoundByTableRowAndColumn) {
  EXPECT_EQ(paper_number("cylinder", "FluidSplat", "Surface-8")->value, 0.0358);
  EXPECT_EQ(paper_number("ldc3d", "RecFNO", "N = 40")->deviation, 0.0158);
  EXPECT_FALSE(paper_number("cylinder", "POD-Ridge", "Surface-8"));
}

// The seeds of tab:cylinder_seed_values have the means and deviations of tab:cylinder.
TEST(PaperNumbers, SeedsMakeTheMeansOfTheMainTable) {
  for (const char* layout : {"Surface-4", "Surface-8", "Surface-16"})
    for (const char* method : {"FluidSplat", "Senseiver", "DeepONet", "FLRONet", "RecFNO"}) {
      double sum = 0;
      for (const char* seed : {"123", "124", "125", "126", "127"})
        sum += paper_number("cylinder-seeds", fmt::format("{}, {}", layout, method), seed)->value;
      EXPECT_NEAR(sum / 5, paper_number("cylinder", method, layout)->value, 1.01e-4) << layout << " " << method;
    }
}

}  // namespace
}  // namespace fluidsplat::reproduce
