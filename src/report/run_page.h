// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "field/dataset_file.h"
#include "reconstruct/field_model.h"
#include "uncertainty/calibration.h"

namespace fluidsplat::report {

struct RunPage {
  std::filesystem::path run;  // a run folder with split.json, log.csv, config.toml, cases.csv
  std::filesystem::path out;  // folder for index.html
  std::string title;
  std::shared_ptr<const uncertainty::Calibration> calibration = nullptr;  // the model's, or null
};

// Gathers what a run left behind and writes out/index.html: median, worst and best case as the model sees them, curves,
// numbers.  Returns that file.  Throws Error for a file of the run that is missing or damaged, or that speaks of
// another dataset.
std::filesystem::path write_run_page(reconstruct::FieldModel& model, const field::DatasetFile& dataset,
                                     const RunPage& page);

}  // namespace fluidsplat::report
