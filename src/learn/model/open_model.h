// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "reconstruct/field_model.h"

namespace fluidsplat::learn {

// A model file of any kind: on the runtime where that can run it, through libtorch otherwise.  Who asks cannot tell.
std::unique_ptr<reconstruct::FieldModel> open_field_model(const std::filesystem::path& file, int threads);

}  // namespace fluidsplat::learn
