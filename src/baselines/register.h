// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat::baselines {

// Makes every baseline a kind of model (`model.kind = "pod"`).  Once, at the start of a program.
void register_baselines();

}  // namespace fluidsplat::baselines
