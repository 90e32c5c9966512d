// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/model_file.h"

#include "apps/file_kind.h"
#include "base/error.h"

namespace fluidsplat::app {

std::filesystem::path model_file(const std::filesystem::path& given) {
  const auto file = std::filesystem::is_directory(given) ? given / "model.safetensors" : given;
  if (!std::filesystem::exists(file)) fail("{}: no such model; \"fluidsplat train\" writes one", file.string());
  expect_kind(file, FileKind::model);
  return file;
}

}  // namespace fluidsplat::app
