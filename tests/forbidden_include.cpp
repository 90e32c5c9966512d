// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0

// Must not compile as part of `field`: learn comes after it in the order of folders.
#include "learn/model_config.h"
