// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "field/free_stream_units.h"
#include "field/without_descriptors.h"
#include "field/without_features.h"

namespace fluidsplat::field {

// A dataset as a model sees it: all of it, or in units of each case's free stream, or without descriptors or features.
// The dataset must outlive it.
class SeenData {
 public:
  struct How {
    bool descriptors = true, free_stream_units = false, features = true;
  };
  SeenData(const Dataset& dataset, const How& how) : data_(dataset), seen_(&dataset) {
    if (how.free_stream_units) seen_ = &units_.emplace(dataset);
    if (!how.descriptors) seen_ = &untold_.emplace(*seen_);
    if (!how.features && !seen_->schema().features.empty()) seen_ = &bare_.emplace(*seen_);
  }
  // As a model that was trained with this schema does.
  SeenData(const Dataset& dataset, const Schema& model)
      : SeenData(dataset, {!model.descriptors.empty(),
                           is_in_free_stream_units(model) && !is_in_free_stream_units(dataset.schema()),
                           !model.features.empty()}) {}
  SeenData(const SeenData&) = delete;

  const Dataset& operator*() const { return *seen_; }
  const Dataset* operator->() const { return seen_; }
  // As it is.
  const Dataset& data() const { return data_; }

 private:
  const Dataset& data_;
  std::optional<FreeStreamUnits> units_;
  std::optional<WithoutDescriptors> untold_;
  std::optional<WithoutFeatures> bare_;
  const Dataset* seen_;
};

}  // namespace fluidsplat::field
