// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/png.h"

namespace fluidsplat::draw {

// Text for HTML or SVG: & < > " as entities.
std::string escape(const std::string& text);

// "data:image/png;base64,..." for an <img>.
std::string data_uri(const io::Image& image);

}  // namespace fluidsplat::draw
