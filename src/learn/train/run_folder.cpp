// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/run_folder.h"

#include <fmt/format.h>

#include "base/atomic_file.h"

namespace fluidsplat::learn {

void RunFolder::write_setup(const std::string& config, const field::Split& split, const field::Dataset& dataset) const {
  write_file(file("config.toml"), config);
  field::write_split(file("split.json"), split, &dataset);
}

void RunFolder::write_log(const std::vector<LogRow>& log) const {
  std::string text = "step,loss,data,observation,surface,rate,gradient,validation,seconds\n";
  for (const auto& r : log)
    text += fmt::format("{},{:.8g},{:.8g},{:.8g},{:.8g},{:.6g},{:.6g},{:.8g},{:.2f}\n", r.step, r.loss, r.data,
                        r.observation, r.surface, r.rate, r.gradient, r.validation, r.seconds);
  write_file(file("log.csv"), text);
}

}  // namespace fluidsplat::learn
