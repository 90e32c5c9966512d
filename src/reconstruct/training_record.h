// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "field/sensor_placement.h"
#include "reconstruct/known_readings.h"
#include "reconstruct/known_region.h"

namespace fluidsplat::reconstruct {

// What a model file keeps of the data behind the model, to hold requests against.  A model made before there was such a
// thing has none of it, and is used without.
struct TrainingRecord {
  std::optional<KnownReadings> readings;
  std::optional<KnownRegion> region;
};

// Reads every one of the cases.
TrainingRecord learn_record(const field::Dataset& dataset, const std::vector<Index>& cases,
                            const field::SensorPlacement& sensors);

// As blocks of the model file, beside what blocks there are, and back.
void add_blocks(std::map<std::string, model::Block>& blocks, const TrainingRecord& record);
TrainingRecord record_from(const std::map<std::string, model::Block>& blocks, const model::Description& model,
                           const std::string& where);
TrainingRecord read_record(const model::ModelFile& file);

}  // namespace fluidsplat::reconstruct
