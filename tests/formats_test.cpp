// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats people come with, beside those of docs/tour.md: the program says what is inside and what to type, and
// what it says works.  Each file holds p = 100 t + place at the instant t, on a plane of 6 x 5 points.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/hdf5.h"
#include "io/little_endian.h"
#include "io/netcdf3_fixture.h"
#include "io/vtk.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {
namespace {

using ::testing::HasSubstr;

constexpr int kColumns = 6, kRows = 5, kPlaces = kColumns * kRows, kInstants = 4;

double value(int instant, int place) {
  return 100 * instant + place;
}

std::string values_at(int instant) {
  std::string out;
  for (int i = 0; i < kPlaces; ++i) out += fmt::format("{} ", value(instant, i));
  return out;
}

std::string points_text() {
  std::string out;
  for (int i = 0; i < kPlaces; ++i) out += fmt::format("{} {} 0 ", i % kColumns, i / kColumns);
  return out;
}

std::string xml(const std::string& type, const std::string& body) {
  return fmt::format("<VTKFile type=\"{0}\" version=\"0.1\"><{0}{1}</{0}></VTKFile>", type, body);
}

std::string array(const std::string& attributes, const std::string& text) {
  return fmt::format("<DataArray type=\"Float64\" format=\"ascii\" {}>{}</DataArray>", attributes, text);
}

std::string structured(const std::string& coordinates, int instant) {
  return fmt::format(" WholeExtent=\"0 5 0 4 0 0\"><Piece Extent=\"0 5 0 4 0 0\"><PointData>{}</PointData>{}</Piece>",
                     array("Name=\"p\"", values_at(instant)), coordinates);
}

io::VtkMesh cloud(int instant) {
  io::VtkMesh mesh;
  io::VtkArray p{"p", 1, {}};
  for (int i = 0; i < kPlaces; ++i) {
    mesh.points.insert(mesh.points.end(), {double(i % kColumns), double(i / kColumns), 0});
    p.values.push_back(value(instant, i));
    mesh.add_cell(io::kVtkVertex, {i});
  }
  mesh.point_data = {p};
  return mesh;
}

// A file of MATLAB's version 5 with one array of doubles.
std::string mat5(const std::string& name, const std::vector<std::int32_t>& shape, const std::vector<double>& values) {
  const auto element = [](std::uint32_t type, const std::string& data) {
    std::string out;
    io::append_le(out, type);
    io::append_le(out, std::uint32_t(data.size()));
    out += data;
    out.resize((out.size() + 7) / 8 * 8);
    return out;
  };
  const auto bytes = [](const auto& list) {
    return std::string(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  };
  std::string header = "MATLAB 5.0 MAT-file, by a test";
  header.resize(124, ' ');
  io::append_le(header, std::uint16_t{0x0100});
  return header + "IM" +
         element(14, element(6, bytes(std::vector<std::uint32_t>{6, 0})) + element(5, bytes(shape)) + element(1, name) +
                         element(9, bytes(values)));
}

class Formats : public testing::Test {
 protected:
  std::string output(const std::vector<std::string>& arguments) {
    const auto outcome = run(arguments, folder_.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  // Looks at the files, types what is suggested, and compares what the dataset holds.
  void expect_all_the_way(const std::string& files, const std::string& holds) {
    SCOPED_TRACE(files);
    const auto said = output({"data", "import", files});
    const auto begin = said.find("fluidsplat data import");
    EXPECT_THAT(said, HasSubstr(holds));
    ASSERT_NE(begin, std::string::npos) << said;
    std::vector<std::string> words;
    std::string word;
    for (char c : said.substr(begin + std::string("fluidsplat ").size())) {
      if (c == ' ' || c == '\n') {
        if (!word.empty()) words.push_back(std::exchange(word, ""));
      } else if (c != '\'') {
        word += c;
      }
    }
    output(words);
    const field::DatasetFile dataset(folder_ / words.back());
    ASSERT_EQ(dataset.size(), kInstants);
    ASSERT_EQ(dataset.schema().dim(), 2);
    for (int t = 0; t < kInstants; ++t) {
      const auto c = dataset.load(t);
      ASSERT_EQ(c.mesh->size(), kPlaces);
      for (Index i = 0; i < kPlaces; ++i) {
        const auto place = int(c.mesh->points(i, 0)) + kColumns * int(c.mesh->points(i, 1));
        ASSERT_EQ(c.fields(i, 0), value(t, place)) << "instant " << t << ", point " << i;
      }
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Formats, MeshesOfVtk) {
  std::string entries;
  for (int t = 0; t < kInstants; ++t) {
    const auto name = [&](const char* kind) { return folder_ / fmt::format("{}_{}.{}", kind, t, kind); };
    write_file(name("vtk"),
               "# vtk DataFile Version 3.0\nby a test\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS 6 5 1\n"
               "POINTS 30 double\n" +
                   points_text() + "\nPOINT_DATA 30\nSCALARS p double 1\nLOOKUP_TABLE default\n" + values_at(t) + "\n");
    write_file(name("vts"),
               xml("StructuredGrid",
                   structured("<Points>" + array("NumberOfComponents=\"3\"", points_text()) + "</Points>", t)));
    write_file(name("vtr"), xml("RectilinearGrid", structured("<Coordinates>" + array("Name=\"x\"", "0 1 2 3 4 5") +
                                                                  array("Name=\"y\"", "0 1 2 3 4") +
                                                                  array("Name=\"z\"", "0") + "</Coordinates>",
                                                              t)));
    io::write_vtk(folder_ / fmt::format("block_{}.vtu", t), cloud(t));
    write_file(name("vtm"), xml("vtkMultiBlockDataSet",
                                fmt::format("><DataSet index=\"0\" name=\"flow\" file=\"block_{}.vtu\"/>", t)));
    entries += fmt::format("{}{{\"name\": \"block_{}.vtu\", \"time\": {}}}", t ? ", " : "", t, 0.5 * t);
  }
  write_file(folder_ / "flow.vtu.series", "{\"file-series-version\": \"1.0\", \"files\": [" + entries + "]}");
  for (const char* kind : {"vtk", "vts", "vtr", "vtm"}) expect_all_the_way(fmt::format("{0}_*.{0}", kind), "30 points");
  expect_all_the_way("flow.vtu.series", "30 points");
  EXPECT_EQ(field::DatasetFile(folder_ / "flow.vtu.h5").load(2).time, 1.0);
}

// MATLAB shows (rows, columns, instants), and stores columns first.
TEST_F(Formats, ArraysOfMatlab) {
  std::vector<double> by_column;
  for (int t = 0; t < kInstants; ++t)
    for (int x = 0; x < kColumns; ++x)
      for (int y = 0; y < kRows; ++y) by_column.push_back(value(t, x + kColumns * y));
  write_file(folder_ / "old.mat", mat5("p", {kRows, kColumns, kInstants}, by_column));
  auto file = io::Hdf5File::create(folder_ / "new.mat");
  file.write("/p", io::Array::from<double>({kInstants, kColumns, kRows}, by_column));
  file.set_attribute("/p", "MATLAB_class", "double");
  file.commit();
  expect_all_the_way("old.mat", "p (5, 6, 4)");
  expect_all_the_way("new.mat", "p (5, 6, 4)");
}

TEST_F(Formats, ArraysOfHdf5ByName) {
  auto file = io::Hdf5File::create(folder_ / "run.hdf5");
  std::vector<double> values;
  for (int t = 0; t < kInstants; ++t)
    for (int i = 0; i < kPlaces; ++i) values.push_back(value(t, i));
  file.write("flow/p", io::Array::from<double>({kInstants, kRows, kColumns}, values));
  file.commit();
  expect_all_the_way("run.hdf5", "flow/p (4, 5, 6)");
}

// The classic format, whose coordinates and growing axis the file itself tells.
TEST_F(Formats, ArraysOfNetCdf3) {
  io::NetCdf3Bytes bytes(1);
  bytes.axes = {{"time", 0}, {"y", kRows}, {"x", kColumns}};
  bytes.records = kInstants;
  std::vector<double> values;
  for (int t = 0; t < kInstants; ++t)
    for (int i = 0; i < kPlaces; ++i) values.push_back(value(t, i));
  bytes.variables = {{"time", {0}, {}, 6, bytes.numbers<double>({0, 0.5, 1, 1.5})},
                     {"y", {1}, {}, 5, bytes.numbers<float>({0, 1, 2, 3, 4})},
                     {"x", {2}, {}, 5, bytes.numbers<float>({0, 1, 2, 3, 4, 5})},
                     {"p", {0, 1, 2}, {}, 6, bytes.numbers(values)}};
  write_file(folder_ / "run.nc", bytes.bytes());
  expect_all_the_way("run.nc", "p (4, 5, 6)");
}

// One file per instant, without a line that names the columns: the guess is for the user to correct.
TEST_F(Formats, TextWithoutNames) {
  std::filesystem::create_directories(folder_ / "run");
  for (int t = 0; t < kInstants; ++t) {
    std::string rows = "% made by a test\n";
    for (int i = 0; i < kPlaces; ++i) rows += fmt::format("{} {} {}\n", i % kColumns, i / kColumns, value(t, i));
    write_file(folder_ / fmt::format("run/t_{}.dat", t), rows);
  }
  expect_all_the_way("run", "30 rows of 3 numbers, without names");
}

}  // namespace
}  // namespace fluidsplat::tests
