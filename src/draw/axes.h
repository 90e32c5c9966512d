// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "draw/picture.h"
#include "draw/streamlines.h"

namespace fluidsplat::draw {

// A picture of a plane with numbered axes around it, as inline SVG, and lines over it.  `alternative` is what it
// shows, in words.
std::string with_axes(const io::Image& picture, const Frame& frame, const std::string& x_label,
                      const std::string& y_label, const std::string& alternative, const std::vector<Path>& lines = {});

// The colours of a scale as a bar with numbers below it.
std::string color_bar(const ColorScale& scale, const std::string& label);

// Three to seven round numbers between two others.
std::vector<double> round_ticks(double low, double high);

}  // namespace fluidsplat::draw
