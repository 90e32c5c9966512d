// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace fluidsplat::app {

struct ReportSource {
  std::filesystem::path run;  // a run folder with model.safetensors, split.json, log.csv, config.toml, cases.csv
  std::string data;
  std::filesystem::path out;  // folder for index.html
  std::string title;
};

// Gathers what a run left behind and writes out/index.html: worst, median and best case, curves, numbers.
void write_report(const ReportSource& source);

}  // namespace fluidsplat::app
