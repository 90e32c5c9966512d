// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"
#include "report/theory_report.h"

namespace fluidsplat::report {

void write_exhibit(const Exhibit& exhibit, const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::create_directories(folder);
  io::write_csv(folder / (name + ".csv"), exhibit.table);
  write_file(folder / (name + ".html"), exhibit.html);
}

}  // namespace fluidsplat::report
