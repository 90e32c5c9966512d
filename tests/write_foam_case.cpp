// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// write_foam_case FOLDER: a small OpenFOAM case with probes, for the example that begins with one.
#include "import/foam_fixture.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fluidsplat::importing::FoamCaseWriter flow(argv[1], 60, 40);
  for (int i = 0; i <= 24; ++i) flow.add_time(fmt::format("{}", 0.25 * i));
  std::vector<double> times;
  for (int i = 0; i < 8; ++i) times.push_back(0.1 + 0.7 * i);
  flow.add_probes("0", times, {{0.4, 0.5}, {1.0, 0.3}, {1.6, 0.7}});
}
