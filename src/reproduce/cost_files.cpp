// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "report/html.h"
#include "reproduce/cost.h"
#include "reproduce/methods.h"
#include "reproduce/sheet_text.h"

namespace fluidsplat::reproduce {
namespace {

constexpr const char* kTitle = "What an answer costs";
constexpr const char* kOfPaper = "Table 7 (tab:cost)";

std::string name_in_paper(const std::string& label) {
  for (const auto& m : methods_for(false, false))
    if (m.label == label) return m.in_paper;
  return {};
}

std::string ratio(double value, double of) {
  return of > 0 ? fmt::format("{:.2f}", value / of) : std::string();
}

// Everything is held against the paper's form: in our runtime here, on a GPU in the paper.
Grid cost_grid(const Outcome& o) {
  Grid out = {{"method", "run by", "parameters", "ms", "of FluidSplat's", "parameters (M), the paper",
               "ms, the paper, GPU", "of FluidSplat's, the paper"}};
  const auto first = o.timings.empty() ? Timing() : o.timings.front();
  const auto paper_first = paper_number("cost", "FluidSplat", "milliseconds");
  for (const auto& t : o.timings) {
    const auto name = name_in_paper(t.method);
    const auto parameters = paper_number("cost", name, "parameters"), time = paper_number("cost", name, "milliseconds");
    out.push_back({t.method, t.engine, t.parameters > 0 ? fmt::format("{}", t.parameters) : "",
                   fmt::format("{:.2f} ± {:.2f}", t.milliseconds, t.deviation),
                   ratio(t.milliseconds, first.milliseconds),
                   parameters ? fmt::format("{:.3f}", parameters->value) : "",
                   time ? fmt::format("{:.2f} ± {:.2f}", time->value, time->deviation) : "",
                   time ? ratio(time->value, paper_first->value) : ""});
  }
  return out;
}

std::vector<std::string> terms(const Finished& f) {
  const auto& m = f.manifest;
  return {
      fmt::format("Command: fluidsplat reproduce cost --threads {}", m.threads),
      fmt::format(
          "One answer from readings to fields at {} points, batch 1, {} thread{}: the median and the deviation of turns in which every "
          "method answers once, so that a busy machine slows all alike. The paper's times are of a GPU: compare the ratios.",
          kCostQueries, m.threads, m.threads == 1 ? "" : "s"),
      "Our runtime keeps what depends on the mesh alone; through libtorch nothing is kept.",
      fmt::format("Data: {} (hash {}). fluidsplat {}; {}; {}; {}.", m.data, m.data_hash.substr(0, 12), m.version, m.cpu,
                  m.compiler, m.date)};
}

std::string csv(const std::vector<const Finished*>& list) {
  std::string out = "method,engine,parameters,milliseconds,deviation,threads,data_hash,version,cpu,date\n";
  for (const auto* f : list)
    for (const auto& t : f->outcome.timings)
      out += fmt::format("\"{}\",{},{},{:.6g},{:.6g},{},{},\"{}\",\"{}\",{}\n", t.method, t.engine, t.parameters,
                         t.milliseconds, t.deviation, f->manifest.threads, f->manifest.data_hash, f->manifest.version,
                         f->manifest.cpu, f->manifest.date);
  return out;
}

}  // namespace

bool write_cost(const std::vector<Finished>& runs, const std::filesystem::path& folder) {
  std::vector<const Finished*> list;
  for (const auto& run : runs)
    if (run.manifest.subject.method == kCost) list.push_back(&run);
  if (list.empty()) return false;
  std::ranges::sort(list, std::greater(), [](const Finished* f) { return f->manifest.date; });
  auto text =
      fmt::format("# {}\n\n{} of the paper. Written by `fluidsplat reproduce`, which writes it anew: do not edit.\n",
                  kTitle, kOfPaper);
  report::Page page(kTitle);
  page.paragraph(fmt::format("{} of the paper.", kOfPaper));
  for (const auto* f : list) {
    const auto lines = terms(*f);
    const auto grid = cost_grid(f->outcome);
    text += fmt::format("\n{}\n\n{}", fmt::join(lines, "\n"), to_markdown(grid));
    for (const auto& line : lines) page.paragraph(line);
    page.table(grid);
  }
  std::filesystem::create_directories(folder);
  write_file(folder / "cost.md", text);
  write_file(folder / "cost.csv", csv(list));
  write_file(folder / "cost.html", page.finish());
  return true;
}

}  // namespace fluidsplat::reproduce
