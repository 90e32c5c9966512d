// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/input_files.h"

#include <glob.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/index.h"
#include "io/pvd.h"
#include "io/series.h"

namespace fluidsplat::importing {
namespace {

namespace fs = std::filesystem;

constexpr std::array kArrays = {".npy", ".npz", ".h5", ".hdf5", ".nc", ".nc4", ".cdf", ".mat"};
constexpr std::array kVtk = {".vtu", ".vti", ".vtp", ".vts", ".vtr", ".vtm", ".vtk"};
constexpr std::array kTables = {".csv", ".tsv", ".txt", ".dat", ".xy", ".raw"};

std::optional<InputKind> known_kind(const fs::path& path) {
  const auto extension = path.extension().string();
  const auto is_one_of = [&](const auto& list) { return std::find(list.begin(), list.end(), extension) != list.end(); };
  if (is_one_of(kArrays)) return InputKind::arrays;
  if (is_one_of(kVtk)) return InputKind::vtk;
  if (is_one_of(kTables)) return InputKind::tables;
  return {};
}

InputKind kind_of(const fs::path& path) {
  if (fs::is_directory(path)) return InputKind::openfoam;
  if (const auto kind = known_kind(path)) return *kind;
  fail(
      "{}: the extension \"{}\" is unknown; these can be imported: {} (arrays), {}, .pvd, .series (VTK), {} (tables), "
      "and OpenFOAM's case folders or .foam",
      path.string(), path.extension().string(), fmt::join(kArrays, " "), fmt::join(kVtk, " "), fmt::join(kTables, " "));
}

const char* name_of(InputKind kind) {
  switch (kind) {
    case InputKind::arrays:
      return "arrays";
    case InputKind::vtk:
      return "VTK files";
    case InputKind::tables:
      return "tables";
    case InputKind::openfoam:
      return "an OpenFOAM case";
  }
  return "";
}

bool is_openfoam_case(const fs::path& folder) {
  return fs::exists(folder / "constant" / "polyMesh") || fs::exists(folder / "system" / "controlDict");
}

std::vector<std::string> matches_or_none(const std::string& pattern) {
  glob_t found{};
  const int outcome = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> out;
  if (outcome == 0) out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  return out;
}

std::vector<std::string> matches(const std::string& pattern) {
  if (fs::exists(pattern)) return {pattern};
  if (pattern.find_first_of("*?[") == std::string::npos) fail("{}: no such file", pattern);
  auto out = matches_or_none(pattern);
  if (out.empty()) fail("{}: no file matches", pattern);
  return out;
}

// The files of a folder that can be read, all of one extension.
std::vector<std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::vector<std::string>> by_extension;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && known_kind(entry.path()) && !entry.path().filename().string().starts_with('.'))
      by_extension[entry.path().extension().string()].push_back(entry.path().string());
  if (by_extension.empty())
    fail("{}: is a folder without files that can be imported, and no OpenFOAM case (constant/polyMesh is not there)",
         folder.string());
  if (by_extension.size() > 1) {
    std::vector<std::string> kinds;
    for (const auto& [extension, files] : by_extension)
      kinds.push_back(fmt::format("\"{}/*{}\" ({})", folder.string(), extension, files.size()));
    fail("{}: is a folder with files of several kinds; say which to read: {}", folder.string(),
         fmt::join(kinds, " or "));
  }
  return by_extension.begin()->second;
}

// The files that a list of ParaView names, with their times.
void add_series(const fs::path& list, const std::vector<io::PvdEntry>& entries, InputList& out) {
  if (entries.empty()) fail("{}: names no files", list.string());
  for (const auto& entry : entries) {
    out.files.push_back({list.parent_path() / entry.file, entry.time});
    if (!fs::exists(out.files.back().path))
      fail("{}: names {}, which does not exist", list.string(), out.files.back().path.string());
  }
}

bool is_list(const fs::path& path) {
  return path.extension() == ".pvd" || path.extension() == ".series";
}

// A case that is there twice could be trained on and judged by.
void drop_repeated(std::vector<std::string>& files, std::vector<std::string>& notes) {
  std::set<fs::path> seen;
  const auto again = [&](const std::string& file) { return !seen.insert(fs::weakly_canonical(file)).second; };
  const auto repeated = std::erase_if(files, again);
  if (repeated > 0)
    notes.push_back(fmt::format("{} file{} named twice: read once", repeated, repeated == 1 ? " is" : "s are"));
}

void sort_files(std::vector<std::string>& files, std::vector<std::string>& notes) {
  const auto given = files;
  std::stable_sort(files.begin(), files.end(), natural_less);
  if (files == given) return;
  const auto name = [](const std::string& path) { return fs::path(path).filename().string(); };
  notes.push_back(fmt::format("{} files, sorted as people count: {}, {}, ... {}", files.size(), name(files[0]),
                              name(files[1]), name(files.back())));
}

}  // namespace

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::size_t i_end = i, j_end = j;
      while (i_end < a.size() && digit(a[i_end])) ++i_end;
      while (j_end < b.size() && digit(b[j_end])) ++j_end;
      while (i + 1 < i_end && a[i] == '0') ++i;
      while (j + 1 < j_end && b[j] == '0') ++j;
      if (i_end - i != j_end - j) return i_end - i < j_end - j;
      if (const int order = a.compare(i, i_end - i, b, j, j_end - j); order != 0) return order < 0;
      i = i_end, j = j_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
    }
  }
  return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

InputList expand_inputs(const std::vector<std::string>& patterns) {
  InputList out;
  std::vector<std::string> names;
  bool lists = false;
  for (const auto& pattern : patterns) {
    auto found = matches(pattern);
    std::sort(found.begin(), found.end(), natural_less);
    for (const auto& name : found) {
      const fs::path path = name;
      if (path.extension() == ".foam") {
        names.push_back(path.has_parent_path() ? path.parent_path().string() : ".");
      } else if (fs::is_directory(path) && !is_openfoam_case(path)) {
        auto inside = files_in(path);
        std::sort(inside.begin(), inside.end(), natural_less);
        names.insert(names.end(), inside.begin(), inside.end());
      } else {
        names.push_back(name);
      }
      lists = lists || is_list(path);
    }
  }
  drop_repeated(names, out.notes);
  if (!lists) sort_files(names, out.notes);
  for (const fs::path path : names)
    if (path.extension() == ".pvd")
      add_series(path, io::read_pvd(path), out);
    else if (path.extension() == ".series")
      add_series(path, io::read_series(path), out);
    else
      out.files.push_back({path});
  out.kind = kind_of(out.files.front().path);
  for (const auto& file : out.files)
    if (const auto kind = kind_of(file.path); kind != out.kind)
      fail("{} and {}: {} and {} cannot be mixed in one import", out.files.front().path.string(), file.path.string(),
           name_of(out.kind), name_of(kind));
  if (out.kind == InputKind::openfoam && out.files.size() > 1)
    fail("{} and {}: one OpenFOAM case at a time can be imported", out.files[0].path.string(),
         out.files[1].path.string());
  return out;
}

std::string pattern_of(const std::vector<std::string>& files) {
  if (files.size() < 2) return "";
  const auto &first = files.front(), &last = *std::ranges::max_element(files);
  const auto& least = *std::ranges::min_element(files);
  const auto begin = std::ranges::mismatch(least, last).in1 - least.begin();
  Index end = std::ssize(first);  // how many characters all end in
  for (const auto& file : files) {
    const auto common = std::mismatch(first.rbegin(), first.rend(), file.rbegin(), file.rend()).first - first.rbegin();
    end = std::min<Index>({end, common, std::ssize(file) - begin});
  }
  const auto pattern =
      std::string(first.begin(), first.begin() + begin) + "*" + std::string(first.end() - end, first.end());
  auto given = files, found = fs::exists(pattern) ? std::vector<std::string>() : matches_or_none(pattern);
  std::ranges::sort(given);
  std::ranges::sort(found);
  return given == found ? pattern : "";
}

}  // namespace fluidsplat::importing
