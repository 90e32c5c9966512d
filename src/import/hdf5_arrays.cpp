// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/hdf5_arrays.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "import/packing.h"
#include "io/hdf5.h"
#include "io/mat5.h"

namespace fluidsplat::importing {
namespace {

std::optional<double> number_of(const io::Hdf5File& file, const std::string& object, const char* attribute) {
  if (!file.has_attribute(object, attribute)) return {};
  try {
    return file.double_attribute(object, attribute);
  } catch (const Error&) {  // a list or a text: not what the conventions mean
    return {};
  }
}

std::string text_of(const io::Hdf5File& file, const std::string& object, const char* attribute) {
  if (!file.has_attribute(object, attribute)) return {};
  try {
    return file.string_attribute(object, attribute);
  } catch (const Error&) {
    return {};
  }
}

class Hdf5Array : public StoredArray {
 public:
  Hdf5Array(std::shared_ptr<const io::Hdf5File> file, const std::string& name)
      : file_(std::move(file)), name_("/" + name), shape_(file_->shape(name_)), dtype_(file_->dtype(name_)) {
    for (const char* attribute : {"_FillValue", "missing_value"})
      if (const auto value = number_of(*file_, name_, attribute)) packing_.fills.push_back(*value);
    packing_.scale = number_of(*file_, name_, "scale_factor").value_or(1);
    packing_.offset = number_of(*file_, name_, "add_offset").value_or(0);
  }

  const std::vector<Index>& shape() const override { return shape_; }
  bool is_boolean() const override { return dtype_ == io::DType::boolean; }
  io::Array read_rows(Index first, Index count) override {
    auto shape = shape_;
    if (shape.empty()) return read_all();
    shape.front() = count;
    // The shape is the file's word: nothing is allocated that it could not hold packed.
    std::vector<double> values(io::checked_count(shape, name_));
    file_->read_rows(name_, first, count, values.data());
    return packing_.unpacked(std::move(shape), std::move(values));
  }
  io::Array read_all() override { return packing_.unpacked(shape_, file_->read(name_).as<double>()); }

 private:
  std::shared_ptr<const io::Hdf5File> file_;
  std::string name_;
  std::vector<Index> shape_;
  io::DType dtype_;
  Packing packing_;
};

// MATLAB stores the first index fastest, which HDF5 shows as the axes reversed; here they are as MATLAB shows them.
class MatlabArray : public StoredArray {
 public:
  MatlabArray(const io::Hdf5File& file, const std::string& name) {
    auto stored = file.read("/" + name);
    std::reverse(stored.shape.begin(), stored.shape.end());
    array_ = io::transposed(stored);
    if (array_.shape.size() == 2 && (array_.shape[0] == 1 || array_.shape[1] == 1))
      array_.shape = {array_.shape[0] * array_.shape[1]};
    if (text_of(file, "/" + name, "MATLAB_class") == "logical" && array_.dtype == io::DType::u8)
      array_.dtype = io::DType::boolean;
  }
  const std::vector<Index>& shape() const override { return array_.shape; }
  bool is_boolean() const override { return array_.dtype == io::DType::boolean; }
  io::Array read_rows(Index first, Index count) override { return rows_of(array_, first, count); }
  io::Array read_all() override { return array_; }

 private:
  io::Array array_;
};

class Hdf5Arrays : public ArrayFile {
 public:
  explicit Hdf5Arrays(const std::filesystem::path& path)
      : file_(std::make_shared<io::Hdf5File>(io::Hdf5File::open_read(path))) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const auto& name : file_->datasets())
      if (!name.starts_with("#") && !is_bare_dimension(name) && !is_matlab_text(name))  // #refs#: MATLAB's own
        out.push_back(name);
    return out;
  }
  std::vector<std::string> others() const override {
    std::vector<std::string> out;
    for (const auto& name : file_->datasets())
      if (!name.starts_with("#") && is_matlab_text(name)) out.push_back(name);
    return out;
  }
  std::vector<std::string> data_names() const override {
    std::vector<std::string> out;
    for (const auto& name : names())
      if (text_of(*file_, "/" + name, "CLASS") != "DIMENSION_SCALE") out.push_back(name);
    return out;
  }
  std::unique_ptr<StoredArray> array(const std::string& name) const override {
    if (any_order(name)) return std::make_unique<MatlabArray>(*file_, name);
    return std::make_unique<Hdf5Array>(file_, name);
  }
  bool any_order(const std::string& name) const override { return file_->has_attribute("/" + name, "MATLAB_class"); }

  AxisNames axes(const std::string& name) const override {
    AxisNames out;
    const auto scales = file_->dimension_scales("/" + name);
    for (const auto& scale : scales) {
      char letter = 0;
      if (const auto axis = text_of(*file_, "/" + scale, "axis"); axis.size() == 1 && !scale.empty())
        letter = char(std::tolower(static_cast<unsigned char>(axis[0])));
      if (std::string("tzyx").find(letter) == std::string::npos || letter == 0) letter = axis_letter(last_part(scale));
      if (letter == 0) return {};
      out.layout += letter;
      if (is_bare_dimension(scale)) continue;
      if (letter == 't') out.times = scale;
      if (letter >= 'x' && letter <= 'z') out.coordinates[std::size_t(letter - 'x')] = scale;
    }
    take_curved_coordinates(name, out);
    return out;
  }

 private:
  static std::string last_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

  // Texts are stored as numbers, lists of things as references to them.
  bool is_matlab_text(const std::string& name) const {
    const auto kind = text_of(*file_, "/" + name, "MATLAB_class");
    return kind == "char" || kind == "cell" || kind == "function_handle";
  }

  // A dimension that has a length and no values.
  bool is_bare_dimension(const std::string& name) const {
    return text_of(*file_, "/" + name, "NAME").starts_with("This is a netCDF dimension but not a netCDF variable");
  }

  // Grids that are not aligned with their coordinates name arrays of their own: coordinates = "lon lat".
  void take_curved_coordinates(const std::string& name, AxisNames& out) const {
    std::string word;
    for (char c : text_of(*file_, "/" + name, "coordinates") + " ") {
      if (c != ' ') {
        word += c;
        continue;
      }
      const char letter = axis_letter(word);
      if (letter >= 'x' && letter <= 'z' && file_->has("/" + word) && file_->shape("/" + word).size() > 1)
        out.coordinates[std::size_t(letter - 'x')] = word;
      word.clear();
    }
  }

  std::shared_ptr<const io::Hdf5File> file_;
};

}  // namespace

char axis_letter(std::string name) {
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  static const std::pair<char, std::vector<std::string>> known[] = {
      {'t',
       {"t", "time", "times", "nt", "frame", "frames", "case", "cases", "snapshot", "snapshots", "step", "ocean_time"}},
      {'x', {"x", "nx", "lon", "longitude", "rlon", "nlon", "i", "easting", "west_east", "xc", "x_rho", "xi_rho"}},
      {'y', {"y", "ny", "lat", "latitude", "rlat", "nlat", "j", "northing", "south_north", "yc", "eta_rho", "nav_lat"}},
      {'z',
       {"z", "nz", "lev", "level", "levels", "depth", "height", "altitude", "plev", "k", "deptht", "bottom_top",
        "s_rho"}},
      {'n', {"n", "node", "nodes", "point", "points", "cell", "cells", "ncells", "nele", "vertex", "vertices"}},
      {'c', {"c", "channel", "channels", "component", "components", "variable", "variables"}}};
  for (const auto& [letter, names] : known)
    if (std::find(names.begin(), names.end(), name) != names.end()) return letter;
  return name == "nav_lon" ? 'x' : '\0';
}

std::shared_ptr<const ArrayFile> open_hdf5_arrays(const std::filesystem::path& path) {
  return std::make_shared<Hdf5Arrays>(path);
}

}  // namespace fluidsplat::importing
