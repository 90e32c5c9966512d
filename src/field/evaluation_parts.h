// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/shard.h"
#include "field/evaluation.h"

namespace fluidsplat::field {

// Puts the results of one of several processes, which share the cases of an evaluation in turn, beside those of the
// others in a folder.  All of them, to the bit and in the order of one process, when no part is missing any more; the
// parts are then removed.  Nothing before that.  Parts of another evaluation (other data, model, sensors, cases) do not
// count.
std::vector<CaseResult> join_evaluation(const std::filesystem::path& folder, const Shard& shard,
                                        const std::vector<CaseResult>& mine, const Provenance& provenance);

}  // namespace fluidsplat::field
