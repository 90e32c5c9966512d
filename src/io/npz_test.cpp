// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/zip_writer.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Npz : public ::testing::TestWithParam<NpzCompression> {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.npz";
};

TEST_P(Npz, RoundTrip) {
  const std::map<std::string, Array> arrays = {
      {"data", Array::from<float>({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6})},
      {"scalar", Array::from<std::int64_t>({}, std::vector<std::int64_t>{-7})},
      {"empty", Array::from<double>({0}, std::vector<double>{})}};
  write_npz(path_, arrays, GetParam());
  const NpzFile file = NpzFile::open(path_);
  EXPECT_THAT(file.names(), ElementsAre("data", "empty", "scalar"));
  for (const auto& [name, array] : arrays) {
    const Array back = file.read(name);
    EXPECT_EQ(back.dtype, array.dtype);
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.bytes, array.bytes);
  }
  EXPECT_FALSE(file.contains("nope"));
  EXPECT_THAT([&] { file.read("nope"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("a.npz"), HasSubstr("'nope'"), HasSubstr("scalar"))));
}

TEST_P(Npz, RowsForwardAndBack) {
  std::vector<double> values(40 * 15);
  std::iota(values.begin(), values.end(), 0.0);
  write_npz(path_, {{"data", Array::from<double>({40, 3, 5}, values)}}, GetParam());
  NpzRows rows = NpzFile::open(path_).rows("data");  // outlives the file object it came from
  EXPECT_THAT(rows.shape(), ElementsAre(40, 3, 5));
  EXPECT_EQ(rows.dtype(), DType::f64);
  for (auto [first, count] : {std::pair{0, 1}, {1, 4}, {30, 10}, {2, 3}, {39, 1}, {0, 40}, {7, 0}}) {
    const Array part = rows.read_rows(first, count);
    EXPECT_THAT(part.shape, ElementsAre(count, 3, 5));
    EXPECT_EQ(part.as<double>(),
              std::vector<double>(values.begin() + first * 15, values.begin() + (first + count) * 15));
  }
  EXPECT_THROW(rows.read_rows(39, 2), Error);
}

TEST_P(Npz, TheHeaderMustAgreeWithTheMember) {
  const bool deflate = GetParam() == NpzCompression::deflate;
  const std::string header = make_npy_header(DType::f64, {1 << 20, 1 << 20});
  const std::string data(64, '\0');
  ZipWriter zip(path_);
  zip.add("bomb.npy", {std::as_bytes(std::span(header)), std::as_bytes(std::span(data))}, deflate);
  zip.add("text.npy", {std::as_bytes(std::span(data))}, deflate);
  zip.add("readme.txt", {std::as_bytes(std::span(data))}, deflate);
  zip.commit();
  const NpzFile file = NpzFile::open(path_);
  EXPECT_THAT(file.names(), ElementsAre("bomb", "text"));
  EXPECT_THAT([&] { file.read("bomb"); }, ThrowsMessage<Error>(AllOf(HasSubstr("a.npz[bomb]"), HasSubstr("64 bytes"))));
  EXPECT_THROW(file.rows("bomb"), Error);
  EXPECT_THROW(file.read("text"), Error);
}

TEST_P(Npz, AWrongChecksumSurfacesWithTheLastRow) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 0.0f);
  write_npz(path_, {{"data", Array::from<float>({100, 10}, values)}}, GetParam());
  std::string bytes = read_file(path_);
  const std::size_t central = bytes.rfind("PK\x01\x02");
  bytes[central + 16] = static_cast<char>(bytes[central + 16] ^ 1);
  write_file(path_, bytes);
  NpzRows rows = NpzFile::open(path_).rows("data");
  for (int i = 0; i < 99; ++i) EXPECT_NO_THROW(rows.read_rows(i, 1));
  EXPECT_THROW(rows.read_rows(99, 1), Error);
  EXPECT_THROW(NpzFile::open(path_).read("data"), Error);
}

INSTANTIATE_TEST_SUITE_P(Both, Npz, ::testing::Values(NpzCompression::stored, NpzCompression::deflate),
                         [](const auto& info) { return info.param == NpzCompression::stored ? "stored" : "deflate"; });

}  // namespace
}  // namespace fluidsplat::io
