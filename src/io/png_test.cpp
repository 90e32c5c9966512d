// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/png.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

Image gradient(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) image.rgb.push_back(static_cast<std::uint8_t>(x * 7 + y * 31 + c * 90));
  return image;
}

TEST(Png, RoundTripIsExact) {
  TemporaryFolder folder;
  for (auto [width, height] : {std::pair{1, 1}, {5, 3}, {64, 17}}) {
    const Image image = gradient(width, height);
    write_png(folder / "a.png", image);
    const Image back = read_png(folder / "a.png");
    EXPECT_EQ(back.width, width);
    EXPECT_EQ(back.height, height);
    EXPECT_EQ(back.rgb, image.rgb);
  }
}

TEST(Png, RefusesWrongSizes) {
  EXPECT_THROW(encode_png({2, 2, std::vector<std::uint8_t>(11)}), std::logic_error);
  EXPECT_THROW(encode_png({0, 2, {}}), Error);
  EXPECT_THROW(encode_png({1 << 20, 1 << 20, {}}), Error);
}

TEST(Png, DamagedFilesAreErrors) {
  TemporaryFolder folder;
  const std::string good = encode_png(gradient(40, 30));
  for (std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{20}, good.size() / 2}) {
    write_file(folder / "cut.png", good.substr(0, size));
    EXPECT_THROW(read_png(folder / "cut.png"), Error) << size;
  }
  std::string huge = good;
  huge[16] = huge[20] = '\x7f';  // the top bytes of width and height
  write_file(folder / "huge.png", huge);
  EXPECT_THROW(read_png(folder / "huge.png"), Error);
  EXPECT_THROW(read_png(folder / "missing.png"), Error);
}

}  // namespace
}  // namespace fluidsplat::io
