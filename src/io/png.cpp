// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <png.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::io {
namespace {

constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 28;

// libpng's simplified interface: no setjmp, errors come back in `message`.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

}  // namespace

std::string encode_png(const Image& image) {
  if (image.width <= 0 || image.height <= 0)
    fail("png: an image of {} x {} pixels cannot be written", image.width, image.height);
  const std::uint64_t pixels = std::uint64_t(image.width) * std::uint64_t(image.height);
  if (pixels > kMaxPixels) fail("png: {} x {} pixels are too many", image.width, image.height);
  if (image.rgb.size() != 3 * pixels)
    misuse("png: {} bytes given for {} x {} RGB pixels", image.rgb.size(), image.width, image.height);
  PngImage png;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    fail("png: cannot encode: {}", png.message);
  bytes.resize(size);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_file(path, encode_png(image));
}

Image read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  PngImage png;
  if (!png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()))
    fail("{}: not a readable PNG: {}", path.string(), png.message);
  if (std::uint64_t(png.width) * png.height > kMaxPixels)
    fail("{}: {} x {} pixels are too many", path.string(), png.width, png.height);
  png.format = PNG_FORMAT_RGB;
  Image image{int(png.width), int(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&png, &white, image.rgb.data(), 0, nullptr))
    fail("{}: damaged PNG: {}", path.string(), png.message);
  return image;
}

}  // namespace fluidsplat::io
