// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluidsplat::front {

// What "fluidsplat-full --describe-commands" printed when this program was built.
extern const char* const kCommandsJson;

}  // namespace fluidsplat::front
