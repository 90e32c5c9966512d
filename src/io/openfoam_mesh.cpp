// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/openfoam_mesh.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "io/openfoam_list.h"

namespace fluidsplat::io {
namespace {

// The words of a dictionary, without comments; braces, parentheses and semicolons are words of their own.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) out.push_back(std::exchange(word, ""));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto rest = std::string_view(text).substr(i);
    if (rest.starts_with("//")) {
      end_word();
      i = std::min(text.find('\n', i), text.size());
    } else if (rest.starts_with("/*")) {
      end_word();
      const auto close = text.find("*/", i + 2);
      i = close == std::string::npos ? text.size() : close + 1;
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      end_word();
    } else if (std::string_view("{}();").find(text[i]) != std::string_view::npos) {
      end_word();
      out.emplace_back(1, text[i]);
    } else {
      word += text[i];
    }
  }
  end_word();
  return out;
}

Index number_of(const std::string& word) {
  const bool digits = !word.empty() && word.size() < 18 && word.find_first_not_of("0123456789") == std::string::npos;
  return digits ? Index(std::stoll(word)) : Index{-1};
}

}  // namespace

std::vector<FoamPatch> read_foam_boundary(const std::filesystem::path& file) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 26;
  const auto words = words_of(read_file(file, kMaxBytes));
  std::vector<FoamPatch> out;
  int depth = 0;
  Index announced = -1;
  // A list "5 ( name { type wall; nFaces 4; startFace 9; } ... )" after a header that looks like an entry.
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "(" && depth == 0 && i > 0) announced = number_of(words[i - 1]);
    if (words[i] == "{" && depth++ == 0 && i > 0) out.push_back({words[i - 1], ""});
    if (words[i] == "}") --depth;
    if (depth != 1 || out.empty() || i + 1 == words.size()) continue;
    auto& patch = out.back();
    if (words[i] == "type" && patch.type.empty()) patch.type = words[i + 1];
    if (words[i] == "nFaces") patch.faces = number_of(words[i + 1]);
    if (words[i] == "startFace") patch.start = number_of(words[i + 1]);
  }
  std::erase_if(out, [](const FoamPatch& patch) { return patch.name == "FoamFile"; });
  if (depth != 0 || announced != std::ssize(out) || words.back() != ")")
    fail("{}: is damaged: it announces {} patches and holds {}", file.string(), announced, out.size());
  return out;
}

void check_foam_mesh(const std::filesystem::path& folder, const std::vector<FoamPatch>& patches) {
  const Index points = FoamList(folder / "points").count_points();
  const Index faces = FoamList(folder / "faces").count_faces(points);
  FoamList owner_file(folder / "owner"), neighbour_file(folder / "neighbour");
  const auto owner = owner_file.labels(), neighbour = neighbour_file.labels();
  if (std::ssize(owner) != faces || std::ssize(neighbour) > faces)
    fail("{}: is damaged: {} faces have {} owners and {} neighbours", folder.string(), faces, owner.size(),
         neighbour.size());
  // Every cell has faces of its own: it has at most as many as there are.
  for (const Index cell : owner)
    if (cell < 0 || cell >= faces) owner_file.refuse(fmt::format("{} is not the number of a cell", cell));
  const Index cells = owner.empty() ? 0 : *std::ranges::max_element(owner) + 1;
  std::vector<bool> seen(std::size_t(cells), false);
  for (const Index cell : owner) seen[std::size_t(cell)] = true;
  for (const Index cell : neighbour) {
    if (cell < 0 || cell >= faces) neighbour_file.refuse(fmt::format("{} is not the number of a cell", cell));
    if (cell >= std::ssize(seen)) seen.resize(std::size_t(cell) + 1, false);
    seen[std::size_t(cell)] = true;
  }
  if (const auto lost = std::ranges::find(seen, false); lost != seen.end())
    fail("{}: is damaged: the cell {} has no faces", folder.string(), lost - seen.begin());
  for (const auto& patch : patches)
    if (patch.faces < 0 || patch.start < 0 || patch.start > faces || patch.faces > faces - patch.start)
      fail("{}/boundary: is damaged: the patch \"{}\" has faces that are not there; there are {}", folder.string(),
           patch.name, faces);
}

}  // namespace fluidsplat::io
