// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_source.h"

#include <algorithm>

#include "base/config.h"
#include "base/error.h"

namespace fluidsplat::importing {
namespace {

struct Place {
  std::filesystem::path file;
  std::string array;  // empty in a .npy
};

Place locate(const std::filesystem::path& file, const std::string& reference) {
  if (reference.ends_with(".npy")) return {reference, ""};
  for (const std::string extension : {".npz", ".h5", ".hdf5", ".nc", ".mat"})
    if (const auto at = reference.find(extension + ":"); at != std::string::npos)
      return {reference.substr(0, at + extension.size()), reference.substr(at + extension.size() + 1)};
  if (reference.ends_with(".npz")) return {reference, ""};
  if (file.extension() == ".npy") {
    if (!reference.empty())
      fail("{}: holds one array without a name, so \"{}\" is not in it; write other.npy or other.npz:{}", file.string(),
           reference, reference);
    return {file, ""};
  }
  return {file, reference};
}

}  // namespace

ArraySource ArraySource::open(const std::filesystem::path& file, const std::string& reference) {
  auto [path, array] = locate(file, reference);
  ArraySource out;
  out.label_ = path.string();
  out.file_ = ArrayFile::open(path);
  const auto names = out.file_->names();
  if (array.empty()) {
    const auto data = out.file_->data_names();
    if (data.size() != 1)
      fail("{}: holds the arrays {}; say which with arrays = NAME", path.string(), contents(*out.file_, path));
    array = data.front();
  }
  if (std::find(names.begin(), names.end(), array) == names.end()) {
    const auto near = nearest_name(array, names);
    fail("{}: has no array \"{}\"; {}it has: {}", path.string(), array,
         near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near), fmt::join(names, ", "));
  }
  if (path.extension() != ".npy") out.label_ += "[" + array + "]";
  out.name_ = array.substr(array.find_last_of('/') + 1);
  out.stored_ = out.file_->array(array);
  out.shape_ = out.stored_->shape();
  out.axis_names_ = out.file_->axes(array);
  out.any_order_ = out.file_->any_order(array);
  return out;
}

std::vector<float> ArraySource::rows(Index first, Index count) {
  return stored_->read_rows(first, count).as<float>();
}

std::vector<double> ArraySource::exact_rows(Index first, Index count) {
  return stored_->read_rows(first, count).as<double>();
}

std::vector<double> ArraySource::all() {
  return stored_->read_all().as<double>();
}

}  // namespace fluidsplat::importing
