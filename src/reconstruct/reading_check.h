// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reconstruct/known_readings.h"
#include "reconstruct/reading_table.h"

namespace fluidsplat::reconstruct {

// Holds readings against what training saw.
class ReadingCheck {
 public:
  // `own`: the sensors are the model's, so that each is known by itself; else only what a channel may be is known.
  ReadingCheck(const KnownReadings& known, const field::Schema& schema, const field::SensorLayout& sensors, bool own);

  // What is odd about one instant's readings [N, C], in words; empty when nothing is.
  std::string about(const field::Matrix& values) const;
  // What is odd about all rows together: sensors that hardly change where they did in training.
  std::string about_changes(const std::vector<field::Matrix>& rows) const;

 private:
  struct Reading {
    Index sensor, channel, number;  // number: of the range it is held against
    std::string name;
  };
  struct Bounds {
    double low, high, step;
  };
  Bounds bounds(const Reading& reading) const;
  double expected(const Eigen::VectorXd& z, Index reading) const;
  std::string about_law(const field::Matrix& values, const std::vector<bool>& doubted) const;

  const KnownReadings& known_;
  const KnownReadings::Range& range_;
  bool own_;
  std::vector<Reading> readings_;
};

}  // namespace fluidsplat::reconstruct
