// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace fluidsplat::reproduce {

// What `make` makes of a JSON text; what is missing or of another type is an Error that names the file.
template <class T, class Make>
T read_json(const std::string& text, const std::string& where, const Make& make) {
  try {
    return make(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    fail("{}: is damaged ({}); delete the folder it is in, and the run is made again", where, e.what());
  }
}

}  // namespace fluidsplat::reproduce
