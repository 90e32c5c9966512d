// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "uncertainty/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/block_matrix.h"
#include "model/json_entries.h"

namespace fluidsplat::uncertainty {
namespace {

using nlohmann::json;
constexpr const char* kWhat = "the calibration";

std::string table_name(Index silent, const char* family, Index number, const char* side) {
  return fmt::format("silent{}.{}.{}.{}", silent, family, number, side);
}

// Levels and scores as the two rows of a tensor.
io::Array to_array(const ScoreTable& table) {
  auto both = table.levels();
  both.insert(both.end(), table.scores().begin(), table.scores().end());
  return io::Array::from<float>({2, std::ssize(table.levels())}, both);
}

constexpr const char* kHolds = ".holds";

void put(std::map<std::string, io::Array>& tensors, const std::string& name, const ScoreTable& table) {
  tensors[name] = to_array(table);
  if (table.knows_average()) tensors[name + kHolds] = io::Array::from<float>({1, table.groups() + 2}, table.holds());
}

class Reader {
 public:
  Reader(const model::Block& block, Index groups, const std::string& where)
      : block_(block), groups_(groups), where_(where) {}

  ScoreTable table(const std::string& name) const {
    const auto both = model::matrix_of(block_, name.c_str(), -1, kWhat, where_);
    bool is_sound = both.rows() == 2 && both.cols() > 0;
    for (Index i = 0; is_sound && i < both.cols(); ++i) {
      is_sound = both(0, i) > 0 && both(0, i) <= 1;
      if (i > 0) is_sound = is_sound && both(0, i) > both(0, i - 1) && both(1, i) > both(1, i - 1);
    }
    if (!is_sound || both(0, both.cols() - 1) != 1)
      fail("{}: \"{}\" of {} does not rise to 1; the file is damaged", where_, name, kWhat);
    const auto row = [&](Index r) { return std::vector<float>(both.row(r).begin(), both.row(r).end()); };
    return {groups_, row(0), row(1), holds(name)};
  }
  SignedTables tables(Index silent, const char* family, Index number) const {
    SignedTables out;
    out.size = table(table_name(silent, family, number, "size"));
    out.above = table(table_name(silent, family, number, "above"));
    out.below = table(table_name(silent, family, number, "below"));
    return out;
  }
  // Files of an older version have none.
  std::vector<float> holds(const std::string& table) const {
    const auto name = table + kHolds;
    if (!block_.tensors.contains(name)) return {};
    auto out = row(name, groups_ + 2);
    if (out.front() != 0 || out.back() != 1 || !std::ranges::is_sorted(out))
      fail("{}: \"{}\" of {} does not rise from 0 to 1; the file is damaged", where_, name, kWhat);
    return out;
  }
  std::vector<float> row(const std::string& name, Index columns) const {
    const auto m = model::matrix_of(block_, name.c_str(), columns, kWhat, where_);
    if (m.rows() != 1) fail("{}: \"{}\" of {} must be one row; the file is damaged", where_, name, kWhat);
    return {m.data(), m.data() + m.size()};
  }

 private:
  const model::Block& block_;
  Index groups_;
  const std::string& where_;
};

void check_positive(const std::vector<float>& values, const char* what, const std::string& where) {
  for (float v : values)
    if (!(v > 0)) fail("{}: {} of {} must be positive; the file is damaged", where, what, kWhat);
}

Index readings_of(const model::Description& model) {
  Index count = 0;
  for (const auto& seen : model.sensors.channels) count += std::ssize(seen);
  return count;
}

void check_rungs(const Calibration& c, const std::string& where) {
  for (std::size_t i = 0; i < c.rungs.size(); ++i)
    if (i == 0 ? c.rungs[0].silent != 0 : c.rungs[i].silent <= c.rungs[i - 1].silent)
      fail("{}: the numbers of silent sensors of {} must rise from 0; the file is damaged", where, kWhat);
  if (c.rungs.empty() || c.rungs.back().silent > c.sensors)
    fail("{}: {} has no numbers of silent sensors, or too large ones; the file is damaged", where, kWhat);
}

LocalScale read_scale(const model::Block& block, const model::Description& model, const Reader& reader,
                      const std::string& where) {
  const Index channels = std::ssize(model.schema.channels);
  if (!block.tensors.contains("places")) {
    auto everywhere = reader.row("everywhere", channels);
    check_positive(everywhere, "\"everywhere\"", where);
    return LocalScale(std::move(everywhere));
  }
  auto places = model::matrix_of(block, "places", model.schema.dim(), kWhat, where);
  auto logarithms = model::matrix_of(block, "log_scales", channels, kWhat, where);
  if (places.rows() != logarithms.rows())
    fail("{}: {} has {} places and {} scales; the file is damaged", where, kWhat, places.rows(), logarithms.rows());
  return {std::move(places), std::move(logarithms)};
}

void put_classes(const PlaceClasses& classes, json& config, model::Block& out) {
  config["classes"] = {{"count", classes.count()}, {"meaning", classes.meaning()}};
  out.tensors["class_places"] = model::to_array(classes.places());
  const std::vector<float> numbers(classes.classes().begin(), classes.classes().end());
  out.tensors["place_classes"] = io::Array::from<float>({1, std::ssize(numbers)}, numbers);
  const auto& near_wall = classes.near_wall();
  if (near_wall.edges.empty()) return;
  config["classes"]["feature"] = near_wall.feature;
  config["classes"]["edges"] = near_wall.edges.size();
  const Index edges = std::ssize(near_wall.edges);
  out.tensors["class_edges"] = io::Array::from<float>({1, edges}, near_wall.edges);
  out.tensors["edge_classes"] =
      io::Array::from<float>({1, edges}, std::vector<float>(near_wall.classes.begin(), near_wall.classes.end()));
}

PlaceClasses read_classes(const model::Block& block, const model::Entries& config, const model::Description& model,
                          const Reader& reader, const std::string& where) {
  const auto entries = config.inside("classes");
  const auto count = Index(entries.number("count", 2, double(PlaceClasses::kMost)));
  auto places = model::matrix_of(block, "class_places", model.schema.dim(), kWhat, where);
  if (places.rows() == 0) fail("{}: {} has no places in its classes; the file is damaged", where, kWhat);
  const auto class_numbers = [&](const char* name, Index n) {
    std::vector<PlaceClasses::Class> out;
    for (float number : reader.row(name, n)) {
      if (!(number >= 0 && number < float(count)) || number != std::floor(number))
        fail("{}: \"{}\" of {} must be numbers below {}; the file is damaged", where, name, kWhat, count);
      out.push_back(PlaceClasses::Class(number));
    }
    return out;
  };
  auto classes = class_numbers("place_classes", places.rows());
  PlaceClasses::NearWall near_wall;
  if (entries.has("feature")) {
    near_wall.columns = std::ssize(model.schema.features);
    if (near_wall.columns == 0)
      fail("{}: {} has classes by a feature, and the model has no features; the file is damaged", where, kWhat);
    near_wall.feature = Index(entries.number("feature", 0, double(near_wall.columns - 1)));
    const auto edges = Index(entries.number("edges", 1, double(PlaceClasses::kMost)));
    near_wall.edges = reader.row("class_edges", edges);
    if (std::ranges::adjacent_find(near_wall.edges, std::greater_equal{}) != near_wall.edges.end())
      fail("{}: \"class_edges\" of {} must rise; the file is damaged", where, kWhat);
    near_wall.classes = class_numbers("edge_classes", edges);
  }
  PlaceClasses out(std::move(places), std::move(classes), std::move(near_wall), entries.text("meaning"));
  if (out.count() != count)
    fail("{}: \"place_classes\" of {} names fewer classes than {}; the file is damaged", where, kWhat, count);
  return out;
}

// Names in the file for kernels.
constexpr std::pair<classical::Kernel, const char*> kKernels[] = {{classical::Kernel::kLinear, "linear"},
                                                                  {classical::Kernel::kQuadratic, "quadratic"},
                                                                  {classical::Kernel::kGaussian, "gaussian"},
                                                                  {classical::Kernel::kMatern, "matern"}};

void put_law(const ReadingLaw& law, json& config, model::Block& out) {
  config["law"] = {{"sensors", json::array()}, {"sharper", law.is_sharper}};
  for (const auto& s : law.settings)
    for (const auto& [kernel, name] : kKernels)
      if (s.kernel == kernel)
        config["law"]["sensors"].push_back({{"kernel", name}, {"length", s.length}, {"ridge", s.ridge}});
  out.tensors["law_readings"] = model::to_array(law.training);
}

std::shared_ptr<const ReadingLaw> read_law(const model::Block& block, const model::Entries& config,
                                           const model::Description& model, Index readings, const std::string& where) {
  const auto entries = config.inside("law");
  auto law = std::make_shared<ReadingLaw>();
  law->training = model::matrix_of(block, "law_readings", readings, kWhat, where);
  for (const auto& s : entries.list("sensors")) {
    const model::Entries entry(s, where + ", \"law\"");
    const auto name = entry.text("kernel");
    const auto* known = std::ranges::find(kKernels, name, [](const auto& k) { return std::string(k.second); });
    if (known == std::end(kKernels)) fail("{}: the law of {} has an unknown kernel \"{}\"", where, kWhat, name);
    law->settings.push_back({known->first, entry.number("length", 1e-9, 1e9), entry.number("ridge", 1e-15, 1e9)});
  }
  for (const auto& b : entries.list("sharper")) {
    if (!b.is_boolean()) fail("{}: \"sharper\" of the law of {} must be true or false", where, kWhat);
    law->is_sharper.push_back(b.get<bool>());
  }
  if (std::ssize(law->settings) != model.sensors.size() || std::ssize(law->is_sharper) != readings ||
      law->training.rows() == 0)
    fail("{}: the law of {} does not fit the model's {} sensors; the file is damaged", where, kWhat,
         model.sensors.size());
  return law;
}

// Groups and consistencies are one tensor of two rows; F32 has room for 16 million groups.
void put_instants(const Calibration::Instants& instants, model::Block& out) {
  out.tensors["usual_readings"] = model::to_array(instants.usual);
  out.tensors["calibrated_readings"] = model::to_array(instants.calibrated);
  std::vector<float> both(instants.group.begin(), instants.group.end());
  both.insert(both.end(), instants.consistency.begin(), instants.consistency.end());
  out.tensors["calibrated_instants"] = io::Array::from<float>({2, std::ssize(instants.group)}, both);
}

Calibration::Instants read_instants(const model::Block& block, Index readings, Index groups, const std::string& where) {
  Calibration::Instants out;
  out.usual = model::matrix_of(block, "usual_readings", readings, kWhat, where);
  out.calibrated = model::matrix_of(block, "calibrated_readings", readings, kWhat, where);
  const auto both = model::matrix_of(block, "calibrated_instants", out.calibrated.rows(), kWhat, where);
  bool is_sound = both.rows() == 2 && out.usual.rows() > 0;
  for (Index i = 0; is_sound && i < both.cols(); ++i) {
    out.group.push_back(Index(std::clamp(both(0, i), 0.0f, float(groups))));
    out.consistency.push_back(both(1, i));
    // Every group has an instant, and they come one after the other.
    const Index before = i == 0 ? 0 : out.group[i - 1];
    is_sound = both(1, i) >= 0 && (out.group[i] == before || (i > 0 && out.group[i] == before + 1));
  }
  if (!is_sound || out.group.empty() || out.group.back() != groups - 1)
    fail("{}: the readings of the past of {} do not fit its {} groups; the file is damaged", where, kWhat, groups);
  return out;
}

}  // namespace

const Calibration::Rung* Calibration::rung(Index silent) const {
  const auto it = std::ranges::lower_bound(rungs, silent, {}, &Rung::silent);
  return it == rungs.end() ? nullptr : &*it;
}

bool Calibration::knows_average() const {
  return std::ranges::all_of(rungs, [](const Rung& r) {
    const auto known = [](const std::vector<SignedTables>& tables) {
      return std::ranges::all_of(tables, &SignedTables::knows_average);
    };
    return known(r.pointwise) && known(r.simultaneous) && known(r.functionals) &&
           std::ranges::all_of(r.by_class, known);
  });
}

double achievable_false_alarms(const Calibration& calibration, double asked) {
  return std::max(asked, 1.0 / double(calibration.groups() + 1));
}

Index Calibration::functional(const std::string& name) const {
  const auto it = std::ranges::find(functionals, name, &Functional::name);
  return it == functionals.end() ? -1 : it - functionals.begin();
}

model::Block to_block(const Calibration& c) {
  json config = {{"groups", c.groups()}, {"sensors", c.sensors}, {"noise", c.noise}, {"block", c.block},
                 {"data", c.data},       {"chosen", c.chosen},   {"cases", c.cases}};
  model::Block out;
  out.version = kCalibrationVersion;
  config["functionals"] = json::array();
  for (const auto& f : c.functionals)
    config["functionals"].push_back({{"name", f.name}, {"unit", f.unit}, {"definition", json::parse(f.definition)}});
  const auto put_all = [&](Index silent, const char* family, const std::vector<SignedTables>& tables) {
    for (Index i = 0; i < std::ssize(tables); ++i) {
      put(out.tensors, table_name(silent, family, i, "size"), tables[i].size);
      put(out.tensors, table_name(silent, family, i, "above"), tables[i].above);
      put(out.tensors, table_name(silent, family, i, "below"), tables[i].below);
    }
  };
  for (const auto& r : c.rungs) {
    config["rungs"].push_back({{"silent", r.silent}, {"knows_sensors", r.knows_sensors()}});
    put_all(r.silent, "pointwise", r.pointwise);
    for (std::size_t k = 0; k < r.by_class.size(); ++k)
      put_all(r.silent, fmt::format("class{}", k).c_str(), r.by_class[k]);
    put_all(r.silent, "simultaneous", r.simultaneous);
    put_all(r.silent, "functional", r.functionals);
    if (!r.knows_sensors()) continue;
    out.tensors[fmt::format("silent{}.reading_scale", r.silent)] =
        io::Array::from<float>({1, std::ssize(r.reading_scale)}, r.reading_scale);
    out.tensors[fmt::format("silent{}.disagreement", r.silent)] = to_array(r.disagreement);
    out.tensors[fmt::format("silent{}.consistency", r.silent)] = to_array(r.consistency);
  }
  if (c.scale.is_by_place()) {
    out.tensors["places"] = model::to_array(c.scale.places()->points());
    out.tensors["log_scales"] = model::to_array(c.scale.places()->values());
  } else {
    out.tensors["everywhere"] = io::Array::from<float>({1, c.scale.channels()}, c.scale.everywhere());
  }
  if (c.layer.is_on()) out.tensors["layer_directions"] = model::to_array(c.layer.directions);
  if (c.classes.count() > 1) put_classes(c.classes, config, out);
  if (!c.lowest.empty()) {
    auto both = c.lowest;
    both.insert(both.end(), c.highest.begin(), c.highest.end());
    out.tensors["reading_range"] = io::Array::from<float>({2, std::ssize(c.lowest)}, both);
  }
  if (c.distance.training.rows() > 0) {
    config["distance"] = {{"power", c.distance.power}, {"floor", c.distance.floor}};
    out.tensors["training_readings"] = model::to_array(c.distance.training);
  }
  if (c.law) put_law(*c.law, config, out);
  if (c.instants.calibrated.rows() > 0) put_instants(c.instants, out);
  if (c.block_steps.size() > 0) out.tensors["block_steps"] = model::to_array(c.block_steps);
  out.config = config.dump();
  return out;
}

std::shared_ptr<const Calibration> read_calibration(const model::ModelFile& file) {
  if (!file.has_block(kCalibrationBlock)) return nullptr;
  return calibration_from_block(file.block(kCalibrationBlock, kCalibrationVersion), file.description(), file.name());
}

std::shared_ptr<const Calibration> calibration_from_block(const model::Block& block, const model::Description& model,
                                                          const std::string& where) {
  auto out = std::make_shared<Calibration>();
  const Index channels = std::ssize(model.schema.channels), readings = readings_of(model);
  const auto text = json::parse(block.config, nullptr, false);
  const model::Entries config(text, where + ", \"calibration\"");
  constexpr double kMost = 1e9;
  const auto groups = Index(config.number("groups", 1, kMost));
  const Reader reader(block, groups, where);
  out->sensors = Index(config.number("sensors", 0, kMost));
  if (out->sensors != model.sensors.size())
    fail("{}: {} was made for {} sensors, the model has {}; the file is damaged", where, kWhat, out->sensors,
         model.sensors.size());
  out->noise = config.number("noise", 0, kMost);
  out->block = Index(config.number("block", 1, kMost));
  out->data = config.text("data");
  out->chosen = config.text("chosen");
  for (const auto& v : config.list("cases")) {
    if (!v.is_number_unsigned()) fail("{}: a case of {} is no number; the file is damaged", where, kWhat);
    out->cases.push_back(v.get<Index>());
  }
  for (const auto& f : config.list("functionals")) {
    const model::Entries entry(f, where + ", \"functionals\"");
    out->functionals.push_back({entry.text("name"), entry.text("unit"), entry.at("definition").dump()});
  }
  if (config.has("classes")) out->classes = read_classes(block, config, model, reader, where);
  for (const auto& r : config.list("rungs")) {
    const model::Entries entry(r, where + ", \"rungs\"");
    auto& rung = out->rungs.emplace_back();
    rung.silent = Index(entry.number("silent", 0, kMost));
    for (Index c = 0; c < channels; ++c) {
      rung.pointwise.push_back(reader.tables(rung.silent, "pointwise", c));
      rung.simultaneous.push_back(reader.tables(rung.silent, "simultaneous", c));
    }
    for (Index k = 0; out->classes.count() > 1 && k < out->classes.count(); ++k) {
      auto& tables = rung.by_class.emplace_back();
      for (Index c = 0; c < channels; ++c)
        tables.push_back(reader.tables(rung.silent, fmt::format("class{}", k).c_str(), c));
    }
    for (Index f = 0; f < std::ssize(out->functionals); ++f)
      rung.functionals.push_back(reader.tables(rung.silent, "functional", f));
    if (!entry.at("knows_sensors").is_boolean() || !entry.at("knows_sensors").get<bool>()) continue;
    const auto prefix = fmt::format("silent{}.", rung.silent);
    rung.reading_scale = reader.row(prefix + "reading_scale", readings);
    check_positive(rung.reading_scale, "\"reading_scale\"", where);
    rung.disagreement = reader.table(prefix + "disagreement");
    rung.consistency = reader.table(prefix + "consistency");
  }
  check_rungs(*out, where);
  out->scale = read_scale(block, model, reader, where);
  if (block.tensors.contains("layer_directions"))
    out->layer.directions = model::matrix_of(block, "layer_directions", -1, kWhat, where);
  if (block.tensors.contains("reading_range")) {
    const auto range = model::matrix_of(block, "reading_range", readings, kWhat, where);
    if (range.rows() != 2) fail("{}: \"reading_range\" of {} must be two rows; the file is damaged", where, kWhat);
    out->lowest.assign(range.row(0).begin(), range.row(0).end());
    out->highest.assign(range.row(1).begin(), range.row(1).end());
  }
  if (config.has("law")) out->law = read_law(block, config, model, readings, where);
  if (block.tensors.contains("calibrated_readings")) {
    if (!out->law) fail("{}: {} has readings of the past and no law; the file is damaged", where, kWhat);
    out->instants = read_instants(block, readings, groups, where);
  }
  if (block.tensors.contains("block_steps"))
    out->block_steps = model::matrix_of(block, "block_steps", 2 * readings, kWhat, where);
  if (config.has("distance")) {
    const auto distance = config.inside("distance");
    out->distance = {model::matrix_of(block, "training_readings", readings, kWhat, where),
                     distance.number("power", 0, 100), distance.number("floor", 1e-12, kMost)};
  }
  return out;
}

}  // namespace fluidsplat::uncertainty
