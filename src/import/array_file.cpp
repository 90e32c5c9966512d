// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_file.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "import/hdf5_arrays.h"
#include "import/netcdf3_arrays.h"
#include "io/mat5.h"
#include "io/netcdf3.h"
#include "io/npy.h"
#include "io/npz.h"

namespace fluidsplat::importing {
namespace {

class NpyArray : public StoredArray {
 public:
  explicit NpyArray(const std::filesystem::path& path) : reader_(path) {}
  const std::vector<Index>& shape() const override { return reader_.shape(); }
  bool is_boolean() const override { return reader_.dtype() == io::DType::boolean; }
  io::Array read_rows(Index first, Index count) override { return reader_.read_rows(first, count); }
  io::Array read_all() override { return reader_.read_all(); }

 private:
  io::NpyReader reader_;
};

class NpyArrays : public ArrayFile {
 public:
  explicit NpyArrays(std::filesystem::path path) : path_(std::move(path)) {}
  std::vector<std::string> names() const override { return {path_.stem().string()}; }
  std::unique_ptr<StoredArray> array(const std::string&) const override { return std::make_unique<NpyArray>(path_); }

 private:
  std::filesystem::path path_;
};

class NpzArray : public StoredArray {
 public:
  NpzArray(const io::NpzFile& file, const std::string& name) : file_(file), rows_(file.rows(name)), name_(name) {}
  const std::vector<Index>& shape() const override { return rows_.shape(); }
  bool is_boolean() const override { return rows_.dtype() == io::DType::boolean; }
  io::Array read_rows(Index first, Index count) override { return rows_.read_rows(first, count); }
  io::Array read_all() override { return file_.read(name_); }

 private:
  io::NpzFile file_;
  io::NpzRows rows_;
  std::string name_;
};

class NpzArrays : public ArrayFile {
 public:
  explicit NpzArrays(const std::filesystem::path& path) : file_(io::NpzFile::open(path)) {}
  std::vector<std::string> names() const override { return file_.names(); }
  std::unique_ptr<StoredArray> array(const std::string& name) const override {
    return std::make_unique<NpzArray>(file_, name);
  }

 private:
  io::NpzFile file_;
};

// An array of a file that was read as a whole.
class Mat5Array : public StoredArray {
 public:
  Mat5Array(std::shared_ptr<const io::Mat5File> file, const io::Array& array) : file_(std::move(file)), array_(array) {}
  const std::vector<Index>& shape() const override { return array_.shape; }
  bool is_boolean() const override { return array_.dtype == io::DType::boolean; }
  io::Array read_rows(Index first, Index count) override { return rows_of(array_, first, count); }
  io::Array read_all() override { return array_; }

 private:
  std::shared_ptr<const io::Mat5File> file_;
  const io::Array& array_;
};

class Mat5Arrays : public ArrayFile {
 public:
  explicit Mat5Arrays(const std::filesystem::path& path)
      : file_(std::make_shared<io::Mat5File>(io::Mat5File::read(path))) {}
  std::vector<std::string> names() const override {
    std::vector<std::string> out;
    for (const auto& [name, array] : file_->arrays()) out.push_back(name);
    return out;
  }
  std::unique_ptr<StoredArray> array(const std::string& name) const override {
    return std::make_unique<Mat5Array>(file_, file_->arrays().at(name));
  }
  std::vector<std::string> others() const override { return file_->others(); }
  bool any_order(const std::string&) const override { return true; }

 private:
  std::shared_ptr<const io::Mat5File> file_;
};

// A MATLAB file is read as a whole: its arrays are asked for one by one.
std::shared_ptr<const ArrayFile> open_mat5(const std::filesystem::path& path) {
  static std::map<std::filesystem::path, std::weak_ptr<const ArrayFile>> open_files;
  auto& known = open_files[path];
  auto out = known.lock();
  if (!out) known = out = std::make_shared<Mat5Arrays>(path);
  return out;
}

}  // namespace

io::Array rows_of(const io::Array& array, Index first, Index count) {
  io::Array out{array.dtype, array.shape, {}};
  if (out.shape.empty() || first < 0 || count < 0 || first + count > out.shape.front())
    fail("import: rows {} to {} are not in an array of the shape {}", first, first + count,
         io::shape_text(array.shape));
  const Index row = out.shape.front() > 0 ? std::ssize(array.bytes) / out.shape.front() : 0;
  out.shape.front() = count;
  out.bytes.assign(array.bytes.begin() + first * row, array.bytes.begin() + (first + count) * row);
  return out;
}

bool ArrayFile::is_one(const std::filesystem::path& path) {
  const auto extension = path.extension();
  return extension == ".npy" || extension == ".npz" || extension == ".h5" || extension == ".hdf5" ||
         extension == ".nc" || extension == ".nc4" || extension == ".cdf" || extension == ".mat";
}

std::shared_ptr<const ArrayFile> ArrayFile::open(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".npy") return std::make_shared<NpyArrays>(path);
  if (extension == ".npz") return std::make_shared<NpzArrays>(path);
  if (extension == ".mat" && io::Mat5File::is_one(path)) return open_mat5(path);
  const bool netcdf = extension == ".nc" || extension == ".cdf";
  if (netcdf && io::NetCdf3File::is_one(path)) return open_netcdf3_arrays(path);
  try {
    return open_hdf5_arrays(path);
  } catch (const Error&) {
    if (extension == ".mat")
      fail("{}: not a readable MATLAB file of version 5 to 7.3; save it again with -v7 or -v7.3", path.string());
    throw;
  }
}

std::string contents(const ArrayFile& file, const std::filesystem::path& path) {
  const auto others = file.others().empty() ? ""
                                            : fmt::format(" (not read, being a text, a structure or the like: {})",
                                                          fmt::join(file.others(), ", "));
  if (file.names().empty())
    fail("{}: holds no arrays of numbers{}; save the arrays themselves, under names of their own", path.string(),
         others);
  std::vector<std::string> out;
  for (const auto& name : file.names()) {
    try {
      out.push_back(name + " " + io::shape_text(file.array(name)->shape()));
    } catch (const Error&) {  // text and the like
      out.push_back(name + " (not numbers)");
    }
  }
  return fmt::format("{}{}", fmt::join(out, ", "), others);
}

}  // namespace fluidsplat::importing
