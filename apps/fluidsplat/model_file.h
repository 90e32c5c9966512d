// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "reconstruct/field_model.h"

namespace fluidsplat::app {

// A model file, given itself or as the run folder that holds it.
std::filesystem::path model_file(const std::filesystem::path& given);

// The model in a file, of any kind.  The two programs have their own: fluidsplat-full can run every kind, fluidsplat has
// no libtorch and leaves those that need it to the other.
std::unique_ptr<reconstruct::FieldModel> open_model(const std::filesystem::path& file, int threads);

}  // namespace fluidsplat::app
