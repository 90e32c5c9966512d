// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/functionals.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "field/sensors.h"
#include "model/json_entries.h"

namespace fluidsplat::reconstruct {
namespace {

using nlohmann::json;

Index channel_of(const std::string& name, const field::Schema& schema, const std::string& where) {
  std::string known;
  for (Index c = 0; c < std::ssize(schema.channels); ++c) {
    if (schema.channels[c].name == name) return c;
    known += (known.empty() ? "" : ", ") + schema.channels[c].name;
  }
  fail("{}: there is no channel \"{}\"; there are: {}", where, name, known);
}

std::vector<double> coordinates(const std::string& text, Index dim, const std::string& whole) {
  std::vector<double> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    std::size_t used = 0;
    try {
      out.push_back(std::stod(part, &used));
    } catch (const std::exception&) {
    }
    if (used != part.size() || used == 0) fail("{}: \"{}\" is no number", whole, part);
  }
  if (std::ssize(out) != dim) fail("{}: a place has {} coordinates, not {}", whole, dim, out.size());
  return out;
}

// "name=channel@rest" in its parts.
struct Parts {
  std::string name, channel, rest;
};
Parts split(const std::string& text, const char* form) {
  const auto equals = text.find('='), at = text.find('@');
  if (equals == std::string::npos || at == std::string::npos || equals == 0 || at < equals + 2)
    fail("\"{}\": expected {}", text, form);
  return {text.substr(0, equals), text.substr(equals + 1, at - equals - 1), text.substr(at + 1)};
}

// Whether the settings and a case's own free stream together say all that a force needs.
bool is_complete(const field::ForceSettings& settings, const field::Reference& reference, const std::string& where) {
  try {
    settings.with(reference, where);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<uncertainty::Functional> force_functionals(const field::ForceSettings& settings) {
  auto copy = settings;
  Config keys;
  copy.bind(keys);
  const auto said = keys.to_json("forces");
  std::vector<std::string> names = {"drag", "lift"};
  if (!settings.moment_centre.empty()) names.push_back("moment");
  if (!settings.reynolds.empty()) names.insert(names.end(), {"friction_drag", "friction_lift"});
  std::vector<uncertainty::Functional> out;
  for (const auto& name : names)
    out.push_back({name, "", json{{"kind", "force"}, {"which", name}, {"settings", said}}.dump()});
  return out;
}

uncertainty::Functional parse_probe(const std::string& text, const field::Schema& schema) {
  const auto [name, channel, rest] = split(text, "name=channel@x,y[,z]");
  const auto c = channel_of(channel, schema, text);
  return {name, schema.channels[c].unit,
          json{{"kind", "probe"}, {"channel", channel}, {"place", coordinates(rest, schema.dim(), text)}}.dump()};
}

uncertainty::Functional parse_box(const std::string& text, const field::Schema& schema) {
  const char* form = "name=channel@x,y[,z]:x,y[,z]";
  const auto [name, channel, rest] = split(text, form);
  const auto c = channel_of(channel, schema, text);
  const auto colon = rest.find(':');
  if (colon == std::string::npos) fail("\"{}\": expected {}", text, form);
  const auto low = coordinates(rest.substr(0, colon), schema.dim(), text);
  const auto high = coordinates(rest.substr(colon + 1), schema.dim(), text);
  for (Index a = 0; a < std::ssize(low); ++a)
    if (!(low[a] < high[a])) fail("{}: the box is empty, {} is not less than {}", text, low[a], high[a]);
  return {name, schema.channels[c].unit,
          json{{"kind", "box"}, {"channel", channel}, {"low", low}, {"high", high}}.dump()};
}

Functionals::Functionals(std::vector<uncertainty::Functional> list, field::Schema schema, std::string where)
    : list_(std::move(list)), schema_(std::move(schema)), where_(std::move(where)) {
  for (const auto& f : list_) {
    const auto what = where_ + ", \"" + f.name + "\"";
    const auto parsed = json::parse(f.definition, nullptr, false);
    const model::Entries entries(parsed, what);
    const auto kind = entries.text("kind");
    Item item{};
    item.is_force = kind == "force";
    if (item.is_force) {
      item.force.which = entries.text("which");
      Config keys;
      item.force.settings.bind(keys);
      keys.read_json(entries.at("settings"), "forces", what);
      item.force.settings.check(schema_);
    } else if (kind == "probe" || kind == "box") {
      item.average.channel = channel_of(entries.text("channel"), schema_, what);
      const bool is_probe = kind == "probe";
      item.average.low = model::numbers(entries.at(is_probe ? "place" : "low"), schema_.dim(), "coordinates", what);
      item.average.high = model::numbers(entries.at(is_probe ? "place" : "high"), schema_.dim(), "coordinates", what);
    } else {
      fail("{}: this version of fluidsplat knows no functional of kind \"{}\"; use a newer one", what, kind);
    }
    items_.push_back(std::move(item));
  }
}

Functionals::Found& Functionals::on(const std::shared_ptr<const field::Mesh>& mesh) {
  if (found_.mesh == mesh) return found_;
  found_ = {};
  found_.mesh = mesh;
  const field::SurfaceView wall(*mesh);
  for (const auto& item : items_) {
    auto& points = found_.points.emplace_back();
    if (item.is_force) {
      if (wall.empty()) continue;
      if (!found_.forces)
        found_.forces = std::make_unique<field::WallForces>(item.force.settings, schema_, wall, where_);
      if (!found_.shear && !item.force.settings.reynolds.empty())
        found_.shear = std::make_unique<field::WallShear>(*mesh, schema_, where_);
      continue;
    }
    const auto& [channel, low, high] = item.average;
    const bool is_probe = low == high;
    double nearest = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < mesh->size(); ++i) {
      double square = 0;
      bool inside = true;
      for (Index a = 0; a < schema_.dim(); ++a) {
        const double x = mesh->points(i, a);
        square += (x - low[a]) * (x - low[a]);
        inside = inside && x >= low[a] && x <= high[a];
      }
      if (is_probe && square < nearest) {
        nearest = square;
        points = {i};
      }
      if (!is_probe && inside) points.push_back(i);
    }
    const double tolerance = field::snap_tolerance(*mesh);
    if (is_probe && nearest > tolerance * tolerance) points.clear();
  }
  return found_;
}

std::vector<double> Functionals::of(const std::shared_ptr<const field::Mesh>& mesh, const field::Matrix& fields,
                                    const field::Matrix& on_wall, const field::Vector& descriptors,
                                    const field::Reference& reference) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  auto& found = on(mesh);
  const field::SurfaceView wall(*mesh);
  std::optional<field::ForceCoefficients> force;
  std::vector<double> out;
  for (Index k = 0; k < std::ssize(items_); ++k) {
    const auto& item = items_[k];
    if (!item.is_force) {
      double sum = 0;
      for (Index i : found.points[k]) sum += fields(i, item.average.channel);
      out.push_back(found.points[k].empty() ? kNone : sum / double(found.points[k].size()));
      continue;
    }
    if (!found.forces || !is_complete(item.force.settings, reference, where_)) {
      out.push_back(kNone);
      continue;
    }
    if (!force) {
      force = found.forces->of(wall, wall.fields(fields, on_wall), reference);
      if (found.shear)
        field::add_friction(*force, *found.shear, fields, item.force.settings, schema_, descriptors, reference, where_);
    }
    const auto& which = item.force.which;
    out.push_back(which == "drag"            ? force->drag
                  : which == "lift"          ? force->lift
                  : which == "moment"        ? force->moment.value_or(kNone)
                  : which == "friction_drag" ? force->friction_drag.value_or(kNone)
                                             : force->friction_lift.value_or(kNone));
  }
  return out;
}

}  // namespace fluidsplat::reconstruct
