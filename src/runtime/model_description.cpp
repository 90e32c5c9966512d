// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/model_description.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace fluidsplat::runtime {
namespace {

using nlohmann::json;

// Typed access to one JSON object with errors that name the file and the setting.
class Settings {
 public:
  Settings(const json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail("{}: expected a JSON object", where_);
  }
  const json& at(const char* name) const {
    const auto it = object_.find(name);
    if (it == object_.end()) fail("{}: the setting \"{}\" is missing", where_, name);
    return *it;
  }
  Index size(const char* name, Index low, Index high) const {
    const json& value = at(name);
    if (!value.is_number_integer() || value.get<Index>() < low || value.get<Index>() > high)
      fail("{}: \"{}\" = {} must be an integer from {} to {}", where_, name, value.dump(), low, high);
    return static_cast<Index>(value.get<Index>());
  }
  double number(const char* name, double low, double high) const {
    const json& value = at(name);
    if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
      fail("{}: \"{}\" = {} must be a number from {} to {}", where_, name, value.dump(), low, high);
    return value.get<double>();
  }
  bool flag(const char* name) const {
    if (!at(name).is_boolean()) fail("{}: \"{}\" must be true or false", where_, name);
    return at(name).get<bool>();
  }
  // The position of the setting's text in `choices`.
  Index choice(const char* name, const std::vector<std::string>& choices) const {
    const json& value = at(name);
    for (Index i = 0; i < std::ssize(choices); ++i)
      if (value.is_string() && value.get<std::string>() == choices[i]) return i;
    fail("{}: \"{}\" = {} must be one of {}", where_, name, value.dump(), json(choices).dump());
  }
  const std::string& where() const { return where_; }

 private:
  const json& object_;
  std::string where_;
};

void read_model(const Settings& s, ModelDescription& m) {
  kernels::DecoderShape& d = m.shape;
  d.dim = s.size("dim", 2, 3);
  d.channels = s.size("channels", 1, 1024);
  d.features = s.size("features", 0, 1024);
  d.descriptors = s.size("descriptors", 0, 1024);
  m.geometry_features = s.size("geometry_features", 0, 1024);
  d.primitives = s.size("primitives", 1, 1 << 16);
  d.full_rotation = s.choice("rotation", {"axis", "full"}) == 1;
  m.scale_min = s.number("scale_min", 1e-5, 10);
  m.scale_max = s.number("scale_max", 1e-5, 10);
  if (m.scale_min >= m.scale_max) fail("{}: \"scale_min\" must be below \"scale_max\"", s.where());
  d.context = s.size("context", 1, 4096);
  m.linear_encoder = s.choice("encoder", {"paper", "linear"}) == 1;
  m.encoder_width = s.size("encoder_width", 1, 4096);
  m.encoder_bands = s.size("encoder_bands", 0, 12);
  m.linear_fuse = s.choice("encoder_fuse", {"mlp", "linear"}) == 1;
  m.geometry = s.flag("geometry");
  d.bands = s.size("bands", 0, 12);
  d.attention = s.flag("attention");
  d.attention_width = s.size("attention_width", 1, 4096);
  d.heads = s.size("heads", 1, 64);
  if (d.attention && d.attention_width % d.heads != 0)
    fail("{}: \"attention_width\" = {} must be a multiple of \"heads\" = {}", s.where(), d.attention_width, d.heads);
  d.global_token = s.flag("global_token");
  d.state_features = s.flag("state_features");
  d.layers = s.size("layers", 1, 16);
  d.width = s.size("width", 1, 8192);
  d.activation =
      s.choice("activation", {"gelu", "sine"}) == 1 ? kernels::Activation::kSine : kernels::Activation::kGelu;
  d.omega = float(s.number("omega", 0.01, 100));
  d.modulation_gain = float(s.number("modulation_gain", 0, 10));
  const kernels::Output outputs[] = {kernels::Output::kFull, kernels::Output::kResidual, kernels::Output::kPrimitive};
  d.output = outputs[s.choice("output", {"full", "residual", "primitive"})];
}

enum class Scaled { kNo, kValues, kValuesAndReadings };

std::vector<Column> read_columns(const Settings& s, const char* name, Index count, Scaled scaled) {
  const json& list = s.at(name);
  if (!list.is_array() || std::ssize(list) != count)
    fail("{}: \"{}\" must be a list of {} entries, as the model's sizes say", s.where(), name, count);
  std::vector<Column> columns;
  for (const json& entry : list) {
    const Settings column(entry, s.where() + ", \"" + name + "\"");
    if (!column.at("name").is_string() || !column.at("unit").is_string())
      fail("{}: name and unit must be texts", column.where());
    Column c{column.at("name").get<std::string>(), column.at("unit").get<std::string>()};
    const double huge = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::min();
    if (scaled != Scaled::kNo) {
      c.mean = column.number("mean", -huge, huge);
      c.scale = column.number("scale", tiny, huge);
    }
    if (scaled == Scaled::kValuesAndReadings) {
      c.reading_mean = column.number("reading_mean", -huge, huge);
      c.reading_scale = column.number("reading_scale", tiny, huge);
    }
    columns.push_back(std::move(c));
  }
  return columns;
}

std::vector<double> read_numbers(const json& value, Index count, const char* what, const std::string& where) {
  if (!value.is_array() || std::ssize(value) != count) fail("{}: expected {} {}", where, count, what);
  std::vector<double> numbers;
  for (const json& v : value) {
    if (!v.is_number() || !std::isfinite(v.get<double>()))
      fail("{}: one of the {} is not a finite number", where, what);
    numbers.push_back(v.get<double>());
  }
  return numbers;
}

SensorLayout read_sensors(const Settings& s, Index dim, Index channels) {
  SensorLayout layout;
  const json &positions = s.at("positions"), &lists = s.at("channels");
  if (!positions.is_array() || !lists.is_array()) fail("{}: positions and channels must be lists", s.where());
  for (const json& row : positions)
    for (double v : read_numbers(row, dim, "coordinates", s.where())) layout.positions.push_back(float(v));
  for (const json& list : lists) {
    if (!list.is_array()) fail("{}: each sensor needs a list of channels", s.where());
    auto& out = layout.channels.emplace_back();
    for (const json& c : list) {
      if (!c.is_number_integer()) fail("{}: a channel must be an integer", s.where());
      const auto index = c.get<Index>();
      if (index < 0 || index >= static_cast<Index>(channels))
        fail("{}: a sensor names channel {}, the model has {}", s.where(), index, channels);
      out.push_back(int(index));
    }
  }
  const json& names = s.at("names");
  if (!names.is_array()) fail("{}: names must be a list", s.where());
  for (const json& name : names) {
    if (!name.is_string()) fail("{}: a sensor's name must be a text", s.where());
    layout.names.push_back(name.get<std::string>());
  }
  const json& usual = s.at("usual");
  if (!usual.is_array()) fail("{}: usual must be a list", s.where());
  for (const json& row : usual)
    for (double v : read_numbers(row, channels, "usual readings", s.where())) layout.usual.push_back(float(v));
  check_layout(layout, dim, channels, s.where());
  return layout;
}

const std::string& metadata_text(const std::map<std::string, std::string>& metadata, const char* key,
                                 const std::string& where) {
  const auto it = metadata.find(key);
  if (it == metadata.end()) fail("{}: not a fluidsplat model: its metadata has no \"{}\"", where, key);
  return it->second;
}

}  // namespace

void check_layout(const SensorLayout& layout, Index dim, Index channels, const std::string& where) {
  if (std::ssize(layout.positions) != layout.count() * dim)
    fail("{}: {} channel lists for {} sensors of {} coordinates", where, layout.count(), layout.positions.size() / dim,
         dim);
  if (!layout.names.empty() && std::ssize(layout.names) != layout.count())
    fail("{}: {} names for {} sensors", where, layout.names.size(), layout.count());
  if (!layout.usual.empty() && std::ssize(layout.usual) != layout.count() * channels)
    fail("{}: usual readings for {} of {} sensors", where, layout.usual.size() / channels, layout.count());
  for (float v : layout.usual)
    if (!std::isfinite(v)) fail("{}: a sensor's usual reading is not finite", where);
  for (float v : layout.positions)
    if (!std::isfinite(v)) fail("{}: a sensor's position is not finite", where);
  for (const auto& list : layout.channels)
    for (int c : list)
      if (c < 0 || static_cast<Index>(c) >= channels)
        fail("{}: a sensor names channel {}, the model has {}", where, c, channels);
}

ModelDescription parse_description(const std::map<std::string, std::string>& metadata, const std::string& where) {
  const auto& format = metadata_text(metadata, "format", where);
  if (format != "fluidsplat-model") fail("{}: not a fluidsplat model (format \"{}\")", where, format);
  const auto& schema = metadata_text(metadata, "schema", where);
  if (schema != "1") fail("{}: model schema \"{}\", this library reads schema 1; update fluidsplat", where, schema);
  const json config = json::parse(metadata_text(metadata, "config", where), nullptr, false);
  if (config.is_discarded()) fail("{}: the model's config is not JSON; the file is damaged", where);

  const Settings top(config, where);
  ModelDescription m;
  read_model(Settings(top.at("model"), where + ", \"model\""), m);
  const Index dim = m.shape.dim;
  m.channels = read_columns(top, "channels", m.shape.channels, Scaled::kValuesAndReadings);
  m.features = read_columns(top, "features", m.shape.features, Scaled::kValues);
  m.descriptors = read_columns(top, "descriptors", m.shape.descriptors, Scaled::kValues);
  m.coordinates = read_columns(top, "coordinates", dim, Scaled::kNo);
  const Settings domain(top.at("domain"), where + ", \"domain\"");
  m.low = read_numbers(domain.at("low"), dim, "coordinates", domain.where());
  m.high = read_numbers(domain.at("high"), dim, "coordinates", domain.where());
  for (Index i = 0; i < dim; ++i)
    if (!(m.high[i] > m.low[i])) fail("{}: \"high\" must be above \"low\" on every axis", domain.where());
  m.sensors = read_sensors(Settings(top.at("sensors"), where + ", \"sensors\""), dim, m.shape.channels);
  return m;
}

}  // namespace fluidsplat::runtime
