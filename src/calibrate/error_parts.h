// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/shard.h"
#include "calibrate/case_errors.h"

namespace fluidsplat::calibrate {

// How one of several processes shares the measuring of a calibration with the others.
struct ErrorParts {
  Shard shard;
  std::filesystem::path folder;  // that all of them see
  std::string of;                // what must be the same for parts to belong together: model, data, settings
};

// Errors of cases by how many sensors are silent ([rung][case]); those of other parts are empty until they are joined.
using MeasuredErrors = std::vector<std::vector<CaseErrors>>;

// Puts what this process has measured beside what the others have.  All of it, to the bit, when no part is missing any
// more; the parts are then removed.  Nothing before that, and parts of something else do not count.
std::optional<MeasuredErrors> join_errors(const ErrorParts& parts, const MeasuredErrors& mine);

}  // namespace fluidsplat::calibrate
