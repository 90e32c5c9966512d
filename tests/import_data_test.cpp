// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/index.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "import/foam_fixture.h"
#include "io/csv.h"
#include "io/hdf5.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/vtk.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

double wave(double x, double y, double t) {
  return std::sin(3 * x - t) * std::cos(2 * y);
}

// Everything on the way into a dataset, as a new user tries it.
class ImportData : public testing::Test {
 protected:
  Outcome fluidsplat(const std::vector<std::string>& arguments) { return run(arguments, folder_.path().string()); }
  std::string output(const std::vector<std::string>& arguments) {
    const auto outcome = fluidsplat(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << fmt::format("{}\n", fmt::join(arguments, " ")) << outcome.err;
    return outcome.out;
  }
  std::string refusal(const std::vector<std::string>& arguments) {
    const auto outcome = fluidsplat(arguments);
    EXPECT_EQ(outcome.exit_code, 1) << fmt::format("{}\n", fmt::join(arguments, " ")) << outcome.out;
    return outcome.err;
  }
  Index dim(const std::string& dataset) { return field::DatasetFile(folder_ / dataset).schema().dim(); }
  // From a dataset to a field on a mesh, with a model that has seen little.
  void go_on(const std::string& dataset, const std::vector<std::string>& reconstruct) {
    output({"init", dataset, "--minutes", "0.02", "--sensors", "4", "--out", "c.toml", "--run", "run"});
    output({"train", "c.toml", "train.steps=20", "train.validate_every=10", "train.threads=1"});
    output({"readings", "run", "--data", dataset, "--out", "r.csv"});
    std::vector<std::string> arguments = {"reconstruct", "run", "--readings", "r.csv", "--out", "fields"};
    arguments.insert(arguments.end(), reconstruct.begin(), reconstruct.end());
    output(arguments);
    EXPECT_TRUE(fs::exists(folder_ / "fields"));
  }
  TemporaryFolder folder_;
};

// A one-cell-thick mesh, as a 2-D case of OpenFOAM becomes in ParaView.
io::VtkMesh one_layer(int nx, int ny, double t) {
  io::VtkMesh mesh;
  io::VtkArray u{"U", 3, {}}, p{"p", 1, {}}, point_p{"p", 1, {}};
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        mesh.points.insert(mesh.points.end(), {0.1 * i, 0.1 * j, 0.1 * k});
        point_p.values.push_back(wave(0.1 * i, 0.1 * j, t));
      }
  const auto at = [&](int i, int j, int k) { return Index((k * (ny + 1) + j) * (nx + 1) + i); };
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      mesh.add_cell(io::kVtkHexahedron, {at(i, j, 0), at(i + 1, j, 0), at(i + 1, j + 1, 0), at(i, j + 1, 0),
                                         at(i, j, 1), at(i + 1, j, 1), at(i + 1, j + 1, 1), at(i, j + 1, 1)});
      const double x = 0.1 * (i + 0.5), y = 0.1 * (j + 0.5);
      u.values.insert(u.values.end(), {wave(x, y, t), wave(y, x, t), 0});
      p.values.push_back(wave(x, y, t));
    }
  mesh.cell_data = {u, p};
  mesh.point_data = {point_p};
  return mesh;
}

TEST_F(ImportData, OneLayerOfCellsIsTwoDimensionalToTheEnd) {
  for (int t = 0; t < 6; ++t) io::write_vtk(folder_ / fmt::format("f_{}.vtu", t), one_layer(12, 8, t));
  const auto cells = output({"data", "import", "f_*.vtu", "--arrays", "U,p", "--on", "cells", "--out", "d.h5"});
  EXPECT_THAT(cells, AllOf(HasSubstr("read as 2-D"), HasSubstr("\"w\" is constant"), HasSubstr("of 96 points")));
  EXPECT_EQ(dim("d.h5"), 2);
  output({"data", "import", "f_*.vtu", "--arrays", "p", "--out", "points.h5"});
  EXPECT_EQ(dim("points.h5"), 2);
  EXPECT_EQ(field::DatasetFile(folder_ / "points.h5").mesh(0)->size(), 13 * 9);
  go_on("d.h5", {"--mesh", "f_0.vtu"});
}

TEST_F(ImportData, PointsAtOneDepthAreTwoDimensional) {
  std::vector<float> points, values;
  for (int i = 0; i < 50; ++i) points.insert(points.end(), {0.1f * float(i % 10), 0.1f * float(i / 10), 0});
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 50; ++i) {
      const double x = points[3 * std::size_t(i)], y = points[3 * std::size_t(i) + 1];
      values.insert(values.end(), {float(wave(x, y, t)), float(wave(y, x, t)), 0, 101325});
    }
  io::write_npz(folder_ / "a.npz",
                {{"f", io::Array::from<float>({4, 50, 4}, values)}, {"xyz", io::Array::from<float>({50, 3}, points)}});
  const auto said =
      output({"data", "import", "a.npz", "--arrays", "f", "--points", "xyz", "--channels", "u,v,w,p", "--out", "d.h5"});
  EXPECT_THAT(said, AllOf(HasSubstr("read as 2-D"), HasSubstr("\"w\" is constant"),
                          HasSubstr("\"p\" is constant: 101325 everywhere")));
  EXPECT_EQ(dim("d.h5"), 2);
}

// Numbers that stand for "nothing here", and what would be written to leave them out.
TEST_F(ImportData, TheUsualFillValuesAreKnown) {
  for (const auto& [fill, text] : std::vector<std::pair<float, std::string>>{
           {1e20f, "1e+20"}, {1e30f, "1e+30"}, {-9999.f, "-9999"}, {-999.f, "-999"}}) {
    std::vector<float> values;
    for (int i = 0; i < 3 * 6 * 7; ++i) values.push_back(i % 42 < 5 ? fill : float(wave(i, 1, 0)));
    io::write_npy(folder_ / "sea.npy", io::Array::from<float>({3, 6, 7}, values));
    EXPECT_THAT(refusal({"data", "import", "sea.npy", "--out", "d.h5"}), HasSubstr("--no-data " + text + " "));
    output({"data", "import", "sea.npy", "--no-data", text, "--out", "d.h5"});
    EXPECT_EQ(field::DatasetFile(folder_ / "d.h5").mesh(0)->size(), 37) << text;
    // Among values of its size it is one of them.
    for (float& v : values) v = v == fill ? fill : fill * (1 + 0.5f * v);
    io::write_npy(folder_ / "sea.npy", io::Array::from<float>({3, 6, 7}, values));
    output({"data", "import", "sea.npy", "--out", "same.h5"});
  }
}

TEST_F(ImportData, FillValuesStopTheImport) {
  std::vector<float> values;
  for (int i = 0; i < 3 * 6 * 7; ++i) values.push_back(i % 42 < 5 ? -9.96921e36f : float(wave(i, 1, 0)));
  io::write_npz(folder_ / "sea.npz", {{"T", io::Array::from<float>({3, 6, 7}, values)}});
  EXPECT_THAT(refusal({"data", "import", "sea.npz", "--out", "d.h5"}), HasSubstr("--no-data -9.96921e+36"));
  EXPECT_FALSE(fs::exists(folder_ / "d.h5"));
  output({"data", "import", "sea.npz", "--no-data", "-9.96921e+36", "--out", "d.h5"});
  EXPECT_EQ(field::DatasetFile(folder_ / "d.h5").mesh(0)->size(), 37);
  values.assign(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  values[4] = INFINITY;
  io::write_npz(folder_ / "sea.npz", {{"T", io::Array::from<float>({3, 6, 7}, values)}});
  EXPECT_THAT(output({"data", "import", "sea.npz", "--out", "e.h5"}), HasSubstr("1 value is infinite"));
}

TEST_F(ImportData, FilesAreSortedAsPeopleCount) {
  for (int t : {1, 2, 10}) {
    const std::vector<float> values(6 * 7, float(t));
    auto varying = values;
    varying[0] = 0;
    io::write_npy(folder_ / fmt::format("slice_{}.npy", t), io::Array::from<float>({6, 7}, varying));
  }
  const auto said =
      output({"data", "import", "slice_1.npy", "slice_10.npy", "slice_2.npy", "--layout", "yx", "--out", "d.h5"});
  EXPECT_THAT(said, HasSubstr("sorted as people count"));
  io::write_npy(folder_ / "slice_3.npy", io::read_npy(folder_ / "slice_2.npy"));
  EXPECT_THAT(output({"data", "import", "slice_1.npy", "slice_10.npy", "slice_2.npy", "slice_3.npy"}),
              HasSubstr("data import 'slice_*.npy' --out data.h5"))
      << "a command that can be typed";
  const field::DatasetFile dataset(folder_ / "d.h5");
  EXPECT_EQ(dataset.load(1).fields(3, 0), 2);
  EXPECT_EQ(dataset.load(2).fields(3, 0), 10);
}

TEST_F(ImportData, TwoArraysAreSaidToBeCases) {
  std::vector<float> values;
  for (int i = 0; i < 3 * 6 * 7; ++i) values.push_back(float(i));
  for (const char* name : {"u.npy", "v.npy"}) io::write_npy(folder_ / name, io::Array::from<float>({3, 6, 7}, values));
  EXPECT_THAT(output({"data", "import", "u.npy", "v.npy", "--out", "d.h5"}),
              AllOf(HasSubstr("6 cases of 1 channel"), HasSubstr("--arrays u.npy,v.npy")));
  EXPECT_THAT(output({"data", "import", "u.npy", "v.npy"}), HasSubstr("u.npy v.npy --arrays u.npy,v.npy --out u.h5"));
  output({"data", "import", "u.npy", "v.npy", "--arrays", "u.npy,v.npy", "--out", "e.h5"});
  EXPECT_EQ(field::DatasetFile(folder_ / "e.h5").size(), 3);
}

// The commands that are suggested, and those that are typed in haste.
TEST_F(ImportData, WhatIsReadIsNotWrittenOver) {
  auto file = io::Hdf5File::create(folder_ / "flow.h5");
  std::vector<float> values;
  for (int i = 0; i < 4 * 5 * 6; ++i) values.push_back(float(wave(i, 1, 0)));
  file.write("p", io::Array::from<float>({4, 5, 6}, values));
  file.commit();
  write_file(folder_ / "notes.txt", "mine");
  const auto before = read_file(folder_ / "flow.h5");
  EXPECT_THAT(output({"data", "import", "flow.h5"}), HasSubstr("--out flow-dataset.h5"));
  EXPECT_THAT(refusal({"data", "import", "flow.h5", "--out", "./flow.h5"}), HasSubstr("is what is read"));
  EXPECT_THAT(refusal({"data", "import", "flow.h5", "--out", "notes.txt"}), HasSubstr("is no dataset"));
  EXPECT_TRUE(read_file(folder_ / "flow.h5") == before);
  EXPECT_EQ(read_file(folder_ / "notes.txt"), "mine");
  for (int time = 0; time < 2; ++time) output({"data", "import", "flow.h5", "--out", "flow-dataset.h5"});
}

TEST_F(ImportData, NamesMustBeTheirOwn) {
  std::vector<float> values;
  for (int i = 0; i < 4 * 9 * 9; ++i) values.push_back(float(wave(i % 9, i / 9, 0)));
  io::write_npy(folder_ / "p.npy", io::Array::from<float>({4, 9, 9}, values));
  output({"data", "import", "p.npy", "--out", "d.h5"});
  write_file(folder_ / "s.csv", "name,x,y\na,1,1\na,5,5\n");
  EXPECT_THAT(refusal({"init", "d.h5", "--sensors-csv", "s.csv", "--out", "c.toml"}), HasSubstr("both called \"a\""));
  write_file(folder_ / "s.csv", "name,x,x\na,1,1\nb,5,5\n");
  EXPECT_THAT(refusal({"init", "d.h5", "--sensors-csv", "s.csv", "--out", "c.toml"}),
              HasSubstr("two columns are called \"x\""));
}

// Without --out, every kind of file says what it holds and what to type; what it says works.
TEST_F(ImportData, WithoutOptionsItIsSaidWhatToType) {
  for (int t = 0; t < 3; ++t) {
    io::write_vtk(folder_ / fmt::format("f_{}.vtu", t), one_layer(6, 4, t));
    std::string rows = "# x y u p\n";
    for (int i = 0; i < 20; ++i) rows += fmt::format("{} {} {} {}\n", i % 5, i / 5, wave(i, t, 0), wave(t, i, 0));
    write_file(folder_ / fmt::format("t_{}.dat", t), rows);
  }
  importing::FoamCaseWriter foam(folder_ / "channel", 6, 4);
  for (const char* time : {"0.5", "1", "1.5"}) foam.add_time(time);
  std::vector<float> values;
  for (int i = 0; i < 3 * 6 * 7; ++i) values.push_back(float(i));
  io::write_npz(folder_ / "a.npz", {{"u", io::Array::from<float>({3, 6, 7}, values)},
                                    {"v", io::Array::from<float>({3, 6, 7}, values)},
                                    {"t", io::Array::from<float>({3}, std::vector<float>{0, 1, 2})}});
  struct Kind {
    std::string files, holds, suggests;
  };
  for (const auto& kind : std::vector<Kind>{{"f_*.vtu", "U (3 components), p", "--arrays p"},
                                            {"t_*.dat", "x, y, u, p", "'t_*.dat' --out data.h5"},
                                            {"channel", "wall (wall)", "--arrays U,p"},
                                            {"a.npz", "u (3, 6, 7)", "--arrays u,v --times t"}}) {
    const auto said = output({"data", "import", kind.files});
    EXPECT_THAT(said, AllOf(HasSubstr(kind.holds), HasSubstr("fluidsplat data import"), HasSubstr(kind.suggests)));
    // The last line is a command.
    std::vector<std::string> words;
    std::string word;
    for (char c : said.substr(said.find("fluidsplat data import") + 11)) {
      if (c == ' ' || c == '\n') {
        if (!word.empty()) words.push_back(std::exchange(word, ""));
      } else if (c != '\'') {
        word += c;
      }
    }
    EXPECT_THAT(output(words), HasSubstr("3 cases")) << kind.files;
  }
}

// The path of docs/from-openfoam.md.
TEST_F(ImportData, FromOpenFoam) {
  importing::FoamCaseWriter foam(folder_ / "channel", 16, 8);
  for (int i = 1; i <= 8; ++i) foam.add_time(fmt::format("{:g}", 0.5 * i));
  foam.add_probes("0", {0.5, 1, 1.5}, {{0.3, 0.4}, {1.1, 0.6}, {1.7, 0.3}});
  foam.add_probes("1.5", {1.5, 2, 2.5, 3}, {{0.3, 0.4}, {1.1, 0.6}, {1.7, 0.3}});
  EXPECT_THAT(output({"data", "import", "channel"}), HasSubstr("wall (wall)"));
  EXPECT_THAT(output({"data", "import", "channel", "--arrays", "U,p", "--out", "channel.h5"}),
              AllOf(HasSubstr("8 cases on 1 mesh of 128 points"), HasSubstr("16 points on the wall")));
  EXPECT_THAT(output({"data", "probes", "channel", "--data", "channel.h5"}),
              HasSubstr("sensors.csv: 3 sensors; readings.csv: 6 instants from 0.5 to 3"));
  output({"init", "channel.h5", "--sensors-csv", "sensors.csv", "--minutes", "0.02", "--out", "channel.toml"});
  output({"train", "channel.toml", "train.steps=20", "train.validate_every=10", "train.threads=1"});
  output({"reconstruct", "runs/channel", "--readings", "readings.csv", "--out", "fields", "--data", "channel.h5"});
  output({"readings", "runs/channel", "--data", "channel.h5", "--out", "again.csv"});
  EXPECT_EQ(io::read_csv(folder_ / "again.csv").header, io::read_csv(folder_ / "readings.csv").header);
  EXPECT_TRUE(fs::exists(folder_ / "fields"));
}

}  // namespace
}  // namespace fluidsplat::tests
