// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "benchmarks/airfrans_fixture.h"
#include "field/sensor_count.h"
#include "field/sensors.h"
#include "io/vtk.h"

namespace fluidsplat::benchmarks {
namespace {

using testing::HasSubstr;

constexpr const char* kName = "airFoil2D_SST_50.0_6.0_2.0_4.0_12.0";

class AirfransCase : public testing::Test {
 protected:
  AirfransCase() { write_made_up_case(files, kName); }

  // The error of reading the case after a change of one of its files.
  std::string error_with(const std::filesystem::path& file, const std::function<void(io::VtkMesh&)>& change) {
    auto mesh = io::read_vtk(file);
    change(mesh);
    io::write_vtk(file, mesh);
    return error();
  }
  std::string error() {
    try {
      read_airfrans_case(files, kName);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }

  TemporaryFolder folder;
  AirfransFiles files{folder.path()};
};

TEST_F(AirfransCase, FilesAreLaidOutAsThePublishedOnes) {
  const auto internal = io::read_vtk(files.internal(kName));
  for (const auto& [name, components] :
       std::vector<std::pair<const char*, int>>{{"U", 3}, {"p", 1}, {"nut", 1}, {"implicit_distance", 1}}) {
    ASSERT_TRUE(internal.find_point_data(name)) << name;
    EXPECT_EQ(internal.find_point_data(name)->components, components);
  }
  EXPECT_EQ(internal.cell_types.front(), io::kVtkQuad);
  EXPECT_EQ(internal.points[2], 0.5);
  const auto wall = io::read_vtk(files.aerofoil(kName)), edge = io::read_vtk(files.freestream(kName));
  ASSERT_TRUE(wall.find_point_data("Normals"));
  // The first is the trailing edge: into the body is against x.
  EXPECT_LT(wall.find_point_data("Normals")->values[0], 0);
  ASSERT_TRUE(edge.find_point_data("U") && edge.find_point_data("p") && edge.find_point_data("nut"));
  // Distances are negative in the fluid there.
  EXPECT_LT(internal.find_point_data("implicit_distance")->values.back(), 0);
}

TEST_F(AirfransCase, HoldsFieldsWallDescriptorsAndReference) {
  const auto c = read_airfrans_case(files, kName);
  field::check_case(c, airfrans_schema(), kName);
  EXPECT_EQ(c.mesh->size(), 48 * 12);
  ASSERT_TRUE(c.mesh->wall);
  EXPECT_EQ(c.mesh->wall->size(), 48);
  EXPECT_NEAR(c.descriptors[0], 50 / 1.56e-5, 1) << "AirfRANS's viscosity, where nothing else is said";
  EXPECT_NEAR(c.descriptors[1], 6, 1e-6);
  EXPECT_NEAR(c.reference.speed, 50, 1e-9);
  EXPECT_NEAR(c.reference.direction[1] / c.reference.direction[0], std::tan(6 * std::numbers::pi / 180), 1e-9);
  const sim::NacaAirfoil airfoil({2, 4, 12});
  for (Index i = 0; i < c.mesh->size(); i += 7) {
    const sim::Vec2 p{c.mesh->points(i, 0), c.mesh->points(i, 1)};
    const auto flow = made_up_flow(airfoil, 6, p);
    EXPECT_NEAR(c.fields(i, 2), 2500 * flow.pressure, 0.05);
    if (i >= 48) {
      EXPECT_NEAR(c.fields(i, 0), 50 * flow.u, 0.05);
    }
  }
  for (Index s = 0; s < c.mesh->wall->size(); ++s) {
    EXPECT_EQ(c.wall_fields(s, 0), 0);
    EXPECT_EQ(c.wall_fields(s, 1), 0);
    const sim::Vec2 p{c.mesh->wall->points(s, 0), c.mesh->wall->points(s, 1)};
    const sim::Vec2 ahead{p.x + 1e-3 * c.mesh->wall->normals(s, 0), p.y + 1e-3 * c.mesh->wall->normals(s, 1)};
    EXPECT_GT(airfoil.signed_distance(ahead), 0) << "normals point into the fluid";
  }
}

TEST_F(AirfransCase, HasTheSixQueryFeatures) {
  const auto c = read_airfrans_case(files, kName);
  const sim::NacaAirfoil airfoil({2, 4, 12});
  const auto surface = airfoil.surface(48);
  const double cosine = std::cos(6 * std::numbers::pi / 180), sine = std::sin(6 * std::numbers::pi / 180);
  for (Index i = 0; i < c.mesh->size(); ++i) {
    const auto f = c.mesh->features.row(i);
    const double x = c.mesh->points(i, 0), y = c.mesh->points(i, 1);
    ASSERT_NEAR(f[0], std::max(0.0, airfoil.signed_distance({x, y})), 1e-4);
    ASSERT_NEAR(f[4], x * cosine + y * sine, 1e-5);
    ASSERT_NEAR(f[5], y * cosine - x * sine, 1e-5);
    Index nearest = 0;
    for (Index s = 1; s < 48; ++s)
      if (std::hypot(x - surface[s].position.x, y - surface[s].position.y) <
          std::hypot(x - surface[nearest].position.x, y - surface[nearest].position.y) - 1e-6)
        nearest = s;
    ASSERT_NEAR(f[1], surface[nearest].normal.x, 1e-3) << i;
    ASSERT_NEAR(f[2], surface[nearest].normal.y, 1e-3) << i;
    ASSERT_NEAR(f[3], surface[nearest].arclength, 0.01) << i;
  }
  const auto& wall = *c.mesh->wall;
  for (Index s = 0; s < 48; ++s) {
    EXPECT_EQ(wall.features(s, 0), 0);
    EXPECT_NEAR(wall.features(s, 3), surface[s].arclength, 0.01);
  }
}

TEST_F(AirfransCase, NormalsOfEitherSignEndUpInTheFluid) {
  const auto before = read_airfrans_case(files, kName);
  error_with(files.aerofoil(kName), [](io::VtkMesh& mesh) {
    for (auto& array : mesh.point_data)
      if (array.name == "Normals")
        for (auto& value : array.values) value = -value;
  });
  EXPECT_LT((read_airfrans_case(files, kName).mesh->wall->normals - before.mesh->wall->normals).norm(), 1e-5);
}

// The published arclengths, counted from the trailing edge over the upper side: half of the sensors on each side.
TEST_F(AirfransCase, WallSensorsStandOnBothSidesAndSeePressureAlone) {
  const auto c = read_airfrans_case(files, kName);
  for (const Index count : {4, 8, 12, 16}) {
    const auto layout = field::wall_layout(*c.mesh, field::even_arclengths(count), {2});
    const auto placed = field::place(layout, *c.mesh, 0);
    const auto readings = field::read_sensors(c, placed);
    Index above = 0;
    const sim::NacaAirfoil airfoil({2, 4, 12});
    for (Index i = 0; i < count; ++i) {
      EXPECT_GE(placed.points[i], c.mesh->size()) << "on the wall's own points";
      EXPECT_TRUE(std::isnan(readings.values(i, 0)) && std::isnan(readings.values(i, 1)));
      EXPECT_TRUE(std::isfinite(readings.values(i, 2)));
      const double x = readings.positions(i, 0), y = readings.positions(i, 1);
      above += y > airfoil.camber(x);
      if (i > 0 && i < count / 2) {
        EXPECT_LT(x, readings.positions(i - 1, 0)) << "forward over the upper side";
      } else if (i > count / 2) {
        EXPECT_GT(x, readings.positions(i - 1, 0)) << "back along the lower side";
      }
    }
    EXPECT_EQ(above, count / 2);
  }
}

TEST_F(AirfransCase, TheViscosityOfACaseCounts) {
  write_file(files.facts(kName), R"({"viscosity": 0.05})");
  EXPECT_NEAR(read_airfrans_case(files, kName).descriptors[0], 1000, 1e-3);
  for (const auto* bad : {"", "{}", R"({"viscosity": "thick"})", R"({"viscosity": -1})"}) {
    write_file(files.facts(kName), bad);
    EXPECT_THAT(error(), HasSubstr("viscosity")) << bad;
  }
}

TEST_F(AirfransCase, DamagedFilesAreErrorsThatNameThem) {
  const auto drop = [](const char* name) {
    return [name](io::VtkMesh& mesh) { std::erase_if(mesh.point_data, [&](const auto& a) { return a.name == name; }); };
  };
  EXPECT_THAT(error_with(files.internal(kName), drop("p")), HasSubstr("_internal.vtu: has no point data \"p\""));
  write_made_up_case(files, kName);
  EXPECT_THAT(error_with(files.aerofoil(kName), drop("Normals")), HasSubstr("\"Normals\""));
  write_made_up_case(files, kName);
  EXPECT_THAT(error_with(files.internal(kName), [](io::VtkMesh& mesh) { mesh.points[5] = 3; }), HasSubstr("plane"));
  write_made_up_case(files, kName);
  EXPECT_THAT(error_with(files.aerofoil(kName),
                         [](io::VtkMesh& mesh) {
                           for (auto& array : mesh.point_data)
                             if (array.name == "Normals") array.values.assign(array.values.size(), 0);
                         }),
              HasSubstr("no direction"));

  write_made_up_case(files, kName);
  const auto whole = read_file(files.internal(kName));
  write_file(files.internal(kName), std::string_view(whole).substr(0, whole.size() / 2));
  EXPECT_THAT(error(), HasSubstr("_internal.vtu"));
  write_file(files.internal(kName), "not VTK");
  EXPECT_THAT(error(), HasSubstr("_internal.vtu"));
  std::filesystem::remove(files.internal(kName));
  EXPECT_THAT(error(), HasSubstr("missing"));
}

}  // namespace
}  // namespace fluidsplat::benchmarks
