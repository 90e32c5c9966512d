// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/rendezvous.h"

#include <charconv>
#include <cstdlib>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

constexpr Index kPort = 29500;  // torchrun's
constexpr Index kMostRanks = 1 << 20;

// The variables of one starter.
struct Names {
  const char *rank, *size, *local_rank;
};
constexpr Names kTorchrun{"RANK", "WORLD_SIZE", "LOCAL_RANK"};
// A batch script has SLURM_PROCID too; only what srun starts has a step with tasks.
constexpr Names kSlurm{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"};
constexpr Names kOpenMpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"};

std::string text_of(const Environment& variable, const char* name) {
  const char* text = variable(name);
  return text ? text : "";
}

Index number(const Environment& variable, const char* name, Index low, Index high) {
  const auto text = text_of(variable, name);
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    fail("the variable {} = \"{}\": should be a whole number from {} to {}", name, text, low, high);
  return value;
}

std::optional<Rendezvous> read(const Environment& variable, const Names& names) {
  const bool has_rank = variable(names.rank), has_size = variable(names.size);
  if (!has_size) return {};
  if (!has_rank)
    fail("the variable {} is set but {} is not: set both, or neither to train alone", names.size, names.rank);
  Rendezvous out;
  out.size = number(variable, names.size, 1, kMostRanks);
  out.rank = number(variable, names.rank, 0, out.size - 1);
  if (variable(names.local_rank)) out.local_rank = number(variable, names.local_rank, 0, out.rank);
  return out;
}

// Where rank 0 is when MASTER_ADDR does not say.
std::string host_of_first(const Environment& variable, const Rendezvous& r) {
  if (variable("SLURM_STEP_NODELIST")) return first_host(text_of(variable, "SLURM_STEP_NODELIST"));
  const bool one_host =
      variable("OMPI_COMM_WORLD_LOCAL_SIZE") && number(variable, "OMPI_COMM_WORLD_LOCAL_SIZE", 1, kMostRanks) == r.size;
  if (one_host) return "127.0.0.1";
  fail("{} ranks are to train together, but the variable MASTER_ADDR does not say where: set it to the host of rank 0",
       r.size);
}

// Jobs that share a host must not meet at one port.
Index port_of_job(const Environment& variable) {
  if (!variable("SLURM_JOB_ID")) return kPort;
  return kPort + number(variable, "SLURM_JOB_ID", 0, Index(1) << 40) % 1000;
}

}  // namespace

std::optional<Rendezvous> find_rendezvous(const Environment& variable) {
  for (const auto& names : {kTorchrun, kSlurm, kOpenMpi}) {
    auto out = read(variable, names);
    if (!out) continue;
    if (out->size == 1) return {};
    out->address = text_of(variable, "MASTER_ADDR");
    if (out->address.empty()) out->address = host_of_first(variable, *out);
    out->port = variable("MASTER_PORT") ? number(variable, "MASTER_PORT", 1, 65535) : port_of_job(variable);
    return out;
  }
  return {};
}

std::optional<Rendezvous> find_rendezvous() {
  return find_rendezvous([](const char* name) { return std::getenv(name); });
}

std::string first_host(const std::string& list) {
  const auto bracket = list.find('['), comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const auto end = list.find_first_of("-,]", bracket);
  return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1);
}

}  // namespace fluidsplat::learn
