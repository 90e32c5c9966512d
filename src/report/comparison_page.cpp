// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_page.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "draw/dot_plot.h"
#include "field/error_text.h"
#include "report/html.h"

namespace fluidsplat::report {
namespace {

std::string picture(const reconstruct::Comparison& c) {
  draw::DotPlotOptions options{"Error of each method", "relative L2 error, mean over cases", {}};
  for (const auto& condition : c.conditions) options.series.push_back(condition.name);
  std::vector<draw::DotRow> rows;
  for (const auto& m : c.methods) {
    if (m.errors.empty()) continue;
    draw::DotRow row{m.name, {}, &m == c.best(0)};
    for (const auto& e : m.errors) row.values.push_back(e.mean);
    rows.push_back(std::move(row));
  }
  return draw::dot_plot(rows, options);
}

std::vector<std::vector<std::string>> table(const reconstruct::Comparison& c) {
  std::vector<std::string> header = {"method"};
  for (const auto& condition : c.conditions) {
    header.push_back(condition.name);
    if (header.size() == 2) header.push_back("worst case");
  }
  header.insert(header.end(), {"to train or fit", "to answer", "trained parameters"});
  std::vector<std::vector<std::string>> rows = {header};
  for (const auto& m : c.methods) {
    std::vector<std::string> row = {m.name};
    for (const auto& e : m.errors) {
      row.push_back(field::error_text(e.mean));
      if (row.size() == 2) row.push_back(field::error_text(e.worst));
    }
    if (m.errors.empty()) row.push_back(m.trouble);
    row.resize(header.size() - 3);
    row.push_back(fmt::format("{:.3g} s", m.seconds_to_fit));
    row.push_back(fmt::format("{:.3g} ms", 1000 * m.seconds_to_answer));
    row.push_back(m.is_trained ? fmt::format("{}", m.parameters) : "");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::filesystem::path write_comparison_page(const reconstruct::Comparison& c, const std::filesystem::path& folder) {
  Page page("Which method to use");
  page.paragraph(reconstruct::recommend(c));
  page.paragraph(fmt::format(
      "{}: {} training cases, {} sensors; every method is judged on the same {} unseen cases. Noise is a share of how much "
      "readings vary in training; which sensors are dead changes from case to case.",
      c.data, c.training_cases, c.sensors, c.cases));
  page.figures({{picture(c), ""}});
  page.heading("Numbers");
  page.table(table(c));
  const auto file = folder / "index.html";
  write_file(file, page.finish());
  return file;
}

}  // namespace fluidsplat::report
