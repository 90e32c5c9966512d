// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model_file.h"

namespace fluidsplat::model {

// Everything that a model file holds, blocks that this version does not know included, so that it can be written again
// with a block more.
ModelContents contents_of(const ModelFile& file);

}  // namespace fluidsplat::model
