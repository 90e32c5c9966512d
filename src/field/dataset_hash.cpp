// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/dataset_hash.h"

#include <span>

#include "field/content_hash.h"
#include "field/mesh_contents.h"
#include "field/provenance.h"

namespace fluidsplat::field {
namespace {

// Every part says how long it is, so that no part can pass for the end of the one before.
template <typename T>
void add(ContentHash& hash, std::span<const T> values) {
  const auto size = std::uint64_t(values.size());
  hash.add(std::as_bytes(std::span(&size, 1)));
  hash.add(std::as_bytes(values));
}

void add(ContentHash& hash, const std::string& text) {
  add(hash, std::span(text.data(), text.size()));
}

template <typename Array>
void add_array(ContentHash& hash, const Array& array) {
  add(hash, std::span(array.data(), std::size_t(array.size())));
}

void add(ContentHash& hash, const std::vector<Column>& columns) {
  for (const auto& c : columns) {
    add(hash, c.name);
    add(hash, c.unit);
  }
  add(hash, std::string());
}

void add(ContentHash& hash, const Reference& reference) {
  const double numbers[] = {reference.speed, reference.density};
  add(hash, std::span<const double>(numbers));
  add_array(hash, reference.direction);
}

}  // namespace

std::string hash_dataset(const Dataset& dataset) {
  ContentHash hash;
  const auto& schema = dataset.schema();
  for (const auto* columns : {&schema.coordinates, &schema.channels, &schema.features, &schema.descriptors})
    add(hash, *columns);
  for (Index i = 0; i < dataset.mesh_count(); ++i) add(hash, fingerprint(*dataset.mesh(i)));
  for (Index i = 0; i < dataset.size(); ++i) {
    const auto c = dataset.load(i);
    const Index mesh = dataset.mesh_of(i);
    add(hash, std::span(&mesh, 1));
    add(hash, c.name);
    add_array(hash, c.fields);
    add_array(hash, c.wall_fields);
    add_array(hash, c.descriptors);
    add(hash, c.reference);
  }
  for (const auto& name : dataset.split_names()) {
    add(hash, name);
    add(hash, split_hash(dataset.named_split(name)));
  }
  return hash.digest();
}

}  // namespace fluidsplat::field
