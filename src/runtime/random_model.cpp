// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/random_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/random.h"
#include "io/safetensors.h"
#include "kernels/parameters.h"
#include "model/fluidsplat_spec.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;

json small_config() {
  return {{"kind", "fluidsplat"},
          {"model",
           {{"dim", 2},
            {"channels", 2},
            {"features", 0},
            {"descriptors", 0},
            {"primitives", 9},
            {"rotation", "full"},
            {"scale_min", 0.01},
            {"scale_max", 0.35},
            {"context", 12},
            {"encoder", "paper"},
            {"encoder_width", 10},
            {"encoder_bands", 3},
            {"geometry", false},
            {"bands", 2},
            {"encoder_fuse", "mlp"},
            {"geometry_features", 0},
            {"attention", true},
            {"heads", 2},
            {"attention_width", 8},
            {"global_token", true},
            {"layers", 2},
            {"width", 14},
            {"activation", "gelu"},
            {"state_features", true},
            {"omega", 3.0},
            {"modulation_gain", 0.0},
            {"output", "full"}}}};
}

// Entries for `count` columns, with a mean and a scale that differ from one to the next.
json columns(Index count, const std::vector<std::string>& names, bool scaled, bool read = false) {
  json list = json::array();
  for (Index i = 0; i < count; ++i) {
    json entry = {{"name", i < std::ssize(names) ? names[i] : fmt::format("q{}", i)}, {"unit", "m"}};
    const auto number = double(i);
    if (scaled) entry["mean"] = 0.25 * number, entry["scale"] = 1.5 + number;
    if (read) entry["reading_mean"] = 0.5 - number, entry["reading_scale"] = 0.75 + number;
    list.push_back(entry);
  }
  return list;
}

}  // namespace

RandomModel::RandomModel(const std::function<void(json&)>& change, std::uint64_t seed) : config(small_config()) {
  if (change) change(config["model"]);
  const json& m = config["model"];
  const Index dim = m["dim"], channels = m["channels"];
  config["channels"] = columns(channels, {"u", "v", "w"}, true, true);
  config["features"] = columns(m["features"], {}, true);
  config["descriptors"] = columns(m["descriptors"], {}, true);
  config["coordinates"] = columns(dim, {"x", "y", "z"}, false);
  Random random(seed);
  json positions = json::array(), lists = json::array(), means = json::array();
  for (int s = 0; s < 5; ++s) {
    json point = json::array();
    for (Index i = 0; i < dim; ++i) point.push_back(random.uniform(-1, 3));
    positions.push_back(point);
    // The last sensor sees one channel only.
    json list = json::array({0});
    for (Index c = 1; c < channels && s < 4; ++c) list.push_back(c);
    lists.push_back(list);
    means.push_back(std::vector<double>(channels, random.uniform(-1, 1)));
  }
  config["sensors"] = {
      {"positions", positions}, {"channels", lists}, {"names", json::array()}, {"mean_readings", means}};
  config["domain"] = {{"low", std::vector<double>(dim, -1.0)}, {"high", std::vector<double>(dim, 3.0)}};
  config["domain"]["high"][0] = 5.0;
  metadata = {{"format", "fluidsplat-model"}, {"schema", "2"}};

  model::FluidSplatSpec d;
  d.read_json(m, "random model");
  const auto add = [&](const std::string& name, std::vector<Index> shape) {
    Index count = 1;
    for (auto n : shape) count *= n;
    const double scale = shape.size() == 2 ? 1.0 / std::sqrt(double(shape[1])) : 0.2;
    std::vector<float> values(count);
    for (float& v : values) v = float(scale * random.normal());
    tensors[name] = io::Array::from(std::move(shape), values);
  };
  const auto linear = [&](const std::string& name, Index rows, Index cols) {
    add(name + ".weight", {rows, cols});
    add(name + ".bias", {rows});
  };
  const auto network = [&](const std::string& name, Index inputs) {
    for (int l = 0; l < 3; ++l)
      linear(name + "." + std::to_string(l), d.encoder_width, l == 0 ? inputs : d.encoder_width);
  };
  if (d.linear_encoder()) {
    network("encoder.gain", d.place_inputs());
    network("encoder.bias", d.place_inputs());
  } else {
    network("encoder.token", d.place_inputs() + 1);
  }
  if (d.geometry) network("encoder.geometry", d.sensor_fourier() + d.geometry_features);
  linear("encoder.fuse.0", d.context, d.fuse_inputs());
  if (!d.linear_fuse()) linear("encoder.fuse.1", d.context, d.context);
  linear("head", d.head_outputs(), d.context);
  const kernels::Parameters decoder(d);
  for (const auto& t : decoder.tensors())
    add(t.name, t.is_vector ? std::vector<Index>{t.rows} : std::vector<Index>{t.rows, t.cols});
}

void RandomModel::add_base_field(Index points) {
  const Index dim = config["model"]["dim"], channels = config["model"]["channels"];
  Random random(9);
  const auto draw = [&](Index columns) {
    std::vector<float> out(points * columns);
    for (float& v : out) v = float(random.uniform(-1, 3));
    return io::Array::from(std::vector<std::int64_t>{points, columns}, out);
  };
  metadata["block:base_field"] = R"({"version": 1, "config": {}})";
  tensors["base_field/points"] = draw(dim);
  tensors["base_field/values"] = draw(channels);
}

void RandomModel::add_prior(Index modes, Index cases) {
  Random random(10);
  const auto draw = [&](Index rows, Index columns) {
    std::vector<float> out(rows * columns);
    for (float& v : out) v = float(random.uniform(-1, 1));
    return io::Array::from(std::vector<std::int64_t>{rows, columns}, out);
  };
  Index readings = 0;
  for (const auto& seen : config["sensors"]["channels"]) readings += std::ssize(seen);
  const Index channels = config["model"]["channels"];
  // Two maps, of which the second judges; most readings are for both.
  metadata["block:prior"] = R"({"version": 2, "config": {"noise": 0.01, "network_scale": 0.5, "judge": 1, "rungs": [
      {"noise": 0.01, "kernel": 2, "length": 2, "ridge": 1e-1, "quiet": 1e-4, "loud": 1e2},
      {"noise": 0, "kernel": 3, "length": 1.5, "ridge": 1e-3, "quiet": 0, "loud": 0}]}})";
  tensors["prior/modes"] = draw(tensors.at("base_field/points").shape[0], modes * channels);
  tensors["prior/readings"] = draw(cases, readings);
  tensors["prior/coefficients"] = draw(cases, modes);
  const auto& positions = config["sensors"]["positions"];
  std::vector<float> places;
  for (const auto& p : positions)
    for (const auto& x : p) places.push_back(x);
  tensors["prior/places"] = io::Array::from({std::ssize(positions), std::ssize(positions[0])}, places);
}

void RandomModel::add_correction(double length, double contrast, double noise) {
  metadata["block:correction"] =
      nlohmann::json{{"version", 1}, {"config", {{"length", length}, {"contrast", contrast}, {"noise", noise}}}}.dump();
}

void RandomModel::write(const std::filesystem::path& path) const {
  auto text = metadata;
  text.emplace("config", config.dump());
  io::write_safetensors(path, tensors, text);
}

const float* RandomModel::tensor(const std::string& name) const {
  return reinterpret_cast<const float*>(tensors.at(name).bytes.data());
}

}  // namespace fluidsplat::runtime
