// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/fluidsplat_spec.h"

namespace fluidsplat::model {

// A Spec of whatever kind, as a value: copies are copies.  FluidSplat's unless another is put in.
class AnySpec {
 public:
  AnySpec() : spec_(std::make_unique<FluidSplatSpec>()) {}
  AnySpec(std::unique_ptr<Spec> spec) : spec_(std::move(spec)) {}
  AnySpec(const Spec& spec) : spec_(spec.clone()) {}
  AnySpec(const AnySpec& other) : spec_(other.spec_->clone()) {}
  AnySpec& operator=(const AnySpec& other) {
    spec_ = other.spec_->clone();
    return *this;
  }
  Spec& operator*() { return *spec_; }
  const Spec& operator*() const { return *spec_; }
  Spec* operator->() { return spec_.get(); }
  const Spec* operator->() const { return spec_.get(); }
  // The FluidSplat settings; std::bad_cast when it is of another kind.
  FluidSplatSpec& fluidsplat() { return dynamic_cast<FluidSplatSpec&>(*spec_); }
  const FluidSplatSpec& fluidsplat() const { return dynamic_cast<const FluidSplatSpec&>(*spec_); }

 private:
  std::unique_ptr<Spec> spec_;
};

}  // namespace fluidsplat::model
