// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5_state.h"

namespace fluidsplat::io {
namespace {

// No file of arrays is nested deeper; a hostile one may link a group into itself.
constexpr int kDeepest = 8;

}  // namespace

std::vector<std::string> Hdf5File::datasets() const {
  const Hdf5Lock lock;
  std::vector<std::string> out;
  const auto visit = [&](const auto& self, const std::string& group, int depth) -> void {
    for (const auto& name : list(group)) {
      const auto path = group == "/" ? "/" + name : group + "/" + name;
      H5O_info_t info;
      if (H5Oget_info_by_name(state_->file.get(), path.c_str(), &info, H5P_DEFAULT) < 0) continue;  // a dangling link
      if (info.type == H5O_TYPE_DATASET) out.push_back(path.substr(1));
      if (info.type == H5O_TYPE_GROUP && depth < kDeepest) self(self, path, depth + 1);
    }
  };
  visit(visit, "/", 0);
  return out;
}

std::vector<std::string> Hdf5File::dimension_scales(const std::string& name) const {
  const Hdf5Lock lock;
  std::vector<std::string> out(state_->shape(name).size());
  const std::string shown = name + "@DIMENSION_LIST";
  if (!has_attribute(name, "DIMENSION_LIST")) return out;
  const auto attribute =
      state_->own(H5Aopen_by_name(state_->file.get(), name.c_str(), "DIMENSION_LIST", H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose, shown, "open the attribute");
  const auto space = state_->own(H5Aget_space(attribute.get()), H5Sclose, shown, "read the attribute");
  const auto stored = state_->own(H5Aget_type(attribute.get()), H5Tclose, shown, "read the attribute");
  if (H5Sget_simple_extent_npoints(space.get()) != hssize_t(out.size()) || H5Tget_class(stored.get()) != H5T_VLEN)
    return out;
  const Hdf5Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
  std::vector<hvl_t> lists(out.size());
  state_->check(H5Aread(attribute.get(), type.get(), lists.data()), shown, "read the attribute");
  for (std::size_t axis = 0; axis < out.size(); ++axis) {
    if (lists[axis].len == 0) continue;
    const Hdf5Handle scale(H5Rdereference2(attribute.get(), H5P_DEFAULT, H5R_OBJECT, lists[axis].p), H5Oclose);
    char text[1024] = "";
    if (scale.get() >= 0 && H5Iget_name(scale.get(), text, sizeof text) > 1) out[axis] = text + 1;
  }
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, lists.data());
  return out;
}

}  // namespace fluidsplat::io
