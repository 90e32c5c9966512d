// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fluidsplat::io {

// 8-bit RGB, rows from top to bottom, rgb.size() == 3 * width * height.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

std::string encode_png(const Image& image);
void write_png(const std::filesystem::path& path, const Image& image);
// Any PNG, converted to 8-bit RGB; transparency is blended with white.
Image read_png(const std::filesystem::path& path);

}  // namespace fluidsplat::io
