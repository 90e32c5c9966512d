// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/grid_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/vtk.h"
#include "reconstruct/reading_table.h"
#include "reconstruct/reconstruct_series.h"
#include "reconstruct/runtime_model.h"
#include "runtime/random_model.h"

namespace fluidsplat::reconstruct {
namespace {

// Where a point of a piece is in the whole grid.
Index in_whole(const io::VtkMesh& piece, Index point, const std::array<std::int64_t, 3>& whole) {
  const auto& d = piece.dimensions;
  const Index x = piece.first[0] + point % d[0], y = piece.first[1] + point / d[0] % d[1],
              z = piece.first[2] + point / (d[0] * d[1]);
  return x + whole[0] * (y + whole[1] * z);
}

TEST(GridPieces, HaveThePointsOfTheWholeToTheBit) {
  const field::Box box{{-1, 0.3, 2}, {1.7, 0.9, 5}};
  KnownRegion region;  // a hole in one corner
  region.box = box;
  region.shape = {2, 2, 2};
  region.known = {0, 1, 1, 1, 1, 1, 1, 1};
  for (const auto& shape : {std::vector<Index>{17, 9, 6}, {5, 40, 3}, {2, 2, 2}})
    for (const Index most : {8, 30, 200, 100000}) {
      const auto whole = target_from_grid(shape, box, region);
      const GridPieces pieces(shape, box, region, most);
      std::vector<Index> row_of(pieces.points(), -1);
      for (Index i = 0; i < whole.mesh->size(); ++i) row_of[whole.shell.place[i]] = i;
      std::vector<int> seen(pieces.points(), 0), cells(pieces.points(), 0);
      for (Index p = 0; p < pieces.size(); ++p) {
        const auto piece = pieces.target(p);
        const auto& g = piece.shell.geometry;
        EXPECT_LE(g.point_count(), std::max<Index>(27, most));
        std::vector<bool> has(g.point_count(), false);
        for (Index i = 0; i < std::ssize(piece.shell.place); ++i) {
          has[piece.shell.place[i]] = true;
          const auto at = in_whole(g, piece.shell.place[i], *pieces.dimensions());
          ASSERT_GE(row_of[at], 0);
          EXPECT_EQ(whole.mesh->points.row(row_of[at]), piece.mesh->points.row(i));
        }
        for (Index i = 0; i < g.point_count(); ++i) {
          const auto at = in_whole(g, i, *pieces.dimensions());
          ++seen[at];
          EXPECT_EQ(has[i], row_of[at] >= 0);
          const auto& d = g.dimensions;
          // Counted by their first corner, every cell is in one piece.
          if (i % d[0] + 1 < d[0] && i / d[0] % d[1] + 1 < d[1] && i / (d[0] * d[1]) + 1 < d[2]) ++cells[at];
        }
      }
      for (Index z = 0; z < shape[2]; ++z)
        for (Index y = 0; y < shape[1]; ++y)
          for (Index x = 0; x < shape[0]; ++x) {
            const auto at = x + shape[0] * (y + shape[1] * z);
            EXPECT_GE(seen[at], 1);
            EXPECT_EQ(cells[at], x + 1 < shape[0] && y + 1 < shape[1] && z + 1 < shape[2] ? 1 : 0);
          }
    }
}

TEST(GridPieces, AreForGridsThatNobodyWantsInMemory) {
  EXPECT_FALSE(wants_pieces({1000, 1000}, 0));
  EXPECT_TRUE(wants_pieces({1000, 1000, 100}, 0));
  EXPECT_TRUE(wants_pieces({10, 10}, 99));
  EXPECT_FALSE(wants_pieces({10, 10}, 100));
  EXPECT_THROW(GridPieces({10, 10}, {{0, 0, 0}, {1, 1, 1}}, {}, 50), Error);
  EXPECT_THROW(GridPieces({10, 1, 10}, {{0, 0, 0}, {1, 1, 1}}, {}, 50), Error);
}

// The files hold, point by point, what one file of the whole would.
TEST(GridPieces, ReconstructTheFieldOfTheWhole) {
  const TemporaryFolder folder;
  runtime::RandomModel().write(folder / "model.safetensors");
  RuntimeModel model(folder / "model.safetensors");
  ReadingTable table;
  table.times = {0, 0.5};
  for (int row = 0; row < 2; ++row) {
    table.values.push_back(field::Matrix::Constant(5, 2, 0.3f * float(row) - 0.2f));
    table.values.back()(4, 1) = std::nanf("");  // the last sensor sees one channel only
    table.descriptors.emplace_back(0);
  }
  io::write_csv(folder / "r.csv", to_table(table, model.schema(), model.sensors()));
  SeriesRequest request;
  request.readings = folder / "r.csv";
  request.grid = {23, 17};
  request.out = folder / "whole";
  reconstruct_series(model, request);
  request.out = folder / "pieces";
  request.piece_points = 60;
  Index told = 0, expected = 0;
  const auto report =
      reconstruct_series(model, request, {.progress = [&](Index done, Index total) { told = done, expected = total; }});
  EXPECT_EQ(report.points, 23 * 17);
  EXPECT_EQ(report.instants, 2);
  EXPECT_EQ(told, expected);
  for (const char* instant : {"field_0000", "field_0001"}) {
    const auto whole = io::read_vtk(folder / "whole" / (std::string(instant) + ".vti"));
    EXPECT_TRUE(std::filesystem::exists(folder / "pieces" / (std::string(instant) + ".pvti")));
    Index files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "pieces" / instant)) {
      ++files;
      const auto piece = io::read_vtk(entry.path());
      for (const auto& array : whole.point_data) {
        const auto* part = piece.find_point_data(array.name);
        ASSERT_TRUE(part) << array.name;
        io::VtkMesh placed = piece;
        for (std::size_t a = 0; a < 3; ++a)
          placed.first[a] = std::llround((piece.origin[a] - whole.origin[a]) / whole.spacing[a]);
        for (Index i = 0; i < piece.point_count(); ++i)
          for (int c = 0; c < array.components; ++c)
            EXPECT_EQ(part->values[i * array.components + c],
                      array.values[in_whole(placed, i, whole.dimensions) * array.components + c]);
      }
    }
    EXPECT_EQ(files, expected / 2);
  }
  // A series of whole files in the same folder leaves no pieces behind.
  request.piece_points = 0;
  reconstruct_series(model, request);
  EXPECT_FALSE(std::filesystem::exists(folder / "pieces/field_0000"));
  EXPECT_FALSE(std::filesystem::exists(folder / "pieces/field_0000.pvti"));
}

}  // namespace
}  // namespace fluidsplat::reconstruct
