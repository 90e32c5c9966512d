// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/base64.h"

#include <gtest/gtest.h>

namespace fluidsplat::io {
namespace {

// The test vectors of RFC 4648, section 10, and a group with the two special digits.
TEST(Base64, ReferenceVectors) {
  EXPECT_EQ(encode_base64(""), "");
  EXPECT_EQ(encode_base64("f"), "Zg==");
  EXPECT_EQ(encode_base64("fo"), "Zm8=");
  EXPECT_EQ(encode_base64("foo"), "Zm9v");
  EXPECT_EQ(encode_base64("foob"), "Zm9vYg==");
  EXPECT_EQ(encode_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encode_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode_base64("\xfb\xff\xfe"), "+//+");
}

TEST(Base64, DecodesWhatItEncodesAndNothingElse) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const auto back = decode_base64(encode_base64(bytes));
    ASSERT_TRUE(back);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(back->data()), back->size()), bytes);
    bytes += static_cast<char>(i * 37);
  }
  for (const char* bad : {"Zg=", "Z===", "====", "Zg==Zg==", "Zm 9v", "Zm9v\n", "Zm9-"})
    EXPECT_FALSE(decode_base64(bad)) << bad;
}

}  // namespace
}  // namespace fluidsplat::io
