// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// write_random_model FILE: a small model file with random weights, for tests that run programs.
#include "runtime/random_model.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  fluidsplat::runtime::RandomModel().write(argv[1]);
}
