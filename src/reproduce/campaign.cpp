// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/campaign.h"

#include "base/error.h"

namespace fluidsplat::reproduce {
namespace {

// Names the run in front of what its parts say.
RunHooks with_name(const RunHooks& hooks, const std::string& name) {
  auto out = hooks;
  if (hooks.progress)
    out.progress = [hooks, name](double done, const std::string& part) {
      hooks.tell(done, fmt::format("{}: {}", name, part));
    };
  return out;
}

}  // namespace

CampaignResult carry_out(const CampaignRequest& request, const CampaignHooks& hooks) {
  const auto runs = part_of(plan(request.plan), request.shard);
  const Store store(request.results);
  DataFolder data(request.data, request.sources);
  Executor executor(request.work, request.cases);
  CampaignResult out;
  for (const auto& run : runs) {
    out.complete = false;
    if (hooks.work.should_stop()) return out;
    const auto* benchmark = data.open(run.subject.benchmark, hooks.work);
    if (!benchmark) return out;
    auto result = store.find(run, benchmark->hash, request.cases);
    const bool earlier = result.has_value();
    if (!result) {
      const auto name =
          fmt::format("{} {} ({} of {})", run.subject.benchmark, run.name(), out.done + out.troubles + 1, runs.size());
      try {
        result = executor.execute(run, *benchmark, with_name(hooks.work, name));
      } catch (const Error& e) {
        ++out.troubles;
        if (hooks.on_trouble) hooks.on_trouble(run, e.what());
        continue;
      }
      if (!result) return out;
      store.put(*result);
      ++out.made;
    }
    ++out.done;
    if (hooks.on_run) hooks.on_run(run, *result, earlier, out.done, std::ssize(runs));
  }
  out.complete = true;
  return out;
}

}  // namespace fluidsplat::reproduce
