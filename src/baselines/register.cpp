// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/register.h"

#include "baselines/deeponet.h"
#include "baselines/flronet.h"
#include "baselines/interpolation_model.h"
#include "baselines/mean_model.h"
#include "baselines/nearest_case_model.h"
#include "baselines/pod_model.h"
#include "baselines/recfno.h"
#include "baselines/senseiver.h"
#include "learn/model/registry.h"

namespace fluidsplat::baselines {

void register_baselines() {
  auto& kinds = learn::ModelRegistry::instance();
  kinds.add("mean", learn::model_kind<MeanSpec, MeanModel>());
  kinds.add("interpolation", learn::model_kind<InterpolationSpec, InterpolationModel>());
  kinds.add("nearest-case", learn::model_kind<NearestCaseSpec, NearestCaseModel>());
  kinds.add("pod", learn::model_kind<PodSpec, PodModel>());
  kinds.add("senseiver", learn::model_kind<SenseiverSpec, Senseiver>());
  kinds.add("deeponet", learn::model_kind<DeepONetSpec, DeepONet>());
  kinds.add("recfno", learn::model_kind<RecFnoSpec, RecFno>());
  kinds.add("flronet", learn::model_kind<FlroNetSpec, FlroNet>());
}

}  // namespace fluidsplat::baselines
