// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/run_folder.h"

#include <fmt/format.h>

#include <array>

#include "base/atomic_file.h"
#include "base/error.h"
#include "reconstruct/best_classical.h"

namespace fluidsplat::learn {
namespace {

namespace fs = std::filesystem;

constexpr const char *kMetrics = "metrics.json", *kCases = "cases.csv", *kPage = "index.html";

// What a run writes, in the order in which it is removed: the model goes before the setup that explains it, so that no
// moment leaves one without the other.
constexpr std::array kRunFiles = {"model.safetensors", "checkpoint.safetensors", "log.csv", "split.json",
                                  "config.toml"};

// A process that was killed while it wrote leaves the unfinished file behind, under the name that AtomicFile gave it.
void remove_unfinished(const fs::path& folder) {
  constexpr std::size_t kSuffix = 7;  // a dot and six letters
  std::vector<std::string> written = {kMetrics, kCases, reconstruct::kClassicalFile};
  written.insert(written.end(), kRunFiles.begin(), kRunFiles.end());
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    for (const auto& file : written)
      if (name.size() == file.size() + kSuffix && name.starts_with(file + ".")) fs::remove(entry.path());
  }
}

// Only what this program writes there: a user may keep files of his own in any folder.
void remove_results(const fs::path& folder) {
  for (const char* name : {kMetrics, kCases}) fs::remove(folder / name);
}

}  // namespace

bool RunFolder::holds_run() const {
  return fs::exists(checkpoint()) || fs::exists(model()) || fs::exists(file(kMetrics));
}

void RunFolder::refuse_to_replace() const {
  if (!holds_run()) return;
  const auto other = first_free(path_, [](const fs::path& p) { return fs::exists(p); });
  fail(
      "{}: holds {} run, which is not replaced; name another folder (out={}), continue it (--resume) or replace it "
      "(--force)",
      path_.string(), fs::exists(file(kMetrics)) ? "a finished" : "an unfinished", other.string());
}

void RunFolder::remove_judgement() const {
  remove_results(path_);
  fs::remove(path_ / reconstruct::kClassicalFile);
  if (!fs::is_directory(path_)) return;
  for (const auto& entry : fs::directory_iterator(path_))
    if (entry.is_directory() && entry.path().filename().string().starts_with("eval-")) {
      remove_results(entry.path());
      if (fs::is_empty(entry.path())) fs::remove(entry.path());
    }
  fs::remove(path_ / "report" / kPage);
}

void RunFolder::remove_run() const {
  remove_judgement();
  for (const char* name : kRunFiles) fs::remove(file(name));
}

void RunFolder::write_setup(const std::string& config, const field::Split& split, const field::Dataset& dataset) const {
  remove_unfinished(path_);
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

void RunFolder::write_model(const TrainedModel& trained) const {
  remove_judgement();
  save_model(model(), trained);
}

fs::path first_free(const fs::path& wanted, const std::function<bool(const fs::path&)>& taken) {
  const auto base = (wanted.has_filename() ? wanted : wanted.parent_path()).string();
  fs::path candidate = base;
  for (Index n = 2; taken(candidate); ++n) candidate = fmt::format("{}-{}", base, n);
  return candidate;
}

}  // namespace fluidsplat::learn
