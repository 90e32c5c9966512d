// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace fluidsplat::importing {

// For tests: names the coordinates of an array's axes in an HDF5 file, as NetCDF-4 does.  True when it went well.
inline bool attach_scales(const std::string& path, const std::string& name, const std::vector<std::string>& scales) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
  const hsize_t rank = scales.size();
  const hid_t space = H5Screate_simple(1, &rank, nullptr);
  std::vector<hobj_ref_t> references(rank);
  std::vector<hvl_t> lists;
  for (std::size_t i = 0; i < rank; ++i) {
    H5Rcreate(&references[i], file, scales[i].c_str(), H5R_OBJECT, -1);
    lists.push_back({1, &references[i]});
  }
  const hid_t attribute = H5Acreate2(dataset, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
  const bool written = H5Awrite(attribute, type, lists.data()) >= 0;
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(file);
  return written;
}

}  // namespace fluidsplat::importing
