// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fluidsplat {

// "1 min 05 s", "2 h 10 min", for people.
std::string format_duration(double seconds);

// One line on standard error that is rewritten in place: what, done/total, a note, rate and time left.  When standard
// error is not a terminal, a line of its own every half minute.
class Progress {
 public:
  // What is counted: things, shown as done/total with a rate, or the per cent of something that has no parts.
  enum class Unit { things, percent };

  Progress(std::string what, std::int64_t total, Unit unit = Unit::things);
  ~Progress();
  // Cheap: draws at most ten times a second on a terminal.
  void update(std::int64_t done, const std::string& note = "");
  // Prints a line that stays, above the progress line (on a terminal and off).
  void say(const std::string& line);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::int64_t total_, first_ = -1;
  Unit unit_;
  bool terminal_, drawn_ = false;
  std::chrono::duration<double> every_{30};
  Clock::time_point start_, last_draw_;
};

}  // namespace fluidsplat
