// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model/open_model.h"
#include "apps/model_file.h"

namespace fluidsplat::app {

std::unique_ptr<reconstruct::FieldModel> open_model(const std::filesystem::path& file, int threads) {
  return learn::open_field_model(file, threads);
}

}  // namespace fluidsplat::app
