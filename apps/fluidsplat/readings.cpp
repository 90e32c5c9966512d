// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "apps/commands.h"
#include "apps/model_file.h"
#include "apps/run_evaluation.h"
#include "field/dataset_file.h"
#include "field/seen_data.h"
#include "field/sensor_placement.h"
#include "field/split.h"
#include "model/model_file.h"
#include "reconstruct/field_model.h"
#include "reconstruct/reading_table.h"

namespace fluidsplat::app {

void add_readings(CLI::App& app) {
  struct Options {
    std::string model, data, out = "readings.csv", cases = "test";
  };
  auto o = std::make_shared<Options>();
  auto* command = app.add_subcommand(
      "readings", "write the CSV that reconstruct reads: from a dataset, or an empty one to fill in");
  command->add_option("model", o->model, "a model file or a run folder")->required();
  command->add_option("--data", o->data, "read the model's sensors in the cases of this dataset");
  command->add_option("--cases", o->cases, "which cases, with --data")
      ->check(CLI::IsMember({"test", "validation", "train", "all"}));
  command->add_option("--out", o->out, "the CSV file");
  command->callback([o] {
    const auto file = model_file(o->model);
    // Of any kind: what its sensors are is all that is asked.
    const auto model = model::ModelFile::open(file).description();
    reconstruct::ReadingTable table;
    if (!o->data.empty()) {
      const field::DatasetFile file_of_data(o->data);
      const field::SeenData seen(file_of_data, model.schema);
      const auto& dataset = *seen;
      reconstruct::check_schema(model.schema, dataset.schema(), dataset.name());
      const field::SensorPlacement sensors(model.sensors, dataset);
      std::vector<Index> cases(dataset.size());
      std::iota(cases.begin(), cases.end(), 0);
      if (o->cases != "all") {
        const auto split = field::read_split(file.parent_path() / "split.json", dataset);
        cases = o->cases == "test" ? split.test : o->cases == "train" ? split.train : split.validation;
      }
      std::sort(cases.begin(), cases.end());
      for (auto index : cases) {
        const auto c = dataset.load(index);
        table.times.push_back(c.time);
        if (dataset.mesh_count() > 1) table.meshes.push_back(dataset.mesh_of(index));
        table.values.push_back(sensors.read(c, index).values);
        table.descriptors.push_back(c.descriptors);
      }
    } else {
      table.times.push_back(0);
      table.values.push_back(field::Matrix::Constant(model.sensors.size(), std::ssize(model.schema.channels),
                                                     std::numeric_limits<float>::quiet_NaN()));
      table.descriptors.push_back(
          field::Vector::Constant(std::ssize(model.schema.descriptors), std::numeric_limits<float>::quiet_NaN()));
    }
    io::write_csv(o->out, reconstruct::to_table(table, model.schema, model.sensors));
    fmt::print("{}: {} row{} of {} readings\n", o->out, table.values.size(), table.values.size() == 1 ? "" : "s",
               reconstruct::reading_columns(model.schema, model.sensors).size());
  });
}

}  // namespace fluidsplat::app
