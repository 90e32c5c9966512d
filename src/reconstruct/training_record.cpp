// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/training_record.h"

namespace fluidsplat::reconstruct {
namespace {

constexpr int kNewest = 1;

}  // namespace

TrainingRecord learn_record(const field::Dataset& dataset, const std::vector<Index>& cases,
                            const field::SensorPlacement& sensors) {
  std::vector<field::Matrix> readings;
  for (auto index : cases) readings.push_back(sensors.read(dataset, index).values);
  const auto& layout = sensors.layout();
  // Where the mean reading of each is known, sensor i is the same in all cases.
  const bool own = layout.mean_readings.rows() == layout.size() && !layout.redraw;
  return {learn_readings(readings, layout, own, own && dataset.mesh_count() == 1), learn_region(dataset, cases)};
}

void add_blocks(std::map<std::string, model::Block>& blocks, const TrainingRecord& record) {
  if (record.readings) blocks[kReadingsBlock] = to_block(*record.readings);
  if (record.region) blocks[kRegionBlock] = to_block(*record.region);
}

TrainingRecord record_from(const std::map<std::string, model::Block>& blocks, const model::Description& model,
                           const std::string& where) {
  TrainingRecord out;
  if (const auto it = blocks.find(kReadingsBlock); it != blocks.end())
    out.readings = readings_from_block(it->second, model, where);
  if (const auto it = blocks.find(kRegionBlock); it != blocks.end())
    out.region = region_from_block(it->second, model.schema.dim(), where);
  return out;
}

TrainingRecord read_record(const model::ModelFile& file) {
  std::map<std::string, model::Block> blocks;
  for (const char* name : {kReadingsBlock, kRegionBlock})
    if (file.has_block(name)) blocks[name] = file.block(name, kNewest);
  return record_from(blocks, file.description(), file.name());
}

}  // namespace fluidsplat::reconstruct
