// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "learn/checkpoint.h"

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
  visit("adam_steps", c.adam_steps);
  visit("rollbacks", c.rollbacks);
  visit("since_best", c.since_best);
  visit("rate_scale", c.rate_scale);
  visit("mean_loss", c.mean_loss);
  visit("best_error", c.best_error);
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
  put(out, prefix + "/first/", s.first);
  put(out, prefix + "/second/", s.second);
  put(out, prefix + "/averaged/", s.averaged);
}

TensorMap take(const io::SafetensorsFile& file, const std::string& prefix) {
  TensorMap out;
  for (const auto& name : file.names())
    if (name.starts_with(prefix)) out[name.substr(prefix.size())] = to_tensor(file.get(name));
  return out;
}

json counters_to_json(const Counters& c) {
  json j;
  for_each_counter(c, [&](const char* name, const auto& value) { j[name] = value; });
  return j;
}

TrainState take_state(const io::SafetensorsFile& file, const std::string& prefix, const json& counters) {
  TrainState s;
  for_each_counter(s.counters, [&](const char* name, auto& value) { counters.at(name).get_to(value); });
  s.parameters = take(file, prefix + "/parameters/");
  s.first = take(file, prefix + "/first/");
  s.second = take(file, prefix + "/second/");
  s.averaged = take(file, prefix + "/averaged/");
  return s;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& c) {
  std::map<std::string, io::Array> tensors;
  put(tensors, "now", c.now);
  put(tensors, "good", c.good);
  put(tensors, "candidate", c.candidate);
  put(tensors, "best/", c.best);
  std::vector<double> log;
  for (const auto& r : c.log)
    log.insert(log.end(),
               {double(r.step), r.loss, r.data, r.observation, r.surface, r.rate, r.gradient, r.validation, r.seconds});
  tensors["log"] = io::Array::from<double>({std::ssize(c.log), kLogColumns}, log);
  io::write_safetensors(path, tensors,
                        {{"format", kFormat},
                         {"config", c.config},
                         {"now", counters_to_json(c.now.counters).dump()},
                         {"good", counters_to_json(c.good.counters).dump()},
                         {"candidate", counters_to_json(c.candidate.counters).dump()}});
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
  } catch (const json::exception& e) {
    fail("{}: the checkpoint is damaged: {}", path.string(), e.what());
  } catch (const std::out_of_range&) {
    fail("{}: the checkpoint is damaged: metadata is missing", path.string());
  }
  c.best = take(file, "best/");
  const auto log = file.get("log");
  if (log.dtype != io::DType::f64 || log.shape.size() != 2 || log.shape[1] != kLogColumns)
    fail("{}: the checkpoint's log is damaged", path.string());
  const auto values = log.copy().as<double>();
  for (std::size_t i = 0; i < values.size(); i += kLogColumns)
    c.log.push_back({static_cast<Index>(values[i]), values[i + 1], values[i + 2], values[i + 3], values[i + 4],
                     values[i + 5], values[i + 6], values[i + 7], values[i + 8]});
  return c;
}

}  // namespace fluidsplat::learn
