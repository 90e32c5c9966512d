// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/mesh_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/pvtu.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/reconstruct_series.h"
#include "reconstruct/runtime_model.h"
#include "runtime/random_model.h"

namespace fluidsplat::reconstruct {
namespace {

using ::testing::HasSubstr;

// Columns `first` to `last` of points of a mesh of squares in the unit square.
io::VtkMesh columns(int first, int last) {
  constexpr int kAlong = 12;
  io::VtkMesh mesh;
  const int wide = last - first + 1;
  for (int y = 0; y <= kAlong; ++y)
    for (int x = first; x <= last; ++x)
      mesh.points.insert(mesh.points.end(), {x / double(kAlong), y / double(kAlong), 0});
  for (std::int64_t y = 0; y < kAlong; ++y)
    for (std::int64_t x = 0; x + 1 < wide; ++x) {
      const auto at = y * wide + x;
      mesh.add_cell(io::kVtkQuad, {at, at + 1, at + wide + 1, at + wide});
    }
  return mesh;
}

class MeshPiecesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    runtime::RandomModel().write(folder_ / "model.safetensors");
    model_.emplace(folder_ / "model.safetensors");
    ReadingTable table;
    table.times = {0};
    table.values.push_back(field::Matrix::Constant(5, 2, 0.3f));
    table.values.back()(4, 1) = std::nanf("");  // the last sensor sees one channel only
    table.descriptors.emplace_back(0);
    io::write_csv(folder_ / "r.csv", to_table(table, model_->schema(), model_->sensors()));
    request_.readings = folder_ / "r.csv";
    const std::vector<std::string> files = {"in/0.vtu", "in/1.vtu", "in/2.vtu"};
    for (int i = 0; i < 3; ++i) io::write_vtk(folder_ / files[std::size_t(i)], columns(4 * i, 4 * i + 4));
    io::write_vtk(folder_ / "whole.vtu", columns(0, 12));
    io::write_pvtu(folder_ / "mesh.pvtu", columns(0, 1), files);
  }

  TemporaryFolder folder_;
  std::optional<RuntimeModel> model_;
  SeriesRequest request_;
};

// The pieces hold, point by point, what one file of the whole would.
TEST_F(MeshPiecesTest, ReconstructTheFieldOfTheWhole) {
  request_.mesh_file = folder_ / "whole.vtu";
  request_.out = folder_ / "one";
  reconstruct_series(*model_, request_);
  const auto whole = io::read_vtk(folder_ / "one/field_0000.vtu");
  request_.mesh_file = folder_ / "mesh.pvtu";
  request_.out = folder_ / "many";
  const auto report = reconstruct_series(*model_, request_);
  EXPECT_EQ(report.points, 3 * 5 * 13);
  EXPECT_EQ(report.instants, 1);
  const auto files = io::read_pvtu(folder_ / "many/field_0000.pvtu");
  ASSERT_EQ(files.size(), 3u);
  ASSERT_GT(whole.point_data.size(), 2u);
  for (std::size_t f = 0; f < 3; ++f) {
    const auto piece = io::read_vtk(folder_ / "many" / files[f]);
    ASSERT_EQ(piece.cell_count(), 4 * 12);
    for (const auto& array : whole.point_data) {
      const auto* part = piece.find_point_data(array.name);
      ASSERT_TRUE(part) << array.name;
      for (std::size_t y = 0; y < 13; ++y)
        for (std::size_t x = 0; x < 5; ++x)
          for (std::size_t c = 0; c < std::size_t(array.components); ++c)
            EXPECT_EQ(part->values[(y * 5 + x) * std::size_t(array.components) + c],
                      array.values[(y * 13 + 4 * f + x) * std::size_t(array.components) + c]);
    }
  }
  // A series on one mesh in the same folder leaves no pieces behind.
  request_.mesh_file = folder_ / "whole.vtu";
  reconstruct_series(*model_, request_);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "many/field_0000"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "many/field_0000.pvtu"));
}

TEST_F(MeshPiecesTest, WhatPiecesCannotDoIsSaidBeforeTheFirst) {
  request_.mesh_file = folder_ / "mesh.pvtu";
  request_.out = folder_ / "out";
  request_.format = SeriesFormat::npy;
  EXPECT_THAT([&] { reconstruct_series(*model_, request_); },
              ::testing::ThrowsMessage<Error>(HasSubstr("not as one array")));
  request_.format = SeriesFormat::vtk;
  std::filesystem::remove(folder_ / "in/2.vtu");
  EXPECT_THAT([&] { reconstruct_series(*model_, request_); },
              ::testing::ThrowsMessage<Error>(HasSubstr("in/2.vtu is not there")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out/field.pvd"));
}

}  // namespace
}  // namespace fluidsplat::reconstruct
