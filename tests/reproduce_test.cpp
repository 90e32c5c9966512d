// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <regex>
#include <set>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A travelling wave where the wake would be: some cells of its grid, those of the sensors among them.
class Reproduce : public testing::Test {
 protected:
  void SetUp() override { write_wake(folder_ / "data/cylinder.h5", 0.3f); }

  static void write_wake(const fs::path& file, float speed) {
    constexpr int kRows = 112, kColumns = 192, kFrames = 75;
    const std::vector<std::pair<int, int>> sensors = {{55, 20},  {51, 18}, {49, 14},  {51, 9},  {55, 7},   {60, 9},
                                                      {62, 13},  {60, 18}, {53, 19},  {50, 16}, {50, 11},  {53, 8},
                                                      {58, 8},   {61, 11}, {61, 16},  {58, 19}, {71, 76},  {69, 175},
                                                      {49, 138}, {56, 41}, {61, 141}, {41, 30}, {40, 177}, {55, 80}};
    std::set<std::pair<int, int>> cells(sensors.begin(), sensors.end());
    for (int row = 0; row < kRows; row += 8)
      for (int column = 0; column < kColumns; column += 8) cells.insert({row, column});
    auto mesh = std::make_shared<field::Mesh>();
    mesh->grid_shape = {kRows, kColumns};
    mesh->points.resize(Index(cells.size()), 2);
    mesh->features.resize(Index(cells.size()), 0);
    for (const auto& [row, column] : cells) {
      mesh->points.row(Index(mesh->grid_cell.size())) << float(column), float(row);
      mesh->grid_cell.push_back(row * kColumns + column);
    }
    field::Schema schema;
    schema.coordinates = {{"x", "m"}, {"y", "m"}};
    schema.channels = {{"w", "1/s"}};
    fs::create_directories(file.parent_path());
    field::DatasetWriter writer(file, schema, "A wave");
    for (int t = 0; t < kFrames; ++t) {
      field::Case c;
      c.mesh = mesh;
      c.time = t;
      c.fields.resize(mesh->size(), 1);
      for (Index i = 0; i < mesh->size(); ++i) c.fields(i, 0) = std::sin(0.1f * mesh->points(i, 0) - speed * float(t));
      writer.add(c);
    }
    writer.commit();
  }

  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> out = {"reproduce", "cylinder", "--cases", "3", "--out", "results"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
  Outcome fluidsplat(const std::vector<std::string>& arguments) { return run(arguments, folder_.path().string()); }
  // The folders of finished runs, by name.
  std::vector<fs::path> finished(const std::string& containing = "") const {
    std::vector<fs::path> out;
    const auto runs = folder_ / "results/runs/cylinder";
    if (!fs::is_directory(runs)) return out;
    for (const auto& entry : fs::directory_iterator(runs))
      if (fs::exists(entry.path() / "manifest.json") &&
          entry.path().filename().string().find(containing) != std::string::npos)
        out.push_back(entry.path());
    return out;
  }

  TemporaryFolder folder_;
};

TEST_F(Reproduce, KilledAgainAndAgainItGoesOnAndCountsNothingTwice) {
  const auto asked = command({"--methods", "network", "training-mean", "--budget", "0.02", "--seeds", "1"});
  for (int attempt = 0; attempt < 10; ++attempt) {
    Child child(asked, folder_.path().string());
    const auto before = finished().size();
    // Sometimes before a run ends, sometimes just after.
    const auto begin = std::chrono::steady_clock::now();
    const bool runs = child.wait_until([&] {
      return finished().size() > before + 1 ||
             std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300 + 200 * attempt);
    });
    child.signal(SIGKILL);
    if (child.wait(); !runs) break;  // all was done
  }
  const auto r = fluidsplat(asked);
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(finished().size(), 8u) << "four layouts, two methods";
  const auto text = read_file(folder_ / "results/cylinder.md");
  EXPECT_THAT(text, AllOf(HasSubstr("FluidSplat, our recipe without the prior"), HasSubstr("0.0358 ± 0.0073"),
                          HasSubstr("training mean"), Not(HasSubstr("left out")), Not(HasSubstr("seeds)"))));
  EXPECT_THAT(read_file(folder_ / "results/cylinder.html"), HasSubstr("<svg"));
  EXPECT_THAT(read_file(folder_ / "results/README.md"), HasSubstr("[Cylinder wake](cylinder.md), Surface-8"));
  EXPECT_THAT(read_file(folder_ / "results/figures.md"), HasSubstr("![](images/cylinder-training-mean-error.png)"));
  EXPECT_TRUE(fs::exists(folder_ / "results/images/cylinder-truth.png"));

  // What is done is not done again, also without the work folder.
  fs::remove_all(folder_ / "runs");
  EXPECT_THAT(fluidsplat(asked).out, HasSubstr("8 runs of this share are done, 0 of them now"));

  // A run comes out the same again; numbers that were changed do not.
  const auto run = finished("surface-8-network").at(0);
  const auto agrees = fluidsplat({"reproduce", "--replay", (run / "manifest.json").string()});
  EXPECT_EQ(agrees.exit_code, 0) << agrees.out << agrees.err;
  EXPECT_THAT(agrees.out, HasSubstr("the numbers agree"));
  auto metrics = read_file(run / "metrics.json");
  metrics.insert(metrics.find("\"mean\": ") + 8, "9");
  write_file(run / "metrics.json", metrics);
  const auto differs = fluidsplat({"reproduce", "--replay", (run / "manifest.json").string()});
  EXPECT_EQ(differs.exit_code, 1);
  EXPECT_THAT(differs.err, HasSubstr("do not agree"));
}

TEST_F(Reproduce, SharesMakeTheWhole) {
  EXPECT_EQ(fluidsplat(command({"--methods", "classical", "--shard", "1/2"})).exit_code, 0);
  const auto half = finished().size();
  EXPECT_EQ(fluidsplat(command({"--methods", "classical", "--shard", "2/2"})).exit_code, 0);
  EXPECT_EQ(finished().size(), 44u);
  EXPECT_EQ(half, 22u);
  EXPECT_THAT(fluidsplat(command({"--methods", "classical"})).out, HasSubstr("44 runs of this share are done, 0 of"));
}

TEST_F(Reproduce, OtherDataAreNeverMixedIn) {
  const auto asked = command({"--methods", "training-mean"});
  ASSERT_EQ(fluidsplat(asked).exit_code, 0);
  const auto manifest = (finished().at(0) / "manifest.json").string();
  write_wake(folder_ / "data/cylinder.h5", 0.5f);
  EXPECT_THAT(fluidsplat(asked).out, HasSubstr("4 of them now"));
  EXPECT_EQ(finished().size(), 8u);
  EXPECT_THAT(read_file(folder_ / "results/cylinder.md"), AllOf(HasSubstr("\n## "), Not(HasSubstr("seeds)"))));
  EXPECT_THAT(fluidsplat({"reproduce", "--replay", manifest}).err, HasSubstr("other data"));
}

// A model's error on the one case that judges is the same in the table and under its picture: both ask it by its own
// sensors.  What is shown of models that are gone stays.
TEST_F(Reproduce, FiguresShowWhatTheTablesSay) {
  const auto ask = [&] {
    return fluidsplat({"reproduce", "cylinder", "--cases", "1", "--out", "results", "--methods", "recipe",
                       "pod-gaussian-kernel", "--budget", "0.01", "--seeds", "1"});
  };
  const auto r = ask();
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const auto table = read_file(folder_ / "results/cylinder.md"), figures = read_file(folder_ / "results/figures.md");
  for (const std::string label : {"POD, Gaussian kernel", "FluidSplat, our recipe .on a prior."}) {
    std::smatch row, shown;
    ASSERT_TRUE(std::regex_search(table, row, std::regex("\\| " + label + " \\|(?:[^|]*\\|){4} \\**([0-9.e+-]+)")))
        << table;
    ASSERT_TRUE(std::regex_search(figures, shown, std::regex(label + ": ([0-9.e+-]+)"))) << figures;
    EXPECT_EQ(row[1], shown[1]) << label;
  }
  fs::remove_all(folder_ / "runs");
  ASSERT_EQ(ask().exit_code, 0);
  EXPECT_EQ(read_file(folder_ / "results/figures.md"), figures);
}

TEST_F(Reproduce, TablesAreMadeOfTheSmallFilesAlone) {
  ASSERT_EQ(fluidsplat(command({"--methods", "training-mean"})).exit_code, 0);
  const auto before = read_file(folder_ / "results/cylinder.md");
  for (const char* name : {"results/cylinder.md", "data", "runs"}) fs::remove_all(folder_ / name);
  const auto r = fluidsplat(command({"--tables-only"}));
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(read_file(folder_ / "results/cylinder.md"), before);
}

TEST_F(Reproduce, MistakesAreNamed) {
  EXPECT_THAT(fluidsplat({"reproduce", "cylnder"}).err, HasSubstr("there are cylinder"));
  EXPECT_THAT(fluidsplat({"reproduce"}).err, HasSubstr("name a table"));
  EXPECT_THAT(fluidsplat(command({"--shard", "3/2"})).err, HasSubstr("1/2 and 2/2"));
  EXPECT_THAT(fluidsplat(command({"--source", "cylinder"})).err, HasSubstr("cylinder=FOLDER"));
  EXPECT_THAT(fluidsplat({"reproduce", "--replay", "none.json"}).err, HasSubstr("none.json"));
}

}  // namespace
}  // namespace fluidsplat::tests
