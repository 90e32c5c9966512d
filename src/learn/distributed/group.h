// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/index.h"

namespace fluidsplat::learn {

// The processes that train one model together.  All of them make the same calls in the same order; each call waits for
// all, and throws Error when one of them has ended, hangs or cannot be reached within the group's timeout.
class Group {
 public:
  virtual ~Group() = default;
  virtual Index rank() const = 0;
  virtual Index size() const = 0;
  // The first rank is the one that writes and speaks.
  bool is_first() const { return rank() == 0; }

  // Each value becomes its sum over all ranks, the same bits everywhere.
  virtual void sum(std::span<float> values) = 0;
  virtual void sum(std::span<double> values) = 0;
  // The values become those of the first rank.
  virtual void broadcast(std::span<float> values) = 0;
  virtual void broadcast(std::span<char> bytes) = 0;
  // Returns when all ranks have come here.
  virtual void barrier() = 0;

  // Tells the others why this rank gives up, so that they need not wait for it.  False when another rank has told of
  // its trouble before: then there is nothing left to say.
  virtual bool report(const std::string& trouble) = 0;

  // Time spent in these calls, waiting for others included.
  virtual double seconds() const = 0;

  // Whether any rank says so.
  bool any(bool mine);
  // The first rank's text, of any length.
  std::string broadcast_text(const std::string& mine);
  // Throws Error unless all ranks have the same text; `what` names it.
  void expect_same(const std::string& text, const std::string& what);
};

// A process that trains by itself.
class Alone : public Group {
 public:
  Index rank() const override { return 0; }
  Index size() const override { return 1; }
  void sum(std::span<float>) override {}
  void sum(std::span<double>) override {}
  void broadcast(std::span<float>) override {}
  void broadcast(std::span<char>) override {}
  void barrier() override {}
  bool report(const std::string&) override { return true; }
  double seconds() const override { return 0; }
};

// Alone has no state: one serves all.
Group& alone();

// The part of 0 ... count that is this rank's.
struct Share {
  Index begin = 0, end = 0;
  Index size() const { return end - begin; }
};
inline Share share_of(Index count, const Group& group) {
  return {count * group.rank() / group.size(), count * (group.rank() + 1) / group.size()};
}

// Ends a rank whose trouble another rank has told of: there is nothing to print.
class ToldElsewhere : public Error {
 public:
  using Error::Error;
};

}  // namespace fluidsplat::learn
