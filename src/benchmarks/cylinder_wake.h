// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "field/dataset.h"
#include "sim/wake_frames.h"

namespace fluidsplat::benchmarks {

struct CylinderWakeOptions {
  sim::CylinderCase flow = sim::CylinderCase::fine();
  int frames = 1000;
  bool velocity_and_pressure = false;  // channels u, v, p beside the vorticity
  // D/U; above 0 the frames show how the wake comes about in that time after the start, else its limit cycle.
  double transient = 0;
};

// The pixels of the window that are in the fluid, in diameters from the cylinder's centre.  The ring of pixels next to
// the wall is the surface.  `length` is of sim::CylinderCase.
field::Mesh wake_mesh(const sim::PixelWindow& window, const std::vector<std::uint8_t>& mask, double length = 1);

field::Schema wake_schema(bool velocity_and_pressure);

// What the dataset says of itself: the flow, its numbers, and how evenly its frames lie in the shedding cycle
// (`smallest_phase_gap`, over the mean gap).
std::map<std::string, std::string> wake_notes(const sim::CylinderCase& flow, const sim::WakeReport& report);

// Simulates a cylinder wake and writes it as a Dataset: the built-in stand-in for the paper's first benchmark. Nothing
// is written when the run is interrupted (report.complete is false then).  Of a transient the report tells the number
// of frames and the time between them only.
sim::WakeReport make_cylinder_wake(const std::filesystem::path& file, const CylinderWakeOptions& options,
                                   const RunHooks& hooks = {});

}  // namespace fluidsplat::benchmarks
