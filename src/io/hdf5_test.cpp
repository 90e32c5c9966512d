// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class Hdf5 : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "data.h5";
};

TEST_F(Hdf5, AppearsOnlyWhenCommitted) {
  {
    Hdf5File file = Hdf5File::create(path_);
    file.write("x", Array::from<float>({1}, std::vector<float>{1}));
    EXPECT_FALSE(fs::exists(path_));
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  Hdf5File file = Hdf5File::create(path_);
  file.write("x", Array::from<float>({1}, std::vector<float>{1}));
  file.commit();
  EXPECT_TRUE(fs::exists(path_));
  EXPECT_THROW(file.write("y", Array::from<float>({1}, std::vector<float>{1})), Error);
  EXPECT_THROW(file.commit(), Error);
}

TEST_F(Hdf5, RoundTripOfEveryTypeAndRank) {
  const bool flags[] = {true, false, true};
  const std::vector<std::pair<std::string, Array>> arrays = {
      {"f32", Array::from<float>({2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6.5f})},
      {"deep/er/f64", Array::from<double>({1, 1, 2}, std::vector<double>{0.1, -1e300})},
      {"scalar", Array::from<double>({}, std::vector<double>{2.5})},
      {"empty", Array::from<double>({0, 3}, std::vector<double>{})},
      {"bool", Array::from<bool>({3}, std::span<const bool>(flags))},
      {"i8", Array::from<std::int8_t>({2}, std::vector<std::int8_t>{-128, 127})},
      {"u8", Array::from<std::uint8_t>({1}, std::vector<std::uint8_t>{255})},
      {"i16", Array::from<std::int16_t>({1}, std::vector<std::int16_t>{-300})},
      {"u16", Array::from<std::uint16_t>({1}, std::vector<std::uint16_t>{65535})},
      {"i32", Array::from<std::int32_t>({1}, std::vector<std::int32_t>{-70000})},
      {"u32", Array::from<std::uint32_t>({1}, std::vector<std::uint32_t>{4000000000u})},
      {"i64", Array::from<std::int64_t>({1}, std::vector<std::int64_t>{std::int64_t{-1} << 62})},
      {"u64", Array::from<std::uint64_t>({1}, std::vector<std::uint64_t>{~std::uint64_t{0}})}};
  Hdf5File out = Hdf5File::create(path_);
  for (const auto& [name, array] : arrays) out.write(name, array);
  out.create_group("/group/inner");
  out.commit();

  const Hdf5File in = Hdf5File::open_read(path_);
  for (const auto& [name, array] : arrays) {
    EXPECT_TRUE(in.has(name));
    EXPECT_EQ(in.shape(name), array.shape) << name;
    EXPECT_EQ(in.dtype(name), array.dtype) << name;
    EXPECT_EQ(in.read(name).bytes, array.bytes) << name;
  }
  EXPECT_TRUE(in.has("/"));
  EXPECT_TRUE(in.has("/deep/er"));
  EXPECT_FALSE(in.has("deep/no/f64"));
  EXPECT_THAT(in.list("/deep"), ElementsAre("er"));
  EXPECT_THAT(in.list("group"), ElementsAre("inner"));
}

TEST_F(Hdf5, AppendedRowsComeBackWholeAndInParts) {
  Hdf5File out = Hdf5File::create(path_);
  out.create_appendable("frames/u", DType::f32, {3, 4}, {2, 3, 100}, 4);
  out.create_appendable("time", DType::f64, {}, {16}, 0);
  for (int t = 0; t < 7; ++t) {
    std::vector<double> row(12);
    std::iota(row.begin(), row.end(), 100.0 * t);
    out.append("frames/u", DType::f64, row.data());
    const double time = 0.5 * t;
    out.append("time", DType::f64, &time);
  }
  const double more[] = {10, 11, 12};
  out.append("time", DType::f64, more, 3);
  EXPECT_THAT(out.shape("time"), ElementsAre(10));
  out.commit();

  const Hdf5File in = Hdf5File::open_read(path_);
  EXPECT_THAT(in.shape("frames/u"), ElementsAre(7, 3, 4));
  EXPECT_EQ(in.dtype("frames/u"), DType::f32);
  const auto all = in.read("frames/u").as<double>();
  for (int t = 0; t < 7; ++t)
    for (int i = 0; i < 12; ++i) ASSERT_EQ(all[t * 12 + i], 100.0 * t + i);

  std::vector<double> rows(24);
  in.read_rows("frames/u", 5, 2, rows.data());
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), all.begin() + 60));
  std::vector<std::int64_t> slab(4);
  in.read_slab("frames/u", {6, 1, 2}, {1, 2, 2}, slab.data());
  EXPECT_THAT(slab, ElementsAre(606, 607, 610, 611));
  std::vector<float> times(2);
  in.read_rows("time", 8, 2, times.data());
  EXPECT_THAT(times, ElementsAre(11, 12));

  double none = 0;
  in.read_rows("frames/u", 7, 0, &none);
  EXPECT_THROW(in.read_rows("frames/u", 6, 2, rows.data()), Error);
  EXPECT_THROW(in.read_rows("frames/u", -1, 1, rows.data()), Error);
  EXPECT_THROW(in.read_rows("frames/u", 1, INT64_MAX, rows.data()), Error);
  EXPECT_THROW(in.read_slab("frames/u", {0, 0}, {1, 1}, rows.data()), Error);
}

TEST_F(Hdf5, Attributes) {
  const std::string large(200000, 'x');  // beyond the 64 KB of a fixed-size attribute
  Hdf5File out = Hdf5File::create(path_);
  out.write("u", Array::from<float>({1}, std::vector<float>{1}));
  out.set_attribute("/", "title", "first");
  out.set_attribute("/", "title", "wake, Ü");
  out.set_attribute("/", "large", large);
  out.set_attribute("/", "empty", "");
  out.set_attribute("u", "count", std::int64_t{1} << 60);
  out.set_attribute("u", "scale", 0.1);
  EXPECT_THROW(out.set_attribute("/", "zero", std::string("a\0b", 3)), Error);
  EXPECT_THROW(out.set_attribute("missing", "a", "b"), Error);
  out.commit();

  const Hdf5File in = Hdf5File::open_read(path_);
  EXPECT_EQ(in.string_attribute("/", "title"), "wake, Ü");
  EXPECT_EQ(in.string_attribute("/", "large"), large);
  EXPECT_EQ(in.string_attribute("/", "empty"), "");
  EXPECT_EQ(in.integer_attribute("u", "count"), std::int64_t{1} << 60);
  EXPECT_EQ(in.double_attribute("u", "scale"), 0.1);
  EXPECT_TRUE(in.has_attribute("u", "scale"));
  EXPECT_FALSE(in.has_attribute("u", "nope"));
  EXPECT_FALSE(in.has_attribute("nope", "nope"));
  EXPECT_THROW(in.integer_attribute("u", "scale"), Error);
  EXPECT_THROW(in.string_attribute("u", "scale"), Error);
  EXPECT_THROW(in.double_attribute("/", "title"), Error);
}

TEST_F(Hdf5, ErrorsNameFileAndObject) {
  Hdf5File out = Hdf5File::create(path_);
  out.write("x", Array::from<float>({1}, std::vector<float>{1}));
  const auto named = [](const char* object) { return AllOf(HasSubstr("data.h5"), HasSubstr(object)); };
  EXPECT_THAT([&] { out.read("nope"); }, ThrowsMessage<Error>(named("nope")));
  EXPECT_THAT([&] { out.write("x", Array::from<float>({1}, std::vector<float>{1})); },
              ThrowsMessage<Error>(named("'x'")));
  EXPECT_THAT([&] { out.create_appendable("a", DType::f32, {3}, {1}, 0); }, ThrowsMessage<Error>(named("'a'")));
  EXPECT_THAT([&] { out.create_appendable("a", DType::f32, {3}, {1, 0}, 0); }, ThrowsMessage<Error>(named("'a'")));
  EXPECT_THAT([&] { out.append("x", DType::f32, ""); }, ThrowsMessage<Error>(named("'x'")));
  EXPECT_THAT([&] { out.list("x"); }, ThrowsMessage<Error>(named("'x'")));
  out.commit();
  Hdf5File in = Hdf5File::open_read(path_);
  EXPECT_THAT([&] { in.create_group("g"); }, ThrowsMessage<Error>(named("reading only")));
}

TEST_F(Hdf5, DamagedFilesAreErrors) {
  Hdf5File out = Hdf5File::create(path_);
  out.create_appendable("x", DType::f64, {64}, {8, 64}, 6);
  std::vector<double> row(64);
  for (int t = 0; t < 64; ++t) {
    for (double& value : row) value = value * 1.7 + t;
    out.append("x", DType::f64, row.data());
  }
  out.commit();
  const std::string good = read_file(path_);
  const fs::path bad = folder_ / "bad.h5";
  for (const std::string& bytes : {std::string(), std::string("garbage"), std::string(5000, '\x89'),
                                   good.substr(0, 100), good.substr(0, good.size() / 2)}) {
    write_file(bad, bytes);
    EXPECT_THROW(Hdf5File::open_read(bad).read("x"), Error) << bytes.size();
  }
  EXPECT_THAT([&] { Hdf5File::open_read(folder_ / "missing.h5"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("missing.h5"), HasSubstr("No such file"))));

  // Wherever a byte changes, the checksums notice, or the byte did not matter.
  const std::vector<std::byte> values = Hdf5File::open_read(path_).read("x").bytes;
  for (std::size_t at = 0; at < good.size(); at += 17) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x5a);
    fs::remove(bad);
    std::ofstream(bad, std::ios::binary) << changed;
    try {
      EXPECT_EQ(Hdf5File::open_read(bad).read("x").bytes, values) << at;
    } catch (const Error&) {
    }
  }
}

// The shape is only a claim until data stands behind it: nothing is allocated for it.
TEST_F(Hdf5, ClaimsWithoutDataAreRefused) {
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const auto& [name, rows] : {std::pair{"large", hsize_t{1} << 38}, {"huge", hsize_t{1} << 50}}) {
    const hsize_t extent = rows, chunk = 1024;
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, nullptr);
    H5Pset_chunk(layout, 1, &chunk);
    H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(layout);
  }
  H5Fclose(file);
  const Hdf5File in = Hdf5File::open_read(path_);
  EXPECT_THAT([&] { in.read("large"); }, ThrowsMessage<Error>(HasSubstr("claims")));
  EXPECT_THAT([&] { in.shape("huge"); }, ThrowsMessage<Error>(HasSubstr("too large")));
  EXPECT_THAT([&] { in.read("huge"); }, ThrowsMessage<Error>(HasSubstr("too large")));
}

// An open dataset holds its chunk cache: with one per mesh, a dataset of many meshes would fill the memory.
TEST_F(Hdf5, FewDatasetsStayOpenHoweverManyThereAre) {
  const auto open = [] { return H5Fget_obj_count(hid_t(H5F_OBJ_ALL), H5F_OBJ_DATASET); };
  const auto name = [](int i) { return "/fields/" + std::to_string(i); };
  Hdf5File out = Hdf5File::create(path_);
  for (int i = 0; i < 100; ++i) out.create_appendable(name(i), DType::f32, {2}, {1, 2}, 0);
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 100; ++i) {
      const float row[2] = {float(round), float(i)};
      out.append(name(i), DType::f32, row);
      ASSERT_LE(open(), 16);
    }
  out.commit();
  const Hdf5File in = Hdf5File::open_read(path_);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(in.read(name(i)).as<float>(), (std::vector<float>{0, float(i), 1, float(i), 2, float(i)}));
    ASSERT_LE(open(), 16);
  }
}

TEST_F(Hdf5, ThreadsMayShareAFile) {
  Hdf5File out = Hdf5File::create(path_);
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 0.0);
  out.write("x", Array::from<double>({1000}, values));
  out.commit();
  const Hdf5File in = Hdf5File::open_read(path_);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (int i = 0; i < 200; ++i) {
        double value = -1;
        in.read_rows("x", (i * 37 + k) % 1000, 1, &value);
        wrong[k] += value != (i * 37 + k) % 1000;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

// A limit on the size of files fails as a full disk does, wherever HDF5 happens to be: it must neither crash nor leave
// a file, also when the program ends afterwards.
TEST_F(Hdf5, ADiskThatIsFullIsAnErrorWhereverItHappens) {
  const auto fill_disk = [&](rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      auto file = Hdf5File::create(path_);
      std::vector<float> row(3000);
      for (int d = 0; d < 20; ++d)  // more than stay open
        file.create_appendable(fmt::format("/d{}", d), DType::f32, {3000}, {1, 1000}, d % 2);
      for (int i = 0; i < 60; ++i) {
        for (std::size_t k = 0; k < row.size(); ++k) row[k] = std::sin(float(i) + float(k) * float(k));
        file.append(fmt::format("/d{}", i % 20), DType::f32, row.data());
      }
      file.commit();
    } catch (const Error& e) {
      std::exit(std::string(e.what()).find("data.h5: ") != std::string::npos &&
                        std::string(e.what()).find("File too large; ") != std::string::npos
                    ? 7
                    : 8);
    }
    std::exit(0);
  };
  for (const rlim_t bytes : {0, 100, 1000, 2500, 5000, 20'000, 50'000, 100'000, 300'000, 600'000}) {
    EXPECT_EXIT(fill_disk(bytes), testing::ExitedWithCode(7), "") << bytes;
    EXPECT_TRUE(fs::is_empty(folder_.path())) << bytes;
  }
  EXPECT_EXIT(fill_disk(10'000'000), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace fluidsplat::io
