// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/common_points.h"

namespace fluidsplat::importing {

std::optional<Index> CommonPoints::add(Index index, const field::Fingerprint& mesh, const std::vector<bool>& here) {
  std::optional<Index> revealed;
  const auto [first, fresh] = first_.try_emplace(mesh, First{index, field::fingerprint(here)});
  auto differing = differing_.find(mesh);
  if (!fresh && differing == differing_.end() && field::fingerprint(here) != first->second.points) {
    const auto points = first_points(mesh, first->second);
    differing = differing_.emplace(mesh, Differing{points, points}).first;
  }
  if (differing != differing_.end()) {
    auto& [in_all, in_some] = differing->second;
    for (std::size_t p = 0; p < here.size(); ++p) {
      if (here[p] != in_all[p] && !revealed) revealed = p;
      in_all[p] = in_all[p] && here[p];
      in_some[p] = in_some[p] || here[p];
    }
  }
  last_mesh_ = mesh;
  last_points_ = here;
  return revealed;
}

// As long as cases of a mesh do not differ, the last one stands for the first.
std::vector<bool> CommonPoints::first_points(const field::Fingerprint& mesh, const First& first) const {
  return mesh == last_mesh_ ? last_points_ : reread_(first.index);
}

const std::vector<bool>& CommonPoints::of(const field::Fingerprint& mesh, const std::vector<bool>& here) const {
  const auto it = differing_.find(mesh);
  return it == differing_.end() ? here : it->second.in_all;
}

Index CommonPoints::dropped() const {
  Index out = 0;
  for (const auto& [mesh, points] : differing_)
    for (std::size_t p = 0; p < points.in_all.size(); ++p) out += points.in_some[p] && !points.in_all[p];
  return out;
}

}  // namespace fluidsplat::importing
