// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fluidsplat::app {

struct AirfransRequest {
  std::string model;   // or its run folder
  std::string data;    // the dataset that was made of the folder
  std::string folder;  // of AirfRANS
  std::string cases;   // test, validation, train (of the split beside the model) or all
  int threads = 0;
};

// Writes a model's reconstructions beside the truth, with a progress line.
void write_airfrans(const AirfransRequest& request);

}  // namespace fluidsplat::app
