// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/array.h"

namespace fluidsplat::io {

// An HDF5 file.  Objects are named by their path inside the file ("/frames/u").  Every failure is an Error that names
// the file and the object; HDF5 itself never prints. HDF5 is not thread-safe: one process-wide lock guards every call,
// so any thread may call, one at a time.
class Hdf5File {
 public:
  // A new file that appears only with commit(); destroyed before that, it leaves no trace.
  static Hdf5File create(const std::filesystem::path& path);
  static Hdf5File open_read(const std::filesystem::path& path);
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;

  // Closes the new file, makes it durable and puts it in place.  Nothing else may be called afterwards.
  void commit();

  bool has(const std::string& name) const;
  void create_group(const std::string& name);
  // Names of the objects in a group, sorted.
  std::vector<std::string> list(const std::string& group) const;
  // Paths of all datasets, those in groups too, without the first slash.
  std::vector<std::string> datasets() const;
  // The dataset that holds the coordinates of each axis (NetCDF-4's dimensions), empty where none is named.
  std::vector<std::string> dimension_scales(const std::string& name) const;

  // Whole arrays; missing groups on the way are created.
  void write(const std::string& name, const Array& array);
  Array read(const std::string& name) const;
  std::vector<std::int64_t> shape(const std::string& name) const;
  DType dtype(const std::string& name) const;

  // A dataset [0, row_shape...] that grows along axis 0, with a checksum per chunk.  chunk_shape has one entry more
  // than row_shape.
  void create_appendable(const std::string& name, DType dtype, const std::vector<std::int64_t>& row_shape,
                         const std::vector<std::int64_t>& chunk_shape, int deflate_level);
  // `row` holds `rows` rows of elements of `dtype`, which HDF5 converts to the stored type.
  void append(const std::string& name, DType dtype, const void* row, std::int64_t rows = 1);

  // Parts of a dataset, converted to T (float, double or std::int64_t) by HDF5.
  template <class T>
  void read_rows(const std::string& name, std::int64_t first, std::int64_t count, T* out) const;
  template <class T>
  void read_slab(const std::string& name, const std::vector<std::int64_t>& offsets,
                 const std::vector<std::int64_t>& counts, T* out) const;

  // Rows of a table [n, columns] of floats, or of table number `table` of a stack [tables, n, columns], in the order in
  // which they are named: out is [rows, columns].  Where HDF5 keeps them as they are, they are read beside it, by as
  // many threads at a time as ask, and without looking at checksums; where it does not, whole chunks go through HDF5.
  void read_scattered(const std::string& name, std::int64_t table, std::span<const std::int64_t> rows,
                      float* out) const;

  // Attributes of a dataset or group ("/" is the file); setting replaces.
  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, const char* value);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  bool has_attribute(const std::string& object, const std::string& name) const;
  std::string string_attribute(const std::string& object, const std::string& name) const;
  std::int64_t integer_attribute(const std::string& object, const std::string& name) const;
  double double_attribute(const std::string& object, const std::string& name) const;

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace fluidsplat::io
