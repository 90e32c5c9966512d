// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5_state.h"

namespace fluidsplat::io {
namespace {

// For messages: "object@attribute".
std::string label(const std::string& object, const std::string& name) {
  return object + "@" + name;
}

struct Attribute {
  Hdf5Handle object, attribute;
};

Hdf5Handle text_type() {
  // Variable length: it has no size limit, and h5py shows it as a str.
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

// Creates a scalar attribute, in place of an older one, and writes it.
template <class State>
void write_scalar(const State& state, const std::string& object, const std::string& name, hid_t type,
                  const void* value) {
  const std::string shown = label(object, name);
  state.require_writable(shown);
  const auto owner =
      state.own(H5Oopen(state.file.get(), object.c_str(), H5P_DEFAULT), H5Oclose, shown, "open the object");
  if (H5Aexists(owner.get(), name.c_str()) > 0)
    state.check(H5Adelete(owner.get(), name.c_str()), shown, "replace the attribute");
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const auto attribute = state.own(H5Acreate2(owner.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                                   H5Aclose, shown, "create the attribute");
  state.check(H5Awrite(attribute.get(), type, value), shown, "write the attribute");
}

// Opens an attribute that must hold exactly one element.
template <class State>
Attribute open_scalar(const State& state, const std::string& object, const std::string& name) {
  const std::string shown = label(object, name);
  auto owner = state.own(H5Oopen(state.file.get(), object.c_str(), H5P_DEFAULT), H5Oclose, shown, "open the object");
  auto attribute = state.own(H5Aopen(owner.get(), name.c_str(), H5P_DEFAULT), H5Aclose, shown, "open the attribute");
  const auto space = state.own(H5Aget_space(attribute.get()), H5Sclose, shown, "read the attribute");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) state.refuse(shown, "is not a single value");
  return {std::move(owner), std::move(attribute)};
}

template <class T, class State>
T read_number(const State& state, const std::string& object, const std::string& name, bool integers_only) {
  const std::string shown = label(object, name);
  const Attribute opened = open_scalar(state, object, name);
  const auto type = state.own(H5Aget_type(opened.attribute.get()), H5Tclose, shown, "read the attribute");
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind != H5T_INTEGER && (integers_only || kind != H5T_FLOAT))
    state.refuse(shown, "is not {}", integers_only ? "an integer" : "a number");
  T value{};
  const auto memory = hdf5_type(dtype_of<T>());
  state.check(H5Aread(opened.attribute.get(), memory.get(), &value), shown, "read the attribute");
  return value;
}

}  // namespace

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Hdf5Lock lock;
  if (value.find('\0') != std::string::npos)
    state_->refuse(label(object, name), "a text with a zero byte cannot be stored");
  const char* text = value.c_str();
  write_scalar(*state_, object, name, text_type().get(), &text);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const char* value) {
  set_attribute(object, name, std::string(value));
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  const Hdf5Lock lock;
  write_scalar(*state_, object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  const Hdf5Lock lock;
  write_scalar(*state_, object, name, H5T_NATIVE_DOUBLE, &value);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return has(object) && H5Aexists_by_name(state_->file.get(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Hdf5File::string_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  const std::string shown = label(object, name);
  const Attribute opened = open_scalar(*state_, object, name);
  const auto type = state_->own(H5Aget_type(opened.attribute.get()), H5Tclose, shown, "read the attribute");
  if (H5Tget_class(type.get()) != H5T_STRING) state_->refuse(shown, "is not a text");
  if (H5Tis_variable_str(type.get()) > 0) {
    char* text = nullptr;
    state_->check(H5Aread(opened.attribute.get(), type.get(), &text), shown, "read the attribute");
    const std::string value = text ? text : "";
    H5free_memory(text);
    return value;
  }
  constexpr std::size_t kMaxText = std::size_t{1} << 28;
  const std::size_t size = H5Tget_size(type.get());
  if (size > kMaxText || size > H5Aget_storage_size(opened.attribute.get()))
    state_->refuse(shown, "claims a text of {} bytes", size);
  std::string value(size, '\0');
  state_->check(H5Aread(opened.attribute.get(), type.get(), value.data()), shown, "read the attribute");
  return value.substr(0, value.find('\0'));
}

std::int64_t Hdf5File::integer_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return read_number<std::int64_t>(*state_, object, name, true);
}

double Hdf5File::double_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Lock lock;
  return read_number<double>(*state_, object, name, false);
}

}  // namespace fluidsplat::io
