// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "field/dataset_view.h"

namespace fluidsplat::field {

// A dataset whose cases do not tell what describes them, for models that must find that out by their sensors.  The
// dataset must outlive it.
class WithoutDescriptors : public DatasetView {
 public:
  explicit WithoutDescriptors(const Dataset& dataset) : DatasetView(dataset), schema_(dataset.schema()) {
    schema_.descriptors.clear();
  }

  const Schema& schema() const override { return schema_; }
  Case load(Index index) const override {
    auto c = inner().load(index);
    c.descriptors.resize(0);
    return c;
  }
  Case without_fields(Index index) const override {
    auto c = inner().without_fields(index);
    c.descriptors.resize(0);
    return c;
  }

 private:
  Schema schema_;
};

}  // namespace fluidsplat::field
