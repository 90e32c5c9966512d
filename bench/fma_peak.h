// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fused multiply-adds on registers and nothing else, for a hundredth of a second or so on one core: what the processor
// can do at best.  Returns the number of floating-point operations.
double multiply_adds();
