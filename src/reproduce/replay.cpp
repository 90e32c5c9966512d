// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/replay.h"

#include <cmath>

#include "base/error.h"
#include "reproduce/executor.h"

namespace fluidsplat::reproduce {
namespace {

bool agree(double a, double b) {
  return std::abs(a - b) <= kAgreement * std::max(std::abs(a), std::abs(b));  // false for a NaN
}

void compare_machines(const Manifest& before, const Manifest& now, std::vector<std::string>& notes) {
  const auto note = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) notes.push_back(fmt::format("{} was {} and is {}", what, a, b));
  };
  note("the version", before.version, now.version);
  note("the compiler", before.compiler, now.compiler);
  note("the processor", before.cpu, now.cpu);
}

}  // namespace

std::vector<Difference> differences(const Outcome& before, const Outcome& now) {
  std::vector<Difference> out;
  const auto compare = [&](const std::string& what, double a, double b) {
    if (!agree(a, b)) out.push_back({what, a, b});
  };
  compare("cases", double(before.cases), double(now.cases));
  compare("parameters", double(before.parameters), double(now.parameters));
  compare("steps", double(before.steps), double(now.steps));
  for (const auto& judged : before.judged) {
    const auto* again = now.find(judged.sensors);
    for (const auto& c : judged.conditions) {
      const auto* other = again ? again->find(c.condition) : nullptr;
      const auto name = judged.sensors == 0 ? c.condition : fmt::format("{}, {} sensors", c.condition, judged.sensors);
      compare(name, c.mean, other ? other->mean : std::nan(""));
      if (other) compare(name + ", worst case", c.worst, other->worst);
    }
  }
  return out;
}

std::optional<Replay> replay(const ReplayRequest& request, const RunHooks& hooks) {
  const auto folder = request.manifest.parent_path();
  if (!std::filesystem::exists(request.manifest))
    fail("{}: no such file; every finished run has a manifest.json in its folder", request.manifest.string());
  const auto before = read_finished(folder.empty() ? std::filesystem::path(".") : folder);
  if (!before) fail("{}: there is no metrics.json beside it to compare with", request.manifest.string());
  const auto& m = before->manifest;
  DataFolder data(request.data, request.sources);
  const auto* benchmark = data.open(m.subject.benchmark, hooks);
  if (!benchmark) return {};
  if (benchmark->hash != m.data_hash)
    fail("{}: these are other data (hash {}) than those of {} (hash {}); name the folder of the same with --data",
         benchmark->file.string(), benchmark->hash, request.manifest.string(), m.data_hash);
  auto now = Executor(request.work, m.cases).repeat(m, *benchmark, hooks);
  if (!now) return {};
  Replay out{*before, std::move(*now), {}, {}};
  out.differences = differences(out.before.outcome, out.now.outcome);
  compare_machines(m, out.now.manifest, out.notes);
  return out;
}

}  // namespace fluidsplat::reproduce
