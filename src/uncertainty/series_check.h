// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "uncertainty/sensor_check.h"

namespace fluidsplat::uncertainty {

// The instants of a series, in blocks that count once: at least `block` in a row each, and instants in a row whose
// normalised readings hardly differ (a steady flow that is read again) in one.  Gives the block of each.
std::vector<Index> blocks_of(const std::vector<std::vector<float>>& normalized, Index block);

// Do the blocks of a series differ from those of the calibration?  Each reading's mean and root mean square, compared
// in standard errors; the p-value of the largest is its rank among exchanges of blocks between the two (a permutation
// test), all of them or 999 drawn at random.  As long as the blocks of both are exchangeable, P(p_value <= p) <= p for
// any p.  It is never below 1 over the number of exchanges: one block beside n of the past has n + 1.
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
  double p_value = 1;        // of the series without those that single rows already took out of most of them
};

// Each sensor against what the others say, in every instant and in all together: what a single one does not show, as a
// small bias, the mean over many does.  Sets what is to be ignored to NaN in rows of values [N][C].  `go_to` is told
// which row is looked at next.  `false_alarms` is the share of series with sound sensors in which one is wrongly taken
// out, on top of what SensorCheck does in single instants; so with silent sensors, too, as long as these are the same
// in most rows.  A series that is shorter than a block is looked at row by row alone.
SeriesFindings check_rows(SensorCheck& check, const Calibration& calibration, const InstantReadings& own,
                          std::vector<std::vector<float>>& rows, double false_alarms,
                          const std::function<void(Index row)>& go_to = {});

}  // namespace fluidsplat::uncertainty
