// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <stdlib.h>

#include "base/error.h"

namespace fluidsplat {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "fluidsplat-XXXXXX").string();
  if (!::mkdtemp(name.data())) fail("{}: cannot create a temporary folder", name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace fluidsplat
