// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace fluidsplat {

// "500MB", "1.5 GB", "2GiB" or a number of bytes.  Throws Error for anything else, `what` being what messages call it.
std::size_t parse_bytes(const std::string& text, const std::string& what);
// "1.50 GB".
std::string bytes_text(std::size_t bytes);

// What this process has in memory now, and the most that it ever had.
std::size_t resident_bytes();
std::size_t most_resident_bytes();
// A sentence for the user of a process that had more in memory than its budget and a tenth; empty if it had not.
std::string excess_text(std::size_t budget, std::size_t most);

// A bound on the memory of the whole process, of which data that can be dropped gets what everything else leaves.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t whole) : whole_(whole) {}
  std::size_t whole() const { return whole_; }
  // How many bytes may be held, `held` being those that are held now.  Called now and then: what everything else takes
  // is measured, and the most of it counts.
  std::size_t room(std::size_t held);

 private:
  std::size_t whole_, others_ = 0;
  int calls_ = 0;
};

}  // namespace fluidsplat
