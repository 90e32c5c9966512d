// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/distributed/launch.h"

#include <filesystem>
#include <memory>

#include "apps/commands.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "learn/distributed/group.h"

namespace fluidsplat::app {

void add_launch(CLI::App& app) {
  auto request = std::make_shared<learn::LaunchRequest>();
  auto* command =
      app.add_subcommand("launch", "train with several processes on this machine: launch -n 2 -- train ...");
  command->add_option("-n,--ranks", request->ranks, "how many")->check(CLI::Range(1, 1024));
  command->add_option("command", request->arguments, "after --: train and its options")->required();
  command->callback([request] {
    if (request->arguments.front() != "train")
      fail("launch: only train is done by several ranks together, not {}; --shard shares out other work",
           request->arguments.front());
    request->program = std::filesystem::read_symlink("/proc/self/exe");
    request->interrupted = interrupted;
    if (!learn::launch(*request) && !interrupted()) throw learn::ToldElsewhere("a rank has failed");
  });
}

}  // namespace fluidsplat::app
