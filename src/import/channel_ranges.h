// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "field/case.h"

namespace fluidsplat::importing {

// What the values of the channels are like over all cases, to find what is no data but looks like it.
class ChannelRanges {
 public:
  explicit ChannelRanges(const field::Schema& schema);

  void add(const field::Matrix& fields);
  // Throws Error when a channel holds one of the numbers that programs write where they have nothing (NetCDF's default,
  // 1e20, 1e30, -9999, -999, ...) far outside its other values.  The text says how to leave them out.
  void refuse_fill_values() const;
  // Channels that are constant, and infinite values.
  std::vector<std::string> notes() const;

 private:
  struct Channel {
    std::string name;
    double low, high;              // of the values that are not suspicious
    std::map<float, Index> fills;  // how often each suspicious number occurs
    Index infinite = 0;
  };
  std::vector<Channel> channels_;
};

}  // namespace fluidsplat::importing
