// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/index.h"

namespace fluidsplat::learn {

// A port of this machine that nobody listens at.  Throws Error when there is none.
Index free_port();

}  // namespace fluidsplat::learn
