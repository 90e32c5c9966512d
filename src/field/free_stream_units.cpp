// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "field/free_stream_units.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.h"

namespace fluidsplat::field {
namespace {

std::string case_label(const Dataset& dataset, Index index) {
  return fmt::format("{}, case {} \"{}\"", dataset.name(), index, dataset.case_name(index));
}

constexpr const char *kSpeed = "U", *kPressure = "U^2";

[[noreturn]] void fail_without_speed(const std::string& where) {
  fail(
      "{}: does not tell the speed of its free stream, in whose units the model works; import it with a descriptor "
      "\"speed\", or leave data.units as it is",
      where);
}

// -1: there is none.
Index speed_descriptor(const Schema& schema) {
  for (Index i = 0; i < std::ssize(schema.descriptors); ++i) {
    auto name = schema.descriptors[std::size_t(i)].name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    for (const char* known : {"speed", "velocity", "uinf", "u_inf", "vinf", "v_inf", "u0"})
      if (name == known) return i;
  }
  return -1;
}

// How a quantity with this unit grows with the speed of flows that are alike, as far as the unit tells.
int power_of(std::string unit) {
  std::erase_if(unit, [](char c) { return c == ' ' || c == '^' || c == '.' || c == '*'; });
  for (const char* speed : {"m/s", "ms-1", "1/s", "s-1"})
    if (unit == speed) return 1;
  for (const char* pressure : {"m2/s2", "m2s-2", "Pa", "kPa", "hPa"})
    if (unit == pressure) return 2;
  return 0;
}

}  // namespace

int free_stream_power(const std::string& unit) {
  return unit == kSpeed ? 1 : unit == kPressure ? 2 : 0;
}

bool is_in_free_stream_units(const Schema& schema) {
  return std::ranges::any_of(schema.channels, [](const Column& c) { return free_stream_power(c.unit) != 0; });
}

bool has_free_stream_units(const Schema& schema) {
  return std::ranges::any_of(schema.channels, [](const Column& c) { return power_of(c.unit) != 0; });
}

double free_stream_speed(const Schema& data, const Reference& reference, const Vector& descriptors) {
  if (reference.speed > 0) return reference.speed;
  const auto speed = speed_descriptor(data);
  return speed >= 0 && speed < descriptors.size() ? descriptors[speed] : 0;
}

Reference reference_in(const Schema& model, Reference reference) {
  if (is_in_free_stream_units(model) && reference.speed > 0) reference.speed = 1;
  return reference;
}

FreeStreamUnits::FreeStreamUnits(const Dataset& dataset) : DatasetView(dataset), schema_(dataset.schema()) {
  for (auto& channel : schema_.channels)
    if (const int power = power_of(channel.unit); power != 0) channel.unit = power == 1 ? kSpeed : kPressure;
  if (!is_in_free_stream_units(schema_))
    fail(
        "{}: none of its channels is in m/s, 1/s, m2/s2 or Pa, so that units of the free stream mean nothing; import "
        "it with the channels' units, or leave data.units as it is",
        dataset.name());
  for (Index i = 0; i < dataset.size(); ++i) {
    references_.push_back(dataset.reference(i));
    if (!(references_.back().speed > 0) && speed_descriptor(schema_) < 0) fail_without_speed(case_label(dataset, i));
    references_.back().speed = 1;
  }
}

Case FreeStreamUnits::load(Index index) const {
  auto c = inner().load(index);
  const CaseUnits units(schema_, inner().schema(), c, case_label(inner(), index));
  units.into_model(c.fields);
  units.into_model(c.wall_fields);
  c.reference = reference(index);
  return c;
}

Case FreeStreamUnits::without_fields(Index index) const {
  auto c = inner().without_fields(index);
  c.reference = reference(index);
  return c;
}

Matrix FreeStreamUnits::in_units(Index index, Matrix values) const {
  CaseUnits(schema_, inner().schema(), inner().without_fields(index), case_label(inner(), index)).into_model(values);
  return values;
}

Matrix FreeStreamUnits::values_in(Index index, Index first, Index count) const {
  return in_units(index, inner().values_in(index, first, count));
}

Matrix FreeStreamUnits::values_at(Index index, std::span<const Index> places) const {
  return in_units(index, inner().values_at(index, places));
}

CaseUnits::CaseUnits(const Schema& model, const Schema& data, const Case& c, const std::string& where) {
  if (!is_in_free_stream_units(model) || is_in_free_stream_units(data)) return;
  const double speed = free_stream_speed(data, c.reference, c.descriptors);
  if (!(speed > 0)) fail_without_speed(where);
  factors_.resize(std::ssize(model.channels));
  for (Index k = 0; k < factors_.size(); ++k)
    factors_[k] = float(std::pow(speed, free_stream_power(model.channels[std::size_t(k)].unit)));
}

void CaseUnits::into_model(Matrix& values) const {
  if (factors_.size() > 0) values.array().rowwise() /= factors_.array();
}

void CaseUnits::into_data(Matrix& values) const {
  if (factors_.size() > 0) values.array().rowwise() *= factors_.array();
}

}  // namespace fluidsplat::field
