// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string with_size(std::uint64_t size, const std::string& rest) {
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + rest;
}

class Safetensors : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "model.safetensors";

  void put(const std::string& header, std::size_t data_bytes) {
    write_file(path_, with_size(header.size(), header + std::string(data_bytes, '\x01')));
  }
  void expect_refused(const std::string& header, std::size_t data_bytes, const std::string& because) {
    put(header, data_bytes);
    try {
      SafetensorsFile::open(path_);
      ADD_FAILURE() << "accepted: " << header;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("model.safetensors"));
      EXPECT_THAT(error.what(), HasSubstr(because)) << header;
    }
  }
};

TEST_F(Safetensors, RoundTripKeepsEverythingAndAligns) {
  const std::map<std::string, Array> tensors = {
      {"a.byte", Array::from<std::uint8_t>({3}, std::vector<std::uint8_t>{1, 2, 255})},
      {"b.weight", Array::from<float>({2, 2}, std::vector<float>{1.5f, -2, 3, 4})},
      {"c.scalar", Array::from<double>({}, std::vector<double>{0.1})},
      {"d.empty", Array::from<std::int64_t>({0, 4}, std::vector<std::int64_t>{})}};
  const std::map<std::string, std::string> metadata = {{"config", "{\"k\": \"ü\\n\"}"}, {"empty", ""}};
  write_safetensors(path_, tensors, metadata);

  SafetensorsFile opened = SafetensorsFile::open(path_);
  const SafetensorsFile file = std::move(opened);
  EXPECT_EQ(file.metadata(), metadata);
  EXPECT_THAT(file.names(), ElementsAre("a.byte", "b.weight", "c.scalar", "d.empty"));
  for (const auto& [name, array] : tensors) {
    const TensorView view = file.get(name);
    EXPECT_EQ(view.dtype, array.dtype) << name;
    EXPECT_EQ(view.shape, array.shape) << name;
    EXPECT_EQ(view.copy().bytes, array.bytes) << name;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes.data()) % size_of(view.dtype), 0u) << name;
  }
  EXPECT_THAT([&] { file.get("nope"); },
              ::testing::ThrowsMessage<Error>(AllOf(HasSubstr("model.safetensors"), HasSubstr("nope"))));
}

TEST_F(Safetensors, ReadsMisalignedTensorsOfOtherWriters) {
  const std::string header = R"({"flag":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},)"
                             R"("x":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})";
  const float values[] = {1.25f, -8};
  write_file(path_, with_size(header.size(),
                              header + std::string("\x01", 1) + std::string(reinterpret_cast<const char*>(values), 8)));
  const SafetensorsFile file = SafetensorsFile::open(path_);
  const TensorView x = file.get("x");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.bytes.data()) % 4, 0u);
  EXPECT_THAT(x.copy().as<float>(), ElementsAre(1.25f, -8));
}

TEST_F(Safetensors, RefusesEveryLie) {
  const std::string four = R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  put(four, 4);
  EXPECT_NO_THROW(SafetensorsFile::open(path_));
  expect_refused(four, 3, "data_offsets");
  expect_refused(four, 5, "cover");
  expect_refused("[]", 0, "not a JSON object");
  expect_refused("{\"x\":", 0, "not valid JSON");
  expect_refused(std::string(1000, '['), 0, "deep");
  expect_refused(R"({"x":3})", 0, "'x'");
  expect_refused(R"({"__metadata__":{"a":1}})", 0, "not a text");
  expect_refused(R"({"__metadata__":{"a":"1","a":"2"}})", 0, "twice");
  expect_refused(R"({"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)"
                 R"("x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
                 0, "twice");
  expect_refused(R"({"x":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", 4, "F33");
  expect_refused(R"({"x":{"shape":[1],"data_offsets":[0,4]}})", 4, "dtype");
  expect_refused(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "shape");
  expect_refused(R"({"x":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "shape");
  expect_refused(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "4 bytes stored");
  expect_refused(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "data_offsets");
  expect_refused(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "data_offsets");
  expect_refused(R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,0]}})", 4, "data_offsets");
  // 2^62 * 4 elements of 4 bytes wrap to zero bytes when multiplied carelessly.
  expect_refused(R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0, "too large");
  expect_refused(R"({"x":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, "too large");
}

TEST_F(Safetensors, RefusesHolesAndOverlaps) {
  const auto two = [](int a, int b, int c, int d) {
    return fmt::format(R"({{"x":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}},)"
                       R"("y":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}}}})",
                       b - a, a, b, d - c, c, d);
  };
  put(two(4, 8, 0, 4), 8);
  EXPECT_NO_THROW(SafetensorsFile::open(path_));
  expect_refused(two(0, 4, 3, 8), 8, "overlap");
  expect_refused(two(0, 8, 0, 8), 8, "overlap");
  expect_refused(two(0, 3, 4, 8), 8, "belong to none");
  expect_refused(two(1, 4, 4, 8), 8, "belong to none");
  expect_refused(two(0, 4, 4, 7), 8, "cover");
}

TEST_F(Safetensors, RefusesHeaderSizesOutsideTheFile) {
  for (const std::string& bytes :
       {std::string(), std::string("1234567"), with_size(100, "{}"), with_size(~std::uint64_t{0}, "{}"),
        with_size(std::uint64_t{1} << 40, "{}"), with_size(0, "")}) {
    write_file(path_, bytes);
    EXPECT_THROW(SafetensorsFile::open(path_), Error) << bytes.size();
  }
  EXPECT_THROW(SafetensorsFile::open(folder_ / "missing"), Error);
  EXPECT_THROW(SafetensorsFile::open(folder_.path()), Error);
}

TEST_F(Safetensors, WriterRefusesWhatItCouldNotReadBack) {
  const auto array = Array::from<float>({1}, std::vector<float>{1});
  const TensorView view{array.dtype, array.shape, array.bytes};
  const TensorView too_short{DType::f32, {2}, array.bytes};
  using Tensors = std::vector<std::pair<std::string, TensorView>>;
  EXPECT_THROW(write_safetensors(path_, Tensors{{"x", view}, {"x", view}}, {}), Error);
  EXPECT_THROW(write_safetensors(path_, Tensors{{"__metadata__", view}}, {}), Error);
  EXPECT_THROW(write_safetensors(path_, Tensors{{"x", too_short}}, {}), Error);
  EXPECT_THROW(write_safetensors(path_, Tensors{{"x", view}}, {{"bad", "\xff"}}), Error);
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace fluidsplat::io
