// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/little_endian.h"
#include "io/zip_writer.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string read_member(const fs::path& path, const std::string& name) {
  ZipStream stream(ZipFile(path), name);
  std::string text(stream.size(), '\0');
  stream.read(std::as_writable_bytes(std::span(text)));
  return text;
}

template <class T>
void patch(std::string& bytes, std::size_t at, T value) {
  std::memcpy(&bytes[at], &value, sizeof value);
}

class Zip : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.zip";

  std::string make(const std::vector<std::pair<std::string, std::string>>& members, bool deflate, bool wide = false) {
    ZipWriter zip(path_, wide);
    for (const auto& [name, text] : members) zip.add(name, {bytes_of(text)}, deflate);
    zip.commit();
    return read_file(path_);
  }
  void put(const std::string& bytes) {
    fs::remove(path_);  // truncating in place would make some file systems flush each time
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  void expect_refused(const std::string& bytes, const std::string& member, const std::string& because) {
    put(bytes);
    EXPECT_THAT([&] { read_member(path_, member); },
                ThrowsMessage<Error>(AllOf(HasSubstr("a.zip"), HasSubstr(because))));
  }
};

TEST_F(Zip, RoundTripInEveryForm) {
  std::string long_text;
  for (int i = 0; i < 100000; ++i) long_text += static_cast<char>(i % 1000 * i >> 7);
  for (bool deflate : {false, true})
    for (bool wide : {false, true}) {
      make({{"a", "hello"}, {"empty", ""}, {"long", long_text}}, deflate, wide);
      EXPECT_EQ(ZipFile(path_).members().size(), 3u);
      EXPECT_EQ(read_member(path_, "a"), "hello");
      EXPECT_EQ(read_member(path_, "empty"), "");
      EXPECT_EQ(read_member(path_, "long"), long_text);
      EXPECT_EQ(make({{"a", "hello"}}, deflate, wide), make({{"a", "hello"}}, deflate, wide));
    }
}

TEST_F(Zip, StreamsInSmallPiecesAndSkips) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += std::to_string(i * 7919 % 1000);
  for (bool deflate : {false, true}) {
    make({{"t", text}}, deflate);
    ZipStream stream(ZipFile(path_), "t");
    std::string piece(13, '\0');
    for (std::size_t at = 0; at + 50 < text.size(); at += 13 + 29) {
      stream.read(std::as_writable_bytes(std::span(piece)));
      ASSERT_EQ(piece, text.substr(at, 13));
      stream.skip(29);
      ASSERT_EQ(stream.position(), at + 42);
    }
    EXPECT_THROW(stream.skip(text.size()), Error);
  }
}

// What streaming writers make: sizes unknown in the local header, then a data descriptor; zip64 in the directory.
TEST_F(Zip, ReadsDataDescriptorsAndWideSizes) {
  const std::string text = "streamed";
  const auto crc = static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(text.data()), 8));
  std::string bytes("PK\x03\x04\x2d\0\x08\0\0\0\0\0\x21\0", 14);
  bytes.append(12, '\0');
  append_le<std::uint16_t>(bytes, 1);
  append_le<std::uint16_t>(bytes, 5);
  bytes += "s" + std::string("\x99\x99\x01\0z", 5) + text + "PK\x07\x08";
  append_le(bytes, crc);
  for (int i = 0; i < 2; ++i) append_le<std::uint64_t>(bytes, text.size());
  const std::uint64_t directory = bytes.size();
  bytes += std::string("PK\x01\x02\x2d\x03\x2d\0\x08\0\0\0\0\0\x21\0", 16);
  append_le(bytes, crc);
  bytes.append(8, '\xff');
  append_le<std::uint16_t>(bytes, 1);
  append_le<std::uint16_t>(bytes, 20 + 5);
  bytes.append(14 - 4, '\0');
  append_le<std::uint32_t>(bytes, 0);
  bytes += "s" + std::string("\x99\x99\x01\0z", 5) + std::string("\x01\0\x10\0", 4);
  for (int i = 0; i < 2; ++i) append_le<std::uint64_t>(bytes, text.size());
  const std::uint32_t size = static_cast<std::uint32_t>(bytes.size() - directory);
  bytes += std::string("PK\x05\x06\0\0\0\0\x01\0\x01\0", 12);
  append_le(bytes, size);
  append_le(bytes, static_cast<std::uint32_t>(directory));
  append_le<std::uint16_t>(bytes, 7);
  bytes += "comment";
  put(bytes);
  EXPECT_EQ(read_member(path_, "s"), text);
}

TEST_F(Zip, DamageIsNoticed) {
  const std::string text(3000, 'x');
  for (bool deflate : {false, true}) {
    const std::string good = make({{"a", text}}, deflate);
    const std::size_t central = good.rfind("PK\x01\x02");
    std::string bad = good;
    bad[34] = static_cast<char>(bad[34] ^ 1);
    expect_refused(bad, "a", "damaged");
    bad = good;
    patch<std::uint32_t>(bad, central + 16, 12345);
    expect_refused(bad, "a", "checksum");
    bad = good;
    patch<std::uint32_t>(bad, central + 24, 2999);
    expect_refused(bad, "a", deflate ? "more bytes" : "claims");
    bad = good;
    patch<std::uint32_t>(bad, central + 24, 3001);
    expect_refused(bad, "a", deflate ? "fewer bytes" : "claims");
    bad = good;
    patch<std::uint32_t>(bad, central + 24, 0xfffffff0);
    expect_refused(bad, "a", "claims");
    bad = good;
    patch<std::uint32_t>(bad, central + 42, 5);
    expect_refused(bad, "a", "not where");
    bad = good;
    patch<std::uint32_t>(bad, central + 42, 0xfffffff0);
    expect_refused(bad, "a", "outside");
    bad = good;
    patch<std::uint16_t>(bad, central + 10, 12);
    expect_refused(bad, "a", "method 12");
    bad = good;
    patch<std::uint16_t>(bad, central + 8, 1);
    expect_refused(bad, "a", "encrypted");
    bad = good;
    patch<std::uint16_t>(bad, central + 30, 60000);
    expect_refused(bad, "a", "ends early");
    for (std::size_t size = 0; size < good.size(); size += 11) expect_refused(good.substr(0, size), "a", "zip archive");
    put(good);
    EXPECT_THAT([&] { read_member(path_, "b"); }, ThrowsMessage<Error>(HasSubstr("'b'")));
  }
}

TEST_F(Zip, OverlapsAndRepeatedNamesAreRefused) {
  const std::string good = make({{"a", "12345"}, {"b", "12345"}}, false);
  const std::size_t second = good.rfind("PK\x01\x02");
  std::string bad = good;
  patch<std::uint32_t>(bad, second + 42, 0);
  expect_refused(bad, "b", "overlap");
  bad = good;
  bad[second + 46] = 'a';
  expect_refused(bad, "a", "twice");
  const std::string wide = make({{"a", "12345"}}, false, true);
  bad = wide;
  patch<std::uint64_t>(bad, bad.rfind("PK\x06\x06") + 40, ~std::uint64_t{0});
  expect_refused(bad, "a", "outside");
  bad = wide;
  patch<std::uint64_t>(bad, bad.rfind("PK\x06\x06") + 32, ~std::uint64_t{0});
  expect_refused(bad, "a", "ends early");
  bad = wide;
  patch<std::uint64_t>(bad, bad.rfind("PK\x06\x07") + 8, ~std::uint64_t{0} - 8);
  expect_refused(bad, "a", "outside");
}

// Any single changed byte gives the right contents or an Error, never anything else.
TEST_F(Zip, NoChangedByteGoesUnnoticed) {
  const std::string text = "some text, some text, some more text";
  for (bool deflate : {false, true}) {
    const std::string good = make({{"a", text}}, deflate, true);
    for (std::size_t at = 0; at < good.size(); ++at) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 0x41);
      put(bad);
      try {
        EXPECT_EQ(read_member(path_, "a"), text) << at;
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace fluidsplat::io
