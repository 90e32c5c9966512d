// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/mat5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/little_endian.h"

namespace fluidsplat::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string element(std::uint32_t type, const std::string& data) {
  std::string out;
  append_le(out, type);
  append_le(out, std::uint32_t(data.size()));
  out += data;
  out.resize((out.size() + 7) / 8 * 8);
  return out;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// An array of doubles, elements in MATLAB's order.
std::string matrix(const std::string& name, const std::vector<std::int32_t>& shape, const std::vector<double>& values,
                   std::uint32_t kind = 6) {
  return element(14, element(6, bytes_of(std::vector<std::uint32_t>{kind, 0})) + element(5, bytes_of(shape)) +
                         element(1, name) + element(9, bytes_of(values)));
}

std::string packed(const std::string& text) {
  std::string out(compressBound(text.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
  std::string header;
  append_le(header, std::uint32_t{15});
  append_le(header, std::uint32_t(size));
  return header + out.substr(0, size);
}

std::string file(const std::string& body) {
  std::string header = "MATLAB 5.0 MAT-file, by a test";
  header.resize(124, ' ');
  append_le(header, std::uint16_t{0x0100});
  return header + "IM" + body;
}

TEST(Mat5, GivesArraysInTheirShapes) {
  const TemporaryFolder folder;
  write_file(folder / "a.mat", file(matrix("u", {2, 3}, {1, 2, 3, 4, 5, 6}) +
                                    packed(matrix("t", {1, 4}, {0, 1, 2, 3})) + matrix("name", {1, 1}, {65}, 4)));
  EXPECT_TRUE(Mat5File::is_one(folder / "a.mat"));
  const auto mat = Mat5File::read(folder / "a.mat");
  EXPECT_THAT(mat.arrays().at("u").shape, ElementsAre(2, 3));
  EXPECT_THAT(mat.arrays().at("u").as<double>(), ElementsAre(1, 3, 5, 2, 4, 6)) << "columns come first in the file";
  EXPECT_THAT(mat.arrays().at("t").shape, ElementsAre(4));
  EXPECT_THAT(mat.others(), ElementsAre("name"));
}

TEST(Mat5, DamagedFilesAreErrors) {
  for (const auto& good :
       {file(matrix("u", {2, 3}, {1, 2, 3, 4, 5, 6})), file(packed(matrix("t", {1, 4}, {0, 1, 2, 3})))}) {
    for (std::size_t size = 0; size < good.size(); ++size) {
      try {
        Mat5File::parse(good.substr(0, size), "a.mat");
      } catch (const Error&) {
      }
    }
    for (std::size_t at = 128; at < good.size(); ++at)
      for (char flip : {'\x01', '\x40', '\xff'}) {
        auto bad = good;
        bad[at] = char(bad[at] ^ flip);
        try {
          Mat5File::parse(bad, "a.mat");
        } catch (const Error&) {
        }
      }
  }
  EXPECT_THAT(
      [] {
        Mat5File::parse(file(matrix("u", {20000, 20000}, {1})), "huge.mat");
      },
      ThrowsMessage<Error>(HasSubstr("huge.mat")));
}

}  // namespace
}  // namespace fluidsplat::io
