// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benchmarks/benchmark.h"

namespace fluidsplat::app {

// Makes a dataset of a benchmark's published files; prints how they were understood.
void import_benchmark(const std::string& name, const std::string& source, const std::string& out);

// The dataset of data.benchmark and data.source, made when it is not there.  Empty when interrupted.
std::string prepare_benchmark(const std::string& name, const std::string& source, const std::string& file);

}  // namespace fluidsplat::app
