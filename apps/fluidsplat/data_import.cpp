// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "apps/benchmark_data.h"
#include "apps/data_commands.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "import/contents.h"
#include "import/import_dataset.h"
#include "import/input_files.h"

namespace fluidsplat::app {
namespace {

std::string option_name(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

// Messages of the import name lines of a recipe; each is an option here: "arrays = U" is "--arrays U".
std::string as_options(std::string text, const Config& keys) {
  for (const auto& key : keys.keys()) {
    const auto line = key.name + " = ";
    for (auto at = text.find(line); at != std::string::npos; at = text.find(line, at + 1))
      if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '(')
        text.replace(at, line.size(), option_name(key.name) + " ");
  }
  return text;
}

void print_report(const std::string& out, const importing::ImportReport& r, const Config& keys) {
  for (const auto& note : r.notes) fmt::print("{}\n", as_options(note, keys));
  fmt::print("{}: {} case{} on {} mesh{} of {} points\n", out, r.cases, r.cases == 1 ? "" : "s", r.meshes,
             r.meshes == 1 ? "" : "es",
             r.points_least == r.points_most ? fmt::format("{}", r.points_most)
                                             : fmt::format("{} to {}", r.points_least, r.points_most));
  if (r.no_data_share >= 5e-5)
    fmt::print("  {:.2f} % of the values' places hold no data\n", 100 * r.no_data_share);
  else if (r.no_data_share > 0)
    fmt::print("  less than 0.01 % of the values' places hold no data\n");
  if (r.dropped > 0)
    fmt::print("  {} dropped: data in some cases only (--moving own-mesh keeps such points)\n",
               r.dropped == 1 ? "1 point was" : fmt::format("{} points were", r.dropped));
  if (r.wall_points > 0) fmt::print("  {} point{} on the wall\n", r.wall_points, r.wall_points == 1 ? "" : "s");
  fmt::print("look at it with \"fluidsplat data info {0}\", go on with \"fluidsplat init {0}\"\n", out);
}

void import_files(const importing::Recipe& recipe, const std::string& out, const Config& keys) {
  std::unique_ptr<Progress> progress;
  std::string current;
  importing::ImportHooks hooks;
  hooks.progress = [&](const std::string& what, Index done, Index total) {
    if (current != what) {
      current = what;
      progress.reset();
      progress = std::make_unique<Progress>(what, total);
    }
    progress->update(done);
  };
  hooks.interrupted = interrupted;
  try {
    const auto report = importing::import_dataset(recipe, out, hooks);
    progress.reset();
    if (!report.complete)
      fmt::print(stderr, "interrupted; nothing was written\n");
    else
      print_report(out, report, keys);
  } catch (const Error& e) {
    throw Error(as_options(e.what(), keys));
  }
}

// A pattern must reach the program as it is.
std::string quoted(const std::string& word) {
  return word.find_first_of("*?[ ") == std::string::npos ? word : "'" + word + "'";
}

// What the files hold, and the command that imports them.
void show_contents(const importing::Recipe& recipe) {
  const auto contents = importing::look_inside(recipe.files);
  for (const auto& line : contents.lines) fmt::print("{}\n", line);
  std::string command = "fluidsplat data import";
  // A list that the shell made of a pattern would fill the screen.
  auto files = recipe.files;
  if (const auto pattern = importing::pattern_of(files); files.size() > 3 && !pattern.empty()) files = {pattern};
  for (const auto& file : files) command += " " + quoted(file);
  for (const auto& [key, value] : contents.recipe) command += " " + option_name(key) + " " + quoted(value);
  auto stem = std::filesystem::absolute(files.front()).lexically_normal().stem().string();
  if (stem.empty() || stem.find_first_of("*?[") != std::string::npos) stem = "data";
  if (std::filesystem::path(recipe.files.front()).extension() == ".h5") stem += "-dataset";  // not over what is read
  fmt::print("to make a dataset of it (change what does not suit; docs/data.md):\n  {} --out {}.h5\n", command, stem);
}

}  // namespace

void add_data_import(CLI::App& data) {
  struct Options {
    importing::Recipe recipe;
    Config keys;
    std::string file, out, benchmark;
    std::vector<std::string> files;
    std::map<std::string, std::string> given;  // by key, as written
    bool show = false;
  };
  auto o = std::make_shared<Options>();
  o->recipe.bind(o->keys);
  auto* command =
      data.add_subcommand("import", "make a dataset of your own arrays, VTK files, tables or OpenFOAM case");
  command->add_option("files", o->files, "what to read; patterns in quotes, such as 'run/*.vtu'");
  command->add_option("--out", o->out,
                      "the dataset to write (.h5); without it: what the files hold, and what to type next");
  std::vector<std::string> benchmark_lines;
  for (const auto& b : benchmarks::all_benchmarks()) benchmark_lines.push_back(fmt::format("{}: {}", b.name, b.what));
  command->add_option("--benchmark", o->benchmark,
                      fmt::format("the files are those of a published benchmark, with its protocol ({})",
                                  fmt::join(benchmark_lines, "; ")));
  command->add_option("--recipe", o->file, "a TOML file with any of the settings below (- becomes _)");
  command->add_flag("--show", o->show, "print the recipe as it was understood, and stop");
  // Every key of a recipe is an option too, and the option wins.
  for (const auto& key : o->keys.keys()) {
    if (key.name == "files") continue;
    const auto doc = key.choices.empty() ? key.doc : fmt::format("{} ({})", key.doc, fmt::join(key.choices, ", "));
    if (std::holds_alternative<bool*>(key.target))
      command->add_flag_callback(
          option_name(key.name), [o, name = key.name] { o->given[name] = "true"; }, doc);
    else
      command->add_option_function<std::string>(
          option_name(key.name), [o, name = key.name](const std::string& text) { o->given[name] = text; }, doc);
  }
  command->callback([o] {
    if (!o->file.empty()) o->keys.read_file(o->file);
    for (const auto& [name, text] : o->given) o->keys.override_with_list(name, text);
    if (!o->files.empty()) o->recipe.files = o->files;
    if (!o->benchmark.empty()) {
      if (o->files.size() != 1) fail("--benchmark {}: name the one file or folder that holds it", o->benchmark);
      if (!o->given.empty() || !o->file.empty() || o->show)
        fail("--benchmark {} knows how its files are to be read; leave the settings of a recipe out", o->benchmark);
      return import_benchmark(o->benchmark, o->files[0], o->out.empty() ? "data/" + o->benchmark + ".h5" : o->out);
    }
    if (o->show)
      fmt::print("{}", o->keys.to_toml());
    else if (o->out.empty())
      show_contents(o->recipe);
    else
      import_files(o->recipe, o->out, o->keys);
  });
}

}  // namespace fluidsplat::app
