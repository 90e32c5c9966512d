// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace fluidsplat {

std::string format_duration(double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds)) return "unknown";
  const std::int64_t s = std::llround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02d} s", s / 60, s % 60);
  return fmt::format("{} h {:02d} min", s / 3600, s % 3600 / 60);
}

Progress::Progress(std::string what, std::int64_t total, Unit unit)
    : what_(std::move(what)),
      total_(total),
      unit_(unit),
      terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()) {
  // For scripts that watch a log closely, and for tests.
  if (const char* seconds = std::getenv("FLUIDSPLAT_PROGRESS_SECONDS"))
    every_ = std::chrono::duration<double>(std::max(0.0, std::atof(seconds)));
}

Progress::~Progress() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::int64_t done, const std::string& note) {
  const auto now = Clock::now();
  if (first_ < 0) {
    first_ = done;
    start_ = last_draw_ = now;
  }
  if (terminal_ && drawn_ && now - last_draw_ < std::chrono::milliseconds(100) && done < total_) return;
  if (!terminal_ && now - last_draw_ < every_) return;
  last_draw_ = now;
  drawn_ = terminal_;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double rate = elapsed > 0 ? double(done - first_) / elapsed : 0;
  const auto left = rate > 0 ? fmt::format("  {} left", format_duration(double(total_ - done) / rate)) : "";
  const bool things = unit_ == Unit::things;
  const auto so_far = things ? fmt::format("{}/{}", done, total_) : fmt::format("{} %", 100 * done / total_);
  const auto speed = things && rate > 0 ? fmt::format("  {:.3g}/s", rate) : "";
  fmt::print(stderr, "{}{}  {}{}{}{}{}{}", terminal_ ? "\r\033[K" : "", what_, so_far, note.empty() ? "" : "  ", note,
             speed, left, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::say(const std::string& line) {
  fmt::print(stderr, "{}{}\n", terminal_ ? "\r\033[K" : "", line);
}

}  // namespace fluidsplat
