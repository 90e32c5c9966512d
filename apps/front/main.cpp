// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// The program that users call.  It starts in milliseconds because it is not linked with libtorch: help, the version and
// `reconstruct` it answers itself, for everything else it becomes fluidsplat-full.
#include <fmt/format.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/outcome.h"
#include "base/interrupt.h"
#include "front/commands_json.h"
#include "front/hand_over.h"

namespace fluidsplat::front {
namespace {

using Words = std::vector<std::string>;

// The help that is asked for by commands followed by -h or --help and nothing else.
std::optional<std::string> find_help(const Words& words, const std::string& program) {
  if (words.empty() || (words.back() != "--help" && words.back() != "-h")) return {};
  const auto all = nlohmann::json::parse(kCommandsJson);
  const auto* command = &all;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const nlohmann::json* next = nullptr;
    for (const auto& c : command->at("commands"))
      if (c.at("name") == words[i]) next = &c;
    if (!next) return {};
    command = next;
  }
  auto text = command->at("help").get<std::string>();
  const std::string usage = "Usage: fluidsplat";
  if (const auto at = text.find(usage); at != std::string::npos) text.replace(at, usage.size(), "Usage: " + program);
  return text;
}

int reconstruct(int argc, char** argv) {
  CLI::App app;
  app.require_subcommand(1);
  app::add_reconstruct(app);
  catch_interrupts();
  // A limit on the size of files is then an error like a full disk, with the file's name.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError&) {
    hand_over();  // it knows all the commands, so it can say what is wrong
  }
  return interrupted() ? 130 : 0;
}

int run(int argc, char** argv) {
  const Words words(argv + 1, argv + argc);
  if (words == Words{"version"} || words == Words{"--version"}) {
    fmt::print("fluidsplat {}\n", FLUIDSPLAT_VERSION);
    return 0;
  }
  if (const auto help = find_help(words, argv[0])) {
    fmt::print("{}", *help);
    return 0;
  }
  if (!words.empty() && words[0] == "reconstruct") return reconstruct(argc, argv);
  hand_over();
}

}  // namespace
}  // namespace fluidsplat::front

int main(int argc, char** argv) {
  fluidsplat::front::remember_arguments(argv);
  return fluidsplat::app::run_and_tell([&] { return fluidsplat::front::run(argc, argv); });
}
