// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/input_files.h"

#include <glob.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "io/pvd.h"

namespace fluidsplat::importing {
namespace {

std::vector<std::string> matches(const std::string& pattern) {
  if (std::filesystem::exists(pattern)) return {pattern};
  if (pattern.find_first_of("*?[") == std::string::npos) fail("{}: no such file", pattern);
  glob_t found{};
  const int outcome = ::glob(pattern.c_str(), 0, nullptr, &found);
  std::vector<std::string> out;
  if (outcome == 0) out.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (out.empty()) fail("{}: no file matches", pattern);
  std::sort(out.begin(), out.end(), natural_less);
  return out;
}

InputKind kind_of(const std::filesystem::path& path) {
  const auto extension = path.extension();
  if (extension == ".npy" || extension == ".npz") return InputKind::arrays;
  if (extension == ".vtu" || extension == ".vti" || extension == ".vtp") return InputKind::vtk;
  if (extension == ".h5" || extension == ".hdf5")
    fail("{}: HDF5 files differ too much to be guessed at; save the arrays with numpy.savez and import that",
         path.string());
  if (extension == ".vtk")
    fail("{}: legacy VTK files are not read; save it as .vtu, .vtp or .vti in ParaView", path.string());
  fail("{}: the extension \"{}\" is unknown; .npy, .npz, .vtu, .vti, .vtp and .pvd can be imported", path.string(),
       extension.string());
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
  for (const auto& pattern : patterns)
    for (const auto& name : matches(pattern)) {
      const std::filesystem::path path = name;
      if (std::filesystem::is_directory(path))
        fail("{}: is a folder; name its files, for example \"{}/*.vtu\"", name, name);
      if (path.extension() == ".pvd") {
        const auto entries = io::read_pvd(path);
        if (entries.empty()) fail("{}: names no files", name);
        for (const auto& entry : entries) {
          out.files.push_back({path.parent_path() / entry.file, entry.time});
          if (!std::filesystem::exists(out.files.back().path))
            fail("{}: names {}, which does not exist", name, out.files.back().path.string());
        }
      } else {
        out.files.push_back({path});
      }
    }
  out.kind = kind_of(out.files.front().path);
  for (const auto& file : out.files)
    if (kind_of(file.path) != out.kind)
      fail("{} and {}: NumPy and VTK files cannot be mixed in one import", out.files.front().path.string(),
           file.path.string());
  return out;
}

}  // namespace fluidsplat::importing
