// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// What the command `reconstruct` needs of libtorch or of datasets with a protocol: here it is left to fluidsplat-full.
#include "apps/model_file.h"
#include "apps/write_airfrans.h"
#include "front/hand_over.h"
#include "model/fluidsplat_spec.h"
#include "model/model_file.h"
#include "reconstruct/runtime_model.h"

namespace fluidsplat::app {

std::unique_ptr<reconstruct::FieldModel> open_model(const std::filesystem::path& file, int threads) {
  if (model::ModelFile::open(file).description().kind != model::FluidSplatSpec::kKind) front::hand_over();
  return std::make_unique<reconstruct::RuntimeModel>(file, threads);
}

void write_airfrans(const AirfransRequest&) {
  front::hand_over();
}

}  // namespace fluidsplat::app
