// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "benchmarks/benchmark.h"

namespace fluidsplat::benchmarks {

// Senseiver's cylinder data: one array [frames, 112, 192, 1] (time, row along y, column along x, vorticity) as a pickle
// or as .npy.  `source` is the file or the folder that holds it.  Frames are read one at a time.
//
// Points are the pixels that are not zero in frame 0, in diameters from the cylinder's centre (row 55.5, column 13.5,
// 12 pixels per diameter); the ring of pixels next to the wall is the surface.  Pixels of the body hold zero in the
// data, so the error over the points is the published error over the image.  The split "paper" is the published one:
// 50 training frames of torch.randperm with seed 123, all others test, 200 of these choose the checkpoint; smaller
// arrays keep these proportions.
Outcome import_cylinder(const std::filesystem::path& source, const std::filesystem::path& dataset,
                        const RunHooks& hooks);

// The embedded wake as such an array, cylinder.npy in the folder.
Outcome make_cylinder_file(const std::filesystem::path& folder, const RunHooks& hooks);

}  // namespace fluidsplat::benchmarks
