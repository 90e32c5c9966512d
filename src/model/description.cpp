// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "model/description.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/fluidsplat_spec.h"
#include "model/json_entries.h"

namespace fluidsplat::model {
namespace {

using nlohmann::json;

constexpr double kHuge = std::numeric_limits<float>::max(), kTiny = std::numeric_limits<float>::min();

json columns(const std::vector<Column>& list, const Scaling* scaling, const Scaling* readings = nullptr) {
  json out = json::array();
  for (Index i = 0; i < std::ssize(list); ++i) {
    json column = {{"name", list[i].name}, {"unit", list[i].unit}};
    if (scaling) column["mean"] = scaling->mean[i], column["scale"] = scaling->scale[i];
    if (readings) column["reading_mean"] = readings->mean[i], column["reading_scale"] = readings->scale[i];
    out.push_back(column);
  }
  return out;
}

std::vector<Column> columns(const Entries& top, const char* name, Scaling* scaling, Scaling* readings = nullptr) {
  std::vector<Column> out;
  for (const json& entry : top.list(name)) {
    const Entries column(entry, top.where() + ", \"" + name + "\"");
    out.push_back({column.text("name"), column.text("unit")});
    if (scaling) {
      scaling->mean.push_back(column.number("mean", -kHuge, kHuge));
      scaling->scale.push_back(column.number("scale", kTiny, kHuge));
    }
    if (readings) {
      readings->mean.push_back(column.number("reading_mean", -kHuge, kHuge));
      readings->scale.push_back(column.number("reading_scale", kTiny, kHuge));
    }
  }
  return out;
}

// Every kind's settings have these sizes (Spec).
void hold_against_settings(const Schema& schema, const Entries& top) {
  const auto settings = top.inside("model");
  const auto hold = [&](const char* name, Index listed, const char* what) {
    const json& size = settings.at(name);
    if (!size.is_number_integer() || size.get<Index>() != listed)
      fail("{}: lists {} {}, its setting \"{}\" says {}", top.where(), listed, what, name, size.dump());
  };
  hold("dim", schema.dim(), "coordinates");
  hold("channels", std::ssize(schema.channels), "channels");
  hold("features", std::ssize(schema.features), "features");
  hold("descriptors", std::ssize(schema.descriptors), "descriptors");
}

}  // namespace

json to_json(const Description& d) {
  const auto& n = d.normalization;
  json out = {{"kind", d.kind},
              {"model", json::parse(d.settings)},
              {"channels", columns(d.schema.channels, &n.channels, &n.readings)},
              {"features", columns(d.schema.features, &n.features)},
              {"descriptors", columns(d.schema.descriptors, &n.descriptors)},
              {"coordinates", columns(d.schema.coordinates, nullptr)},
              {"domain", {{"low", n.domain.low}, {"high", n.domain.high}}},
              {"sensors", to_json(d.sensors)}};
  if (!d.grid_shape.empty()) out["grid"] = d.grid_shape;
  return out;
}

Description description_from_json(const json& config, int schema, const std::string& where) {
  const Entries top(config, where);
  Description d;
  d.kind = schema == 1 ? FluidSplatSpec::kKind : top.text("kind");
  d.settings = top.at("model").dump();
  auto& n = d.normalization;
  d.schema.channels = columns(top, "channels", &n.channels, &n.readings);
  d.schema.features = columns(top, "features", &n.features);
  d.schema.descriptors = columns(top, "descriptors", &n.descriptors);
  d.schema.coordinates = columns(top, "coordinates", nullptr);
  hold_against_settings(d.schema, top);
  const Index dim = d.schema.dim();
  const auto domain = top.inside("domain");
  n.domain.low = numbers(domain.at("low"), dim, "coordinates", domain.where());
  n.domain.high = numbers(domain.at("high"), dim, "coordinates", domain.where());
  for (Index a = 0; a < dim; ++a)
    if (!(n.domain.high[a] > n.domain.low[a])) fail("{}: \"high\" must be above \"low\" on every axis", domain.where());
  d.sensors = layout_from_json(top.at("sensors"), dim, std::ssize(d.schema.channels), where + ", \"sensors\"");
  if (top.has("grid"))
    for (double cells : numbers(top.at("grid"), dim, "grid sizes", where)) {
      if (!(cells >= 1 && cells <= 1e9)) fail("{}: the grid has {} cells along an axis", where, cells);
      d.grid_shape.push_back(Index(cells));
    }
  return d;
}

}  // namespace fluidsplat::model
