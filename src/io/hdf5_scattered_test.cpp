// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <numeric>
#include <thread>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "io/hdf5.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::int64_t kTables = 5, kRows = 20'000, kColumns = 3;

float value(std::int64_t table, std::int64_t row, std::int64_t column) {
  return float((table * kRows + row) * 4 + column);
}

void write_stack(Hdf5File& file, const std::string& name, const std::vector<std::int64_t>& chunk, int deflate) {
  file.create_appendable(name, DType::f32, {kRows, kColumns}, chunk, deflate);
  std::vector<float> table(kRows * kColumns);
  for (std::int64_t t = 0; t < kTables; ++t) {
    for (std::int64_t i = 0; i < kRows * kColumns; ++i) table[std::size_t(i)] = value(t, i / kColumns, i % kColumns);
    file.append(name, DType::f32, table.data());
  }
}

// Near ones, far ones, equal ones, the first and the last of the table and of chunks, in no order.
const std::vector<std::int64_t> kAsked = {17'000, 3, 0, kRows - 1, 17'001, 1023, 1024, 3, 5'000, 5'900, 9'000};

void expect_asked(const Hdf5File& file, const std::string& name, std::int64_t table) {
  std::vector<float> out(kAsked.size() * kColumns, -1);
  file.read_scattered(name, table, kAsked, out.data());
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], value(table, kAsked[i / kColumns], std::int64_t(i) % kColumns)) << name << " " << i;
}

TEST(Hdf5Scattered, RowsAreThoseOfTheTableHoweverItIsStored) {
  const TemporaryFolder folder;
  auto out = Hdf5File::create(folder / "d.h5");
  write_stack(out, "plain", {1, 1024, kColumns}, 0);
  write_stack(out, "many", {2, 1000, kColumns}, 0);
  write_stack(out, "narrow", {1, 1024, 2}, 0);
  write_stack(out, "deflated", {1, 1024, kColumns}, 4);
  std::vector<float> flat(kRows * kColumns);
  for (std::int64_t i = 0; i < kRows * kColumns; ++i) flat[std::size_t(i)] = value(0, i / kColumns, i % kColumns);
  out.write("flat", Array::from<float>({kRows, kColumns}, flat));
  out.write("double", Array::from<double>({kRows, kColumns}, std::vector<double>(flat.begin(), flat.end())));
  out.commit();
  const auto in = Hdf5File::open_read(folder / "d.h5");
  for (const char* name : {"plain", "many", "narrow", "deflated"})
    for (const std::int64_t table : {4, 0, 3}) expect_asked(in, name, table);
  for (const char* name : {"flat", "double"}) expect_asked(in, name, 0);
  in.read_scattered("plain", 0, {}, nullptr);
}

// HDF5's own way to find a chunk goes through all before it: with so many, minutes.
TEST(Hdf5Scattered, FindsChunksOfManyAtOnce) {
  const TemporaryFolder folder;
  constexpr std::int64_t kMany = 500;
  auto out = Hdf5File::create(folder / "d.h5");
  out.create_appendable("many", DType::f32, {64, 1}, {1, 4, 1}, 0);
  std::vector<float> table(64);
  for (std::int64_t t = 0; t < kMany; ++t) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = float(t) + float(i) / 64;
    out.append("many", DType::f32, table.data());
  }
  out.commit();
  const auto in = Hdf5File::open_read(folder / "d.h5");
  for (std::int64_t t = 0; t < kMany; ++t) {
    std::vector<float> found(2);
    in.read_scattered("many", t, std::vector<std::int64_t>{60, 5}, found.data());
    ASSERT_EQ(found[0], float(t) + 60.0f / 64);
    ASSERT_EQ(found[1], float(t) + 5.0f / 64);
  }
}

TEST(Hdf5Scattered, SeveralThreadsReadAtATime) {
  const TemporaryFolder folder;
  auto out = Hdf5File::create(folder / "d.h5");
  write_stack(out, "plain", {1, 1024, kColumns}, 0);
  out.commit();
  const auto in = Hdf5File::open_read(folder / "d.h5");
  std::vector<std::thread> threads;
  for (std::int64_t k = 0; k < kTables; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 50; ++i) expect_asked(in, "plain", k);
    });
  for (auto& thread : threads) thread.join();
}

TEST(Hdf5Scattered, WhatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  auto out = Hdf5File::create(folder / "d.h5");
  write_stack(out, "plain", {1, 1024, kColumns}, 0);
  out.write("line", Array::from<float>({3}, std::vector<float>{1, 2, 3}));
  out.commit();
  const auto in = Hdf5File::open_read(folder / "d.h5");
  std::vector<float> row(kColumns);
  const auto read = [&](const char* name, std::int64_t table, std::int64_t number) {
    return [=, &in, &row] { in.read_scattered(name, table, std::vector{number}, row.data()); };
  };
  EXPECT_THAT(read("plain", kTables, 0), ThrowsMessage<Error>(HasSubstr("no table 5")));
  EXPECT_THAT(read("plain", 0, kRows), ThrowsMessage<Error>(HasSubstr("no row 20000")));
  EXPECT_THAT(read("plain", 0, -1), ThrowsMessage<Error>(HasSubstr("no row -1")));
  EXPECT_THAT(read("line", 0, 0), ThrowsMessage<Error>(HasSubstr("not a table")));
  EXPECT_THAT(read("none", 0, 0), ThrowsMessage<Error>(HasSubstr("'none'")));
  // Cut off after it was opened: HDF5 notices that of a file only when it opens it.
  read("plain", 4, kRows - 1)();
  fs::resize_file(folder / "d.h5", 100'000);
  EXPECT_THAT(read("plain", 4, kRows - 1), ThrowsMessage<Error>(HasSubstr("damaged")));
}

}  // namespace
}  // namespace fluidsplat::io
