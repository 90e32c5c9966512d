// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat {

// As many threads as OMP_NUM_THREADS says or, without it, as this process may use processors (CPU affinity counts); at
// least 1.
int available_threads();

}  // namespace fluidsplat
