// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/model_file.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "learn/tensor_io.h"

namespace fluidsplat::learn {
namespace {

using nlohmann::json;
constexpr const char* kFormat = "fluidsplat-model";
constexpr const char* kSchema = "1";

json columns_to_json(const std::vector<field::Column>& columns, const field::Scaling* scaling) {
  json out = json::array();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json column = {{"name", columns[i].name}, {"unit", columns[i].unit}};
    if (scaling) {
      column["mean"] = scaling->mean[i];
      column["scale"] = scaling->scale[i];
    }
    out.push_back(column);
  }
  return out;
}

void check_scaling(const field::Scaling& scaling, const std::string& column) {
  if (!std::isfinite(scaling.mean.back()) || !std::isfinite(scaling.scale.back()) || scaling.scale.back() <= 0)
    fail("column \"{}\": mean or scale is not usable", column);
}

void columns_from_json(const json& j, std::vector<field::Column>& columns, field::Scaling* scaling) {
  for (const auto& c : j) {
    columns.push_back({c.at("name").get<std::string>(), c.at("unit").get<std::string>()});
    if (!scaling) continue;
    scaling->mean.push_back(c.at("mean").get<float>());
    scaling->scale.push_back(c.at("scale").get<float>());
    check_scaling(*scaling, columns.back().name);
  }
}

}  // namespace

void save_model(const std::filesystem::path& path, const ModelBundle& b) {
  std::map<std::string, io::Array> tensors;
  for (const auto& [name, t] : parameters_of(*b.model)) {
    if (!torch::isfinite(t).all().item<bool>())
      fail("{}: not written, the tensor \"{}\" is not finite", path.string(), name);
    tensors[name] = to_array(t.to(torch::kFloat32));
  }
  json channels = columns_to_json(b.schema.channels, &b.normalizer.channels);
  for (std::size_t i = 0; i < channels.size(); ++i) {
    channels[i]["reading_mean"] = b.normalizer.readings.mean[i];
    channels[i]["reading_scale"] = b.normalizer.readings.scale[i];
  }
  const json config = {{"model", to_json(b.model->config)},
                       {"channels", channels},
                       {"features", columns_to_json(b.schema.features, &b.normalizer.features)},
                       {"descriptors", columns_to_json(b.schema.descriptors, &b.normalizer.descriptors)},
                       {"coordinates", columns_to_json(b.schema.coordinates, nullptr)},
                       {"domain", {{"low", b.normalizer.domain.low}, {"high", b.normalizer.domain.high}}},
                       {"sensors", field::to_json(b.sensors)}};
  io::write_safetensors(path, tensors, {{"format", kFormat}, {"schema", kSchema}, {"config", config.dump()}});
}

ModelBundle load_model(const std::filesystem::path& path) {
  const auto where = path.string();
  const auto file = io::SafetensorsFile::open(path);
  const auto meta = [&](const char* key) -> std::string {
    const auto it = file.metadata().find(key);
    if (it == file.metadata().end()) fail("{}: not a fluidsplat model: the metadata has no \"{}\"", where, key);
    return it->second;
  };
  if (meta("format") != kFormat) fail("{}: not a fluidsplat model (format \"{}\")", where, meta("format"));
  if (meta("schema") != kSchema)
    fail("{}: model schema {}, this program reads schema {}", where, meta("schema"), kSchema);
  ModelBundle b;
  ModelConfig config;
  try {
    const auto j = json::parse(meta("config"));
    config = model_config_from_json(j.at("model"), where);
    columns_from_json(j.at("channels"), b.schema.channels, &b.normalizer.channels);
    for (const auto& c : j.at("channels")) {
      b.normalizer.readings.mean.push_back(c.at("reading_mean").get<float>());
      b.normalizer.readings.scale.push_back(c.at("reading_scale").get<float>());
      check_scaling(b.normalizer.readings, c.at("name").get<std::string>());
    }
    columns_from_json(j.at("features"), b.schema.features, &b.normalizer.features);
    columns_from_json(j.at("descriptors"), b.schema.descriptors, &b.normalizer.descriptors);
    columns_from_json(j.at("coordinates"), b.schema.coordinates, nullptr);
    b.normalizer.domain = {j.at("domain").at("low").get<std::vector<double>>(),
                           j.at("domain").at("high").get<std::vector<double>>()};
    b.sensors = field::layout_from_json(j.at("sensors"), b.schema, where);
  } catch (const json::exception& e) {
    fail("{}: the model's config is damaged: {}", where, e.what());
  }
  const auto size = [](const auto& v) { return std::ssize(v); };
  if (size(b.schema.channels) != config.channels || size(b.schema.features) != config.features ||
      size(b.schema.descriptors) != config.descriptors || size(b.schema.coordinates) != config.dim ||
      size(b.normalizer.domain.low) != config.dim || size(b.normalizer.domain.high) != config.dim)
    fail("{}: the model's config contradicts itself: column counts do not match the sizes", where);

  b.model = std::make_shared<FluidSplat>(config);
  TensorMap tensors;
  for (const auto& name : file.names()) tensors[name] = to_tensor(file.get(name));
  copy_into(parameters_of(*b.model), tensors, where);
  b.model->eval();
  return b;
}

}  // namespace fluidsplat::learn
