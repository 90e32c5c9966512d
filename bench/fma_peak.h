// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Floating-point operations per second of one core that does nothing but fused multiply-adds on registers, in
// 1e9.
double fma_peak_gflops();
