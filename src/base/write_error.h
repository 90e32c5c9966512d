// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fluidsplat {

// Why something could not be written, in words, and what helps where that is not plain: `error` is what errno said.
std::string write_error_text(int error);

}  // namespace fluidsplat
