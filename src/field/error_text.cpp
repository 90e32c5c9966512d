// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/error_text.h"

#include <fmt/format.h>

namespace fluidsplat::field {

std::string error_text(double error) {
  return error >= 0.001 || error == 0 ? fmt::format("{:.4f}", error) : fmt::format("{:.1e}", error);
}

}  // namespace fluidsplat::field
