// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "reproduce/executor.h"
#include "reproduce/shard.h"

namespace fluidsplat::reproduce {

struct CampaignRequest {
  PlanRequest plan;
  Shard shard;
  std::filesystem::path results;  // tables and the small files of finished runs
  std::filesystem::path work;     // trainings: logs, checkpoints, models
  std::filesystem::path data;
  std::map<std::string, std::string> sources = {};  // folders of published files, by benchmark
  Index cases = 100;                                // unseen ones to judge by, at most; 0: all
};

// How a campaign tells of itself.  All optional.
struct CampaignHooks {
  RunHooks work;
  // A run is done, and whether it was already; `done` of `total` of this process's share are.
  std::function<void(const Run& run, const Finished& result, bool earlier, Index done, Index total)> on_run;
  // A run could not be done now, and why: another process has it, or its training failed.
  std::function<void(const Run& run, const std::string& why)> on_trouble;
};

struct CampaignResult {
  bool complete = true;  // false: interrupted
  Index done = 0, made = 0, troubles = 0;
};

// Does what is missing of this process's share of the plan.  A run that fails does not stand in the way of others; it
// is tried again by the next campaign.
CampaignResult carry_out(const CampaignRequest& request, const CampaignHooks& hooks);

}  // namespace fluidsplat::reproduce
