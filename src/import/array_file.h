// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/index.h"
#include "io/array.h"

namespace fluidsplat::importing {

// One array of a file, read a few rows (along the first axis) at a time.
class StoredArray {
 public:
  virtual ~StoredArray() = default;
  virtual const std::vector<Index>& shape() const = 0;
  virtual bool is_boolean() const = 0;
  virtual io::Array read_rows(Index first, Index count) = 0;
  virtual io::Array read_all() = 0;
};

// What a file says of the axes of an array, as NetCDF files do.
struct AxisNames {
  std::string layout;                      // as in a recipe; empty when an axis is not understood
  std::array<std::string, 3> coordinates;  // arrays with the positions along x, y, z; empty where there is none
  std::string times;                       // the array with the times
};

// A file of named arrays: .npy (one array without a name), .npz, HDF5 with NetCDF-4 and MATLAB 7.3, NetCDF-3,
// MATLAB 5 to 7.
class ArrayFile {
 public:
  static std::shared_ptr<const ArrayFile> open(const std::filesystem::path& path);
  // Whether a path has an extension of these files.
  static bool is_one(const std::filesystem::path& path);

  virtual ~ArrayFile() = default;
  virtual std::vector<std::string> names() const = 0;
  // Names without those of coordinates and the like.
  virtual std::vector<std::string> data_names() const { return names(); }
  // Names of what is there and cannot be read: texts, structures and the like.
  virtual std::vector<std::string> others() const { return {}; }
  virtual std::unique_ptr<StoredArray> array(const std::string& name) const = 0;
  virtual AxisNames axes(const std::string&) const { return {}; }
  // Whether the order of the axes is a matter of taste, as in MATLAB, so that none may be guessed.
  virtual bool any_order(const std::string&) const { return false; }
};

// Names and shapes of what it holds, for messages; an Error names the file when it holds no array.
std::string contents(const ArrayFile& file, const std::filesystem::path& path);

}  // namespace fluidsplat::importing
