// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/field_bands.h"
#include "reconstruct/functionals.h"

namespace fluidsplat::reconstruct {

// The calibrated numbers of a case whose truth is known: forces, probes, box means, in the calibration's order.
struct JudgedFunctionals {
  Index index = 0;
  std::string name;
  double time = 0;
  bool is_calibrated_on = false;  // then it says nothing of how good the intervals are
  std::vector<double> truth = {}, said = {}, lower = {}, upper = {};
};

class FunctionalJudge {
 public:
  // Throws Error for a level that cannot be promised; `where` is what messages call the data.
  FunctionalJudge(FieldModel& model, std::shared_ptr<const uncertainty::Calibration> calibration,
                  const uncertainty::BandRequest& request, const std::string& where);
  const std::vector<uncertainty::Functional>& list() const { return functionals_.list(); }
  // `said` is the field that the model made of these readings.
  JudgedFunctionals judge(const field::Case& c, Index index, const field::SensorReadings& readings,
                          const field::Matrix& said);

 private:
  FieldModel& model_;
  std::shared_ptr<const uncertainty::Calibration> calibration_;
  Functionals functionals_;
  uncertainty::Band band_;
};

// One row per case: of each number true, said, lower and upper.
std::string functionals_csv(const std::vector<JudgedFunctionals>& rows,
                            const std::vector<uncertainty::Functional>& list);
// A line for each number: how wide its interval is, what it errs by, and in how many cases it held.
std::string describe_functionals(const std::vector<JudgedFunctionals>& rows,
                                 const std::vector<uncertainty::Functional>& list, double level);

}  // namespace fluidsplat::reconstruct
