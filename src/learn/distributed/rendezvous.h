// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/index.h"

namespace fluidsplat::learn {

// Who this process is among those that train together, and where they meet.
struct Rendezvous {
  Index rank = 0, size = 1, local_rank = 0;
  std::string address;  // of the host of rank 0
  Index port = 0;
};

// As the variables of torchrun (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT), of Slurm's srun or of Open
// MPI's mpirun say, in this order.  Empty when a process is alone.  Throws Error, naming the variable, when they make
// no sense.  `variable` gives a variable's value, or null.
using Environment = std::function<const char*(const char* variable)>;
std::optional<Rendezvous> find_rendezvous(const Environment& variable);
// Of this process.
std::optional<Rendezvous> find_rendezvous();

// The first of a list of hosts as Slurm writes it: node[03-07,12],other.
std::string first_host(const std::string& list);

}  // namespace fluidsplat::learn
