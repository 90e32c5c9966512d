// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/sensor_check.h"

namespace fluidsplat::uncertainty {

// The instants of a series, in blocks that count once: at least `block` in a row each, and instants in a row whose
// normalised readings hardly differ (a steady flow that is read again) in one.  Gives the block of each.
std::vector<Index> blocks_of(const std::vector<std::vector<float>>& normalized, Index block);

// What readings differ by in each block, as Calibration::block_steps has it; [blocks, 2 V], NaN where nobody spoke.
// `steps` is InstantFindings::steps of each instant.
model::Matrix block_steps(const std::vector<std::vector<float>>& steps, const std::vector<Index>& block_of);

// Do the blocks of a series differ from those of the calibration?  Each reading's mean and root mean square, compared
// in standard errors; the p-value of the largest is its rank among random exchanges of blocks between the two (a
// permutation test).  As long as the blocks of both are exchangeable, P(p_value <= p) <= p for any p.
struct BlockComparison {
  double p_value = 1;
  std::vector<double> excess;  // [V], the larger of both, in standard errors of the calibrated blocks
  double largest = 0;          // of these
};
BlockComparison compare_blocks(const model::Matrix& calibrated, const model::Matrix& seen, std::uint64_t seed = 1);

// What was found in a series.
struct SeriesFindings {
  std::vector<InstantFindings> rows;
  std::vector<Index> wrong;  // sensors that all rows together show to be wrong, in the order they were found
  double p_value = 1;        // of the series before any of these was taken out
};

// Each sensor against what the others say, in every instant and in all together: what a single one does not show, as a
// small bias, the mean over many does.  Sets what is to be ignored to NaN in rows of values [N][C].  `go_to` is told
// which row is looked at next.  `false_alarms` is the share of series with sound sensors in which one is wrongly taken
// out, on top of what SensorCheck does in single instants.
SeriesFindings check_rows(SensorCheck& check, const Calibration& calibration, const InstantReadings& own,
                          std::vector<std::vector<float>>& rows, double false_alarms,
                          const std::function<void(Index row)>& go_to = {});

}  // namespace fluidsplat::uncertainty
