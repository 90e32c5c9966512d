// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/register.h"

#include "baselines/deeponet.h"
#include "baselines/flronet.h"
#include "baselines/pod_model.h"
#include "baselines/recfno.h"
#include "baselines/senseiver.h"
#include "learn/model/registry.h"

namespace fluidsplat::baselines {

void register_baselines() {
  auto& registry = learn::ModelRegistry::instance();
  registry.add("deeponet", learn::model_kind<DeepONetSpec, DeepONet>());
  registry.add("flronet", learn::model_kind<FlroNetSpec, FlroNet>());
  registry.add("pod", learn::model_kind<PodSpec, PodModel>());
  registry.add("recfno", learn::model_kind<RecFnoSpec, RecFno>());
  registry.add("senseiver", learn::model_kind<SenseiverSpec, Senseiver>());
}

}  // namespace fluidsplat::baselines
