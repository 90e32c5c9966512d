// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "reproduce/methods.h"

namespace fluidsplat::reproduce {
namespace {

struct Column {
  std::string name, layout;
  Index sensors = 0;
};

// Methods against layouts.
Table methods_table(Table table, const std::vector<Column>& columns, const std::vector<Method>& methods) {
  for (const auto& c : columns) table.columns.push_back(c.name);
  for (const auto& m : methods) {
    Row row{m.label, {}};
    for (const auto& c : columns)
      row.cells.push_back({{table.benchmark, c.layout, m.id}, c.sensors, paper_number(table.name, m.in_paper, c.name)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table cylinder() {
  return methods_table({"cylinder", "cylinder", "Cylinder wake", "Table 1 (tab:cylinder)", "method", {}, {}},
                       {{"Interior-8", "interior-8"},
                        {"Surface-4", "surface-4"},
                        {"Surface-8", "surface-8"},
                        {"Surface-16", "surface-16"}},
                       methods_for(true, false));
}

Table airfrans() {
  return methods_table({"airfrans", "airfrans", "Airfoils", "Table 2 (tab:airfrans)", "method", {}, {}},
                       {{"Full-8", "full-8"}, {"AoA-8", "aoa-8"}, {"Reynolds-8", "reynolds-8"}},
                       methods_for(false, false));
}

Table ldc3d() {
  return methods_table({"ldc3d", "ldc3d", "Lid-driven cavities", "Table 3 (tab:ldc3d)", "method", {}, {}},
                       {{"N = 5", "n5"}, {"N = 10", "n10"}, {"N = 20", "n20"}, {"N = 40", "n40"}},
                       methods_for(false, false));
}

Table car() {
  std::vector<Column> columns;
  for (const Index n : {15, 30, 50, 100, 200}) columns.push_back({fmt::format("N = {}", n), "cars", n});
  auto out = methods_table({"car", "car", "Cars", "Table 4 (tab:physense_car)", "method", {}, {}}, columns,
                           methods_for(false, true));
  // Methods that the paper quotes and that are not here.
  for (const char* name : {"DiffusionPDE", "PhySense", "PhySense-opt"}) {
    Row row{name, {}};
    for (const auto& c : columns) row.cells.push_back({{}, c.sensors, paper_number("car", name, c.name)});
    out.rows.push_back(std::move(row));
  }
  return out;
}

Table sensor_count() {
  std::vector<Column> columns;
  for (const Index n : {4, 8, 12, 16}) columns.push_back({fmt::format("{}", n), fmt::format("full-{}", n)});
  auto methods = methods_for(false, false);
  std::erase_if(methods, [](const Method& m) { return m.id == "senseiver" || m.id == "flronet" || m.id == "recfno"; });
  return methods_table(
      {"sensor-count", "airfrans", "Number of sensors on airfoils", "Table 6 (tab:airfrans-sensors)", "method", {}, {}},
      columns, methods);
}

// One component less at a time, of the paper's form and of ours.
Table ablation() {
  Table out{"ablation",
            "airfrans",
            "What each part brings, airfoils with 8 sensors",
            "Table 5 (tab:ablation)",
            "variant",
            {"the paper's form", "our recipe"},
            {}};
  const std::pair<const char*, const char*> variants[] = {{"full", ""},
                                                          {"without global token", ".no-global-token"},
                                                          {"without state features", ".no-state-features"},
                                                          {"without query-to-state attention", ".no-attention"},
                                                          {"residual only", ".residual-only"},
                                                          {"primitive only", ".primitive-only"},
                                                          {"without observation consistency", ".no-observation"}};
  for (const auto& [label, variant] : variants)
    out.rows.push_back(
        {label,
         {{{"airfrans", "full-8", std::string("paper") + variant}, 0, paper_number("ablation", label, "error")},
          {{"airfrans", "full-8", std::string("recipe") + variant}}}});
  return out;
}

// The number of primitives, of the paper's form and of ours without the prior, which would hide it.
Table k_sweep() {
  Table out{"k-sweep",
            "cylinder",
            "Number of primitives, cylinder Surface-8",
            "Figure 4, right (tab:nmi_trained_k_sweep_exact)",
            "K",
            {"full, the paper's form", "primitive only, the paper's form", "full, our network",
             "primitive only, our network"},
            {}};
  for (const Index k : {64, 128, 256, 384}) {
    const auto row = fmt::format("{}", k);
    // The one that the main table has anyway.
    const auto full = [&](const std::string& method, Index usual) {
      return Subject{"cylinder", "surface-8", k == usual ? method : fmt::format("{}.k{}", method, k)};
    };
    const auto primitive = [&](const std::string& method) {
      return Subject{"cylinder", "surface-8", fmt::format("{}.k{}-primitive-only", method, k)};
    };
    out.rows.push_back({row,
                        {{full("paper", 384), 0, paper_number("k-sweep", row, "full")},
                         {primitive("paper"), 0, paper_number("k-sweep", row, "primitive only")},
                         {full("network", 64)},
                         {primitive("network")}}});
  }
  return out;
}

}  // namespace

const std::vector<Table>& error_tables() {
  static const std::vector<Table> kTables = {cylinder(), airfrans(),     ldc3d(),  car(),
                                             ablation(), sensor_count(), k_sweep()};
  return kTables;
}

std::vector<std::string> table_names() {
  std::vector<std::string> out;
  for (const auto& table : error_tables()) out.push_back(table.name);
  out.push_back("cost");
  return out;
}

}  // namespace fluidsplat::reproduce
