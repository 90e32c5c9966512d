// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/table_files.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "draw/chart.h"
#include "draw/dot_plot.h"
#include "report/html.h"
#include "reproduce/claims.h"
#include "reproduce/sheet_text.h"

namespace fluidsplat::reproduce {
namespace {

// Methods against columns.
std::string dots(const Sheet& s) {
  draw::DotPlotOptions options{"Error of each method", "relative L2 error, mean over cases and seeds",
                               s.table->columns};
  std::vector<draw::DotRow> rows;
  for (std::size_t r = 0; r < s.table->rows.size(); ++r) {
    draw::DotRow row{s.table->rows[r].label, {}, false};
    bool any = false;
    for (const auto& e : s.entries[r]) {
      row.values.push_back(e.has_numbers() ? e.mean : 0);
      any = any || e.has_numbers();
    }
    if (any) rows.push_back(std::move(row));
  }
  return draw::dot_plot(rows, options);
}

// Error over the rows' numbers, with the paper's as dashed lines.
std::string curves(const Sheet& s) {
  std::vector<draw::Series> series;
  for (std::size_t c = 0; c < s.table->columns.size(); ++c) {
    draw::Series ours{s.table->columns[c], {}, {}}, paper{s.table->columns[c] + ", in the paper", {}, {}, true, true};
    for (std::size_t r = 0; r < s.table->rows.size(); ++r) {
      const double x = std::stod(s.table->rows[r].label);
      if (s.entries[r][c].has_numbers()) ours.x.push_back(x), ours.y.push_back(s.entries[r][c].mean);
      if (const auto& p = s.table->rows[r].cells[c].paper) paper.x.push_back(x), paper.y.push_back(p->value);
    }
    if (!ours.x.empty()) series.push_back(std::move(ours));
    if (!paper.x.empty()) series.push_back(std::move(paper));
  }
  return draw::line_chart(series, {"Error over the number of primitives", "K", "relative L2 error", true, true});
}

std::string html_document(const Table& table, const std::vector<Sheet>& sheets) {
  report::Page page(table.title);
  page.paragraph(fmt::format("{} of the paper.", table.of_paper));
  for (const auto& sheet : sheets) {
    if (sheets.size() > 1)
      page.heading(fmt::format("Data {}, {:g} minutes", sheet.terms.data_hash.substr(0, 12), sheet.terms.minutes));
    for (const auto& line : describe_terms(sheet)) page.paragraph(line);
    page.figures({{table.name == "k-sweep" ? curves(sheet) : dots(sheet), ""}});
    page.heading("Errors beside the paper's");
    page.table(error_grid(sheet, [](const std::string& text) { return text + " *"; }));
    page.paragraph("* the least of the column");
    page.heading("What holds of the paper here");
    page.list(claims_of(sheet));
    page.heading("Worst case, noise, dead sensors, cost");
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (const auto grid = column_grid(sheet, c); grid.size() > 1) {
        page.paragraph(table.columns[c]);
        page.table(grid);
      }
    if (const auto grid = seed_grid(sheet); !grid.empty()) {
      page.heading("Seed by seed");
      page.table(grid);
    }
  }
  return page.finish();
}

}  // namespace

bool write_table(const Table& table, const std::vector<Finished>& runs, const std::filesystem::path& folder) {
  const auto sheets = make_sheets(table, runs);
  if (sheets.empty()) return false;
  std::filesystem::create_directories(folder);
  write_file(folder / (table.name + ".md"), markdown_document(table, sheets));
  write_file(folder / (table.name + ".csv"), csv_document(sheets));
  write_file(folder / (table.name + ".html"), html_document(table, sheets));
  return true;
}

}  // namespace fluidsplat::reproduce
