// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fluidsplat::draw {

using Rgb = std::array<std::uint8_t, 3>;

// Colour maps in which equal steps of the value look like equal steps of colour: made in CIELAB by interpolating
// lightness and chroma, so they also read in grey.
enum class ColorMap {
  diverging,   // blue, near-white at the middle, red: signed quantities around zero
  sequential,  // dark to light: magnitudes
};

// t in [0, 1]; values outside are clamped, NaN is mid grey.
Rgb color_at(ColorMap map, double t);

}  // namespace fluidsplat::draw
