// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What hdf5*.cpp share.  Not for other files: it brings in the HDF5 headers.

#include <hdf5.h>

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/hdf5.h"

namespace fluidsplat::io {

// Held during every call into HDF5, and while handles close.
class Hdf5Lock {
 public:
  Hdf5Lock();

 private:
  std::lock_guard<std::recursive_mutex> guard_;
};

// Owns one HDF5 identifier.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Hdf5Handle() { reset(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  hid_t get() const { return id_; }
  void forget() { id_ = -1; }
  // False when closing failed, as it does when cached data could not be written.
  bool reset() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// What HDF5 says about the failure that just happened, without its trailing period.
std::string hdf5_reason();

// The type of elements in memory.
Hdf5Handle hdf5_type(DType dtype);

// How a table, or a stack of tables, lies in the file.
struct RowLayout {
  bool stacked = false, chunked = false;
  bool plain = false;  // the floats in the file are those in memory
  std::int64_t tables = 1, rows = 0, columns = 0;
  std::int64_t chunk_tables = 1, chunk_rows = 1;
  haddr_t begin = HADDR_UNDEF;  // of a plain one that is not chunked
};
// Where each chunk along the rows of a table begins; HADDR_UNDEF: nowhere.
using ChunkAddresses = std::shared_ptr<const std::vector<haddr_t>>;

struct Hdf5File::State {
  std::string path;
  std::optional<AtomicFile> target;  // only for a file being created
  Hdf5Handle file;
  mutable bool broken = false;  // something failed
  // The datasets used last stay open: closing one flushes its chunk cache, which would compress a chunk once per
  // appended row.  Not all of them: each holds a chunk cache of up to 32 MB, and a file may have thousands.
  static constexpr std::size_t kOpenDatasets = 16;
  std::list<std::pair<std::string, Hdf5Handle>> datasets;  // used last first
  std::map<std::string, RowLayout> row_layouts;
  std::map<std::pair<std::string, std::int64_t>, ChunkAddresses> chunk_addresses;  // by name and row of chunks

  ~State() {
    const Hdf5Lock lock;
    if (target && broken)
      leave_open();
    else
      close();
  }
  bool close() {
    bool good = true;
    for (auto& [name, dataset] : datasets) good &= dataset.reset();
    datasets.clear();
    return file.reset() && good;
  }

  template <typename... Args>
  [[noreturn]] void refuse(const std::string& object, fmt::format_string<Args...> text, Args&&... args) const {
    broken = true;
    fail("{}: '{}': {}", path, object, fmt::format(text, std::forward<Args>(args)...));
  }
  Hdf5Handle own(hid_t id, Hdf5Handle::Close close, const std::string& object, const char* action) const {
    if (id < 0) refuse(object, "cannot {}: {}", action, hdf5_reason());
    return {id, close};
  }
  void check(herr_t status, const std::string& object, const char* action) const {
    if (status < 0) refuse(object, "cannot {}: {}", action, hdf5_reason());
  }
  void require_writable(const std::string& object) const {
    if (!target) refuse(object, "the file is open for reading only");
    if (file.get() < 0) refuse(object, "the file is already committed");
  }

  // HDF5 crashes when it closes a file, or ends, and cannot write what it still holds, as on a full disk.  A new file
  // that failed is left open instead, empty, until the program ends.
  void leave_open();

  // With a small cache where a larger one would only hold what is not asked for again.
  Hdf5Handle open_dataset(const std::string& name) const;
  // Valid until another dataset is asked for.
  hid_t dataset(const std::string& name);
  void keep_open(const std::string& name, Hdf5Handle dataset);
  std::vector<std::int64_t> shape(const std::string& name);
  DType dtype(const std::string& name);
  const RowLayout& row_layout(const std::string& name);
  // None when the table is not chunked or not plain.
  ChunkAddresses chunks_of(const std::string& name, std::int64_t table);
};

}  // namespace fluidsplat::io
