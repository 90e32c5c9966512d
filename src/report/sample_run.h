// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: a finished run of a model with random weights, in a folder of its own.
#pragma once

#include <cmath>

#include "base/atomic_file.h"
#include "base/temporary_folder.h"
#include "field/dataset_file.h"
#include "field/evaluation.h"
#include "field/split.h"
#include "reconstruct/runtime_model.h"
#include "runtime/random_model.h"

namespace fluidsplat::report {

// Six cases of two channels on scattered points, the model's sensors among them; cases 1 to 5 were judged.
struct SampleRun {
  enum class Units { same, free_stream };  // the model's: those of the data, or of each case's free stream
  explicit SampleRun(Units units = Units::same) {
    runtime::RandomModel random;
    if (units == Units::free_stream) {
      random.config["channels"][0]["unit"] = "U";
      random.config["channels"][1]["unit"] = "U^2";
    }
    random.write(folder / "model.safetensors");
    model = std::make_unique<reconstruct::RuntimeModel>(folder / "model.safetensors");
    write_dataset();
    dataset = std::make_unique<field::DatasetFile>(folder / "flow.h5");
    field::write_split(folder / "split.json", {{0}, {1}, {1, 2, 3, 4, 5}, 7});
    write_file(folder / "log.csv", "step,seconds,loss,validation\n10,1,0.9,0.8\n20,3,0.5,0.6\n");
    write_file(folder / "config.toml", "out = 'sample'\n");
    write_file(folder / "cases.csv", field::cases_csv(results(), model->schema(), {}));
  }

  // Relative errors 0.3, 0.1, 0.5, 0.2, 0.4 of the cases 1 to 5.
  static std::vector<field::CaseResult> results() {
    std::vector<field::CaseResult> out;
    const double errors[] = {0.3, 0.1, 0.5, 0.2, 0.4};
    for (Index i = 0; i < 5; ++i) {
      field::CaseResult r;
      r.index = i + 1;
      r.time = double(i + 1);
      r.error.relative_l2 = errors[i];
      r.error.channel_l2 = {errors[i], 2 * errors[i]};
      r.error.channel_max = {1, 1};
      out.push_back(r);
    }
    return out;
  }

  TemporaryFolder folder;
  std::unique_ptr<reconstruct::FieldModel> model;
  std::unique_ptr<field::DatasetFile> dataset;

 private:
  void write_dataset() const {
    const auto& sensors = model->sensors().positions;
    auto mesh = std::make_shared<field::Mesh>();
    constexpr Index kAcross = 14, kUp = 10;
    mesh->points.resize(sensors.rows() + kAcross * kUp, 2);
    mesh->points.topRows(sensors.rows()) = sensors;
    for (Index i = 0; i < kAcross * kUp; ++i)
      mesh->points.row(sensors.rows() + i) << -0.9f + 0.42f * float(i % kAcross), -0.9f + 0.42f * float(i / kAcross);
    mesh->features.resize(mesh->size(), 0);
    auto schema = model->schema();
    schema.channels[0].unit = "m/s";
    schema.channels[1].unit = "m2/s2";
    field::DatasetWriter writer(folder / "flow.h5", schema, "A sample flow");
    for (Index t = 0; t < 6; ++t) {
      field::Case c;
      c.mesh = mesh;
      c.time = double(t);
      c.reference.speed = double(t + 2);
      c.fields.resize(mesh->size(), 2);
      for (Index i = 0; i < mesh->size(); ++i)
        c.fields.row(i) << std::sin(mesh->points(i, 0) - float(t)), std::cos(mesh->points(i, 1) + float(t));
      writer.add(c);
    }
    writer.commit();
  }
};

}  // namespace fluidsplat::report
