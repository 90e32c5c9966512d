// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/describe_commands.h"

#include <nlohmann/json.hpp>

namespace fluidsplat::app {
namespace {

using nlohmann::json;

json describe_option(const CLI::Option& option) {
  json names = json::array();
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return {{"names", names},
          {"positional", names.empty()},
          {"name", option.get_name(true)},
          {"value", option.get_items_expected_max() == 0 ? "" : option.get_type_name()},
          {"required", option.get_required()},
          {"description", option.get_description()}};
}

json describe(const CLI::App& app, const std::string& before) {
  json out = {{"name", app.get_name()},
              {"description", app.get_description()},
              {"help", app.help(before)},
              {"options", json::array()},
              {"commands", json::array()}};
  for (const auto* option : app.get_options()) out["options"].push_back(describe_option(*option));
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    // Groups of options are commands without a name.
    if (command->get_name().empty())
      for (const auto* option : command->get_options()) out["options"].push_back(describe_option(*option));
    else
      out["commands"].push_back(describe(*command, before.empty() ? app.get_name() : before + " " + app.get_name()));
  }
  return out;
}

}  // namespace

std::string describe_commands(CLI::App& app) {
  app.name("fluidsplat");
  return describe(app, "").dump(1);
}

}  // namespace fluidsplat::app
