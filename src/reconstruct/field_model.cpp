// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/field_model.h"

#include "base/error.h"
#include "runtime/derivatives.h"

namespace fluidsplat::reconstruct {
namespace {

std::string names(const std::vector<field::Column>& list) {
  std::string out;
  for (const auto& c : list) out += (out.empty() ? "" : ", ") + c.name;
  return out.empty() ? "none" : out;
}

void check_columns(const char* what, const std::vector<field::Column>& model, const std::vector<field::Column>& data,
                   const std::string& where) {
  const bool same =
      model.size() == data.size() && std::equal(model.begin(), model.end(), data.begin(),
                                                [](const auto& a, const auto& b) { return a.name == b.name; });
  if (!same) fail("{}: its {} are {}; the model was trained on {}", where, what, names(data), names(model));
}

}  // namespace

std::vector<Index> FieldModel::velocity() const {
  return model::find_velocity(schema());
}

void check_schema(const field::Schema& model, const field::Schema& data, const std::string& where) {
  check_columns("coordinates", model.coordinates, data.coordinates, where);
  check_columns("channels", model.channels, data.channels, where);
  if (!model.features.empty()) check_columns("features", model.features, data.features, where);
  if (!model.descriptors.empty()) check_columns("descriptors", model.descriptors, data.descriptors, where);
}

void check_descriptors(const field::Vector& descriptors, const field::Schema& model) {
  if (descriptors.size() != std::ssize(model.descriptors))
    fail("{} descriptors given, the model needs {} ({})", descriptors.size(), model.descriptors.size(),
         names(model.descriptors));
}

field::Vector descriptors_for(const field::Vector& descriptors, const field::Schema& model) {
  return model.descriptors.empty() ? field::Vector() : descriptors;
}

}  // namespace fluidsplat::reconstruct
