// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/sheet.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "base/error.h"

namespace fluidsplat::reproduce {
namespace {

using Runs = std::vector<const Finished*>;

auto key_of(const Terms& t) {
  return std::tie(t.data_hash, t.version, t.cases, t.minutes, t.threads);
}

Terms terms_of(const Manifest& m) {
  Terms out{m.data, m.data_hash, m.version, m.cases, 0, 0};
  if (!m.is_classical) out.minutes = m.minutes, out.threads = m.threads;
  return out;
}

bool belongs(const Manifest& m, const Terms& terms) {
  auto own = terms_of(m);
  if (m.is_classical) own.minutes = terms.minutes, own.threads = terms.threads;
  return key_of(own) == key_of(terms);
}

std::string common_settings(const Manifest& m) {
  try {
    return settings_without_seed(m.asked);
  } catch (const Error&) {
    return m.asked;  // of a program with other settings
  }
}

// Those with one set of settings: that of most seeds, and of the newest run among equals.
Runs of_one_kind(const Runs& runs) {
  std::map<std::string, Runs> kinds;
  for (const auto* run : runs) kinds[common_settings(run->manifest)].push_back(run);
  const Runs* best = nullptr;
  const auto rank = [](const Runs& list) {
    std::string newest;
    for (const auto* run : list) newest = std::max(newest, run->manifest.date);
    return std::pair(list.size(), newest);
  };
  for (const auto& [settings, list] : kinds)
    if (!best || rank(list) > rank(*best)) best = &list;
  return best ? *best : Runs();
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

double deviation_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / double(values.size() - 1));
}

Entry make_entry(Runs runs, Index sensors) {
  std::ranges::sort(runs, {}, [](const Finished* f) { return f->manifest.seed; });
  Entry out;
  std::vector<double> little, much, dead, steps, to_train, to_answer;
  for (const auto* run : runs) {
    if (std::ranges::find(out.seeds, run->manifest.seed) != out.seeds.end()) continue;  // one seed, one number
    const auto& o = run->outcome;
    if (!o.trouble.empty()) out.trouble = o.trouble;
    const auto* judged = o.find(sensors);
    const auto* clean = judged ? judged->find(kClean) : nullptr;
    if (!clean) continue;
    out.seeds.push_back(run->manifest.seed);
    out.errors.push_back(clean->mean);
    out.worst = std::max(out.worst, clean->worst);
    const auto error = [&](const char* condition) {
      const auto* found = judged->find(condition);
      return found ? found->mean : std::numeric_limits<double>::quiet_NaN();
    };
    little.push_back(error(kLittleNoise));
    much.push_back(error(kMuchNoise));
    dead.push_back(error(kQuarterDead));
    steps.push_back(double(o.steps));
    to_train.push_back(o.seconds_to_train);
    to_answer.push_back(o.seconds_to_answer);
    out.parameters = o.parameters;
  }
  if (!out.has_numbers()) return out;
  out.mean = mean_of(out.errors);
  out.deviation = deviation_of(out.errors);
  out.little_noise = mean_of(little);
  out.much_noise = mean_of(much);
  out.quarter_dead = mean_of(dead);
  out.steps = std::lround(mean_of(steps));
  out.seconds_to_train = mean_of(to_train);
  out.seconds_to_answer = mean_of(to_answer);
  return out;
}

void note(Sheet& sheet, const Finished& run) {
  const auto& m = run.manifest;
  if (!m.cpu.empty()) sheet.machines.insert(m.cpu);
  sheet.compilers.insert(m.compiler);
  if (sheet.first_date.empty() || m.date < sheet.first_date) sheet.first_date = m.date;
  sheet.last_date = std::max(sheet.last_date, m.date);
  sheet.unseen = std::max(sheet.unseen, run.outcome.cases);
}

Sheet make_sheet(const Table& table, const Terms& terms, const std::vector<Finished>& runs) {
  Sheet out;
  out.table = &table;
  out.terms = terms;
  std::set<const Finished*> left_out;
  for (const auto& row : table.rows) {
    auto& line = out.entries.emplace_back();
    for (const auto& cell : row.cells) {
      Runs all;
      for (const auto& run : runs)
        if (run.manifest.subject == cell.subject && belongs(run.manifest, terms)) all.push_back(&run);
      const auto shown = of_one_kind(all);
      for (const auto* run : all)
        if (std::ranges::find(shown, run) == shown.end()) left_out.insert(run);
      for (const auto* run : shown) note(out, *run);
      line.push_back(make_entry(shown, cell.sensors));
      if (line.back().has_numbers() && !shown.front()->manifest.is_classical) ++out.networks;
    }
  }
  out.left_out = std::ssize(left_out);
  return out;
}

Index filled(const Sheet& sheet) {
  Index out = 0;
  for (const auto& line : sheet.entries)
    for (const auto& entry : line) out += std::ssize(entry.seeds);
  return out;
}

}  // namespace

std::vector<Sheet> make_sheets(const Table& table, const std::vector<Finished>& runs) {
  std::set<Subject> subjects;
  for (const auto& row : table.rows)
    for (const auto& cell : row.cells) subjects.insert(cell.subject);
  std::vector<Terms> terms;
  const auto add = [&](const Finished& run) {
    const auto t = terms_of(run.manifest);
    if (std::ranges::none_of(terms, [&](const Terms& other) { return key_of(t) == key_of(other); })) terms.push_back(t);
  };
  for (const auto& run : runs)
    if (subjects.contains(run.manifest.subject) && !run.manifest.is_classical) add(run);
  // Classical methods have a sheet of their own only where no network was trained.
  for (const auto& run : runs)
    if (subjects.contains(run.manifest.subject) && run.manifest.is_classical &&
        std::ranges::none_of(terms, [&](const Terms& t) { return belongs(run.manifest, t); }))
      add(run);
  std::vector<Sheet> out;
  for (const auto& t : terms) out.push_back(make_sheet(table, t, runs));
  std::ranges::stable_sort(out, std::greater(), [](const Sheet& s) { return std::pair(s.networks, filled(s)); });
  return out;
}

}  // namespace fluidsplat::reproduce
