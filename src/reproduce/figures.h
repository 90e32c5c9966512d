// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reproduce/campaign.h"

namespace fluidsplat::reproduce {

// figures.md and images/: an unseen case of each benchmark as the truth, the paper's form, our recipe, the best other
// network and the best classical method have it, and the primitives of the wake.  Drawn for the tables of the request
// whose models are in its work folder; what figures.md says of others stays.  Returns how many.
Index write_figures(const CampaignRequest& request, const RunHooks& hooks);

}  // namespace fluidsplat::reproduce
