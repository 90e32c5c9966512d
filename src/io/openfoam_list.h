// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace fluidsplat::io {

// A file of OpenFOAM that holds a list, as those of a mesh do: a header, a count, and the elements in parentheses, as
// text or (format binary) as they are in memory.  FILE.gz is read where FILE is not there.  Nothing is allocated that
// the file does not have; what is wrong is an Error that names the file.
class FoamList {
 public:
  explicit FoamList(const std::filesystem::path& file);

  // How many points it holds, after a look at each.
  Index count_points();
  // How many faces, each of points that are there.
  Index count_faces(Index points);
  // Numbers of faces or cells.
  std::vector<Index> labels();

  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void read_header();
  void skip_blanks();
  void expect(char c);
  Index integer();
  double number();
  // A count, of elements of at least so many bytes.
  Index count(Index least_bytes);
  std::string_view take(Index bytes);
  std::vector<Index> binary_labels(Index n);

  std::string name_, text_;
  std::size_t at_ = 0;
  bool binary_ = false, compact_ = false;
  Index label_bytes_ = 4, scalar_bytes_ = 8;
};

}  // namespace fluidsplat::io
