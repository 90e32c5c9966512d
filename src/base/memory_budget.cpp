// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "base/memory_budget.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>

#include "base/error.h"

namespace fluidsplat {
namespace {

struct Unit {
  const char* name;
  double bytes;
};
constexpr std::array<Unit, 10> kUnits = {{{"", 1},
                                          {"B", 1},
                                          {"kB", 1e3},
                                          {"KB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 0x1p10},
                                          {"MiB", 0x1p20},
                                          {"GiB", 0x1p30}}};

// A step allocates and frees beside what is measured between steps.
constexpr double kUsed = 0.95;
// So many steps show what a step takes; until then half of the room is used.
constexpr int kFirstSteps = 4;

}  // namespace

std::size_t parse_bytes(const std::string& text, const std::string& what) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  std::string unit(next, end);
  unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size() : unit.find_first_not_of(' '));
  const auto found = std::ranges::find_if(kUnits, [&](const Unit& u) { return unit == u.name; });
  if (error != std::errc() || found == kUnits.end() || !(number >= 0) || !(number * found->bytes < 0x1p62))
    fail("{} = \"{}\": write an amount of memory, such as \"500MB\" or \"2GB\"", what, text);
  return static_cast<std::size_t>(std::llround(number * found->bytes));
}

std::string bytes_text(std::size_t bytes) {
  const auto b = double(bytes);
  return b < 1e6   ? fmt::format("{} bytes", bytes)
         : b < 1e9 ? fmt::format("{:.0f} MB", b / 1e6)
                   : fmt::format("{:.2f} GB", b / 1e9);
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t most_resident_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (std::size_t kilobytes = 0; word == "VmHWM:" && file >> kilobytes) return kilobytes * 1024;
  return 0;
}

std::string excess_text(std::size_t budget, std::size_t most) {
  if (most <= budget + budget / 10) return {};
  return fmt::format(
      "took up to {} of memory, more than the budget of {}: what is not data leaves it too little room; allow at "
      "least {}, or take smaller batches",
      bytes_text(most), bytes_text(budget), bytes_text(most + most / 10));
}

std::size_t MemoryBudget::room(std::size_t held) {
  auto resident = resident_bytes();
  if (resident > whole_) {
    // What was freed may not have been given back yet.
    ::malloc_trim(0);
    resident = resident_bytes();
  }
  others_ = std::max(others_, resident > held ? resident - held : 0);
  const auto usable = static_cast<std::size_t>(kUsed * double(whole_));
  const auto room = usable > others_ ? usable - others_ : 0;
  return ++calls_ <= kFirstSteps ? room / 2 : room;
}

}  // namespace fluidsplat
