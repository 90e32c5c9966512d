// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat::front {

// Remembers what this program was called with.
void remember_arguments(char** argv);

// Becomes fluidsplat-full, called with the same words: same process, same files, same exit code.  Throws Error when
// that program is not there.
[[noreturn]] void hand_over();

}  // namespace fluidsplat::front
