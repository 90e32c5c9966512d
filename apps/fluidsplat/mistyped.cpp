// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/mistyped.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/config.h"

namespace fluidsplat::app {
namespace {

// Groups of options are commands without a name.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* c) { return !c->get_name().empty(); });
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) out.push_back(name);
  for (const auto* group : app.get_subcommands([](const CLI::App* c) { return c->get_name().empty(); }))
    for (const auto& name : options_of(*group)) out.push_back(name);
  return out;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  const auto all = commands_of(app);
  const auto found = std::ranges::find(all, name, [](const CLI::App* c) { return c->get_name(); });
  return found == all.end() ? nullptr : *found;
}

std::string unknown_command(const CLI::App& app, const std::string& before, const std::string& word) {
  std::vector<std::string> known;
  std::string meant;
  for (const auto* command : commands_of(app)) {
    known.push_back(command->get_name());
    // "import" is "data import".
    if (find_command(*command, word)) meant = command->get_name() + " " + word;
  }
  if (meant.empty()) meant = nearest_name(word, known);
  return fmt::format("there is no command \"{}{}\"{} \"fluidsplat {}--help\" lists them", before, word,
                     meant.empty() ? ";" : fmt::format(", did you mean \"{}{}\"?", before, meant), before);
}

}  // namespace

std::string explain_mistake(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string path;
  for (const auto& word : words) {
    const bool option = word.starts_with("--");
    if (const auto* next = option ? nullptr : find_command(*command, word)) {
      command = next;
      path += word + " ";
    } else if (!option && !word.starts_with("-") && !commands_of(*command).empty()) {
      return unknown_command(*command, path, word);
    } else if (option && word.size() > 2) {
      const auto name = word.substr(2, word.find('=') - 2);
      const auto known = options_of(*command);
      if (std::ranges::find(known, name) != known.end()) continue;
      const auto near = nearest_name(name, known);
      return fmt::format("there is no option --{}{}{} \"fluidsplat {}--help\" lists them", name,
                         path.empty() ? "" : fmt::format(" of \"{}\"", path.substr(0, path.size() - 1)),
                         near.empty() ? ";" : fmt::format(", did you mean --{}?", near), path);
    }
  }
  if (commands_of(*command).empty()) return "";
  std::vector<std::string> names;
  for (const auto* c : commands_of(*command)) names.push_back(c->get_name());
  return fmt::format("{}needs a command: {}; \"fluidsplat {}--help\" says what they do", path, fmt::join(names, ", "),
                     path);
}

}  // namespace fluidsplat::app
