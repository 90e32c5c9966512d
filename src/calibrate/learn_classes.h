// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of places, so that bands hold as much near a wall and in a wake as far from both.
#pragma once

#include "calibrate/case_errors.h"
#include "calibrate/lesson.h"

namespace fluidsplat::calibrate {

// The regions of `regions_of`, each in `levels` parts by how much the model errs there; learnt from cases that are
// never calibrated on.  Where every case has a mesh of its own, walls may be elsewhere in each: if a feature of the
// points tells who is near one, such as the distance from it, that decides, and the parts are by that feature.  One
// class without levels.  Throws std::logic_error without lessons.
uncertainty::PlaceClasses learn_classes(const LessonList& lessons, Index levels);

// Every group of cases must have points of every class.  One that some group has none of is joined with the next, the
// last with the one before: the new number of each class.  Points decide that, and never errors.
std::vector<uncertainty::PlaceClasses::Class> joined_classes(const std::vector<CaseErrors>& cases,
                                                             const std::vector<std::vector<Index>>& groups,
                                                             Index classes);

}  // namespace fluidsplat::calibrate
