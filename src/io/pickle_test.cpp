// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/temporary_folder.h"

namespace fluidsplat::io {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace std::string_literals;

// What NumPy 1.24 writes for np.arange(6, dtype='f4').reshape(2, 3) in each protocol.
const std::string kValues = "\0\0\0\0\0\0\x80?\0\0\0@\0\0@@\0\0\x80@\0\0\xa0@"s;
const std::string kDType2 =
    "cnumpy\ndtype\nq\x0bX\x02\0\0\0f4q\x0c\x89\x88\x87q\rRq\x0e(K\x03X\x01\0\0\0<q\x0fNNN"
    "J\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tq\x10"
    "b"s;
const std::string kProtocol2 =
    "\x80\x02"
    "cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nq\x01K\0\x85q\x02"
    "c_codecs\nencode\nq\x03X\x01\0\0\0bq\x04X\x06\0\0\0latin1q\x05\x86q\x06Rq\x07\x87q\x08Rq\t(K\x01K\x02K\x03\x86q\n"s +
    kDType2 +
    "\x89h\x03X\x1b\0\0\0\0\0\0\0\0\0\xc2\x80?\0\0\0@\0\0@@\0\0\xc2\x80@\0\0\xc2\xa0@"
    "q\x11h\x05\x86q\x12Rq\x13tq\x14"
    "b."s;
const std::string kProtocol3 =
    "\x80\x03"
    "cnumpy.core.multiarray\n_reconstruct\nq\0cnumpy\nndarray\nq\x01K\0\x85q\x02"
    "C\x01"
    "bq\x03\x87q\x04Rq\x05(K\x01K\x02K\x03\x86q\x06"s +
    kDType2 + "\x89" + "C\x18" + kValues + "q\rtq\x0e" + "b.";
const std::string kDType4 =
    "\x8c\x02"
    "f4\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0t\x94"
    "b"s;
const std::string kProtocol4 =
    "\x80\x04\x95\xa2\0\0\0\0\0\0\0\x8c\x15numpy.core.multiarray\x94\x8c\x0c_"
    "reconstruct\x94\x93\x94\x8c\x05numpy\x94"
    "\x8c\x07ndarray\x94\x93\x94K\0\x85\x94"
    "C\x01"
    "b\x94\x87\x94R\x94(K\x01K\x02K\x03\x86\x94h\x03\x8c\x05"
    "dtype\x94\x93\x94"s +
    kDType4 + "\x89" + "C\x18" + kValues + "\x94t\x94" + "b.";
const std::string kProtocol5Start =
    "\x80\x05\x95\x8d\0\0\0\0\0\0\0\x8c\x12numpy.core.numeric\x94\x8c\x0b_frombuffer\x94\x93\x94("
    "\x96\x18\0\0\0\0\0\0\0"s +
    kValues +
    "\x94\x8c\x05numpy\x94\x8c\x05"
    "dtype\x94\x93\x94"s +
    kDType4 + "K\x02K\x03\x86\x94";
const std::string kProtocol5 = kProtocol5Start + "\x8c\x01" + "C\x94t\x94R\x94.";

class Pickle : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "a.pickle";

  void put(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }
  void expect_refused(const std::string& bytes, const std::string& because) {
    put(bytes);
    EXPECT_THAT([&] { read_pickle(path_); }, ThrowsMessage<Error>(AllOf(HasSubstr("a.pickle"), HasSubstr(because))));
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
};

TEST_F(Pickle, EveryProtocol) {
  for (const std::string& pickle : {kProtocol2, kProtocol3, kProtocol4, kProtocol5}) {
    put(pickle);
    const Array array = read_pickle(path_);
    EXPECT_EQ(array.dtype, DType::f32);
    EXPECT_THAT(array.shape, ElementsAre(2, 3));
    EXPECT_THAT(array.as<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
    PickleReader opened(path_);
    const PickleReader reader = std::move(opened);
    EXPECT_THAT(reader.read_rows(1, 1).as<float>(), ElementsAre(3, 4, 5));
    EXPECT_THROW(reader.read_rows(1, 2), Error);
  }
}

TEST_F(Pickle, OtherNumPysOrdersAndTypes) {
  put(replaced(kProtocol4, "\x15numpy.core.multiarray", "\x16numpy._core.multiarray"));
  EXPECT_THAT(read_pickle(path_).as<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
  put(kProtocol5Start + "\x8c\x01" + "F\x94t\x94R\x94.");
  EXPECT_THAT(read_pickle(path_).as<float>(), ElementsAre(0, 2, 4, 1, 3, 5));
  put(replaced(kProtocol3,
               "\x89"
               "C\x18",
               "\x88"
               "C\x18"));
  EXPECT_THAT(read_pickle(path_).as<float>(), ElementsAre(0, 2, 4, 1, 3, 5));
  put(replaced(replaced(kProtocol5,
                        "\x02"
                        "f4",
                        "\x02"
                        "u2"),
               "K\x02K\x03", "K\x04K\x03"));
  EXPECT_EQ(read_pickle(path_).dtype, DType::u16);
  put(replaced(kProtocol3, "X\x01\0\0\0<"s, "X\x01\0\0\0>"s));
  EXPECT_EQ(read_pickle(path_).as<float>()[2], 8.96831017167883e-44f) << "0x00000040, a denormal";
  // Python 2: bytes for text, integers for booleans.
  put(replaced(replaced(kProtocol3, "X\x02\0\0\0f4"s,
                        "U\x02"
                        "f4"),
               "\x89"
               "C\x18",
               "K\0T\x18\0\0\0"s));
  EXPECT_THAT(read_pickle(path_).as<float>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Pickle, NamesWhatItRefusesToRun) {
  expect_refused(
      "\x80\x02"
      "cos\nsystem\nX\x02\0\0\0ls\x85R."s,
      "'os.system'");
  expect_refused(
      "\x80\x04\x8c\x08"
      "builtins\x8c\x04"
      "eval\x93."s,
      "'builtins.eval'");
  expect_refused(replaced(kProtocol3, "numpy\nndarray", "numpy\nmemmap"), "'numpy.memmap'");
  expect_refused(
      "\x80\x03"
      "}."s,
      "0x7d");
  expect_refused(
      "\x80\x03"
      "K\x01Q."s,
      "0x51");
  expect_refused(
      "\x80\x03"
      "K\x01."s,
      "NumPy array");
  expect_refused(
      "\x80\x03"
      "cnumpy\nndarray\nK\x01\x85R."s,
      "numpy.ndarray");
  expect_refused(
      "\x80\x03"
      "cnumpy.core.multiarray\n_reconstruct\n)R."s,
      "NumPy array");
}

TEST_F(Pickle, RefusesLies) {
  expect_refused(replaced(kProtocol3, "K\x02K\x03\x86", "K\x02K\x04\x86"), "24 bytes");
  expect_refused(replaced(kProtocol3, "K\x02K\x03\x86", "J\xff\xff\xff\xffK\x03\x86"), "negative");
  expect_refused(replaced(kProtocol3, "K\x02K\x03\x86", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7fK\x03\x86"),
                 "too large");
  expect_refused(replaced(kProtocol3, "K\x02K\x03\x86", "\x8a\x01\xffK\x03\x86"), "negative");
  expect_refused(replaced(kProtocol3, "K\x02K\x03\x86", "\x8a\xffK\x03\x86"), "64 bits");
  expect_refused(replaced(kProtocol5,
                          "\x02"
                          "f4",
                          "\x02"
                          "O8"),
                 "'O8'");
  expect_refused(replaced(kProtocol3, "<q\x0fNNN", "<q\x0fNN\x88"), "records");
  expect_refused(replaced(kProtocol2, "latin1", "utf-16"), "latin1");
  expect_refused(replaced(kProtocol2, "\xc2\xa0", "\xc4\xa0"), "latin1");
  expect_refused(replaced(kProtocol5, "\x96\x18\0\0\0\0\0\0\0"s, "\x96\xff\xff\xff\xff\xff\xff\xff\xff"s),
                 "ends early");
  expect_refused("\x80\x06."s, "protocol 6");
  expect_refused("(dp0\n."s, "protocol");
  expect_refused("", "ends early");
}

// Deep nesting must not exhaust the stack when it is torn down, nor endless input run forever.
TEST_F(Pickle, BoundsItsWork) {
  expect_refused("\x80\x03)" + std::string(1000000, '\x85') + ".", "more than one");
  expect_refused("\x80\x03" + std::string(1000000, 'N') + ".", "more than one");
  for (const std::string& bad :
       {"\x85."s, "t."s, "b."s, "R."s, "q\0."s, "h\0."s, "\x94."s, "\x93."s, "."s, "(t"s, "c"s})
    expect_refused("\x80\x03" + bad, "a.pickle");
}

TEST_F(Pickle, EveryTruncationIsAnErrorAndNoChangedByteCrashes) {
  const auto run = [](const std::string& pickle) { run_pickle(std::as_bytes(std::span(pickle)), "memory"); };
  for (const std::string& pickle : {kProtocol2, kProtocol3, kProtocol4, kProtocol5}) {
    for (std::size_t size = 0; size < pickle.size(); ++size) {
      EXPECT_THROW(run(pickle.substr(0, size)), Error) << size;
    }
    for (std::size_t at = 0; at < pickle.size(); ++at)
      for (int value = 0; value < 256; ++value) {
        std::string bad = pickle;
        bad[at] = static_cast<char>(value);
        try {
          run(bad);
        } catch (const Error&) {
        }
      }
  }
}

}  // namespace
}  // namespace fluidsplat::io
