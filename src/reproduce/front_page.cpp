// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/front_page.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/error_text.h"
#include "reproduce/claims.h"
#include "reproduce/cost.h"
#include "reproduce/sheet_text.h"

namespace fluidsplat::reproduce {
namespace {

bool is_any(const std::string&) {
  return true;
}

// The tables whose rows are methods.
bool has_methods(const Table& table) {
  return table.corner == "method" && table.name != "sensor-count";
}

std::optional<PaperNumber> paper_of_form(const Sheet& s, std::size_t column) {
  for (const auto& row : s.table->rows)
    if (is_paper_form(row.cells[column].subject.method)) return row.cells[column].paper;
  return {};
}

// A row's error in a column, with its name where the column of the page does not say it.
std::string text_of(const Sheet& s, std::size_t column, bool (*counts)(const std::string&), bool with_name) {
  const auto row = best_row(s, column, counts);
  if (row < 0) return {};
  const auto& e = s.entries[row][column];
  const auto text = with_deviation(e.mean, e.deviation);
  const auto out = with_name ? fmt::format("{} ({})", text, s.table->rows[row].label) : text;
  return row == best_row(s, column, is_any) ? "**" + out + "**" : out;
}

}  // namespace

std::string front_page_text(const std::vector<Finished>& runs) {
  Grid summary = {{"benchmark", "the paper's FluidSplat, its data", "the paper's form", "our recipe",
                   "best other network", "best classical method"}};
  std::string claims, tables;
  for (const auto& table : error_tables()) {
    const auto sheets = make_sheets(table, runs);
    if (sheets.empty()) continue;
    const auto& s = sheets.front();
    if (has_methods(table))
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (best_row(s, c, is_any) < 0) continue;
        const auto paper = paper_of_form(s, c);
        summary.push_back({fmt::format("[{}]({}.md), {}", table.title, table.name, table.columns[c]),
                           paper ? with_deviation(paper->value, paper->deviation) : "",
                           text_of(s, c, is_paper_form, false), text_of(s, c, is_our_recipe, false),
                           text_of(s, c, is_other_network, true), text_of(s, c, is_classical_method, true)});
      }
    claims += fmt::format("\n**{}** ([{}.md]({}.md))\n\n", table.title, table.name, table.name);
    for (const auto& claim : claims_of(s)) claims += fmt::format("- {}\n", claim);
    tables += fmt::format("- [{}]({}.md): `{}`. {}\n", table.title, table.name, command_of(s), s.terms.data);
  }
  std::string out;
  if (summary.size() > 1)
    out += "Relative L2 error of unseen cases, mean ± deviation over seeds; the least of a line is bold.\n\n" +
           to_markdown(summary);
  out += "\n## Which of the paper's claims hold here\n" + claims;
  out += "\n## What was run\n\n" + tables;
  if (std::ranges::any_of(runs, [](const Finished& f) { return f.manifest.subject.method == kCost; }))
    out += "- [What an answer costs](cost.md)\n";
  return out;
}

bool write_front_page(const std::vector<Finished>& runs, const std::filesystem::path& folder) {
  if (runs.empty()) return false;
  const auto file = folder / "README.md";
  std::string text = fmt::format("# Results\n\n{}\n{}\n", kBegin, kEnd);
  if (std::filesystem::exists(file)) text = read_file(file, std::size_t{1} << 24);
  const auto begin = text.find(kBegin), end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    fail("{}: has no lines \"{}\" and \"{}\" to write the results between; put them in, or move the file away",
         file.string(), kBegin, kEnd);
  const auto from = begin + std::string_view(kBegin).size();
  text.replace(from, end - from, "\n\n" + front_page_text(runs) + "\n");
  write_file(file, text);
  return true;
}

}  // namespace fluidsplat::reproduce
