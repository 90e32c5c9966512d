// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Where HDF5 keeps a chunk.  HDF5 1.10 tells (H5Dget_chunk_info) only by going through all chunks, which takes seconds
// where there are thousands; it finds a chunk at once when it reads it.  So files that are read have a driver that can
// note what HDF5 is about to read instead of reading it.
#pragma once

#include <hdf5.h>

namespace fluidsplat::io {

// Lets a file that is opened with these properties be read through the driver.
void use_noting_driver(hid_t access, const char* path);

// The address of the chunk that begins at these offsets; HADDR_UNDEF when it has none, or when the file has not the
// driver.  With the lock.
haddr_t chunk_address(hid_t dataset, const hsize_t* offsets);

}  // namespace fluidsplat::io
