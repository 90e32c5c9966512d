// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "learn/distributed/group.h"
#include "learn/distributed/rendezvous.h"

namespace fluidsplat::learn {

struct JoinOptions {
  std::string backend = "gloo";
  // How long a rank waits for another before it takes it for dead.  Nothing that one rank does by itself between two
  // steps (a checkpoint, its share of a validation) may take longer.
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
};

// Meets the other ranks over libtorch's c10d.  Throws Error when they do not come in time, and names those that are
// missing.
std::unique_ptr<Group> join_group(const Rendezvous& rendezvous, const JoinOptions& options);

// Does work that several ranks do together: in the group that the environment names, or alone.  When it throws on one
// rank the others learn why and throw ToldElsewhere.
void work_in_group(const JoinOptions& options, const std::function<void(Group& group)>& work);

}  // namespace fluidsplat::learn
