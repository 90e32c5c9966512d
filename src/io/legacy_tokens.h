// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fluidsplat::io {

// The words and blocks of numbers of a legacy VTK file.  Whatever does not fit is an Error with the file's name.
class LegacyWords {
 public:
  LegacyWords(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void refuse(const std::string& why) const;
  // The three lines at the beginning: version, title, ASCII or BINARY.
  void read_header();
  // The next word, empty at the end.
  std::string next();
  std::string peek() const;
  // A name, in which %20 and the like stand for characters.
  std::string name();
  double number();
  // A number of things that a file of this size can hold.
  std::int64_t count();
  void check_size(std::int64_t things) const;
  bool rest_of_line_has_count() const;
  // `count` numbers of a type of the format ("float", "vtktypeint64").
  std::vector<double> block(const std::string& type, std::int64_t count);
  // To the empty line that ends it.
  void skip_metadata();
  void skip_colours(std::int64_t colours);

 private:
  void skip_blanks();
  std::string_view line();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  bool binary_ = false;
};

}  // namespace fluidsplat::io
