// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pickle.h"

#include <algorithm>

namespace fluidsplat::io {

PickleReader::PickleReader(const std::filesystem::path& path)
    : path_(path.string()), file_(path), array_(run_pickle(file_.bytes(), path_)) {}

Array PickleReader::read_rows(std::int64_t first, std::int64_t count) const {
  const auto read_at = [&](std::uint64_t offset, std::span<std::byte> out) {
    std::ranges::copy(array_.data.view.subspan(offset, out.size()), out.begin());
  };
  return read_npy_rows(array_.header, read_at, first, count, path_);
}

Array PickleReader::read_all() const {
  return decode_npy(array_.header, {array_.data.view.begin(), array_.data.view.end()});
}

Array read_pickle(const std::filesystem::path& path) {
  return PickleReader(path).read_all();
}

}  // namespace fluidsplat::io
