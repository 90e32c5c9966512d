// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/index.h"
#include "draw/picture.h"
#include "field/metrics.h"
#include "report/trust_part.h"

namespace fluidsplat::report {

// One case to show.
struct ShownCase {
  std::string caption;  // "worst", "median", ...
  std::string name;
  Index index = 0;
  double time = 0;
  std::shared_ptr<const field::Mesh> mesh;
  field::Matrix truth, prediction, scaffold;
  std::string scaffold_is_added_to;  // "the mean field"; empty: the scaffold is of the whole field
  field::Matrix sensors;             // positions
  std::vector<draw::Ellipse> primitives;
  field::CaseError error;
};

// All that a report shows.
struct ReconstructionReport {
  std::string title;
  std::vector<std::string> introduction;          // paragraphs
  std::vector<std::vector<std::string>> numbers;  // a table, header first
  field::Schema schema;
  std::vector<ShownCase> cases;
  std::vector<double> test_time, test_error;        // over the test cases, in order of time
  std::vector<double> loss_step, loss, validation;  // the training curve
  // Drag, lift and moment over the test cases, in order of time; empty when they were not judged.
  struct Force {
    std::string name;
    std::vector<double> time, truth, predicted;
  };
  std::vector<Force> forces;
  std::optional<TrustPart> trust;  // of a calibrated model
  std::string config;
};

std::string to_html(const ReconstructionReport& report);

}  // namespace fluidsplat::report
