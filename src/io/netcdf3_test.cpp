// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/netcdf3.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/netcdf3_fixture.h"

namespace fluidsplat::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Three records of 16-bit values whose rows of three need padding, times beside them, and a fixed list.
NetCdf3Bytes sea(int version) {
  NetCdf3Bytes out(version);
  out.axes = {{"time", 0}, {"lon", 3}};
  out.records = 3;
  out.variables = {
      {"lon", {1}, {out.text_attribute("axis", "X")}, 5, out.numbers<float>({10, 20, 30})},
      {"sst", {0, 1}, {out.number_attribute("scale_factor", 0.5)}, 3, out.numbers<short>({1, 2, 3, 4, 5, 6, 7, 8, -9})},
      {"time", {0}, {}, 6, out.numbers<double>({0.5, 1.5, 2.5})},
      {"version", {}, {}, 4, out.numbers<int>({-7})},
      {"label", {1}, {}, 2, "abc"}};
  return out;
}

class NetCdf3 : public testing::TestWithParam<int> {
 protected:
  NetCdf3File open(const std::string& bytes) {
    // There are thousands of these: write_file waits for the disk, and so do file systems when a file is cut to
    // nothing.
    std::filesystem::remove(folder_ / "a.nc");
    std::ofstream(folder_ / "a.nc", std::ios::binary) << bytes;
    return NetCdf3File(folder_ / "a.nc");
  }
  TemporaryFolder folder_;
};

TEST_P(NetCdf3, VariablesHaveTheirValuesAxesAndAttributes) {
  const auto file = open(sea(GetParam()).bytes());
  EXPECT_TRUE(NetCdf3File::is_one(folder_ / "a.nc"));
  ASSERT_EQ(file.variables().size(), 5u);
  EXPECT_THAT(file.dimensions(), ElementsAre("time", "lon"));
  const auto& sst = *file.find("sst");
  EXPECT_THAT(sst.shape, ElementsAre(3, 3));
  EXPECT_THAT(sst.axes, ElementsAre(0, 1));
  EXPECT_THAT(sst.attributes.at("scale_factor").numbers, ElementsAre(0.5));
  EXPECT_THAT(file.read(sst).as<int>(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, -9));
  EXPECT_THAT(file.read_rows(sst, 1, 2).as<int>(), ElementsAre(4, 5, 6, 7, 8, -9));
  EXPECT_THAT(file.read(*file.find("time")).as<double>(), ElementsAre(0.5, 1.5, 2.5));
  EXPECT_THAT(file.read(*file.find("lon")).as<float>(), ElementsAre(10, 20, 30));
  EXPECT_EQ(file.find("lon")->attributes.at("axis").text, "X");
  EXPECT_THAT(file.read(*file.find("version")).as<int>(), ElementsAre(-7));
  EXPECT_TRUE(file.find("label")->is_text);
  EXPECT_EQ(file.find("none"), nullptr);
  EXPECT_THROW(file.read_rows(sst, 2, 2), Error);
}

TEST_P(NetCdf3, RecordsThatWereNotCountedAreFoundByTheSizeOfTheFile) {
  auto bytes = sea(GetParam());
  bytes.tell_records = false;
  const auto file = open(bytes.bytes());
  EXPECT_THAT(file.read(*file.find("time")).as<double>(), ElementsAre(0.5, 1.5, 2.5));
}

// The one variable that grows has no padding between its records.
TEST_P(NetCdf3, OneGrowingVariableIsNotPadded) {
  NetCdf3Bytes bytes(GetParam());
  bytes.axes = {{"time", 0}, {"x", 3}};
  bytes.records = 1;
  bytes.variables = {{"a", {0, 1}, {}, 1, std::string("\1\2\3\4\5\6", 6)}};
  auto whole = bytes.bytes();
  const auto two = bytes.count(2);
  whole.replace(4, two.size(), two);
  const auto file = open(whole);
  EXPECT_THAT(file.read_rows(*file.find("a"), 1, 1).as<int>(), ElementsAre(4, 5, 6));
}

TEST_P(NetCdf3, EveryTruncatedFileIsAnError) {
  const auto whole = sea(GetParam()).bytes();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW(open(whole.substr(0, size)), Error) << size << " of " << whole.size();
}

// Whatever is in the header, opening and reading ends well or in an Error.
TEST_P(NetCdf3, DamagedBytesAreErrorsOrValues) {
  const auto whole = sea(GetParam()).bytes();
  for (std::size_t at = 4; at < whole.size(); ++at)
    for (const char damage : {'\x00', '\x01', '\x7f', '\x80', '\xff'}) {
      auto bytes = whole;
      bytes[at] = damage;
      try {
        const auto file = open(bytes);
        for (const auto& v : file.variables()) EXPECT_LE(file.read(v).bytes.size(), 2 * whole.size());
      } catch (const Error& e) {
        EXPECT_THAT(e.what(), HasSubstr("a.nc"));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Versions, NetCdf3, testing::Values(1, 2, 5));

TEST(NetCdf3File, OtherFilesAreErrors) {
  TemporaryFolder folder;
  write_file(folder / "a.nc", std::string("CDF\7") + std::string(60, '\0'));
  EXPECT_THAT([&] { NetCdf3File(folder / "a.nc"); }, ThrowsMessage<Error>(HasSubstr("does not begin as one")));
  write_file(folder / "b.nc", "\x89HDF");
  EXPECT_FALSE(NetCdf3File::is_one(folder / "b.nc"));
}

}  // namespace
}  // namespace fluidsplat::io
