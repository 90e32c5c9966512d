// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/npy_format.h"

namespace fluidsplat::io {

// Bytes inside the pickle, or decoded from it and then owned.
struct PickleBytes {
  std::span<const std::byte> view;
  std::shared_ptr<const std::vector<std::byte>> owned;
};

struct PickledArray {
  NpyHeader header;
  PickleBytes data;  // exactly header.data_bytes()
};

// Runs the pickle's instructions as far as rebuilding one array needs.  Views point into `pickle`.
PickledArray run_pickle(std::span<const std::byte> pickle, const std::string& source);

}  // namespace fluidsplat::io
