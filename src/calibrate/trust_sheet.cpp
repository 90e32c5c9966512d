// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/trust_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fluidsplat::calibrate {
namespace {

using uncertainty::Promise;
constexpr double kUsual = 0.9;

std::string percent(double share) {
  return std::isnan(share) ? "" : fmt::format("{:.1f}", 100 * share);
}

bool is_at(const CoverageRow& row, Promise promise, double level) {
  return row.promise == promise && std::abs(row.level - level) < 1e-9;
}

const CoverageRow* find(const std::vector<CoverageRow>& table, Index silent, Promise promise, double level) {
  const auto it =
      std::ranges::find_if(table, [&](const CoverageRow& r) { return r.silent == silent && is_at(r, promise, level); });
  return it == table.end() || it->splits == 0 ? nullptr : &*it;
}

std::vector<double> levels_of(const std::vector<CoverageRow>& table) {
  std::vector<double> out;
  for (const auto& r : table)
    if (std::ranges::find(out, r.level) == out.end()) out.push_back(r.level);
  return out;
}

std::vector<Index> silent_of(const std::vector<CoverageRow>& table) {
  std::vector<Index> out;
  for (const auto& r : table)
    if (std::ranges::find(out, r.silent) == out.end()) out.push_back(r.silent);
  return out;
}

std::string head(const TrustSheet& s) {
  const auto& c = s.result.calibration;
  const Index calibrating = calibrating_groups(s.result.groups, s.request.split_share);
  auto out = fmt::format("# {}\n\nWritten by `fluidsplat calibrate`, which writes it anew: do not edit.\n\n", s.title);
  out += fmt::format("Command: {}\n", s.provenance.command);
  out += fmt::format("Data: {} (hash {}). Model: {} (hash {}).\n", s.provenance.data,
                     s.provenance.data_hash.substr(0, 12), s.provenance.model, s.provenance.model_hash.substr(0, 12));
  out += fmt::format("fluidsplat {}; {}; {}.\n\n", s.provenance.version, s.machine, s.provenance.date);
  out += fmt::format(
      "{} cases that neither trained nor chose the checkpoint, {}. Each of {} random splits calibrates on {} "
      "and judges the other {}; the errors are computed once.\n",
      s.cases,
      c.block > 1 ? fmt::format("in {} blocks of {} frames in a row that stay whole", s.result.groups, c.block)
                  : std::string("each counted for itself"),
      s.request.splits, calibrating, s.result.groups - calibrating);
  out += fmt::format(
      "Readings with noise {:g}. Local scale: {}. A level of L takes L / (1 - L) calibrated groups: those "
      "of which there are too few are left out.\n",
      s.request.noise, name_of(s.result.scale));
  return out;
}

// Nominal against observed, pointwise.
std::string coverage_table(const TrustSheet& s) {
  const auto levels = levels_of(s.result.table);
  std::string out = "\n## Coverage of the pointwise band, %\n\nMean over splits (standard deviation over splits).\n\n";
  out += "| silent sensors | promise |";
  for (double level : levels) out += fmt::format(" {:g} % |", 100 * level);
  out += " whole field inside at 90 % |\n|---|---|";
  for (std::size_t i = 0; i <= levels.size(); ++i) out += "---|";
  for (Index silent : silent_of(s.result.table))
    for (auto promise : {Promise::on_average, Promise::at_least}) {
      out += fmt::format("\n| {} of {} | {} |", silent, s.result.calibration.sensors, name_of(promise));
      for (double level : levels) {
        const auto* row = find(s.result.table, silent, promise, level);
        out += row ? fmt::format(" {} ({}) |", percent(row->pointwise), percent(row->pointwise_spread)) : " |";
      }
      const auto* usual = find(s.result.table, silent, promise, kUsual);
      out += fmt::format(" {} |", usual ? percent(usual->simultaneous) : "");
    }
  return out + "\n";
}

std::string verdict(const TrustSheet& s) {
  double least = 1, most = 0;
  for (const auto& r : s.result.table) {
    if (!is_at(r, Promise::on_average, kUsual) || r.splits == 0) continue;
    least = std::min(least, r.pointwise), most = std::max(most, r.pointwise);
  }
  if (least > most) return "\nThere are too few groups for bands of 90 %.\n";
  const bool holds = least >= kUsual - 0.01 && most <= kUsual + 0.01;
  return fmt::format(
      "\n90 % on average holds {} to {} % of the points over these numbers of silent sensors: {} 90 +- 1.\n",
      percent(least), percent(most), holds ? "within" : "not within");
}

std::string region_table(const TrustSheet& s) {
  std::string out = "\n## By region at 90 % on average, %\n\n" +
                    (s.result.calibration.classes.count() > 1
                         ? fmt::format("The promise is for each of {} classes of places: {}.\n\n",
                                       s.result.calibration.classes.count(), s.result.calibration.classes.meaning())
                         : std::string("The promise is on average over places, not in each region.\n\n"));
  out += "| silent sensors |";
  for (const char* name : kRegionNames) out += fmt::format(" {} |", name);
  out += " width |\n|---|---|---|---|---|";
  for (Index silent : silent_of(s.result.table)) {
    const auto* row = find(s.result.table, silent, Promise::on_average, kUsual);
    if (!row) continue;
    out += fmt::format("\n| {} of {} |", silent, s.result.calibration.sensors);
    for (double share : row->regions) out += fmt::format(" {} |", percent(share));
    out += fmt::format(" {:.3g} |", row->width);
  }
  return out +
         "\n\nThe width is that of the whole band, in root mean square errors of the model with so many silent.\n";
}

std::string rival_table(const TrustSheet& s) {
  std::string out =
      "\n## Width at 90 % on average after the same calibration, no silent sensor\n\nIn root mean square errors of the "
      "model.\n\n| band | width | coverage, % | near the wall | wake | far | its answer's error, of the model's |\n"
      "|---|---|---|---|---|---|---|";
  const auto add = [&](const std::string& name, const std::vector<CoverageRow>& table, double error) {
    const auto* row = find(table, 0, Promise::on_average, kUsual);
    if (!row) return;
    out += fmt::format("\n| {} | {:.3g} | {} |", name, row->width, percent(row->pointwise));
    for (double share : row->regions) out += fmt::format(" {} |", percent(share));
    out += fmt::format(" {:.3g} |", error);
  };
  add("this model's: " + name_of(s.result.scale), s.result.table, 1);
  for (const auto& r : s.result.rivals) add(r.name, r.table, r.error);
  out += "\n";
  if (!s.result.has_posterior) out += "\nCases have meshes of their own: there are no POD modes to compare with.\n";
  return out;
}

}  // namespace

std::string trust_markdown(const TrustSheet& sheet) {
  auto out = head(sheet) + coverage_table(sheet) + verdict(sheet);
  if (!find(sheet.result.table, 0, Promise::on_average, kUsual)) return out;
  out += region_table(sheet);
  if (!sheet.result.rivals.empty()) out += rival_table(sheet);
  return out;
}

std::string trust_csv(const TrustSheet& sheet) {
  auto out = field::comment_lines(sheet.provenance) + fmt::format("# machine: {}\n", sheet.machine);
  const auto add = [&](const std::string& band, const std::vector<CoverageRow>& table, bool with_head) {
    const auto text = coverage_csv(table, sheet.result.calibration.functionals);
    bool is_head = true;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      if (!is_head || with_head) out += (is_head ? std::string("band") : band) + "," + text.substr(at, end - at) + "\n";
      is_head = false;
      at = end + 1;
    }
  };
  add("model", sheet.result.table, true);
  for (const auto& r : sheet.result.rivals) add(r.name, r.table, false);
  return out;
}

}  // namespace fluidsplat::calibrate
