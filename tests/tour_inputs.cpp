// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/tour_inputs.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/index.h"
#include "import/foam_fixture.h"
#include "import/netcdf_fixture.h"
#include "io/hdf5.h"
#include "io/npz.h"
#include "io/pvd.h"
#include "io/vtk.h"

namespace fluidsplat::tests {
namespace {

namespace fs = std::filesystem;

constexpr int kInstants = 12;

struct Flow {
  double u, v, p;
};

// A row of vortices that travels along x.
Flow street(double x, double y, double t) {
  const double phase = 3 * x - 0.6 * t;
  return {1 + 0.3 * y * std::sin(phase), 0.3 * std::cos(phase), 0.5 * std::sin(phase) * (1 - 0.2 * y)};
}

// wake.npz: u, v, p of (12, 12, 20) with NaN in a body, and the coordinates of columns and rows.
void write_wake(const fs::path& file) {
  const int rows = 12, columns = 20;
  std::vector<float> u, v, p, x, y, t;
  for (int j = 0; j < rows; ++j) y.push_back(0.1f * float(j));
  for (int i = 0; i < columns; ++i) x.push_back(0.1f * float(i));
  for (int k = 0; k < kInstants; ++k) {
    t.push_back(float(k));
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        const bool body = std::hypot(i - 5, j - 5.5) < 2.2;
        const auto flow = street(0.1 * i, 0.1 * j, k);
        const float none = std::numeric_limits<float>::quiet_NaN();
        u.push_back(body ? none : float(flow.u));
        v.push_back(body ? none : float(flow.v));
        p.push_back(body ? none : float(flow.p));
      }
  }
  const auto array = [](std::vector<std::int64_t> shape, const std::vector<float>& values) {
    return io::Array::from<float>(std::move(shape), values);
  };
  io::write_npz(file, {{"u", array({kInstants, rows, columns}, u)},
                       {"v", array({kInstants, rows, columns}, v)},
                       {"p", array({kInstants, rows, columns}, p)},
                       {"x", array({columns}, x)},
                       {"y", array({rows}, y)},
                       {"t", array({kInstants}, t)}});
}

// tables/t_1.csv ... t_12.csv: scattered points, x, y, u, v, p.
void write_tables(const fs::path& folder) {
  fs::create_directory(folder);
  for (int k = 1; k <= kInstants; ++k) {
    std::string rows = "# exported by the solver\nx,y,u,v,p\n";
    for (int i = 0; i < 150; ++i) {
      const double x = 2 * std::fmod(0.618034 * i, 1), y = std::fmod(0.754878 * i, 1);
      const auto flow = street(x, y, k);
      rows += fmt::format("{:.5g},{:.5g},{:.5g},{:.5g},{:.5g}\n", x, y, flow.u, flow.v, flow.p);
    }
    write_file(folder / fmt::format("t_{}.csv", k), rows);
  }
}

// jet/jet.pvd and its .vtu files: quadrilaterals with U and p at their corners.
void write_jet(const fs::path& folder) {
  fs::create_directory(folder);
  std::vector<io::PvdEntry> series;
  for (int k = 0; k < kInstants; ++k) {
    const Index columns = 16, rows = 8;
    io::VtkMesh mesh;
    io::VtkArray velocity{"U", 3, {}}, pressure{"p", 1, {}};
    for (Index j = 0; j <= rows; ++j)
      for (Index i = 0; i <= columns; ++i) {
        const double x = 0.12 * double(i), y = (0.1 + 0.01 * x) * double(j);
        const auto flow = street(x, y, k);
        mesh.points.insert(mesh.points.end(), {x, y, 0});
        velocity.values.insert(velocity.values.end(), {flow.u, flow.v, 0});
        pressure.values.push_back(flow.p);
      }
    for (Index j = 0; j < rows; ++j)
      for (Index i = 0; i < columns; ++i) {
        const Index at = j * (columns + 1) + i;
        mesh.add_cell(io::kVtkQuad, {at, at + 1, at + columns + 2, at + columns + 1});
      }
    mesh.point_data = {velocity, pressure};
    const auto name = fmt::format("jet_{}.vtu", k);
    io::write_vtk(folder / name, mesh);
    series.push_back({0.25 * k, name});
  }
  io::write_pvd(folder / "jet.pvd", series);
}

// sea.nc: packed temperatures of (time, lat, lon) with a fill value on land, as NetCDF-4 files hold them.
void write_sea(const fs::path& file) {
  const int rows = 10, columns = 18;
  std::vector<std::int16_t> packed;
  std::vector<double> time, lat, lon;
  for (int j = 0; j < rows; ++j) lat.push_back(40 + 0.5 * j);
  for (int i = 0; i < columns; ++i) lon.push_back(-10 + 0.5 * i);
  for (int k = 0; k < kInstants; ++k) {
    time.push_back(6 * k);
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < columns; ++i) {
        const bool land = i + j < 5;
        packed.push_back(land ? std::int16_t{-32767} : std::int16_t(std::lround(1000 * street(0.1 * i, 0.1 * j, k).p)));
      }
  }
  auto out = io::Hdf5File::create(file);
  out.write("/sst", io::Array::from<std::int16_t>({kInstants, rows, columns}, packed));
  out.set_attribute("/sst", "_FillValue", std::int64_t{-32767});
  out.set_attribute("/sst", "scale_factor", 0.01);
  out.set_attribute("/sst", "add_offset", 15.0);
  out.write("/time", io::Array::from<double>({kInstants}, time));
  out.write("/lat", io::Array::from<double>({rows}, lat));
  out.write("/lon", io::Array::from<double>({columns}, lon));
  for (const char* name : {"/time", "/lat", "/lon"}) out.set_attribute(name, "CLASS", "DIMENSION_SCALE");
  out.commit();
  if (!importing::attach_scales(file.string(), "/sst", {"/time", "/lat", "/lon"}))
    fail("{}: cannot be given axes", file.string());
}

// channel: an OpenFOAM case with a wall at the bottom and three probes.
void write_channel(const fs::path& folder) {
  importing::FoamCaseWriter foam(folder, 16, 8);
  std::vector<double> times;
  for (int k = 1; k <= kInstants; ++k) {
    foam.add_time(fmt::format("{:g}", 0.5 * k));
    times.push_back(0.5 * k + 0.25);
  }
  foam.add_probes("0", times, {{0.3, 0.4}, {1.1, 0.6}, {1.7, 0.3}});
}

}  // namespace

void write_tour_inputs(const fs::path& folder) {
  write_wake(folder / "wake.npz");
  write_tables(folder / "tables");
  write_jet(folder / "jet");
  write_sea(folder / "sea.nc");
  write_channel(folder / "channel");
}

}  // namespace fluidsplat::tests
