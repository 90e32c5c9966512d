// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat {

// Long loops ask interrupted() and stop cleanly at the next safe point.  The command line calls catch_interrupts()
// once; a second Ctrl-C then ends the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace fluidsplat
