// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "base/index.h"
#include "field/mesh_contents.h"

namespace fluidsplat::importing {

// Finds, mesh by mesh, the points that have data in all cases.  Meshes are told apart by their fingerprints.  Points
// are remembered only for meshes whose cases differ; of the others stay a few numbers.
class CommonPoints {
 public:
  // Which points of an earlier case have data, read again.
  using Reread = std::function<std::vector<bool>(Index index)>;
  explicit CommonPoints(Reread reread) : reread_(std::move(reread)) {}

  // Adds a case that has data at the points `here`.  Returns a point that has data in some cases of its mesh only, the
  // first that this case reveals.
  std::optional<Index> add(Index index, const field::Fingerprint& mesh, const std::vector<bool>& here);
  // The points to keep of a case that has data at the points `here`.
  const std::vector<bool>& of(const field::Fingerprint& mesh, const std::vector<bool>& here) const;
  // How many points of all meshes have data in some cases only.
  Index dropped() const;

 private:
  struct First {
    Index index;
    field::Fingerprint points;
  };
  struct Differing {
    std::vector<bool> in_all, in_some;
  };
  std::vector<bool> first_points(const field::Fingerprint& mesh, const First& first) const;

  Reread reread_;
  std::map<field::Fingerprint, First> first_;
  std::map<field::Fingerprint, Differing> differing_;
  // The case before: cases of one mesh usually come in a row, and then nothing needs to be read again.
  field::Fingerprint last_mesh_;
  std::vector<bool> last_points_;
};

}  // namespace fluidsplat::importing
