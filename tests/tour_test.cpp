// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// docs/tour.md says what is typed and what is printed: this types it and reads.  With FLUIDSPLAT_WRITE_TOUR=1 in the
// environment, what is printed is put into the page instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "base/atomic_file.h"
#include "base/index.h"
#include "base/temporary_folder.h"
#include "tests/run_program.h"
#include "tests/tour_inputs.h"

namespace fluidsplat::tests {
namespace {

const std::filesystem::path kPage = FLUIDSPLAT_DOCS "/tour.md";
const std::string kPrompt = "$ fluidsplat ", kFence = "```";

struct Step {
  std::string section, command;       // the command as it is typed, without the prompt
  std::string printed;                // what the page shows
  std::size_t begin = 0, length = 0;  // of what it shows, in the page
};

// Every command of the page in order.
std::vector<Step> steps_of(const std::string& page) {
  std::vector<Step> out;
  std::string section;
  bool inside = false;  // what a command printed
  for (std::size_t at = 0; at < page.size();) {
    const auto end = std::min(page.find('\n', at), page.size() - 1) + 1;
    const auto line = page.substr(at, end - at);
    at = end;
    if (line.starts_with("## ")) section = line.substr(3, line.size() - 4);
    if (line.starts_with(kFence)) inside = false;
    if (line.starts_with(kPrompt)) {
      out.push_back({section, line.substr(2, line.size() - 3), "", at, 0});
      inside = true;
    } else if (inside) {
      out.back().printed += line;
      out.back().length += line.size();
    }
  }
  return out;
}

// The words of a command, as a shell sees them.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> out;
  std::string word;
  bool quoted = false;
  for (char c : command + " ") {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) out.push_back(std::exchange(word, ""));
    } else {
      word += c;
    }
  }
  return out;
}

// What a command prints without what differs from machine to machine.  What is said of data is compared to the last
// digit.  Of models, numbers with a fraction, durations, the worst case and the verdict depend on training.
std::string masked(const std::string& command, std::string text) {
  text = std::regex_replace(text, std::regex(" +\n"), "\n");
  if (command.starts_with("fluidsplat data ")) return text;
  const std::pair<const char*, const char*> patterns[] = {
      {R"((\d+ h )?(\d+ min )?\d+(\.\d+)? (s|ms)\b)", "TIME"},
      {R"(case \d+ "[^"]*")", "CASE"},
      {R"((the mean field alone errs by )[^\n]*\n[^\n]*)", "$1NUMBER, VERDICT"},
      {R"(: better than this model)", ""},
      {R"(error [-+.e\d]+)", "error NUMBER"},
      {R"([-+]?\d+\.\d+(e[-+]?\d+)?|\d+e[-+]?\d+)", "NUMBER"},
      {R"( +)", " "},
  };
  for (const auto& [pattern, instead] : patterns) text = std::regex_replace(text, std::regex(pattern), instead);
  return text;
}

// Whether a text is what the page shows, in which "..." stands for any lines.
bool matches(const std::string& text, const std::string& shown) {
  const std::string gap = "...\n";
  std::size_t at = 0, from = 0;
  for (bool first = true;; first = false) {
    const auto cut = shown.find(gap, from);
    const auto part = shown.substr(from, cut == std::string::npos ? cut : cut - from);
    if (cut == std::string::npos && first) return text == part;
    if (cut == std::string::npos) return text.size() - at >= part.size() && text.ends_with(part);
    const auto found = first ? (text.starts_with(part) ? 0 : std::string::npos) : text.find(part, at);
    if (found == std::string::npos) return false;
    at = found + part.size();
    from = cut + gap.size();
  }
}

void tour(const std::string& format) {
  auto page = read_file(kPage);
  const bool rewrite = std::getenv("FLUIDSPLAT_WRITE_TOUR") != nullptr;
  TemporaryFolder folder;
  write_tour_inputs(folder.path());
  std::ptrdiff_t grown = 0;
  int typed = 0;
  for (const auto& step : steps_of(page)) {
    if (step.section != format) continue;
    ++typed;
    const auto words = words_of(step.command);
    const auto outcome = run({words.begin() + 1, words.end()}, folder.path().string());
    ASSERT_EQ(outcome.exit_code, 0) << step.command << "\n" << outcome.err;
    if (matches(masked(step.command, outcome.out), masked(step.command, step.printed))) continue;
    if (rewrite) {
      page.replace(std::size_t(std::ptrdiff_t(step.begin) + grown), step.length, outcome.out);
      grown += std::ssize(outcome.out) - std::ssize(step.printed);
    } else {
      ADD_FAILURE() << "docs/tour.md, after\n$ " << step.command << "\nshows\n"
                    << step.printed << "but printed was\n"
                    << outcome.out << "(FLUIDSPLAT_WRITE_TOUR=1 puts this into the page)";
    }
  }
  EXPECT_GE(typed, 6) << "the page has lost its section " << format;
  if (rewrite) write_file(kPage, page);
}

TEST(Tour, NumPy) {
  tour("NumPy arrays");
}

TEST(Tour, Tables) {
  tour("A folder of CSV files");
}

TEST(Tour, Vtk) {
  tour("A series of VTK files");
}

TEST(Tour, NetCdf) {
  tour("NetCDF");
}

TEST(Tour, OpenFoam) {
  tour("An OpenFOAM case");
}

}  // namespace
}  // namespace fluidsplat::tests
