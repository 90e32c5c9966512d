// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/index.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/csv.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/png.h"
#include "io/vtk.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Ne;
using ::testing::Not;

float wave(double x, double y, double z, double t) {
  return float(std::sin(6 * x - t) * std::cos(4 * y) + 0.3 * std::sin(5 * z + t));
}

io::Array array(std::vector<Index> shape, const std::vector<float>& values) {
  return io::Array::from<float>(std::move(shape), values);
}

// What a user's files hold: how many cases, and the channels' values at a position.
struct Truth {
  Index cases;
  std::vector<std::string> channels;
  std::function<std::vector<float>(Index index, const std::vector<double>& position)> at;
};

// From a user's files to a judged model, with nothing but what the commands themselves suggest.
class OwnData : public testing::Test {
 protected:
  Outcome fluidsplat(const std::vector<std::string>& arguments) { return run(arguments, folder_.path().string()); }

  // Runs a command that must succeed and returns what it prints.
  std::string output(const std::vector<std::string>& arguments) {
    const auto outcome = fluidsplat(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << fmt::format("{}\n", fmt::join(arguments, " ")) << outcome.err;
    return outcome.out;
  }

  void go_all_the_way(const Truth& truth, const std::vector<std::string>& import,
                      const std::vector<std::string>& init) {
    std::vector<std::string> arguments = {"data", "import", "--out", "d.h5"};
    arguments.insert(arguments.end(), import.begin(), import.end());
    ASSERT_THAT(output(arguments), HasSubstr("d.h5: "));
    expect_dataset_holds(truth);
    EXPECT_THAT(output({"data", "info", "d.h5", "--picture", "d.png"}), HasSubstr("correlation length"));
    const auto picture = io::read_png(folder_ / "d.png");
    EXPECT_THAT(picture.rgb, Contains(Ne(picture.rgb[0]))) << "an empty picture";

    arguments = {"init", "d.h5", "--minutes", "0.02", "--out", "c.toml"};
    arguments.insert(arguments.end(), init.begin(), init.end());
    ASSERT_THAT(output(arguments), HasSubstr("c.toml: written"));
    ASSERT_THAT(output({"train", "c.toml", "train.steps=40", "train.validate_every=10", "train.threads=1"}),
                HasSubstr("relative L2 error"));
    expect_training_helped();
    output({"eval", "runs/d", "--data", "d.h5", "--out", "again"});
    EXPECT_EQ(metrics("again").at("relative_l2"), metrics("runs/d").at("relative_l2"));
    EXPECT_EQ(metrics("again").at("channels").size(), truth.channels.size());
  }

  void expect_dataset_holds(const Truth& truth) {
    const field::DatasetFile dataset(folder_ / "d.h5");
    const auto info = nlohmann::json::parse(output({"data", "info", "d.h5", "--json"}));
    ASSERT_EQ(dataset.size(), truth.cases);
    EXPECT_EQ(info.at("cases"), truth.cases);
    std::vector<double> least(truth.channels.size(), 1e9), most(truth.channels.size(), -1e9);
    for (Index k = 0; k < dataset.size(); ++k) {
      const auto c = dataset.load(k);
      for (Index i = 0; i < c.mesh->size(); ++i) {
        const auto point = c.mesh->points.row(i);
        const auto values = truth.at(k, {point.begin(), point.end()});
        for (std::size_t channel = 0; channel < values.size(); ++channel) {
          ASSERT_NEAR(c.fields(i, channel), values[channel], 1e-5) << "case " << k << ", point " << i;
          least[channel] = std::min<double>(least[channel], values[channel]);
          most[channel] = std::max<double>(most[channel], values[channel]);
        }
      }
    }
    ASSERT_EQ(dataset.schema().channels.size(), truth.channels.size());
    for (std::size_t channel = 0; channel < truth.channels.size(); ++channel) {
      EXPECT_EQ(dataset.schema().channels[channel].name, truth.channels[channel]);
      EXPECT_NEAR(info.at("channels")[channel].at("min").get<double>(), least[channel], 1e-5);
      EXPECT_NEAR(info.at("channels")[channel].at("max").get<double>(), most[channel], 1e-5);
    }
  }

  // The run has judged every test case, and its loss has fallen.  (On so few cases the validation error need not.)
  void expect_training_helped() {
    const auto split = nlohmann::json::parse(read_file(folder_ / "runs/d/split.json"));
    EXPECT_EQ(metrics("runs/d").at("cases"), split.at("test").size());
    EXPECT_EQ(io::read_text_csv(folder_ / "runs/d/cases.csv").rows.size(), split.at("test").size());
    EXPECT_GT(metrics("runs/d").at("relative_l2"), 0);
    const auto log = io::read_csv(folder_ / "runs/d/log.csv");
    ASSERT_EQ(log.rows(), 4u);
    EXPECT_LT(log.column("loss").back(), 0.95 * log.column("loss").front());
  }

  nlohmann::json metrics(const std::string& run) {
    return nlohmann::json::parse(read_file(folder_ / run / "metrics.json"));
  }

  TemporaryFolder folder_;
};

TEST_F(OwnData, AGridWithLand) {
  std::vector<float> values;
  for (int t = 0; t < 12; ++t)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 24; ++x)
        values.push_back(std::hypot(x - 8, y - 8) < 3 ? std::numeric_limits<float>::quiet_NaN()
                                                      : wave(x / 24.0, y / 16.0, 0, t));
  io::write_npz(folder_ / "sea.npz", {{"level", array({12, 16, 24}, values)}}, io::NpzCompression::deflate);
  write_file(folder_ / "recipe.toml", "arrays = ['level']\nunits = ['m']\nspacing = [0.5, 0.5]\ntitle = 'A sea'\n");
  const Truth truth{12, {"level"}, [](Index t, const auto& at) {
                      EXPECT_GE(std::hypot(2 * at[0] - 8, 2 * at[1] - 8), 3) << "a point on land";
                      return std::vector{wave(2 * at[0] / 24, 2 * at[1] / 16, 0, double(t))};
                    }};
  go_all_the_way(truth, {"sea.npz", "--recipe", "recipe.toml"}, {});
  EXPECT_THAT(read_file(folder_ / "c.toml"), HasSubstr("kind = \"wall\""));
  const auto json = fluidsplat({"data", "info", "d.h5", "--json"});
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"title\": \"A sea\""), HasSubstr("\"no_data_share\"")));

  // The user's own sensors; one that is on land.
  write_file(folder_ / "s.csv", "name,x,y\nbuoy,1,1\nbuoy 2,10,6\n");
  EXPECT_EQ(fluidsplat({"init", "d.h5", "--sensors-csv", "s.csv", "--minutes", "0.02", "--out", "c2.toml"}).exit_code,
            0);
  write_file(folder_ / "s.csv", "name,x,y\nbuoy,1,1\nlost,4,4\n");
  const auto lost = fluidsplat({"init", "d.h5", "--sensors-csv", "s.csv", "--out", "c3.toml"});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.err, AllOf(HasSubstr("s.csv: sensor 2 \"lost\""), HasSubstr("(4, 4)"), HasSubstr("no data")));
  EXPECT_FALSE(fs::exists(folder_ / "c3.toml"));
}

TEST_F(OwnData, AGridInThreeDimensions) {
  std::vector<float> values;
  for (int t = 0; t < 6; ++t)
    for (int z = 0; z < 6; ++z)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 10; ++x)
          for (int c = 0; c < 2; ++c) values.push_back(wave(x / 10.0, y / 8.0, z / 6.0, t + c));
  io::write_npy(folder_ / "box.npy", array({6, 6, 8, 10, 2}, values));
  const Truth truth{6, {"u", "v"}, [](Index t, const auto& at) {
                      const double x = at[0], y = at[1] * 10 / 8, z = at[2] * 10 / 6;
                      return std::vector{wave(x, y, z, double(t)), wave(x, y, z, double(t + 1))};
                    }};
  go_all_the_way(truth, {"box.npy", "--channels", "u,v", "--spacing", "0.1,0.1,0.1"}, {"--sensors", "6"});
}

TEST_F(OwnData, FourCloudsOfPoints) {
  Random random(3);
  std::vector<float> points, values;
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 300; ++i) {
      const double x = random.uniform(), y = random.uniform(), z = random.uniform();
      for (double v : {x, y, z}) points.push_back(float(v));
      values.push_back(wave(x, y, z, t));
    }
  io::write_npz(folder_ / "cars.npz", {{"xyz", array({4, 300, 3}, points)}, {"p", array({4, 300}, values)}});
  const Truth truth{
      4, {"p"}, [](Index t, const auto& at) { return std::vector{wave(at[0], at[1], at[2], double(t))}; }};
  go_all_the_way(truth, {"cars.npz", "--arrays", "p", "--points", "xyz", "--surface", "all"}, {});
}

TEST_F(OwnData, VtkFilesWithMeshesOfTheirOwn) {
  for (int f = 0; f < 6; ++f) {
    io::VtkMesh mesh;
    io::VtkArray u{"U", 3, {}}, p{"p", 1, {}}, wall{"wall", 1, {}};
    const int rings = 8 + f, around = 24;
    for (int r = 0; r < rings; ++r)
      for (int a = 0; a < around; ++a) {
        const double radius = 1 + 2.0 * r / (rings - 1), angle = 2 * M_PI * a / around;
        const double x = radius * std::cos(angle), y = 0.6 * radius * std::sin(angle);
        mesh.points.insert(mesh.points.end(), {x, y, 0});
        u.values.insert(u.values.end(), {wave(x, y, 0, f), wave(y, x, 0, f), 0});
        p.values.push_back(wave(x, y, 1, f));
        wall.values.push_back(r == 0);
      }
    for (Index i = 0; i < mesh.point_count(); ++i) mesh.add_cell(io::kVtkVertex, {i});
    mesh.point_data = {u, p, wall};
    io::write_vtk(folder_ / fmt::format("flow_{}.vtu", f), mesh);
  }
  write_file(folder_ / "cases.csv", "case,speed\nflow_0,1\nflow_1,2\nflow_2,3\nflow_3,4\nflow_4,5\nflow_5,6\n");
  const Truth truth{6, {"u", "v", "p"}, [](Index f, const auto& at) {
                      return std::vector{wave(at[0], at[1], 0, double(f)), wave(at[1], at[0], 0, double(f)),
                                         wave(at[0], at[1], 1, double(f))};
                    }};
  go_all_the_way(truth,
                 {"flow_*.vtu", "--arrays", "U,p", "--units", "m/s,m/s,Pa", "--surface", "array", "--surface-array",
                  "wall", "--cases", "cases.csv"},
                 {"--sensors-wall", "6", "--channels", "p"});
  EXPECT_THAT(read_file(folder_ / "c.toml"), AllOf(HasSubstr("geometry = true"), HasSubstr("channels = [\"p\"]")));
}

// As docs/data.md tells it: what comes out of a dataset makes the same dataset again.
TEST_F(OwnData, ExportedCasesCanBeImportedAgain) {
  for (int f = 0; f < 3; ++f) {
    io::VtkMesh mesh;
    mesh.kind = io::VtkKind::poly;
    io::VtkArray p{"p", 1, {}}, wall{"on_wall", 1, {}}, normal{"n", 3, {}}, area{"a", 1, {}};
    for (int i = 0; i < 20 + f / 2; ++i) {  // the first two have the same points
      mesh.points.insert(mesh.points.end(), {0.1 * i, std::sin(i), std::cos(i)});
      p.values.push_back(wave(i, f, 0, 0));
      wall.values.push_back(i % 3 == 0);
      normal.values.insert(normal.values.end(), {std::cos(i), std::sin(i), 0.5});
      area.values.push_back(0.25 * i);
    }
    mesh.point_data = {p, wall, normal, area};
    io::write_vtk(folder_ / fmt::format("f_{}.vtp", f), mesh);
  }
  ASSERT_EQ(fluidsplat({"data", "import", "f_*.vtp", "--out", "a.h5", "--arrays", "p", "--surface", "array",
                        "--surface-array", "on_wall", "--normals", "n", "--areas", "a"})
                .exit_code,
            0);
  const auto exported = fluidsplat({"data", "export", "a.h5", "--out", "cases"});
  EXPECT_EQ(exported.out, "3 cases: open cases/cases.pvd\n") << exported.err;
  ASSERT_EQ(fluidsplat({"data", "import", "cases/*.vtp", "--out", "b.h5", "--arrays", "p", "--surface", "array",
                        "--surface-array", "wall", "--normals", "wall_normals", "--areas", "wall_areas"})
                .exit_code,
            0);
  const field::DatasetFile a(folder_ / "a.h5"), b(folder_ / "b.h5");
  EXPECT_EQ(a.mesh_count(), 2);
  ASSERT_EQ(b.mesh_count(), 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(b.load(i).fields, a.load(i).fields);
    EXPECT_TRUE(field::identical(*b.load(i).mesh, *a.load(i).mesh));
  }
  const auto beyond = fluidsplat({"data", "export", "a.h5", "--first", "3", "--out", "more"});
  EXPECT_EQ(beyond.exit_code, 1);
  EXPECT_THAT(beyond.err, HasSubstr("0 to 2"));
}

TEST_F(OwnData, MistakesGetAClearErrorAndLeaveNothing) {
  io::write_npz(folder_ / "a.npz", {{"u", array({2, 4, 5}, std::vector<float>(40, 1.0f))},
                                    {"four", array({2, 4, 5, 3}, std::vector<float>(120, 1.0f))}});
  write_file(folder_ / "typo.toml", "arays = ['u']\n");
  write_file(folder_ / "garbage.npz", "no zip");
  struct Mistake {
    std::vector<std::string> arguments;
    std::string says;
  };
  for (const auto& m : std::vector<Mistake>{{{"garbage.npz"}, "garbage.npz"},
                                            {{"a.npz"}, "--arrays"},
                                            {{"a.npz", "--arrays", "four"}, "--layout tyxc"},
                                            {{"a.npz", "--arrays", "u", "--spacing", "1,x"}, "spacing"},
                                            {{"a.npz", "--recipe", "typo.toml"}, "\"arrays\""},
                                            {{"a.npz", "--arrays", "u", "--no-data", "1"}, "no point has data"}}) {
    std::vector<std::string> arguments = {"data", "import", "--out", "d.h5"};
    arguments.insert(arguments.end(), m.arguments.begin(), m.arguments.end());
    const auto outcome = fluidsplat(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << fmt::format("{}", fmt::join(arguments, " "));
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(m.says), Not(HasSubstr("internal error"))));
    EXPECT_FALSE(fs::exists(folder_ / "d.h5"));
  }
  EXPECT_THAT(output({"data", "import", "a.npz"}), HasSubstr("four (2, 4, 5, 3)")) << "without --out";
  EXPECT_THAT(fluidsplat({"data", "info", "a.npz"}).err, HasSubstr("data import a.npz"));
  ASSERT_EQ(fluidsplat({"data", "import", "a.npz", "--arrays", "u", "--out", "d.h5"}).exit_code, 0);
  const auto few = fluidsplat({"init", "d.h5"});
  EXPECT_EQ(few.exit_code, 1);
  EXPECT_THAT(few.err, HasSubstr("at least 3"));
  EXPECT_FALSE(fs::exists(folder_ / "config.toml"));
}

}  // namespace
}  // namespace fluidsplat::tests
