// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/legacy_tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <concepts>
#include <cstring>

#include "base/error.h"

namespace fluidsplat::io {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Binary blocks are big-endian.
template <class T>
std::vector<double> swapped(std::string_view bytes, std::int64_t count) {
  std::vector<double> out;
  out.reserve(std::size_t(count));
  for (std::int64_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes.data() + std::size_t(i) * sizeof(T), sizeof(T));
    std::reverse(raw.begin(), raw.end());
    out.push_back(double(std::bit_cast<T>(raw)));
  }
  return out;
}

struct BinaryType {
  const char* name;
  std::size_t size;
  std::vector<double> (*read)(std::string_view, std::int64_t);
};

constexpr BinaryType kTypes[] = {{"float", 4, swapped<float>},
                                 {"double", 8, swapped<double>},
                                 {"int", 4, swapped<std::int32_t>},
                                 {"vtktypeint32", 4, swapped<std::int32_t>},
                                 {"unsigned_int", 4, swapped<std::uint32_t>},
                                 {"vtktypeuint32", 4, swapped<std::uint32_t>},
                                 {"long", 8, swapped<std::int64_t>},
                                 {"vtktypeint64", 8, swapped<std::int64_t>},
                                 {"vtkidtype", 4, swapped<std::int32_t>},
                                 {"unsigned_long", 8, swapped<std::uint64_t>},
                                 {"vtktypeuint64", 8, swapped<std::uint64_t>},
                                 {"short", 2, swapped<std::int16_t>},
                                 {"unsigned_short", 2, swapped<std::uint16_t>},
                                 {"char", 1, swapped<std::int8_t>},
                                 {"signed_char", 1, swapped<std::int8_t>},
                                 {"unsigned_char", 1, swapped<std::uint8_t>}};

}  // namespace

void LegacyWords::refuse(const std::string& why) const {
  fail("{}: not a readable VTK file: {}", name_, why);
}

std::string_view LegacyWords::line() {
  const auto end = std::min(text_.find('\n', at_), text_.size());
  const auto out = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  return out;
}

void LegacyWords::read_header() {
  if (!line().starts_with("# vtk DataFile Version")) refuse("it does not begin as one");
  line();  // the title
  const auto format = next();
  if (format != "ASCII" && format != "BINARY") refuse("neither ASCII nor BINARY");
  binary_ = format == "BINARY";
}

void LegacyWords::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

std::string LegacyWords::next() {
  skip_blanks();
  const auto first = at_;
  while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
  return std::string(text_.substr(first, at_ - first));
}

std::string LegacyWords::peek() const {
  auto copy = *this;
  return copy.next();
}

std::string LegacyWords::name() {
  const auto word = next();
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    unsigned char code = 0;
    if (word[i] == '%' && i + 2 < word.size() &&
        std::from_chars(word.data() + i + 1, word.data() + i + 3, code, 16).ptr == word.data() + i + 3) {
      out += char(code);
      i += 2;
    } else {
      out += word[i];
    }
  }
  return out;
}

double LegacyWords::number() {
  const auto word = next();
  double out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size())
    refuse(fmt::format("\"{}\" where a number is expected", word.substr(0, 40)));
  return out;
}

std::int64_t LegacyWords::count() {
  const auto word = next();
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size() || out < 0)
    refuse(fmt::format("\"{}\" where a number of things is expected", word.substr(0, 40)));
  check_size(out);
  return out;
}

void LegacyWords::check_size(std::int64_t things) const {
  // Every point and cell has data of a byte at least, and a grid of three axes little more than its values.
  if (things / 8 > std::int64_t(text_.size())) refuse("it claims more than it can hold: it is cut short");
}

bool LegacyWords::rest_of_line_has_count() const {
  const auto end = std::min(text_.find('\n', at_), text_.size());
  return std::any_of(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(end),
                     [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

std::vector<double> LegacyWords::block(const std::string& given, std::int64_t count) {
  auto type = given;
  for (char& c : type) c = char(std::tolower(static_cast<unsigned char>(c)));
  if (type == "string") refuse("texts are not read");
  if (!binary_) {
    // Each number takes a digit and a blank at least.
    if (count > std::int64_t(text_.size() - at_)) refuse("it is cut short");
    std::vector<double> out;
    out.reserve(std::size_t(count));
    for (std::int64_t i = 0; i < count; ++i) out.push_back(number());
    return out;
  }
  for (const auto& known : kTypes) {
    if (type != known.name) continue;
    line();  // the block begins on a line of its own
    if (count > std::int64_t((text_.size() - at_) / known.size)) refuse("it is cut short");
    auto out = known.read(text_.substr(at_), count);
    at_ += std::size_t(count) * known.size;
    return out;
  }
  refuse(fmt::format("numbers of the type \"{}\" are not known", given.substr(0, 40)));
}

void LegacyWords::skip_metadata() {
  line();
  while (at_ < text_.size()) {
    const auto text = line();
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
  }
}

void LegacyWords::skip_colours(std::int64_t colours) {
  if (binary_)
    block("unsigned_char", 4 * colours);
  else
    block("float", 4 * colours);
}

}  // namespace fluidsplat::io
