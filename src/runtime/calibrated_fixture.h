// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/tile_buffers.h"
#include "model/rewrite.h"
#include "runtime/reconstructor_fixture.h"
#include "uncertainty/calibration_fixture.h"

namespace fluidsplat::runtime {

// A model file with a calibration, opened, and points of more than one block of a plan, which are 64 tiles, as wide as
// the processor's vectors make them.
struct Calibrated : Fixture {
  explicit Calibrated(const std::function<void(nlohmann::json&)>& change = {}, Index classes = 1,
                      bool with_layer = false)
      : Fixture(change, 100 * kernels::tile_width()) {
    const auto path = folder / "model.safetensors";
    auto contents = model::contents_of(model::ModelFile::open(path));
    const auto& d = model->description();
    uncertainty::RandomCalibration random;
    random.dim = d.spec.dim;
    random.channels = d.spec.channels;
    random.readings = 0;
    for (const auto& seen : d.sensors.channels) random.readings += std::ssize(seen);
    random.classes = classes;
    random.features = d.spec.features;
    random.layer_width = with_layer ? d.spec.width : 0;
    made = random.make();
    contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(made);
    model::write_model_file(folder / "calibrated.safetensors", contents);
    model.emplace(Reconstructor::open(folder / "calibrated.safetensors"));
  }
  uncertainty::Calibration made;
};

}  // namespace fluidsplat::runtime
