// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "import/case_reader.h"
#include "mesh/flatness.h"

namespace fluidsplat::importing {

// Cases of a reader that gives points in space, as 2-D when they are flat: in one plane, or in two planes opposite each
// other with the same values.  A constant channel that is named for the missing direction (w, U_z) is left out.  What
// was done is said in the notes.
std::unique_ptr<CaseReader> flatten(std::unique_ptr<CaseReader> reader);

// Of a case on two planes of points: how far the values of the planes are apart, as a share of their channel's spread.
double planes_differ(const field::Matrix& fields, const mesh::Flatness& flatness);
// Above this the two planes are data of their own.
constexpr double kPlanesAgree = 1e-3;
// Keeps the points of one plane.
void take_plane(field::Case& c, const mesh::Flatness& flatness);

// Whether a channel of this name is a vector's component along an axis: u, v, w, or a name that ends in its letter or
// number (U_z, Uz, U:2).
bool is_component(const std::string& name, int axis);

std::string across_note(const std::string& name);
std::string planes_note(const std::string& where);
// For a component that was left out and then varies.
[[noreturn]] void refuse_varying(const std::string& where, const std::string& name);

// Finds out whether the component across flat data tells anything: beside the vector's other components, its spread is
// more than the round-off of a solver that works in space.
class AcrossCheck {
 public:
  // Columns of the fields.
  AcrossCheck() = default;
  AcrossCheck(Index column, std::vector<Index> siblings) : column_(column), siblings_(std::move(siblings)) {}
  bool is_constant(const field::Matrix& fields);
  Index column() const { return column_; }

 private:
  Index column_ = -1;
  std::vector<Index> siblings_;
  double largest_ = 0;  // spread of the others so far: a flow may start from rest
};

}  // namespace fluidsplat::importing
