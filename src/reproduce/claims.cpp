// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/claims.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "field/error_text.h"
#include "reproduce/methods.h"

namespace fluidsplat::reproduce {
namespace {

using field::error_text;

bool is_any(const std::string&) {
  return true;
}
bool is_paper_or_other(const std::string& m) {
  return is_paper_form(m) || is_other_network(m);
}

const Entry& entry(const Sheet& s, Index row, std::size_t column) {
  return s.entries[row][column];
}

std::string at(const Sheet& s, Index row, std::size_t column) {
  return fmt::format("{} {}", s.table->rows[row].label, error_text(entry(s, row, column).mean));
}

// "4 of 4 columns", with the others listed.
std::string count_text(Index good, Index all, const std::vector<std::string>& others) {
  auto out = fmt::format("{} of {} columns", good, all);
  if (!others.empty()) out += fmt::format(" (not in {})", fmt::join(others, "; "));
  return out;
}

// In how many columns a method of one sort is better than all of another sort.
struct Contest {
  Index good = 0, all = 0;
  std::vector<std::string> lost;
};
Contest contest(const Sheet& s, bool (*ours)(const std::string&), bool (*theirs)(const std::string&)) {
  Contest out;
  for (std::size_t c = 0; c < s.table->columns.size(); ++c) {
    const auto own = best_row(s, c, ours), other = best_row(s, c, theirs);
    if (own < 0 || other < 0) continue;
    ++out.all;
    if (entry(s, own, c).mean < entry(s, other, c).mean)
      ++out.good;
    else
      out.lost.push_back(fmt::format("{}: {} against {}", s.table->columns[c], at(s, other, c), at(s, own, c)));
  }
  return out;
}

std::string verdict(const Contest& c) {
  return c.good == c.all ? "holds" : c.good == 0 ? "does not hold" : "holds in part";
}

void methods_claims(const Sheet& s, std::vector<std::string>& out) {
  if (const auto c = contest(s, is_paper_form, is_other_network); c.all > 0)
    out.push_back(
        fmt::format("\"FluidSplat errs least of the networks in every column\": {}; the paper's form does in {}.",
                    verdict(c), count_text(c.good, c.all, c.lost)));
  if (const auto c = contest(s, is_our_recipe, is_paper_or_other); c.all > 0)
    out.push_back(fmt::format("Our recipe errs less than the paper's form and all other networks in {}.",
                              count_text(c.good, c.all, c.lost)));
  if (const auto c = contest(s, is_paper_form, is_classical_method); c.all > 0)
    out.push_back(fmt::format(
        "\"Networks are far better than classical methods\": {}; the paper's form is better than the best classical method in {}.",
        verdict(c), count_text(c.good, c.all, c.lost)));
  if (const auto c = contest(s, is_our_recipe, is_classical_method); c.all > 0)
    out.push_back(
        fmt::format("Our recipe is better than the best classical method in {}.", count_text(c.good, c.all, c.lost)));
  std::vector<std::string> winners;
  for (std::size_t c = 0; c < s.table->columns.size(); ++c)
    if (const auto row = best_row(s, c, is_any); row >= 0)
      winners.push_back(fmt::format("{}: {}", s.table->columns[c], at(s, row, c)));
  if (!winners.empty()) out.push_back(fmt::format("Least of all: {}.", fmt::join(winners, "; ")));
}

// Columns are numbers of sensors.
void sensor_claims(const Sheet& s, std::vector<std::string>& out) {
  for (std::size_t r = 0; r < s.table->rows.size(); ++r) {
    const auto& method = s.table->rows[r].cells[0].subject.method;
    if (!is_paper_form(method) && !is_our_recipe(method)) continue;
    std::vector<double> errors;
    for (const auto& e : s.entries[r])
      if (e.has_numbers()) errors.push_back(e.mean);
    if (errors.size() < 2) continue;
    const bool falls = std::ranges::is_sorted(errors, std::greater());
    std::vector<std::string> texts;
    for (const double e : errors) texts.push_back(error_text(e));
    out.push_back(fmt::format("{}: more sensors {} ({}).", s.table->rows[r].label,
                              falls                            ? "help at every step"
                              : errors.back() < errors.front() ? "help, but not at every step"
                                                               : "do not help",
                              fmt::join(texts, ", ")));
  }
}

void ablation_claims(const Sheet& s, std::vector<std::string>& out) {
  for (std::size_t c = 0; c < s.table->columns.size(); ++c) {
    const auto& full = s.entries[0][c];
    if (!full.has_numbers()) continue;
    std::vector<std::string> better, worse;
    for (std::size_t r = 1; r < s.entries.size(); ++r) {
      const auto& e = s.entries[r][c];
      if (!e.has_numbers()) continue;
      // Less than the seeds differ by is no difference.
      const double chance = std::max(full.deviation, e.deviation);
      const auto text =
          fmt::format("{} {} ({:+.0f} %{})", s.table->rows[r].label, error_text(e.mean), 100 * (e.mean / full.mean - 1),
                      std::abs(e.mean - full.mean) < chance ? ", within chance" : "");
      (e.mean < full.mean ? better : worse).push_back(text);
    }
    if (better.empty() && worse.empty()) continue;
    out.push_back(
        fmt::format("\"Every part helps\", {}: {}; the full model errs by {}. Worse without: {}. Better without: {}.",
                    s.table->columns[c],
                    better.empty()  ? "holds"
                    : worse.empty() ? "does not hold"
                                    : "holds in part",
                    error_text(full.mean), worse.empty() ? "none" : fmt::format("{}", fmt::join(worse, "; ")),
                    better.empty() ? "none" : fmt::format("{}", fmt::join(better, "; "))));
  }
}

// Columns: full and primitive only, in pairs.
void k_claims(const Sheet& s, std::vector<std::string>& out) {
  for (std::size_t c = 0; c + 1 < s.table->columns.size(); c += 2) {
    std::vector<double> primitive;
    bool always = true, compared = false;
    for (const auto& line : s.entries) {
      if (line[c + 1].has_numbers()) primitive.push_back(line[c + 1].mean);
      if (!line[c].has_numbers() || !line[c + 1].has_numbers()) continue;
      compared = true;
      always = always && line[c].mean < line[c + 1].mean;
    }
    const auto filled = std::ranges::count_if(s.entries, [&](const auto& line) { return line[c].has_numbers(); });
    if (const auto best = best_row(s, c, is_any); filled > 1) {
      const auto last =
          std::find_if(s.entries.rbegin(), s.entries.rend(), [&](const auto& l) { return l[c].has_numbers(); });
      const auto largest = s.entries.rend() - last - 1;
      if (largest != best)
        out.push_back(fmt::format(
            "\"More primitives do not help the full model\", {}: holds; K = {} errs least ({}), K = {} by {}.",
            s.table->columns[c], s.table->rows[best].label, error_text(entry(s, best, c).mean),
            s.table->rows[largest].label, error_text((*last)[c].mean)));
      else
        out.push_back(fmt::format(
            "\"More primitives do not help the full model\", {}: does not hold; the most, K = {}, err least ({}).",
            s.table->columns[c], s.table->rows[best].label, error_text(entry(s, best, c).mean)));
    }
    if (primitive.size() > 1)
      out.push_back(
          fmt::format("\"Primitives alone get better with K\", {}: {} ({} to {}).", s.table->columns[c + 1],
                      std::ranges::is_sorted(primitive, std::greater()) ? "holds" : "does not hold at every step",
                      error_text(primitive.front()), error_text(primitive.back())));
    if (compared)
      out.push_back(fmt::format("\"Primitives alone are far worse than the full model\", {}: {}.",
                                s.table->columns[c + 1], always ? "worse at every K" : "not worse at every K"));
  }
}

}  // namespace

bool is_paper_form(const std::string& m) {
  return m == "paper";
}
bool is_our_recipe(const std::string& m) {
  return m == "recipe";
}
bool is_other_network(const std::string& m) {
  return m == "senseiver" || m == "deeponet" || m == "recfno" || m == "flronet";
}
bool is_classical_method(const std::string& m) {
  return std::ranges::any_of(methods_for(true, false),
                             [&](const Method& known) { return known.is_classical && known.id == m; });
}

Index best_row(const Sheet& s, std::size_t column, bool (*counts)(const std::string&)) {
  Index out = -1;
  for (Index r = 0; r < std::ssize(s.entries); ++r)
    if (entry(s, r, column).has_numbers() && counts(s.table->rows[r].cells[column].subject.method) &&
        (out < 0 || entry(s, r, column).mean < entry(s, out, column).mean))
      out = r;
  return out;
}

std::vector<std::string> claims_of(const Sheet& s) {
  std::vector<std::string> out;
  const auto& name = s.table->name;
  if (name == "ablation")
    ablation_claims(s, out);
  else if (name == "k-sweep")
    k_claims(s, out);
  else
    methods_claims(s, out);
  if (name == "ldc3d" || name == "car" || name == "sensor-count") sensor_claims(s, out);
  if (out.empty()) return {"Too little was run to say."};
  return out;
}

}  // namespace fluidsplat::reproduce
