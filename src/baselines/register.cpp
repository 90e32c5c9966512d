// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/register.h"

#include "baselines/pod_model.h"
#include "learn/model/registry.h"

namespace fluidsplat::baselines {

void register_baselines() {
  learn::ModelRegistry::instance().add("pod", learn::model_kind<PodSpec, PodModel>());
}

}  // namespace fluidsplat::baselines
