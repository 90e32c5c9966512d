// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/sheet_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/progress.h"
#include "field/error_text.h"
#include "reproduce/claims.h"

namespace fluidsplat::reproduce {
namespace {

constexpr const char* kNothing = "";

std::string error_or_nothing(double error) {
  return std::isfinite(error) ? field::error_text(error) : std::string(kNothing);
}

std::string duration(double seconds) {
  if (seconds < 0.01) return fmt::format("{:.1f} ms", 1000 * seconds);
  if (seconds < 1) return fmt::format("{:.0f} ms", 1000 * seconds);
  return seconds < 60 ? fmt::format("{:.1f} s", seconds) : format_duration(seconds);
}

std::string seeds_text(const Entry& e) {
  return e.seeds.size() > 1 ? fmt::format(" ({} seeds)", e.seeds.size()) : std::string();
}

const Entry* least(const Sheet& sheet, std::size_t column) {
  const Entry* out = nullptr;
  for (const auto& line : sheet.entries)
    if (line[column].has_numbers() && (!out || line[column].mean < out->mean)) out = &line[column];
  return out;
}

bool column_has_paper(const Table& table, std::size_t column) {
  for (const auto& row : table.rows)
    if (row.cells[column].paper) return true;
  return false;
}

// Whether a row has anything to show.
bool is_empty(const Sheet& sheet, std::size_t row) {
  for (std::size_t c = 0; c < sheet.table->columns.size(); ++c)
    if (sheet.entries[row][c].has_numbers() || !sheet.entries[row][c].trouble.empty() ||
        sheet.table->rows[row].cells[c].paper)
      return false;
  return true;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// The row of the paper's table of seeds.
std::optional<PaperNumber> paper_seed(const Table& table, const Row& row, std::size_t column, Index seed) {
  if (table.name != "cylinder") return {};
  const auto method = row.label.starts_with("FluidSplat, the paper's form") ? std::string("FluidSplat") : row.label;
  return paper_number("cylinder-seeds", table.columns[column] + ", " + method, fmt::format("{}", seed));
}

}  // namespace

std::string with_deviation(double mean, double deviation) {
  if (!(deviation > 0)) return field::error_text(mean);
  // As many decimals as the mean has.
  const auto text = mean >= 0.001 ? fmt::format("{:.4f}", deviation) : field::error_text(deviation);
  return fmt::format("{} ± {}", field::error_text(mean), text);
}

std::string command_of(const Sheet& s) {
  std::size_t seeds = 0;
  for (const auto& line : s.entries)
    for (const auto& e : line) seeds = std::max(seeds, e.seeds.size());
  auto out = fmt::format("fluidsplat reproduce {} --seeds {}", s.table->name, seeds);
  if (s.terms.minutes > 0) out += fmt::format(" --budget {:g}", s.terms.minutes);
  if (s.terms.threads > 0) out += fmt::format(" --threads {}", s.terms.threads);
  return out + fmt::format(" --cases {}", s.terms.cases);
}

std::vector<std::string> describe_terms(const Sheet& s) {
  std::vector<std::string> out = {fmt::format("Command: {}", command_of(s))};
  out.push_back(fmt::format(
      "Data: {} (hash {}). Every method is judged by the same {} unseen cases; the error is relative L2, the mean over cases.",
      s.terms.data, s.terms.data_hash.substr(0, 12), s.unseen));
  if (s.terms.threads > 0)
    out.push_back(
        s.terms.minutes > 0
            ? fmt::format(
                  "Each network had {:g} minutes on {} thread{}: as many steps as fit, no more than its config has.",
                  s.terms.minutes, s.terms.threads, s.terms.threads == 1 ? "" : "s")
            : fmt::format("Each network took as many steps as its config has, on {} thread{}.", s.terms.threads,
                          s.terms.threads == 1 ? "" : "s"));
  out.push_back(fmt::format("fluidsplat {}; {}; {}; {} to {}.", s.terms.version, fmt::join(s.machines, ", "),
                            fmt::join(s.compilers, ", "), s.first_date, s.last_date));
  if (s.left_out > 0)
    out.push_back(fmt::format("{} run{} with other settings {} left out.", s.left_out, s.left_out == 1 ? "" : "s",
                              s.left_out == 1 ? "is" : "are"));
  return out;
}

Grid error_grid(const Sheet& s, const std::function<std::string(const std::string&)>& strong) {
  const auto& table = *s.table;
  Grid out = {{table.corner}};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out[0].push_back(table.columns[c]);
    if (column_has_paper(table, c)) out[0].push_back("the paper, its data");
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (is_empty(s, r)) continue;
    auto& line = out.emplace_back(std::vector<std::string>{table.rows[r].label});
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& e = s.entries[r][c];
      const auto text = with_deviation(e.mean, e.deviation) + seeds_text(e);
      line.push_back(e.has_numbers()     ? &e == least(s, c) ? strong(text) : text
                     : e.trouble.empty() ? kNothing
                                         : "not possible");
      if (!column_has_paper(table, c)) continue;
      const auto& paper = table.rows[r].cells[c].paper;
      line.push_back(paper ? with_deviation(paper->value, paper->deviation) : kNothing);
    }
  }
  return out;
}

Grid column_grid(const Sheet& s, std::size_t column) {
  Grid out = {{s.table->corner, "clean", "worst case", "1 % noise", "5 % noise", "a quarter dead", "parameters",
               "steps", "to train or fit", "to answer"}};
  for (std::size_t r = 0; r < s.table->rows.size(); ++r) {
    const auto& e = s.entries[r][column];
    if (!e.has_numbers()) continue;
    out.push_back({s.table->rows[r].label, with_deviation(e.mean, e.deviation), field::error_text(e.worst),
                   error_or_nothing(e.little_noise), error_or_nothing(e.much_noise), error_or_nothing(e.quarter_dead),
                   e.parameters > 0 ? fmt::format("{}", e.parameters) : kNothing,
                   e.steps > 0 ? fmt::format("{}", e.steps) : kNothing, duration(e.seconds_to_train),
                   duration(e.seconds_to_answer)});
  }
  return out;
}

Grid seed_grid(const Sheet& s) {
  std::set<Index> seeds;
  for (const auto& line : s.entries)
    for (const auto& e : line) seeds.insert(e.seeds.begin(), e.seeds.end());
  seeds.erase(0);  // of classical methods
  if (seeds.size() < 2) return {};
  Grid out = {{"column", s.table->corner}};
  for (const Index seed : seeds) out[0].push_back(fmt::format("seed {}", seed));
  for (std::size_t c = 0; c < s.table->columns.size(); ++c)
    for (std::size_t r = 0; r < s.table->rows.size(); ++r) {
      const auto& e = s.entries[r][c];
      if (!e.has_numbers() || e.seeds.front() == 0) continue;
      std::vector<std::string> line = {s.table->columns[c], s.table->rows[r].label}, paper = line;
      paper[1] += ", the paper";
      bool has_paper = false;
      for (const Index seed : seeds) {
        const auto found = std::ranges::find(e.seeds, seed);
        line.push_back(found == e.seeds.end() ? kNothing : field::error_text(e.errors[found - e.seeds.begin()]));
        const auto number = paper_seed(*s.table, s.table->rows[r], c, seed);
        paper.push_back(number ? field::error_text(number->value) : kNothing);
        has_paper = has_paper || number;
      }
      out.push_back(std::move(line));
      if (has_paper) out.push_back(std::move(paper));
    }
  return out;
}

std::string to_markdown(const Grid& grid) {
  std::string out;
  for (std::size_t r = 0; r < grid.size(); ++r) {
    out += fmt::format("| {} |\n", fmt::join(grid[r], " | "));
    if (r > 0) continue;
    out += "|";
    for (std::size_t c = 0; c < grid[0].size(); ++c) out += "---|";
    out += "\n";
  }
  return out;
}

std::string markdown_document(const Table& table, const std::vector<Sheet>& sheets) {
  std::string out =
      fmt::format("# {}\n\n{} of the paper. Written by `fluidsplat reproduce`, which writes it anew: do not edit.\n",
                  table.title, table.of_paper);
  for (const auto& sheet : sheets) {
    if (sheets.size() > 1) {
      const auto time = sheet.terms.threads == 0  ? std::string("classical methods")
                        : sheet.terms.minutes > 0 ? fmt::format("{:g} minutes a network", sheet.terms.minutes)
                                                  : std::string("whole configs");
      out += fmt::format("\n## {}, data {}\n", time, sheet.terms.data_hash.substr(0, 12));
    }
    out += fmt::format("\n{}\n\n", fmt::join(describe_terms(sheet), "\n"));
    out += to_markdown(error_grid(sheet, [](const std::string& text) { return "**" + text + "**"; }));
    out += "\n### What holds of the paper here\n\n";
    for (const auto& claim : claims_of(sheet)) out += fmt::format("- {}\n", claim);
    out += "\n### Worst case, noise, dead sensors, cost\n";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (const auto grid = column_grid(sheet, c); grid.size() > 1)
        out += fmt::format("\n{}:\n\n{}", table.columns[c], to_markdown(grid));
    if (const auto grid = seed_grid(sheet); !grid.empty()) out += "\n### Seed by seed\n\n" + to_markdown(grid);
  }
  return out;
}

std::string csv_document(const std::vector<Sheet>& sheets) {
  std::string out =
      "table,row,column,benchmark,layout,method,seed,error,worst_of_all_seeds,little_noise,much_noise,quarter_dead,"
      "parameters,steps,seconds_to_train,seconds_to_answer,minutes,threads,cases,data_hash,version,paper,paper_deviation\n";
  for (const auto& s : sheets)
    for (std::size_t r = 0; r < s.table->rows.size(); ++r)
      for (std::size_t c = 0; c < s.table->columns.size(); ++c) {
        const auto& e = s.entries[r][c];
        const auto& cell = s.table->rows[r].cells[c];
        for (std::size_t i = 0; i < e.seeds.size(); ++i) {
          out += fmt::format(
              "{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{},{:.4g},{:.4g},{:g},{},{},{},{},",
              s.table->name, quoted(s.table->rows[r].label), quoted(s.table->columns[c]), cell.subject.benchmark,
              cell.subject.layout, cell.subject.method, e.seeds[i], e.errors[i], e.worst, e.little_noise, e.much_noise,
              e.quarter_dead, e.parameters, e.steps, e.seconds_to_train, e.seconds_to_answer, s.terms.minutes,
              s.terms.threads, s.unseen, s.terms.data_hash, quoted(s.terms.version));
          out += cell.paper ? fmt::format("{:g},{:g}\n", cell.paper->value, cell.paper->deviation) : std::string(",\n");
        }
      }
  return out;
}

}  // namespace fluidsplat::reproduce
