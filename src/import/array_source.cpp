// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_source.h"

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
  if (const auto at = reference.find(".npz:"); at != std::string::npos)
    return {reference.substr(0, at + 4), reference.substr(at + 5)};
  if (reference.ends_with(".npz")) return {reference, ""};
  if (file.extension() == ".npy") {
    if (!reference.empty())
      fail("{}: holds one array without a name, so \"{}\" is not in it; write other.npy or other.npz:{}", file.string(),
           reference, reference);
    return {file, ""};
  }
  return {file, reference};
}

// Names and shapes of what an .npz holds.
std::string contents(const io::NpzFile& npz) {
  std::vector<std::string> out;
  for (const auto& name : npz.names()) {
    try {
      out.push_back(name + " " + io::shape_text(npz.rows(name).shape()));
    } catch (const Error&) {  // text and the like
      out.push_back(name + " (not numbers)");
    }
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

ArraySource ArraySource::open(const std::filesystem::path& file, const std::string& reference) {
  auto [path, array] = locate(file, reference);
  ArraySource out;
  out.path_ = path;
  out.label_ = path.string();
  out.name_ = path.stem().string();
  if (path.extension() == ".npy") {
    out.npy_.emplace(path);
    out.shape_ = out.npy_->shape();
    out.boolean_ = out.npy_->dtype() == io::DType::boolean;
    return out;
  }
  const auto npz = io::NpzFile::open(path);
  if (array.empty()) {
    const auto names = npz.names();
    if (names.size() != 1) fail("{}: holds the arrays {}; say which with arrays = NAME", path.string(), contents(npz));
    array = names.front();
  }
  if (!npz.contains(array)) {
    const auto near = nearest_name(array, npz.names());
    fail("{}: has no array \"{}\"; {}it has: {}", path.string(), array,
         near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near), fmt::join(npz.names(), ", "));
  }
  out.label_ += "[" + array + "]";
  out.name_ = array;
  out.npz_.emplace(npz.rows(array));
  out.shape_ = out.npz_->shape();
  out.boolean_ = out.npz_->dtype() == io::DType::boolean;
  return out;
}

io::Array ArraySource::read(Index first, Index count) {
  return npy_ ? npy_->read_rows(first, count) : npz_->read_rows(first, count);
}

std::vector<float> ArraySource::rows(Index first, Index count) {
  return read(first, count).as<float>();
}

std::vector<double> ArraySource::exact_rows(Index first, Index count) {
  return read(first, count).as<double>();
}

std::vector<double> ArraySource::all() {
  if (!shape_.empty()) return read(0, shape_.front()).as<double>();
  return (npy_ ? npy_->read_all() : io::NpzFile::open(path_).read(name_)).as<double>();
}

}  // namespace fluidsplat::importing
