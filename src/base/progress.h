// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace fluidsplat {

// "1 min 05 s", "2 h 10 min", for people.
std::string format_duration(double seconds);

// One line on standard error that is rewritten in place: what, done/total, a note, rate and time left.  When standard
// error is not a terminal, a line of its own every half minute.
class Progress {
 public:
  Progress(std::string what, std::int64_t total);
  // Of work that is not counted: `done` is in thousandths, shown as per cent.
  explicit Progress(std::string what) : Progress(std::move(what), 1000) { counts_ = false; }
  ~Progress();
  // Cheap: draws at most ten times a second on a terminal.
  void update(std::int64_t done, const std::string& note = "");
  // Prints a line that stays, above the progress line (on a terminal and off).
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::int64_t total_, first_ = -1;
  bool terminal_, drawn_ = false, counts_ = true;
  std::chrono::duration<double> every_{30};
  Clock::time_point start_, last_draw_;
};

}  // namespace fluidsplat
