// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/write_error.h"
#include "io/hdf5_read_driver.h"
#include "io/hdf5_state.h"
#include "io/input_file.h"

namespace fluidsplat::io {
namespace {

// No real dataset has more; a damaged or hostile file may claim anything.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

std::recursive_mutex& process_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

constexpr std::size_t kChunkCache = std::size_t{32} << 20, kCacheSlots = 521;
constexpr double kPreemption = 0.75;

// Of a chunk that holds values of one row only, so that going from row to row does not come back to it; 0 of others.
std::size_t row_chunk_bytes(hid_t dataset) {
  const Hdf5Handle layout(H5Dget_create_plist(dataset), H5Pclose), type(H5Dget_type(dataset), H5Tclose);
  if (H5Pget_layout(layout.get()) != H5D_CHUNKED) return 0;
  hsize_t sides[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(layout.get(), H5S_MAX_RANK, sides);
  if (rank < 2 || sides[0] != 1) return 0;
  std::size_t bytes = H5Tget_size(type.get());
  for (int a = 0; a < rank; ++a) bytes *= std::size_t(sides[a]);
  return bytes;
}

Hdf5Handle file_access() {
  Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
  // Network file systems often cannot lock; reading there must still work.
  H5Pset_file_locking(properties.get(), true, true);
  // The default chunk cache of 1 MB is smaller than one chunk of a volume, which would then be decoded per read.
  H5Pset_cache(properties.get(), 0, kCacheSlots, kChunkCache, kPreemption);
  // From this version on, HDF5 checksums its own records; older ones make it overrun memory on damaged files.
  H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  return properties;
}

Hdf5Handle create_parents() {
  Hdf5Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(properties.get(), 1);
  return properties;
}

std::vector<hsize_t> sizes(const std::vector<std::int64_t>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

Hdf5Lock::Hdf5Lock() : guard_(process_mutex()) {
  // Files are closed by those who open them; at the end HDF5 would try again those that could not be written.
  static const auto once = H5dont_atexit();
  (void)once;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string hdf5_reason() {
  std::string reason = "unknown reason";
  const auto keep_innermost = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
    if (entry->desc) *static_cast<std::string*>(text) = entry->desc;
    return 1;  // stop at the first, which is where the failure began
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  // Of a system call that failed HDF5 tells all it knows, addresses too; its number alone says why.
  constexpr std::string_view kNumber = "errno = ";
  int error = 0;
  if (const auto at = reason.find(kNumber); at != std::string::npos)
    std::from_chars(reason.data() + at + kNumber.size(), reason.data() + reason.size(), error);
  return error != 0 ? write_error_text(error) : reason;
}

Hdf5Handle hdf5_type(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return {H5Tcopy(H5T_NATIVE_FLOAT), H5Tclose};
    case DType::f64:
      return {H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose};
    case DType::i8:
      return {H5Tcopy(H5T_NATIVE_INT8), H5Tclose};
    case DType::u8:
      return {H5Tcopy(H5T_NATIVE_UINT8), H5Tclose};
    case DType::i16:
      return {H5Tcopy(H5T_NATIVE_INT16), H5Tclose};
    case DType::u16:
      return {H5Tcopy(H5T_NATIVE_UINT16), H5Tclose};
    case DType::i32:
      return {H5Tcopy(H5T_NATIVE_INT32), H5Tclose};
    case DType::u32:
      return {H5Tcopy(H5T_NATIVE_UINT32), H5Tclose};
    case DType::i64:
      return {H5Tcopy(H5T_NATIVE_INT64), H5Tclose};
    case DType::u64:
      return {H5Tcopy(H5T_NATIVE_UINT64), H5Tclose};
    case DType::boolean:
      break;
  }
  // The same enumeration that h5py uses for NumPy's bool.
  Hdf5Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  for (const std::int8_t value : {std::int8_t{0}, std::int8_t{1}})
    H5Tenum_insert(type.get(), value ? "TRUE" : "FALSE", &value);
  return type;
}

Hdf5Handle Hdf5File::State::open_dataset(const std::string& name) const {
  const auto open = [&](hid_t access) {
    return own(H5Dopen2(file.get(), name.c_str(), access), H5Dclose, name, "open the dataset");
  };
  auto dataset = open(H5P_DEFAULT);
  if (target) return dataset;
  const auto bytes = row_chunk_bytes(dataset.get());
  if (bytes == 0 || 2 * bytes >= kChunkCache) return dataset;
  Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), kCacheSlots, 2 * bytes, kPreemption);
  dataset.reset();
  return open(access.get());
}

hid_t Hdf5File::State::dataset(const std::string& name) {
  if (file.get() < 0) refuse(name, "the file is already committed");
  const auto found =
      std::find_if(datasets.begin(), datasets.end(), [&](const auto& entry) { return entry.first == name; });
  if (found != datasets.end())
    datasets.splice(datasets.begin(), datasets, found);
  else
    keep_open(name, open_dataset(name));
  return datasets.front().second.get();
}

void Hdf5File::State::keep_open(const std::string& name, Hdf5Handle dataset) {
  datasets.emplace_front(name, std::move(dataset));
  if (datasets.size() <= kOpenDatasets) return;
  if (target && H5Dflush(datasets.back().second.get()) < 0)
    refuse(datasets.back().first, "cannot write the dataset: {}", hdf5_reason());
  auto [oldest, handle] = std::move(datasets.back());
  datasets.pop_back();
  if (!handle.reset()) refuse(oldest, "cannot close the dataset: {}", hdf5_reason());
}

std::vector<std::int64_t> Hdf5File::State::shape(const std::string& name) {
  const auto space = own(H5Dget_space(dataset(name)), H5Sclose, name, "read the shape");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0 || rank > H5S_MAX_RANK) refuse(name, "has no simple shape");
  auto extents = std::vector<hsize_t>(std::size_t(rank));
  check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), name, "read the shape");
  std::vector<std::int64_t> shape;
  for (const hsize_t extent : extents) {
    if (extent > hsize_t(kMaxElements)) refuse(name, "a dimension of {} is too large", extent);
    shape.push_back(std::int64_t(extent));
  }
  if (checked_count(shape, path) > kMaxElements) refuse(name, "the shape {} is too large", shape_text(shape));
  return shape;
}

DType Hdf5File::State::dtype(const std::string& name) {
  const auto type = own(H5Dget_type(dataset(name)), H5Tclose, name, "read the type");
  const std::size_t size = H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      if (size <= 4) return DType::f32;
      if (size == 8) return DType::f64;
      break;
    case H5T_ENUM:
      if (size == 1) return DType::boolean;
      break;
    case H5T_INTEGER: {
      const bool sign = H5Tget_sign(type.get()) != H5T_SGN_NONE;
      if (size == 1) return sign ? DType::i8 : DType::u8;
      if (size == 2) return sign ? DType::i16 : DType::u16;
      if (size == 4) return sign ? DType::i32 : DType::u32;
      if (size == 8) return sign ? DType::i64 : DType::u64;
      break;
    }
    default:
      break;
  }
  refuse(name, "holds elements that are not numbers of at most 64 bits");
}

void Hdf5File::State::leave_open() {
  void* descriptor = nullptr;
  if (H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &descriptor) >= 0 && descriptor &&
      ::ftruncate(*static_cast<int*>(descriptor), 0) != 0) {
    // The room is then free only when the program ends.
  }
  for (auto& [name, dataset] : datasets) dataset.forget();
  file.forget();
}

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::~Hdf5File() = default;
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  const Hdf5Lock lock;
  auto state = std::make_unique<State>();
  state->path = path.string();
  state->target.emplace(path);
  // Properties that are not kept would, on closing, clear what HDF5 says of a failure.
  const auto access = file_access();
  const hid_t id = H5Fcreate(state->target->temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get());
  if (id < 0) fail("{}: cannot create: {}", state->path, hdf5_reason());
  state->file = {id, H5Fclose};
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::open_read(const std::filesystem::path& path) {
  const InputFile exists(path);  // a missing file gets the system's clear words, not HDF5's
  const Hdf5Lock lock;
  auto state = std::make_unique<State>();
  state->path = path.string();
  const auto access = file_access();
  use_noting_driver(access.get(), path.c_str());
  const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (id < 0) fail("{}: not a readable HDF5 file: {}", state->path, hdf5_reason());
  state->file = {id, H5Fclose};
  return Hdf5File(std::move(state));
}

void Hdf5File::commit() {
  const Hdf5Lock lock;
  state_->require_writable("/");
  state_->check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL), "/", "write the file");
  if (!state_->close()) fail("{}: cannot finish the file: {}", state_->path, hdf5_reason());
  state_->target->commit();
}

bool Hdf5File::has(const std::string& name) const {
  const Hdf5Lock lock;
  // H5Lexists wants every group on the way to exist: ask for each prefix.
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string prefix = name.substr(0, end);
    if (prefix != "/" && H5Lexists(state_->file.get(), prefix.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

void Hdf5File::create_group(const std::string& name) {
  const Hdf5Lock lock;
  state_->require_writable(name);
  state_->own(H5Gcreate2(state_->file.get(), name.c_str(), create_parents().get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
              name, "create the group");
}

std::vector<std::string> Hdf5File::list(const std::string& group) const {
  const Hdf5Lock lock;
  const auto opened =
      state_->own(H5Gopen2(state_->file.get(), group.c_str(), H5P_DEFAULT), H5Gclose, group, "open the group");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  state_->check(H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names), group,
                "list the group");
  std::sort(names.begin(), names.end());
  return names;
}

void Hdf5File::write(const std::string& name, const Array& array) {
  const Hdf5Lock lock;
  state_->require_writable(name);
  if (static_cast<std::size_t>(array.count()) * size_of(array.dtype) != array.bytes.size())
    state_->refuse(name, "{} bytes do not fill the shape {}", array.bytes.size(), shape_text(array.shape));
  const auto extents = sizes(array.shape);
  const auto space = state_->own(
      extents.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(extents.size()), extents.data(), nullptr),
      H5Sclose, name, "describe the shape");
  const auto type = hdf5_type(array.dtype);
  const auto dataset = state_->own(H5Dcreate2(state_->file.get(), name.c_str(), type.get(), space.get(),
                                              create_parents().get(), H5P_DEFAULT, H5P_DEFAULT),
                                   H5Dclose, name, "create the dataset");
  if (array.bytes.empty()) return;
  state_->check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), name,
                "write the dataset");
}

Array Hdf5File::read(const std::string& name) const {
  const Hdf5Lock lock;
  Array array{state_->dtype(name), state_->shape(name), {}};
  const std::uint64_t bytes = static_cast<std::uint64_t>(array.count()) * size_of(array.dtype);
  // Deflate shrinks at most about 1030-fold: a dataset that claims more than that has not been written.
  const std::uint64_t stored = H5Dget_storage_size(state_->dataset(name));
  if (bytes / 1100 > stored + (1 << 20))
    state_->refuse(name, "claims {} bytes but stores {}; the file is damaged", bytes, stored);
  array.bytes.resize(bytes);
  if (bytes == 0) return array;
  const auto type = hdf5_type(array.dtype);
  state_->check(H5Dread(state_->dataset(name), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), name,
                "read the dataset");
  return array;
}

std::vector<std::int64_t> Hdf5File::shape(const std::string& name) const {
  const Hdf5Lock lock;
  return state_->shape(name);
}

DType Hdf5File::dtype(const std::string& name) const {
  const Hdf5Lock lock;
  return state_->dtype(name);
}

void Hdf5File::create_appendable(const std::string& name, DType dtype, const std::vector<std::int64_t>& row_shape,
                                 const std::vector<std::int64_t>& chunk_shape, int deflate_level) {
  const Hdf5Lock lock;
  state_->require_writable(name);
  const bool positive = std::all_of(chunk_shape.begin(), chunk_shape.end(), [](auto n) { return n > 0; });
  if (chunk_shape.size() != row_shape.size() + 1 || !positive)
    state_->refuse(name, "chunks of {} do not suit rows of {}", shape_text(chunk_shape), shape_text(row_shape));
  checked_count(row_shape, state_->path);
  if (deflate_level < 0 || deflate_level > 9)
    state_->refuse(name, "the deflate level is {}, it must be 0 to 9", deflate_level);

  std::vector<hsize_t> extents = sizes(row_shape), limits = extents;
  extents.insert(extents.begin(), 0);
  limits.insert(limits.begin(), H5S_UNLIMITED);
  std::vector<hsize_t> chunk = sizes(chunk_shape);
  for (std::size_t i = 1; i < chunk.size(); ++i) chunk[i] = std::min(chunk[i], std::max<hsize_t>(extents[i], 1));
  const int rank = int(extents.size());
  const auto space =
      state_->own(H5Screate_simple(rank, extents.data(), limits.data()), H5Sclose, name, "describe the shape");
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  state_->check(H5Pset_chunk(layout.get(), rank, chunk.data()), name, "set the chunk shape");
  if (deflate_level > 0) {
    // Shuffled bytes of floating-point fields compress far better.
    state_->check(H5Pset_shuffle(layout.get()), name, "set the shuffle filter");
    state_->check(H5Pset_deflate(layout.get(), static_cast<unsigned>(deflate_level)), name, "set compression");
  }
  state_->check(H5Pset_fletcher32(layout.get()), name, "set the checksum");
  const auto type = hdf5_type(dtype);
  state_->keep_open(name, state_->own(H5Dcreate2(state_->file.get(), name.c_str(), type.get(), space.get(),
                                                 create_parents().get(), layout.get(), H5P_DEFAULT),
                                      H5Dclose, name, "create the dataset"));
}

void Hdf5File::append(const std::string& name, DType dtype, const void* row, std::int64_t rows) {
  const Hdf5Lock lock;
  state_->require_writable(name);
  if (rows < 0) state_->refuse(name, "{} rows cannot be appended", rows);
  if (rows == 0) return;
  const hid_t dataset = state_->dataset(name);
  const std::vector<std::int64_t> shape = state_->shape(name);
  if (shape.empty()) state_->refuse(name, "is a scalar, nothing can be appended");

  std::vector<hsize_t> extents = sizes(shape), start(shape.size(), 0), counts = extents;
  start[0] = extents[0];
  counts[0] = static_cast<hsize_t>(rows);
  extents[0] += counts[0];
  state_->check(H5Dset_extent(dataset, extents.data()), name, "append");
  const auto space = state_->own(H5Dget_space(dataset), H5Sclose, name, "append");
  state_->check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, counts.data(), nullptr), name,
                "append");
  const Hdf5Handle memory(H5Screate_simple(int(counts.size()), counts.data(), nullptr), H5Sclose);
  const auto type = hdf5_type(dtype);
  state_->check(H5Dwrite(dataset, type.get(), memory.get(), space.get(), H5P_DEFAULT, row), name, "append");
}

template <class T>
void Hdf5File::read_slab(const std::string& name, const std::vector<std::int64_t>& offsets,
                         const std::vector<std::int64_t>& counts, T* out) const {
  const Hdf5Lock lock;
  const std::vector<std::int64_t> shape = state_->shape(name);
  bool inside = offsets.size() == shape.size() && counts.size() == shape.size() && !shape.empty();
  for (std::size_t i = 0; inside && i < shape.size(); ++i)
    inside = offsets[i] >= 0 && counts[i] >= 0 && counts[i] <= shape[i] && offsets[i] <= shape[i] - counts[i];
  if (!inside)
    state_->refuse(name, "the part {} from {} lies outside the shape {}", shape_text(counts), shape_text(offsets),
                   shape_text(shape));
  if (std::find(counts.begin(), counts.end(), 0) != counts.end()) return;
  const std::vector<hsize_t> start = sizes(offsets), size = sizes(counts);
  const auto space = state_->own(H5Dget_space(state_->dataset(name)), H5Sclose, name, "read");
  state_->check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), name,
                "read");
  const Hdf5Handle memory(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose);
  const auto type = hdf5_type(dtype_of<T>());
  state_->check(H5Dread(state_->dataset(name), type.get(), memory.get(), space.get(), H5P_DEFAULT, out), name, "read");
}

template <class T>
void Hdf5File::read_rows(const std::string& name, std::int64_t first, std::int64_t count, T* out) const {
  const Hdf5Lock lock;
  std::vector<std::int64_t> counts = state_->shape(name);
  if (counts.empty()) state_->refuse(name, "is a scalar, it has no rows");
  std::vector<std::int64_t> offsets(counts.size(), 0);
  offsets[0] = first;
  counts[0] = count;
  read_slab(name, offsets, counts, out);
}

#define FLUIDSPLAT_READ_AS(T)                                                                     \
  template void Hdf5File::read_rows<T>(const std::string&, std::int64_t, std::int64_t, T*) const; \
  template void Hdf5File::read_slab<T>(const std::string&, const std::vector<std::int64_t>&,      \
                                       const std::vector<std::int64_t>&, T*) const;
FLUIDSPLAT_READ_AS(float)
FLUIDSPLAT_READ_AS(double)
FLUIDSPLAT_READ_AS(std::int64_t)
#undef FLUIDSPLAT_READ_AS

}  // namespace fluidsplat::io
