// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "apps/commands.h"
#include "apps/progress_hooks.h"
#include "base/error.h"
#include "field/error_text.h"
#include "reproduce/campaign.h"
#include "reproduce/cost.h"
#include "reproduce/figures.h"
#include "reproduce/front_page.h"
#include "reproduce/replay.h"
#include "reproduce/table_files.h"

namespace fluidsplat::app {
namespace {

struct ReproduceOptions {
  std::vector<std::string> tables, sources;
  std::string shard = "1/1";
  std::filesystem::path results = "results";
  std::filesystem::path manifest;
  bool tables_only = false;
  reproduce::CampaignRequest request;
};

// "cylinder=FOLDER" ...
std::map<std::string, std::string> read_sources(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> out;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size())
      fail("--source {}: write the benchmark and the folder of its published files, such as cylinder=FOLDER", text);
    out[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return out;
}

std::vector<std::string> wanted_tables(const std::vector<std::string>& names) {
  if (std::ranges::find(names, "all") != names.end()) return reproduce::table_names();
  return names;
}

void print_run(const reproduce::Run& run, const reproduce::Finished& result, bool earlier, Index done, Index total) {
  const auto& o = result.outcome;
  const auto* judged = o.judged.empty() ? nullptr : o.judged.front().find(reproduce::kClean);
  const auto errors =
      judged ? fmt::format("{} (worst {})", field::error_text(judged->mean), field::error_text(judged->worst))
             : "not possible: " + o.trouble;
  const auto steps = o.steps > 0 ? fmt::format(", {} steps", o.steps) : std::string();
  fmt::print("[{}/{}] {} {}: {}{}, {}{}\n", done, total, run.subject.benchmark, run.name(), errors, steps,
             format_duration(result.manifest.seconds), earlier ? " (done before)" : "");
  std::fflush(stdout);
}

// False when something is missing.
bool run_campaign(const ReproduceOptions& o) {
  ProgressHooks progress;
  reproduce::CampaignHooks hooks;
  hooks.work = progress.hooks();
  hooks.on_run = [&](const auto& run, const auto& result, bool earlier, Index done, Index total) {
    progress.finish();
    if (!earlier) print_run(run, result, earlier, done, total);
  };
  hooks.on_trouble = [&](const auto& run, const std::string& why) {
    progress.finish();
    fmt::print(stderr, "{} {}: {}\n", run.subject.benchmark, run.name(), why);
  };
  const auto result = reproduce::carry_out(o.request, hooks);
  progress.finish();
  fmt::print("{} runs of this share are done, {} of them now\n", result.done, result.made);
  if (!result.complete) fmt::print(stderr, "interrupted; the same command goes on\n");
  if (result.troubles > 0)
    fmt::print(stderr, "{} runs could not be done; the same command tries them again\n", result.troubles);
  return result.complete && result.troubles == 0;
}

void run_replay(const ReproduceOptions& o) {
  ProgressHooks progress;
  const auto result =
      reproduce::replay({o.manifest, o.request.data, o.request.work / "replay", o.request.sources}, progress.hooks());
  progress.finish();
  if (!result) return;
  for (const auto& note : result->notes) fmt::print("{}\n", note);
  for (const auto& judged : result->now.outcome.judged)
    for (const auto& c : judged.conditions) {
      const auto* before = result->before.outcome.find(judged.sensors)->find(c.condition);
      fmt::print("{:<16} {:.8g} before, {:.8g} now\n", c.condition, before ? before->mean : NAN, c.mean);
    }
  if (result->differences.empty()) {
    fmt::print("{}: the numbers agree\n", o.manifest.string());
    return;
  }
  for (const auto& d : result->differences)
    fmt::print("differs: {}: {:.8g} before, {:.8g} now\n", d.what, d.before, d.now);
  fail("{}: the numbers do not agree", o.manifest.string());
}

// All that there are runs for, whichever were asked for: tables share runs, and the front page speaks of each.
void write_tables(const ReproduceOptions& o) {
  const auto runs = reproduce::Store(o.results).all();
  for (const auto& table : reproduce::error_tables())
    if (reproduce::write_table(table, runs, o.results))
      fmt::print("{}: {}.md, {}.csv, {}.html\n", o.results.string(), table.name, table.name, table.name);
  if (reproduce::write_cost(runs, o.results))
    fmt::print("{}: cost.md, cost.csv, cost.html\n", o.results.string());
  if (!o.tables_only) {
    ProgressHooks progress;
    const auto drawn = reproduce::write_figures(o.request, progress.hooks());
    progress.finish();
    if (drawn > 0) fmt::print("{}: figures.md, images\n", o.results.string());
  }
  if (reproduce::write_front_page(runs, o.results)) fmt::print("{}: README.md\n", o.results.string());
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto o = std::make_shared<ReproduceOptions>();
  auto& r = o->request;
  r.data = "data";
  r.work = "runs/reproduce";
  auto* command =
      app.add_subcommand("reproduce", "the paper's tables again, with more methods, noise and dead sensors");
  command->add_option("tables", o->tables,
                      "cylinder, airfrans, ldc3d, car, ablation, sensor-count, k-sweep, cost or all");
  command->add_option("--seeds", r.plan.seeds, "trainings of each network")->check(CLI::Range(1, 1000));
  command->add_option("--budget", r.plan.minutes, "minutes for each network; 0: as many steps as its config has")
      ->check(CLI::Range(0.0, 1e5));
  command->add_option("--shard", o->shard, "which part of the work this process does, such as 1/2");
  command->add_option("--methods", r.plan.methods, "only these: paper, recipe, network, senseiver ..., classical");
  command->add_option("--cases", r.cases, "unseen cases to judge by, at most; 0: all")->check(CLI::Range(0, 1000000));
  command->add_option("--threads", r.plan.threads, "of each training")->check(CLI::Range(1, 1024));
  command->add_option("--data", r.data, "folder of the datasets; those that are missing are made");
  command->add_option("--source", o->sources, "published files instead of embedded data: BENCHMARK=FOLDER");
  command->add_option("--out", o->results, "folder for the tables and the small files of finished runs");
  command->add_option("--work", r.work, "folder for trainings: logs, checkpoints, models");
  command->add_flag("--tables-only", o->tables_only, "run nothing: write the tables of the runs that --out has");
  command->add_option("--replay", o->manifest, "run a manifest.json again and say whether its numbers agree");
  command->callback([o] {
    auto& request = o->request;
    request.sources = read_sources(o->sources);
    if (!o->manifest.empty()) return run_replay(*o);
    if (o->tables.empty())
      fail("reproduce: name a table, or all; there are {}", fmt::join(reproduce::table_names(), ", "));
    request.plan.tables = wanted_tables(o->tables);
    request.shard = parse_shard(o->shard);
    request.results = o->results;
    reproduce::plan(request.plan);  // names that there are not are told before anything is written
    const bool complete = o->tables_only || run_campaign(*o);
    write_tables(*o);
    if (!complete && !interrupted()) fail("some runs are missing, see above");
  });
}

}  // namespace fluidsplat::app
