// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Npy : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.npy";

  void put(const std::string& dictionary, const std::string& data, int version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += {static_cast<char>(version), '\0'};
    const auto length = static_cast<std::uint32_t>(dictionary.size());
    bytes.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
    write_file(path_, bytes + dictionary + data);
  }
  template <class T>
  static std::string raw(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }
};

TEST_F(Npy, RoundTripKeepsTypeShapeAndValues) {
  const bool flags[] = {true, false};
  for (const Array& array : {Array::from<float>({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}),
                             Array::from<double>({}, std::vector<double>{0.5}),
                             Array::from<std::int64_t>({1}, std::vector<std::int64_t>{-9}),
                             Array::from<std::uint16_t>({0, 5}, std::vector<std::uint16_t>{}),
                             Array::from<bool>({2}, std::span<const bool>(flags))}) {
    write_npy(path_, array);
    const Array back = read_npy(path_);
    EXPECT_EQ(back.dtype, array.dtype);
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.bytes, array.bytes);
    EXPECT_EQ((fs::file_size(path_) - array.bytes.size()) % 64, 0u);
  }
}

// Byte for byte what numpy.save writes for np.arange(3, dtype='<i4').
TEST_F(Npy, WritesWhatNumpyWrites) {
  write_npy(path_, Array::from<std::int32_t>({3}, std::vector<std::int32_t>{0, 1, 2}));
  std::string dictionary = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }";
  dictionary.resize(117, ' ');
  EXPECT_EQ(read_file(path_),
            std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dictionary + "\n" + raw<std::int32_t>({0, 1, 2}));
}

TEST_F(Npy, VersionsByteOrdersAndHalfPrecision) {
  for (int version : {1, 2, 3}) {
    put("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", std::string("\x01\x02\xff\xfe", 4), version);
    EXPECT_THAT(read_npy(path_).as<int>(), ElementsAre(0x0102, -2)) << version;
  }
  put(R"({"shape": (2L, 1), "fortran_order": False, "descr": ">f8"})",
      std::string("\x3f\xf8\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", 16));
  EXPECT_THAT(read_npy(path_).as<double>(), ElementsAre(1.5, -2));

  put("{'descr': '<f2', 'fortran_order': False, 'shape': (7,), }",
      raw<std::uint16_t>({0x3c00, 0xc500, 0x7bff, 0x0001, 0x8000, 0xfc00, 0x7e00}));
  const Array half = read_npy(path_);
  EXPECT_EQ(half.dtype, DType::f32);
  const auto values = half.as<float>();
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 4),
              ElementsAre(1.0f, -5.0f, 65504.0f, std::ldexp(1.0f, -24)));
  EXPECT_TRUE(values[4] == 0 && std::signbit(values[4]));
  EXPECT_EQ(values[5], -INFINITY);
  EXPECT_TRUE(std::isnan(values[6]));
}

TEST_F(Npy, FortranOrderBecomesCOrder) {
  // a[i][j][k] = 100 i + 10 j + k, shape (2, 3, 4), first axis fastest.
  std::vector<std::int32_t> stored, expected;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) stored.push_back(100 * i + 10 * j + k);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) expected.push_back(100 * i + 10 * j + k);
  put("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 4), }", raw(stored));
  EXPECT_EQ(read_npy(path_).as<std::int32_t>(), expected);
  EXPECT_EQ(NpyReader(path_).read_rows(1, 1).as<std::int32_t>(),
            std::vector<std::int32_t>(expected.begin() + 12, expected.end()));
}

TEST_F(Npy, RowsAreReadWithoutTheRest) {
  std::vector<double> values(5 * 6);
  std::iota(values.begin(), values.end(), 0.0);
  write_npy(path_, Array::from<double>({5, 2, 3}, values));
  const NpyReader reader(path_);
  EXPECT_THAT(reader.shape(), ElementsAre(5, 2, 3));
  EXPECT_EQ(reader.dtype(), DType::f64);
  const Array rows = reader.read_rows(3, 2);
  EXPECT_THAT(rows.shape, ElementsAre(2, 2, 3));
  EXPECT_EQ(rows.as<double>(), std::vector<double>(values.begin() + 18, values.end()));
  EXPECT_EQ(reader.read_rows(5, 0).bytes.size(), 0u);
  EXPECT_THROW(reader.read_rows(4, 2), Error);
  EXPECT_THROW(reader.read_rows(-1, 1), Error);
  EXPECT_THROW(reader.read_rows(1, INT64_MAX), Error);
}

TEST_F(Npy, RefusesHostileHeaders) {
  const auto refused = [&](const std::string& dictionary, const std::string& because) {
    put(dictionary, std::string(8, '\0'));
    EXPECT_THAT([&] { read_npy(path_); }, ThrowsMessage<Error>(AllOf(HasSubstr("a.npy"), HasSubstr(because))))
        << dictionary;
  };
  refused("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "'|O'");
  refused("{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", "'<c16'");
  refused("{'descr': '', 'fortran_order': False, 'shape': (1,), }", "''");
  refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "fields");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "non-negative");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "announces 16");
  refused("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "announces 4");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "too large");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", "non-negative");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1", "tuple");
  refused("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }", "True or False");
  refused("{'descr': '<f8', 'fortran_order': False}", "needs");
  refused("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "repeated");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}", "'x'");
  refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } + 1", "follows");
  refused("{'descr': '<f8", "not closed");
  refused("", "'{'");
  put("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", "12345678", 9);
  EXPECT_THROW(read_npy(path_), Error);
}

TEST_F(Npy, EveryTruncationIsAnError) {
  write_npy(path_, Array::from<double>({2}, std::vector<double>{1, 2}));
  const std::string good = read_file(path_);
  for (std::size_t size = 0; size < good.size(); size += 7) {
    write_file(path_, good.substr(0, size));
    EXPECT_THROW(read_npy(path_), Error) << size;
  }
  write_file(path_, std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13));
  EXPECT_THROW(read_npy(path_), Error);
  EXPECT_THROW(read_npy(folder_ / "missing.npy"), Error);
}

TEST(NpyWriter, RowsMakeTheSameFileAsAWholeArray) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  write_npy(folder / "whole.npy", Array::from<float>({3, 2, 2}, values));
  NpyWriter writer(folder / "rows.npy", DType::f32, {3, 2, 2});
  for (std::size_t r = 0; r < 3; ++r) writer.add_row(std::as_bytes(std::span(values).subspan(4 * r, 4)));
  EXPECT_FALSE(std::filesystem::exists(folder / "rows.npy")) << "not before it is whole";
  writer.commit();
  EXPECT_EQ(read_file(folder / "rows.npy"), read_file(folder / "whole.npy"));

  NpyWriter shorter(folder / "short.npy", DType::f32, {2, 2});
  EXPECT_THROW(shorter.add_row(std::as_bytes(std::span(values))), Error);
  EXPECT_THROW(shorter.commit(), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "short.npy"));
}

}  // namespace
}  // namespace fluidsplat::io
