// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/optim/optimizer_config.h"

namespace fluidsplat::learn {

void OptimizerConfig::bind(Config& c) {
  c.add_choice("train.optimizer", &kind,
               {{"adam", OptimizerKind::kAdam}, {"soap", OptimizerKind::kSoap}, {"muon", OptimizerKind::kMuon}},
               "adam; soap: Adam in the eigenbasis of the gradients' outer products; muon: orthogonalised momentum");
  c.add("train.weight_decay", &weight_decay, "L2 penalty on the weights").at_least(0).at_most(1);
}

}  // namespace fluidsplat::learn
