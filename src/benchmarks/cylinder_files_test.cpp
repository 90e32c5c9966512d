// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cylinder_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "io/npy.h"
#include "sim/window.h"

namespace fluidsplat::benchmarks {
namespace {

constexpr Index kRows = 112, kColumns = 192;

bool in_body(Index row, Index column) {
  return std::hypot(double(row) - 55.5, double(column) - 13.5) < 6;
}

// Not zero anywhere in the fluid, different in every frame.
double vorticity(Index frame, Index row, Index column) {
  return in_body(row, column) ? 0 : 1 + std::sin(0.1 * double(row) + 0.05 * double(column) + 0.3 * double(frame)) / 2;
}

io::Array wake_array(Index frames, std::vector<std::int64_t> shape = {}) {
  std::vector<double> values;
  for (Index t = 0; t < frames; ++t)
    for (Index r = 0; r < kRows; ++r)
      for (Index c = 0; c < kColumns; ++c) values.push_back(vorticity(t, r, c));
  return io::Array::from<double>(shape.empty() ? std::vector<std::int64_t>{frames, kRows, kColumns, 1} : shape, values);
}

// What pickle.dump(array, file, protocol=4) writes for a C-ordered float64 array.
std::string pickled(const io::Array& array, const std::string& global = "numpy.core.multiarray") {
  const auto short_text = [](const std::string& text) { return std::string("\x8c") + char(text.size()) + text; };
  std::string out = "\x80\x04";
  out += short_text(global) + short_text("_reconstruct") + "\x93";
  out += short_text("numpy") + short_text("ndarray") + "\x93";
  out += std::string("K\x00\x85", 3) + std::string("C\x01") + "b" + "\x87R";
  out += "(K\x01(";
  for (auto n : array.shape) {
    out += "J";
    for (int byte = 0; byte < 4; ++byte) out += char((n >> (8 * byte)) & 0xff);
  }
  out += "t" + short_text("numpy") + short_text("dtype") + "\x93" + short_text("f8") + "\x89\x88\x87R";
  out += "(K\x03" + short_text("<") + "NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xff" + std::string("K\x00", 2) + "tb\x89";
  out += "\x8e";
  const std::uint64_t bytes = array.bytes.size();
  for (int byte = 0; byte < 8; ++byte) out += char((bytes >> (8 * byte)) & 0xff);
  out.append(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
  return out + "tb.";
}

void expect_wake(const std::filesystem::path& file, Index frames) {
  const field::DatasetFile data(file);
  ASSERT_EQ(data.size(), frames);
  ASSERT_EQ(data.mesh_count(), 1);
  const auto last = data.load(frames - 1);
  for (Index i = 0; i < last.mesh->size(); ++i) {
    const auto row = last.mesh->grid_cell[i] / kColumns, column = last.mesh->grid_cell[i] % kColumns;
    ASSERT_FALSE(in_body(row, column));
    ASSERT_NEAR(last.fields(i, 0), vorticity(frames - 1, row, column), 1e-6);
    ASSERT_NEAR(last.mesh->points(i, 0), (double(column) - 13.5) / 12, 1e-6);
    ASSERT_NEAR(last.mesh->points(i, 1), (double(row) - 55.5) / 12, 1e-6);
  }
}

TEST(CylinderFiles, ReadsThePickleAndTheArrayAlike) {
  const TemporaryFolder folder;
  write_file(folder / "Cy_Taira.pickle", pickled(wake_array(10)));
  EXPECT_EQ(import_cylinder(folder.path(), folder / "a.h5", {}).cases, 10);
  expect_wake(folder / "a.h5", 10);
  io::write_npy(folder / "other.npy", wake_array(10, {10, kRows, kColumns}));
  import_cylinder(folder / "other.npy", folder / "b.h5", {});
  expect_wake(folder / "b.h5", 10);
}

// torch.manual_seed(123); torch.randperm(1200)[:50] decides; the rest tests, 200 of it choose.
TEST(CylinderFiles, HasThePublishedSplit) {
  const TemporaryFolder folder;
  io::write_npy(folder / "cylinder.npy", wake_array(1200));
  import_cylinder(folder.path(), folder / "a.h5", {});
  const auto split = field::DatasetFile(folder / "a.h5").named_split("paper");
  EXPECT_EQ(split.train.size(), 50u);
  EXPECT_EQ(split.validation.size(), 200u);
  EXPECT_EQ(split.test.size(), 1150u);
  const auto order = field::torch_randperm(1200, 123);
  EXPECT_EQ(split.train, std::vector<Index>(order.begin(), order.begin() + 50));
}

void expect_refusal(const std::filesystem::path& source, const std::string& part) {
  const TemporaryFolder folder;
  try {
    import_cylinder(source, folder / "x.h5", {});
    FAIL() << "took " << source;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "x.h5"));
}

TEST(CylinderFiles, RefusesWhatIsNotTheBenchmark) {
  const TemporaryFolder folder;
  expect_refusal(folder / "nowhere", "no such file");
  expect_refusal(folder.path(), "Cy_Taira.pickle");
  io::write_npy(folder / "turned.npy", wake_array(4, {4, kColumns, kRows, 1}));
  expect_refusal(folder / "turned.npy", "(4, 192, 112, 1)");
  write_file(folder / "code.pickle", pickled(wake_array(2), "os.path"));
  expect_refusal(folder / "code.pickle", "os.path");
  const auto whole = pickled(wake_array(3));
  write_file(folder / "short.pickle", whole.substr(0, whole.size() / 2));
  expect_refusal(folder / "short.pickle", "short.pickle");
  auto array = wake_array(3);
  const double nan = std::nan("");
  std::memcpy(array.bytes.data() + (2 * kRows * kColumns + 5 * kColumns + 7) * 8, &nan, 8);
  io::write_npy(folder / "nan.npy", array);
  expect_refusal(folder / "nan.npy", "frame 2, row 5, column 7");
}

}  // namespace
}  // namespace fluidsplat::benchmarks
