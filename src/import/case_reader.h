// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/index.h"
#include "field/case.h"
#include "import/input_files.h"
#include "import/recipe.h"
#include "import/vtk_frames.h"

namespace fluidsplat::importing {

// Cases as a user's files hold them: on all their points, with NaN where there are no data.  Read in increasing order;
// going back starts a new pass.
class CaseReader {
 public:
  virtual ~CaseReader() = default;
  // Coordinates, channels and features; descriptors come from the table of cases.
  virtual const field::Schema& schema() const = 0;
  virtual Index size() const = 0;
  // Cases may share a Mesh, and need not.  The descriptors are left empty.
  virtual field::Case read(Index index) = 0;
  // The name of a case, and its time when the files tell (NaN when not), without reading it.
  virtual std::string name(Index index) const = 0;
  virtual double time(Index index) const = 0;
  // Descriptors that the files themselves hold, [cases, names.size()].
  virtual field::Matrix descriptors(const std::vector<std::string>& names) = 0;
  // How the files were understood, for people.
  virtual const std::vector<std::string>& notes() const = 0;
};

std::unique_ptr<CaseReader> read_arrays(const Recipe& recipe, const std::vector<InputPath>& files);
std::unique_ptr<CaseReader> read_tables(const Recipe& recipe, const std::vector<InputPath>& files);
std::unique_ptr<CaseReader> read_vtk_series(const Recipe& recipe, std::unique_ptr<VtkFrames> frames);

// Names and units as a user gave them; `what` is the recipe's key.
std::vector<field::Column> make_columns(const std::vector<std::string>& names, const std::vector<std::string>& units,
                                        const char* what);
// What to say of a case whose wall has faces that enclose nothing.
std::string open_surface_note(const std::string& name);
// Turns the values that mean "no data" into NaN.
void blank_no_data(field::Matrix& fields, const std::vector<double>& no_data);

}  // namespace fluidsplat::importing
