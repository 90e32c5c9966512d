// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/index.h"
#include "draw/picture.h"
#include "reconstruct/field_model.h"

namespace fluidsplat::report {

// A model in words, several lines of them: its size and parts, the columns it was trained on with their scaling, its
// domain and its sensors.
std::string describe_model(const reconstruct::FieldModel& model);

// One moment of one flow: what the sensors say, and a mesh to show it on.
struct Instant {
  field::SensorReadings readings;
  field::Vector descriptors;
  std::shared_ptr<const field::Mesh> mesh;
};

// Where an instant comes from: a row of a table of readings, or without one a case of a dataset.
struct InstantSource {
  std::string readings = "";  // a CSV of readings; "": the dataset's own
  Index row = 1;              // which row of it, from 1
  std::string data = "";      // a dataset, whose mesh is shown; "": a grid over the model's domain is
  Index index = 0;            // which case of the dataset
};

Instant load_instant(const reconstruct::FieldModel& model, const InstantSource& source);

// The `most` primitives of a plane that carry most of the picture, as ellipses to draw.
std::vector<draw::Ellipse> ellipses_of(std::vector<reconstruct::Primitive> primitives, Index most);

// Writes primitives.csv and primitives.vtp for an instant and, of a plane, primitives_<channel>.png: the field with its
// `shown` weightiest primitives.  Returns the names of the files, none when the model has no primitives.
std::vector<std::string> write_primitives(reconstruct::FieldModel& model, const Instant& instant,
                                          const std::filesystem::path& folder, Index shown);

}  // namespace fluidsplat::report
