// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat {

// The processors this process may use (honours CPU affinity), at least 1.
int available_threads();

}  // namespace fluidsplat
