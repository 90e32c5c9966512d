// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace fluidsplat::importing {

// For tests: a small OpenFOAM case, one layer of nx x ny cells over 2 x 1, with a wall at the bottom, an inlet on the
// left, an outlet on the right, a symmetry plane at the top, and empty front and back.  Text files, as OpenFOAM writes
// them.
class FoamCaseWriter {
 public:
  FoamCaseWriter(std::filesystem::path folder, int nx, int ny) : folder_(std::move(folder)), nx_(nx), ny_(ny) {
    write("system/controlDict", "dictionary", "controlDict",
          "application icoFoam;\nstartFrom startTime;\nstartTime 0;\nstopAt endTime;\nendTime 10;\ndeltaT 0.5;\n"
          "writeControl timeStep;\nwriteInterval 1;\n");
    write_mesh();
  }

  static double u(double x, double y, double t) { return y * (1 + 0.5 * std::sin(3 * x - t)); }
  static double v(double x, double y, double t) { return 0.2 * y * std::cos(3 * x - t); }
  static double p(double x, double y, double t) { return std::cos(3 * x - t) * (1 - 0.5 * y); }

  void add_time(const std::string& name) {
    const double t = std::stod(name);
    std::string velocity, pressure, wall;
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) {
        const double x = 2 * (i + 0.5) / nx_, y = (j + 0.5) / ny_;
        velocity += fmt::format("({:.9g} {:.9g} 0)\n", u(x, y, t), v(x, y, t));
        pressure += fmt::format("{:.9g}\n", p(x, y, t));
      }
    for (int i = 0; i < nx_; ++i) wall += fmt::format("{:.9g}\n", p(2 * (i + 0.5) / nx_, 0, t));
    const auto others = [](const std::string& walls) {
      return "boundaryField\n{\n wall {" + walls +
             "}\n inlet { type zeroGradient; }\n outlet { type zeroGradient; }\n"
             " top { type symmetryPlane; }\n frontAndBack { type empty; }\n}\n";
    };
    write(name + "/U", "volVectorField", "U",
          fmt::format("dimensions [0 1 -1 0 0 0 0];\ninternalField nonuniform List<vector>\n{}\n(\n{})\n;\n", nx_ * ny_,
                      velocity) +
              others(" type fixedValue; value uniform (0 0 0); "));
    write(name + "/p", "volScalarField", "p",
          fmt::format("dimensions [0 2 -2 0 0 0 0];\ninternalField nonuniform List<scalar>\n{}\n(\n{})\n;\n", nx_ * ny_,
                      pressure) +
              others(fmt::format(" type fixedValue; value nonuniform List<scalar> {}(\n{}); ", nx_, wall)));
  }

  // Values at probes, as the function object writes them, from one start time on.
  void add_probes(const std::string& start, const std::vector<double>& times,
                  const std::vector<std::pair<double, double>>& places) {
    std::string header, pressure, velocity;
    for (std::size_t i = 0; i < places.size(); ++i)
      header += fmt::format("# Probe {} ({} {} 0.05)\n", i, places[i].first, places[i].second);
    header += "#  Probe";
    for (std::size_t i = 0; i < places.size(); ++i) header += fmt::format(" {}", i);
    header += "\n#  Time\n";
    for (double t : times) {
      pressure += fmt::format("{}", t);
      velocity += fmt::format("{}", t);
      for (const auto& [x, y] : places) {
        pressure += fmt::format(" {:.9g}", p(x, y, t));
        velocity += fmt::format(" ({:.9g} {:.9g} 0)", u(x, y, t), v(x, y, t));
      }
      pressure += "\n";
      velocity += "\n";
    }
    const auto folder = folder_ / "postProcessing" / "probes" / start;
    std::filesystem::create_directories(folder);
    write_file(folder / "p", header + pressure);
    write_file(folder / "U", header + velocity);
  }

 private:
  void write(const std::string& file, const std::string& kind, const std::string& object, const std::string& body) {
    const auto path = folder_ / file;
    std::filesystem::create_directories(path.parent_path());
    write_file(path,
               fmt::format("FoamFile\n{{\n    version 2.0;\n    format ascii;\n    class {};\n    object {};\n}}\n\n",
                           kind, object) +
                   body);
  }

  int point(int i, int j, int k) const { return (k * (ny_ + 1) + j) * (nx_ + 1) + i; }
  int cell(int i, int j) const { return j * nx_ + i; }

  void write_mesh() {
    std::string points;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j <= ny_; ++j)
        for (int i = 0; i <= nx_; ++i)
          points += fmt::format("({:.9g} {:.9g} {})\n", 2.0 * i / nx_, 1.0 * j / ny_, 0.1 * k);
    struct Face {
      std::vector<int> corners;
      int owner, neighbour;
    };
    std::vector<Face> faces;
    const auto upright_x = [&](int i, int j) {  // looks along +x
      return std::vector{point(i, j, 0), point(i, j + 1, 0), point(i, j + 1, 1), point(i, j, 1)};
    };
    const auto upright_y = [&](int i, int j) {  // looks along +y
      return std::vector{point(i, j, 0), point(i, j, 1), point(i + 1, j, 1), point(i + 1, j, 0)};
    };
    const auto turned = [](std::vector<int> corners) { return std::vector<int>(corners.rbegin(), corners.rend()); };
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) {
        if (i + 1 < nx_) faces.push_back({upright_x(i + 1, j), cell(i, j), cell(i + 1, j)});
        if (j + 1 < ny_) faces.push_back({upright_y(i, j + 1), cell(i, j), cell(i, j + 1)});
      }
    const auto inner = faces.size();
    std::string boundary;
    const auto patch = [&](const char* name, const char* type, std::size_t start) {
      boundary += fmt::format("    {}\n    {{\n        type {};\n        nFaces {};\n        startFace {};\n    }}\n",
                              name, type, faces.size() - start, start);
    };
    auto start = faces.size();
    for (int i = 0; i < nx_; ++i) faces.push_back({turned(upright_y(i, 0)), cell(i, 0), -1});
    patch("wall", "wall", start);
    start = faces.size();
    for (int j = 0; j < ny_; ++j) faces.push_back({turned(upright_x(0, j)), cell(0, j), -1});
    patch("inlet", "patch", start);
    start = faces.size();
    for (int j = 0; j < ny_; ++j) faces.push_back({upright_x(nx_, j), cell(nx_ - 1, j), -1});
    patch("outlet", "patch", start);
    start = faces.size();
    for (int i = 0; i < nx_; ++i) faces.push_back({upright_y(i, ny_), cell(i, ny_ - 1), -1});
    patch("top", "symmetryPlane", start);
    start = faces.size();
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < ny_; ++j)
        for (int i = 0; i < nx_; ++i) {
          const std::vector face = {point(i, j, k), point(i + 1, j, k), point(i + 1, j + 1, k), point(i, j + 1, k)};
          faces.push_back({k == 0 ? turned(face) : face, cell(i, j), -1});
        }
    patch("frontAndBack", "empty", start);

    std::string corners, owner, neighbour;
    for (const auto& face : faces) {
      corners += fmt::format("4({} {} {} {})\n", face.corners[0], face.corners[1], face.corners[2], face.corners[3]);
      owner += fmt::format("{}\n", face.owner);
      if (face.neighbour >= 0) neighbour += fmt::format("{}\n", face.neighbour);
    }
    const std::string at = "constant/polyMesh/";
    write(at + "points", "vectorField", "points", fmt::format("{}\n(\n{})\n", 2 * (nx_ + 1) * (ny_ + 1), points));
    write(at + "faces", "faceList", "faces", fmt::format("{}\n(\n{})\n", faces.size(), corners));
    write(at + "owner", "labelList", "owner", fmt::format("{}\n(\n{})\n", faces.size(), owner));
    write(at + "neighbour", "labelList", "neighbour", fmt::format("{}\n(\n{})\n", inner, neighbour));
    write(at + "boundary", "polyBoundaryMesh", "boundary", fmt::format("5\n(\n{})\n", boundary));
  }

  std::filesystem::path folder_;
  int nx_, ny_;
};

}  // namespace fluidsplat::importing
