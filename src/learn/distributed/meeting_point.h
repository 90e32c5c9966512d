// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "learn/distributed/join_group.h"

namespace fluidsplat::learn {

// The notice board at rank 0's host, where the ranks of a group sign in and where, when something goes wrong, the one
// sentence is agreed on that says what.
class MeetingPoint {
 public:
  // Returns when all ranks are here; throws Error that names who is missing when that takes too long.
  MeetingPoint(const Rendezvous& rendezvous, std::chrono::milliseconds timeout);

  const c10::intrusive_ptr<c10d::Store>& store() const { return store_; }

  // What the group's trouble is: what was told first.  Waits for a moment, not for the timeout.
  struct Trouble {
    std::string text;
    bool is_mine = false;
  };
  // `text` is what this rank has to say.
  Trouble tell(const std::string& text) const;
  // For a rank that could not go on with the others: finds out who is missing, unless that one told why.  A rank that
  // is at work may notice only after `longest_silence`.
  Trouble find_out(std::chrono::milliseconds longest_silence) const;
  // The board goes with rank 0, which waits here for a moment until all have read it.
  void linger() const;

 private:
  void open();
  void sign_in() const;
  std::string describe(Index rank) const;
  std::string missing_ranks(const char* list, std::chrono::milliseconds limit) const;
  Trouble tell_or_hear(const std::string& text) const;

  Rendezvous at_;
  std::chrono::milliseconds timeout_;
  c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace fluidsplat::learn
