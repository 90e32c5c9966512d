// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/store.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "baselines/register.h"
#include "reproduce/sample_results.h"

namespace fluidsplat::reproduce {
namespace {

namespace fs = std::filesystem;

const Subject kSubject{"cylinder", "surface-8", "network"};

class StoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { baselines::register_baselines(); }
  fs::path only_folder() const {
    const auto first = fs::directory_iterator(store.runs() / "cylinder");
    return first->path();
  }
  TemporaryFolder folder;
  Store store{folder.path()};
  reproduce::Run run = sample_run(kSubject);
};

TEST_F(StoreTest, FindsWhatWasPut) {
  EXPECT_FALSE(store.find(run, "data", 100));
  store.put(sample_result(run, 0.25));
  const auto found = store.find(run, "data", 100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome.find(0)->find(kClean)->mean, 0.25);
  EXPECT_EQ(found->outcome.find(0)->find(kQuarterDead)->worst, 2);
  for (const char* name : {"config.toml", "metrics.json", "manifest.json"})
    EXPECT_TRUE(fs::exists(only_folder() / name));
}

TEST_F(StoreTest, ManifestComesBackWhole) {
  const auto m = sample_result(run, 0.25).manifest;
  const auto back = manifest_from(to_json(m).dump(), "text");
  EXPECT_EQ(to_json(back), to_json(m));
  EXPECT_EQ(back.subject, kSubject);
  EXPECT_EQ(back.seed, 123);
  EXPECT_FALSE(back.compiler.empty());
  EXPECT_EQ(settings_today(back.asked), settings_text(run.config));
}

TEST_F(StoreTest, OutcomeComesBackWhole) {
  auto o = sample_result(run, 0.125).outcome;
  o.trouble = "none \"really\"";
  EXPECT_EQ(to_json(outcome_from(to_json(o).dump(), "text")), to_json(o));
}

TEST_F(StoreTest, OtherDataSettingsVersionsOrCasesAreOtherRuns) {
  store.put(sample_result(run, 0.25));
  EXPECT_FALSE(store.find(run, "other data", 100));
  EXPECT_FALSE(store.find(run, "data", 50));
  EXPECT_FALSE(store.find(sample_run(kSubject, 1), "data", 100)) << "another seed";
  EXPECT_FALSE(store.find(sample_run(kSubject, 0, 2), "data", 100)) << "another time";
  auto wider = run;
  wider.config.model.fluidsplat().width += 1;
  EXPECT_FALSE(store.find(wider, "data", 100)) << "another model";
  auto more = run;
  more.sensors = {0, 15};
  EXPECT_FALSE(store.find(more, "data", 100)) << "not judged with 15 sensors";
  EXPECT_TRUE(store.find(run, "data", 100));

  auto older = sample_result(sample_run(kSubject, 7), 0.5);
  older.manifest.version = "0.0.1";
  store.put(older);
  EXPECT_FALSE(store.find(sample_run(kSubject, 7), "data", 100)) << "another version";
}

TEST_F(StoreTest, RunsThatDifferStandBesideEachOther) {
  store.put(sample_result(run, 0.25, "one"));
  store.put(sample_result(run, 0.5, "two"));
  EXPECT_EQ(store.find(run, "one", 100)->outcome.find(0)->find(kClean)->mean, 0.25);
  EXPECT_EQ(store.find(run, "two", 100)->outcome.find(0)->find(kClean)->mean, 0.5);
  EXPECT_EQ(store.all().size(), 2u);
}

TEST_F(StoreTest, TheSameRunIsKeptOnce) {
  store.put(sample_result(run, 0.25));
  store.put(sample_result(run, 0.25));
  EXPECT_EQ(store.all().size(), 1u);
}

TEST_F(StoreTest, WithoutManifestNothingIsFinished) {
  store.put(sample_result(run, 0.25));
  fs::remove(only_folder() / "manifest.json");
  EXPECT_FALSE(store.find(run, "data", 100));
  EXPECT_TRUE(store.all().empty());
}

TEST_F(StoreTest, ASettingThatIsNewSinceCountsAsItsDefault) {
  auto result = sample_result(run, 0.25);
  auto& asked = result.manifest.asked;
  const auto line = asked.find("stop_at = 0\n");
  ASSERT_NE(line, std::string::npos);
  asked.erase(line, 12);
  store.put(result);
  EXPECT_TRUE(store.find(run, "data", 100));
  auto other = run;
  other.config.stop_at = 5;
  EXPECT_FALSE(store.find(other, "data", 100));
}

TEST_F(StoreTest, DamagedFilesAreNamed) {
  store.put(sample_result(run, 0.25));
  const auto file = only_folder() / "metrics.json";
  write_file(file, "{\"cases\": 3");
  EXPECT_THAT([&] { store.all(); }, testing::ThrowsMessage<Error>(testing::HasSubstr(file.string())));
  write_file(file, "{}");
  EXPECT_THAT([&] { store.all(); }, testing::ThrowsMessage<Error>(testing::HasSubstr("delete the folder")));
}

}  // namespace
}  // namespace fluidsplat::reproduce
