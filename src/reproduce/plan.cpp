// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reproduce/plan.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/misuse.h"
#include "baselines/trained_methods.h"
#include "reproduce/embedded_configs.h"
#include "reproduce/methods.h"

namespace fluidsplat::reproduce {
namespace {

using learn::TrainConfig;

TrainConfig read(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const auto found = embedded_configs().find(name);
  if (found == embedded_configs().end()) misuse("there is no config {}", name);
  return learn::parse_train_config(found->second, name, overrides);
}

// The configs of one benchmark's layout in the paper's form and in ours.
struct Forms {
  std::string paper, recipe;
  std::vector<std::string> recipe_overrides = {};
};

Forms forms_of(const Subject& s) {
  if (s.benchmark == "cylinder")
    return {"cylinder/" + s.layout, "cylinder/best-" + s.layout, {"model.prior=pod-kernel"}};
  if (s.benchmark == "airfrans") {
    // Other numbers of sensors have the recipe of eight.
    const auto split = s.layout.substr(0, s.layout.rfind('-'));
    return {"airfrans/" + s.layout, "airfrans/reduced-" + split + "-8"};
  }
  if (s.benchmark == "ldc3d") return {"ldc3d/" + s.layout, "ldc3d/reduced-" + s.layout};
  if (s.benchmark == "car") return {"car/paper", "car/reduced"};
  misuse("there is no benchmark {}", s.benchmark);
}

// With the sensors of the layout.
TrainConfig recipe(const Subject& s) {
  const auto forms = forms_of(s);
  auto out = read(forms.recipe, forms.recipe_overrides);
  out.sensors = read(forms.paper).sensors;
  return out;
}

// Other networks: on the wake as their authors trained them, elsewhere as our recipe is trained, with published sizes.
TrainConfig other_network(const Subject& s, const std::string& kind) {
  if (s.benchmark == "cylinder") {
    auto out = read(fmt::format("cylinder/{}-{}", kind, s.layout == "interior-8" ? "interior-8" : "surface-8"));
    out.sensors = read(forms_of(s).paper).sensors;
    return out;
  }
  const Index dim = s.benchmark == "airfrans" ? 2 : 3;
  return baselines::trained_methods(recipe(s), dim, {kind}).front().config;
}

TrainConfig classical(const Subject& s, const Method& method) {
  TrainConfig out;
  const auto like = recipe(s);
  out.data = like.data;
  out.sensors = like.sensors;
  out.model = learn::parse_train_config("[model]\n" + method.settings, method.label).model;
  return out;
}

// What a variant changes: the part of a method's name after the dot.
std::vector<std::string> overrides_of(std::string variant) {
  std::vector<std::string> out;
  if (variant.starts_with('k')) {
    const auto end = variant.find('-');
    out.push_back("model.primitives=" + variant.substr(1, end - 1));
    variant = end == std::string::npos ? "" : variant.substr(end + 1);
  }
  if (variant == "no-global-token") out.push_back("model.global_token=false");
  if (variant == "no-state-features") out.push_back("model.state_features=false");
  if (variant == "no-attention") out.push_back("model.attention=false");
  if (variant == "residual-only") out.push_back("model.output=residual");
  if (variant == "primitive-only") out.push_back("model.output=primitive");
  if (variant == "no-observation") out.push_back("train.lambda_obs=0");
  if (out.empty()) misuse("there is no variant {}", variant);
  return out;
}

std::vector<Method> methods_of(const std::string& benchmark) {
  return methods_for(benchmark == "cylinder", benchmark == "car");
}

const Method& method_of(const std::vector<Method>& methods, const Subject& s) {
  const auto found = std::ranges::find(methods, base_method(s.method), &Method::id);
  if (found == methods.end()) misuse("there is no method {}", s.method);
  return *found;
}

bool is_wanted(const PlanRequest& request, const Method& method) {
  if (request.methods.empty()) return true;
  return std::ranges::any_of(request.methods, [&](const std::string& wanted) {
    return wanted == method.id || (wanted == "classical" && method.is_classical);
  });
}

void check_names(const PlanRequest& request) {
  for (const auto& name : request.tables)
    if (std::ranges::find(error_tables(), name, &Table::name) == error_tables().end() && name != kCost)
      fail("there is no table \"{}\"; there are {}", name, fmt::join(table_names(), ", "));
  std::vector<std::string> known = {"classical"};
  for (const auto& m : methods_for(true, false)) known.push_back(m.id);
  for (const auto& name : request.methods)
    if (std::ranges::find(known, name) == known.end())
      fail("there is no method \"{}\"; there are {}", name, fmt::join(known, ", "));
}

}  // namespace

std::string Run::name() const {
  const auto seed_text = is_classical ? std::string() : fmt::format("-s{}", seed());
  return fmt::format("{}-{}{}", subject.layout, subject.method, seed_text);
}

TrainConfig config_of(const Subject& s) {
  if (s.method == kCost) return config_of({s.benchmark, s.layout, "paper"});
  const auto methods = methods_of(s.benchmark);
  const auto& method = method_of(methods, s);
  auto out = method.is_classical      ? classical(s, method)
             : method.id == "paper"   ? read(forms_of(s).paper)
             : method.id == "recipe"  ? recipe(s)
             : method.id == "network" ? recipe(s)
                                      : other_network(s, method.id);
  if (method.id == "network") out.prior.kind = learn::PriorKind::kNone;
  Config keys;
  out.bind(keys);
  if (s.method != method.id)
    for (const auto& text : overrides_of(s.method.substr(method.id.size() + 1))) keys.override_with(text);
  out.out = "";
  out.data.file = s.benchmark + ".h5";
  out.data.source = "";
  out.classical = false;
  return out;
}

std::vector<Run> plan(const PlanRequest& request) {
  check_names(request);
  std::vector<Run> closed, first_seeds;
  for (const auto& table : error_tables()) {
    if (std::ranges::find(request.tables, table.name) == request.tables.end()) continue;
    const auto methods = methods_of(table.benchmark);
    for (const auto& row : table.rows)
      for (const auto& cell : row.cells) {
        if (cell.subject.method.empty()) continue;
        const auto& method = method_of(methods, cell.subject);
        if (!is_wanted(request, method)) continue;
        auto& list = method.is_classical ? closed : first_seeds;
        const auto same = std::ranges::find(list, cell.subject, &Run::subject);
        if (same == list.end()) {
          Run run{cell.subject, method.is_classical, config_of(cell.subject), {cell.sensors}};
          run.config.threads = request.threads;
          if (!run.is_classical) run.config.max_minutes = request.minutes;
          list.push_back(std::move(run));
        } else if (std::ranges::find(same->sensors, cell.sensors) == same->sensors.end()) {
          same->sensors.push_back(cell.sensors);
        }
      }
  }
  if (std::ranges::find(request.tables, kCost) != request.tables.end()) {
    closed.push_back({{"airfrans", "full-8", kCost}, true, config_of({"airfrans", "full-8", kCost}), {}});
    closed.back().config.threads = request.threads;
  }
  // Methods that share modes follow one another.
  std::ranges::stable_sort(closed, {}, [](const Run& r) { return std::pair(r.subject.benchmark, r.subject.layout); });
  auto out = std::move(closed);
  for (Index i = 0; i < request.seeds; ++i)
    for (const auto& run : first_seeds) {
      out.push_back(run);
      out.back().config.seed += i;
    }
  return out;
}

std::string settings_text(TrainConfig config) {
  Config keys;
  config.bind(keys);
  std::string out, section;
  for (const auto& key : keys.keys()) {
    if (key.name == "out" || key.name == "data.file" || key.name == "data.source") continue;
    const auto dot = key.name.find('.');
    if (const auto table = key.name.substr(0, dot); table != section) out += fmt::format("[{}]\n", section = table);
    out += fmt::format("{} = {}\n", key.name.substr(dot + 1), keys.value_text(key.name));
  }
  return out;
}

std::string settings_today(const std::string& text) {
  return settings_text(learn::parse_train_config(text, "settings"));
}

std::string settings_without_seed(const std::string& text) {
  auto config = learn::parse_train_config(text, "settings");
  config.seed = 0;
  return settings_text(config);
}

}  // namespace fluidsplat::reproduce
