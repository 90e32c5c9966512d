// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/content_hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/temporary_folder.h"

namespace fluidsplat::field {
namespace {

std::string digest(std::string_view text) {
  return ContentHash().add(text).digest();
}

std::string noise(std::size_t bytes) {
  Random random(5);
  std::string out(bytes, '\0');
  for (char& c : out) c = char(random.below(256));
  return out;
}

// Hashes are kept in files: they must never change.
TEST(ContentHash, IsTheSameOnEveryMachineAndInEveryVersion) {
  EXPECT_EQ(digest(""), "b526f6097d8cc103e785f39192bfde6d");
  EXPECT_EQ(digest("fluidsplat"), "537fb52c2da2b93f247e137ff8a87b70");
  EXPECT_EQ(digest(noise(1000)), "a785a0ffb9aa5e8bb3b900e564ffd814");
}

TEST(ContentHash, DoesNotDependOnThePiecesItIsGivenIn) {
  const auto text = noise(300);
  for (std::size_t first : {0, 1, 7, 31, 32, 33, 64, 299, 300})
    for (std::size_t second : {0, 1, 31, 32}) {
      const auto rest = text.substr(first);
      ContentHash hash;
      hash.add(text.substr(0, first)).add(rest.substr(0, second)).add(rest.substr(std::min(second, rest.size())));
      EXPECT_EQ(hash.digest(), digest(text)) << first << " " << second;
    }
}

TEST(ContentHash, EveryBitEveryLengthAndTheOrderCount) {
  std::set<std::string> seen;
  const auto text = noise(100);
  for (std::size_t bit = 0; bit < 800; ++bit) {
    auto other = text;
    other[bit / 8] = char(other[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(seen.insert(digest(other)).second) << bit;
  }
  for (std::size_t length = 0; length <= 200; ++length)
    EXPECT_TRUE(seen.insert(digest(std::string(length, '\0'))).second) << length << " zeros";
  EXPECT_NE(digest(text.substr(0, 32) + text.substr(32, 32)), digest(text.substr(32, 32) + text.substr(0, 32)));
  EXPECT_NE(digest(text.substr(0, 8) + text.substr(8, 8)), digest(text.substr(8, 8) + text.substr(0, 8)));
}

// A change must not be undone by another one a block later.
TEST(ContentHash, TwoChangedBitsNeverCancel) {
  auto text = noise(64);
  std::set<std::string> seen = {digest(text)};
  const auto flip = [&](std::size_t bit) { text[bit / 8] = char(text[bit / 8] ^ (1 << bit % 8)); };
  for (std::size_t a = 0; a < 512; ++a)
    for (std::size_t b = a + 1; b < 512; ++b) {
      flip(a), flip(b);
      EXPECT_TRUE(seen.insert(digest(text)).second) << a << " " << b;
      flip(a), flip(b);
    }
}

TEST(ContentHash, OneBitChangesAboutHalfOfTheDigest) {
  const auto text = noise(96);
  const auto bits = [](const std::string& hex, int half) {
    return std::stoull(hex.substr(16 * half, 16), nullptr, 16);
  };
  for (int half : {0, 1}) {
    double changed = 0;
    for (std::size_t bit = 0; bit < 768; ++bit) {
      auto other = text;
      other[bit / 8] = char(other[bit / 8] ^ (1 << bit % 8));
      changed += std::popcount(bits(digest(other), half) ^ bits(digest(text), half)) / 768.0;
    }
    EXPECT_NEAR(changed, 32, 1) << half;
  }
}

TEST(ContentHash, OfAFileIsThatOfItsBytes) {
  TemporaryFolder folder;
  for (std::size_t bytes : {0, 1, 4 << 20, (4 << 20) + 17}) {
    const auto text = noise(bytes);
    write_file(folder / "f", text);
    EXPECT_EQ(hash_file(folder / "f"), digest(text)) << bytes;
  }
  EXPECT_THROW(hash_file(folder / "none"), Error);
  EXPECT_THROW(hash_file(folder.path()), Error) << "a folder";
}

}  // namespace
}  // namespace fluidsplat::field
