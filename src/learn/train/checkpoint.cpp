// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/train/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::learn {
namespace {

using nlohmann::json;
constexpr const char* kFormat = "fluidsplat-checkpoint";
constexpr Index kLogColumns = 9;

template <typename Counters, typename Visit>
void for_each_counter(Counters& c, Visit&& visit) {
  visit("step", c.step);
  visit("rollbacks", c.rollbacks);
  visit("rate_scale", c.rate_scale);
  visit("mean_loss", c.mean_loss);
  visit("seconds", c.seconds);
  visit("plateau_scale", c.schedule.plateau_scale);
  visit("plateau_best", c.schedule.best);
  visit("plateau_waited", c.schedule.waited);
}

void put(std::map<std::string, io::Array>& out, const std::string& prefix, const TensorMap& tensors) {
  for (const auto& [name, t] : tensors) out[prefix + name] = to_array(t);
}

void put(std::map<std::string, io::Array>& out, const std::string& prefix, const TrainState& s) {
  put(out, prefix + "/parameters/", s.parameters);
  put(out, prefix + "/optimizer/", s.optimizer);
  put(out, prefix + "/averaged/", s.averaged);
}

TensorMap take(const io::SafetensorsFile& file, const std::string& prefix) {
  TensorMap out;
  for (const auto& name : file.names())
    if (name.starts_with(prefix)) out[name.substr(prefix.size())] = to_tensor(file.get(name));
  return out;
}

io::Array to_array(const std::vector<LogRow>& rows) {
  std::vector<double> values;
  for (const auto& r : rows)
    values.insert(values.end(), {double(r.step), r.loss, r.data, r.observation, r.surface, r.rate, r.gradient,
                                 r.validation, r.seconds});
  return io::Array::from<double>({std::ssize(rows), kLogColumns}, values);
}

std::vector<LogRow> take_rows(const io::SafetensorsFile& file, const char* name, const std::filesystem::path& path) {
  const auto array = file.get(name);
  if (array.dtype != io::DType::f64 || array.shape.size() != 2 || array.shape[1] != kLogColumns)
    fail("{}: the checkpoint's {} is damaged", path.string(), name);
  std::vector<LogRow> rows;
  const auto values = array.copy().as<double>();
  for (auto v = values.begin(); v != values.end(); v += kLogColumns)
    rows.push_back({static_cast<Index>(v[0]), v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]});
  return rows;
}

json counters_to_json(const Counters& c) {
  json j;
  for_each_counter(c, [&](const char* name, const auto& value) { j[name] = value; });
  return j;
}

// JSON has no infinity: before the first validation there is no error.
json best_to_json(const Best& b) {
  json j = {{"step", b.step}, {"validations_since", b.validations_since}, {"network_scale", b.network_scale}};
  if (std::isfinite(b.error)) j["error"] = b.error;
  return j;
}

Best take_best(const io::SafetensorsFile& file, const json& j) {
  Best b;
  b.step = j.at("step").get<Index>();
  b.validations_since = j.at("validations_since").get<Index>();
  // Checkpoints of before priors have none.
  b.network_scale = j.value("network_scale", 1.0);
  if (j.contains("error")) b.error = j.at("error").get<double>();
  b.weights = take(file, "best/");
  return b;
}

TrainState take_state(const io::SafetensorsFile& file, const std::string& prefix, const json& counters) {
  TrainState s;
  for_each_counter(s.counters, [&](const char* name, auto& value) { counters.at(name).get_to(value); });
  s.parameters = take(file, prefix + "/parameters/");
  s.optimizer = take(file, prefix + "/optimizer/");
  s.averaged = take(file, prefix + "/averaged/");
  return s;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& c) {
  std::map<std::string, io::Array> tensors;
  put(tensors, "now", c.now);
  put(tensors, "good", c.good);
  put(tensors, "candidate", c.candidate);
  put(tensors, "best/", c.best.weights);
  tensors["log"] = to_array(c.log);
  auto tally = c.tally.sums;
  tally.step = c.tally.steps;
  tensors["tally"] = to_array(std::vector{tally});
  io::write_safetensors(path, tensors,
                        {{"format", kFormat},
                         {"config", c.config},
                         {"now", counters_to_json(c.now.counters).dump()},
                         {"good", counters_to_json(c.good.counters).dump()},
                         {"candidate", counters_to_json(c.candidate.counters).dump()},
                         {"best", best_to_json(c.best).dump()}});
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  const auto file = io::SafetensorsFile::open(path);
  const auto& meta = file.metadata();
  if (!meta.contains("format") || meta.at("format") != kFormat) fail("{}: not a fluidsplat checkpoint", path.string());
  Checkpoint c;
  try {
    c.config = meta.at("config");
    c.now = take_state(file, "now", json::parse(meta.at("now")));
    c.good = take_state(file, "good", json::parse(meta.at("good")));
    c.candidate = take_state(file, "candidate", json::parse(meta.at("candidate")));
    c.best = take_best(file, json::parse(meta.at("best")));
  } catch (const json::exception& e) {
    fail("{}: the checkpoint is damaged: {}", path.string(), e.what());
  } catch (const std::out_of_range&) {
    fail("{}: the checkpoint is damaged: metadata is missing", path.string());
  }
  c.log = take_rows(file, "log", path);
  // Older checkpoints have none: the first row after them is of the steps since.
  if (const auto names = file.names(); std::ranges::find(names, "tally") != names.end())
    for (const auto& sums : take_rows(file, "tally", path)) c.tally = {sums, sums.step};
  return c;
}

}  // namespace fluidsplat::learn
