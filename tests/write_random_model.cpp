// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// write_random_model FILE [CHANGES] [calibrated]: a small model file with random weights, for tests that run programs.
// CHANGES are entries of the model's config, such as {"dim": 3}.
#include "model/rewrite.h"
#include "runtime/random_model.h"
#include "uncertainty/calibration_fixture.h"

int main(int argc, char** argv) {
  using namespace fluidsplat;
  if (argc < 2 || argc > 4) return 2;
  const auto changes = nlohmann::json::parse(argc > 2 ? argv[2] : "{}");
  const runtime::RandomModel random([&](auto& model) { model.update(changes); });
  random.write(argv[1]);
  if (argc < 4) return 0;
  auto contents = model::contents_of(model::ModelFile::open(argv[1]));
  uncertainty::RandomCalibration calibration;
  calibration.dim = random.config["model"]["dim"];
  calibration.channels = random.config["model"]["channels"];
  calibration.readings = 0;
  for (const auto& seen : random.config["sensors"]["channels"]) calibration.readings += std::ssize(seen);
  auto made = calibration.make();
  // What is out of range is told, whatever else is random.
  made.lowest.assign(calibration.readings, -10);
  made.highest.assign(calibration.readings, 10);
  for (auto& rung : made.rungs) rung.reading_scale.assign(calibration.readings, 1e9f);
  contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(made);
  model::write_model_file(argv[1], contents);
}
