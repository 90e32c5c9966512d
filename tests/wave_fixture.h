// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "tests/run_program.h"

namespace fluidsplat::tests {

// A travelling wave on a grid of 8 x 12 cells, and a config that trains on it in a second.
class WaveTest : public testing::Test {
 protected:
  void SetUp() override {
    field::Schema schema;
    schema.coordinates = {{"x", "m"}, {"y", "m"}};
    schema.channels = {{"w", "1/s"}};
    auto mesh = std::make_shared<field::Mesh>();
    mesh->grid_shape = {8, 12};
    mesh->points.resize(96, 2);
    mesh->features.resize(96, 0);
    for (int i = 0; i < 96; ++i) {
      mesh->grid_cell.push_back(i);
      mesh->points.row(i) << float(i % 12), float(i / 12);
    }
    field::DatasetWriter writer(folder_ / "wave.h5", schema, "A wave");
    for (int t = 0; t < 20; ++t) {
      field::Case c;
      c.mesh = mesh;
      c.time = t;
      c.fields.resize(96, 1);
      for (int i = 0; i < 96; ++i) c.fields(i, 0) = std::sin(0.5f * mesh->points(i, 0) - 0.7f * float(t));
      writer.add(c);
    }
    writer.commit();
    write_file(folder_ / "wave.toml",
               "out = 'run'\n[data]\nfile = 'wave.h5'\ntrain_cases = 10\nvalidation_cases = 4\n"
               "[sensors]\nkind = 'cells'\ncells = [[1, 2], [4, 6], [6, 10]]\n"
               "[model]\nprimitives = 6\ncontext = 16\nencoder_width = 16\nattention_width = 8\nheads = "
               "2\nlayers = 2\n"
               "width = 16\n[sampling]\nqueries = 32\n"
               "[train]\nsteps = 60\nbatch = 4\nschedule = 'one-cycle'\nrate = 3e-3\nvalidate_every = 20\n"
               "checkpoint_every = 10\nthreads = 1\n");
  }
  Outcome fluidsplat(const std::vector<std::string>& arguments) { return run(arguments, folder_.path().string()); }
  // Every file below the folder (or one in it) by its path, with its contents; hidden ones too.
  std::map<std::string, std::string> files(const std::string& below = "") {
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / below))
      if (entry.is_regular_file()) out[entry.path().string()] = read_file(entry.path());
    return out;
  }
  std::string contents(const char* name) { return read_file(folder_ / name); }

  TemporaryFolder folder_;
};

}  // namespace fluidsplat::tests
