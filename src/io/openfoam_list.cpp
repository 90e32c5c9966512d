// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/openfoam_list.h"

#include <zlib.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

// zlib reads files that are not packed as they are.
std::string read_packed_or_not(const std::filesystem::path& file) {
  const auto packed = file.string() + ".gz";
  const auto& path = std::filesystem::exists(file) ? file.string() : packed;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> stream(::gzopen(path.c_str(), "rb"), ::gzclose);
  if (!stream) fail("{}: cannot open; the mesh needs it", file.string());
  std::string out;
  std::vector<char> part(1 << 20);
  for (;;) {
    const int n = ::gzread(stream.get(), part.data(), unsigned(part.size()));
    if (n < 0) fail("{}: cannot be unpacked, it is damaged", path);
    if (n == 0) return out;
    out.append(part.data(), std::size_t(n));
  }
}

}  // namespace

FoamList::FoamList(const std::filesystem::path& file) : name_(file.string()), text_(read_packed_or_not(file)) {
  read_header();
}

void FoamList::refuse(const std::string& why) const {
  fail("{}: is damaged: {}", name_, why);
}

void FoamList::read_header() {
  const auto begin = text_.find("FoamFile"), end = text_.find('}', begin);
  if (begin == std::string::npos || end == std::string::npos) refuse("it has no header");
  const auto header = text_.substr(begin, end - begin);
  const auto format = header.find("format");
  binary_ = format != std::string::npos &&
            header.substr(format, header.find(';', format) - format).find("binary") != std::string::npos;
  compact_ = header.find("faceCompactList") != std::string::npos;
  if (header.find("label=64") != std::string::npos) label_bytes_ = 8;
  if (header.find("scalar=32") != std::string::npos) scalar_bytes_ = 4;
  at_ = end + 1;
}

void FoamList::skip_blanks() {
  for (;;) {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const auto rest = std::string_view(text_).substr(at_);
    if (!rest.starts_with("//") && !rest.starts_with("/*")) return;
    const bool line = rest[1] == '/';
    const auto end = text_.find(line ? "\n" : "*/", at_);
    at_ = end == std::string::npos ? text_.size() : end + (line ? 1 : 2);
  }
}

void FoamList::expect(char c) {
  skip_blanks();
  if (at_ == text_.size()) refuse("it is cut short");
  if (text_[at_] != c) refuse(fmt::format("a '{}' is missing at byte {}", c, at_));
  ++at_;
}

Index FoamList::integer() {
  skip_blanks();
  Index out = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
  if (error != std::errc()) refuse(fmt::format("a whole number is missing at byte {}", at_));
  at_ = std::size_t(end - text_.data());
  return out;
}

double FoamList::number() {
  skip_blanks();
  double out = 0;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), out);
  // Too small for a double is as good as zero.
  if (error == std::errc::invalid_argument || !std::isfinite(out))
    refuse(fmt::format("a number is missing at byte {}", at_));
  at_ = std::size_t(end - text_.data());
  return out;
}

Index FoamList::count(Index least_bytes) {
  const Index n = integer();
  if (n < 0 || n > (std::ssize(text_) - Index(at_)) / least_bytes)
    refuse(fmt::format("it announces {} elements, which it is too short for", n));
  return n;
}

std::string_view FoamList::take(Index bytes) {
  if (bytes > std::ssize(text_) - Index(at_)) refuse("it is cut short");
  const auto out = std::string_view(text_).substr(at_, std::size_t(bytes));
  at_ += std::size_t(bytes);
  return out;
}

Index FoamList::count_points() {
  const Index n = count(binary_ ? 3 * scalar_bytes_ : 7);  // "(0 0 0)"
  expect('(');
  if (binary_) take(n * 3 * scalar_bytes_);
  for (Index i = 0; i < n && !binary_; ++i) {
    expect('(');
    for (int a = 0; a < 3; ++a) number();
    expect(')');
  }
  expect(')');
  return n;
}

Index FoamList::count_faces(Index points) {
  const auto check = [&](Index label) {
    if (label < 0 || label >= points) refuse(fmt::format("{} is not the number of a point", label));
  };
  if (binary_ && !compact_) return count(label_bytes_);  // of old versions, read by VTK alone
  if (binary_) {                                         // where each begins, then the points of all
    const auto begins = labels(), corners = labels();
    for (const Index label : corners) check(label);
    for (std::size_t i = 0; i < begins.size(); ++i)
      if (begins[i] < (i == 0 ? 0 : begins[i - 1]) || begins[i] > std::ssize(corners))
        refuse("its faces do not begin one after the other");
    return begins.empty() ? 0 : std::ssize(begins) - 1;
  }
  const Index n = count(4);  // "0()" and a blank
  expect('(');
  for (Index i = 0; i < n; ++i) {
    const Index corners = count(2);
    if (corners < 3) refuse(fmt::format("face {} has {} points", i, corners));
    expect('(');
    for (Index k = 0; k < corners; ++k) check(integer());
    expect(')');
  }
  expect(')');
  return n;
}

std::vector<Index> FoamList::binary_labels(Index n) {
  const auto bytes = take(n * label_bytes_);
  std::vector<Index> out;
  for (Index i = 0; i < n; ++i) {
    std::int64_t wide = 0;
    std::int32_t narrow = 0;
    const char* from = bytes.data() + i * label_bytes_;
    if (label_bytes_ == 8)
      std::memcpy(&wide, from, sizeof wide);
    else
      std::memcpy(&narrow, from, sizeof narrow);
    out.push_back(label_bytes_ == 8 ? Index(wide) : Index(narrow));
  }
  return out;
}

std::vector<Index> FoamList::labels() {
  const Index n = count(binary_ ? label_bytes_ : 2);
  std::vector<Index> out;
  if (n == 0 && binary_) {  // nothing follows
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '(') expect('('), expect(')');
    return out;
  }
  expect('(');
  if (binary_)
    out = binary_labels(n);
  else
    for (Index i = 0; i < n; ++i) out.push_back(integer());
  expect(')');
  return out;
}

}  // namespace fluidsplat::io
