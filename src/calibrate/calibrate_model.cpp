// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/calibrate_model.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "calibrate/find_groups.h"
#include "calibrate/learn_classes.h"
#include "calibrate/rivals.h"
#include "calibrate/sensor_habits.h"
#include "model/rewrite.h"

namespace fluidsplat::calibrate {
namespace {

// Table entries that are kept of a calibration; more would be finer than the cases are.
constexpr Index kEntries = 1000;
// Of the table of a class of places; there are many of them.
constexpr Index kClassEntries = 300;
// How often scores are drawn for what holds on average; more would be finer than the cases are.
constexpr Index kThrows = 500;
// Cases that the local scale is learnt from; more do not make it better.
constexpr Index kScaleCases = 100;
// Products that stand for the last hidden layer's posterior deviation; see uncertainty::LastLayer.
constexpr Index kDirections = 32;
// Fewer validation cases than this say too little.
constexpr Index kEnough = 5;

std::vector<Index> thinned(const std::vector<Index>& all, Index most) {
  if (std::ssize(all) <= most) return all;
  std::vector<Index> out;
  for (Index i = 0; i < most; ++i) out.push_back(all[i * std::ssize(all) / most]);
  return out;
}

class Calibrator {
 public:
  Calibrator(reconstruct::FieldModel& model, const field::Dataset& dataset, const CalibrationRequest& request,
             const CalibrationHooks& hooks)
      : model_(model),
        request_(request),
        hooks_(hooks),
        functionals_(request.functionals, model.schema(), request.data),
        reader_(model, dataset, functionals_, request.noise, request.seed),
        ladder_(silent_ladder(model.sensors().size())),
        habits_(reader_, ladder_,
                [this](const char* what, Index done, Index total) { return step(what, done, total); }) {}

  std::optional<CalibrationResult> run() {
    learn_scales();
    if (stopped_) return {};
    const auto size = [&](Index k) -> std::optional<double> {
      const double error = reader_.see(request_.cases[k], 0).errors.norm();
      if (!step("looking for blocks of time", k + 1, std::ssize(request_.cases))) return {};
      return error;
    };
    auto found = find_groups(reader_.dataset(), request_.cases, request_.block, size);
    if (!found) return {};
    groups_ = std::move(found->groups);
    block_ = found->block;
    // Without a table over splits only those cases are needed that are calibrated on.
    const auto chosen = chosen_groups();
    if (request_.with_rivals && request_.splits > 0) make_rivals();
    for (Index silent : ladder_)
      if (!measure(silent, chosen)) return {};
    if (request_.parts && !join()) return {};
    join_classes(chosen);
    CalibrationResult out;
    auto& c = out.calibration;
    out.scale = scale_.recipe;
    c.scale = scale_.local;
    c.classes = classes_;
    c.layer = scale_.layer;
    c.distance = scale_.distance;
    c.functionals = request_.functionals;
    c.sensors = model_.sensors().size();
    c.noise = request_.noise;
    c.block = block_;
    c.data = request_.data;
    set_range(c);
    for (Index r = 0; r < std::ssize(ladder_); ++r) c.rungs.push_back(make_rung(r, chosen));
    drop_unknown_functionals(c);
    if (!habits_.measure(calibrated_cases(chosen), c)) return {};
    for (Index g : chosen)
      for (Index i : groups_[g]) c.cases.push_back(request_.cases[i]);
    std::ranges::sort(c.cases);
    c.chosen = fmt::format("{} of {} cases that neither trained nor chose the checkpoint", c.cases.size(),
                           request_.cases.size());
    std::ranges::set_difference(sorted(request_.cases), c.cases, std::back_inserter(out.left));
    out.groups = std::ssize(groups_);
    if (request_.splits > 0) out.table = coverage_of(errors_);
    if (rivals_) out.rivals = judge_rivals(), out.has_posterior = rivals_->posterior.has_value();
    return out;
  }

 private:
  static std::vector<Index> sorted(std::vector<Index> list) {
    std::ranges::sort(list);
    return list;
  }
  bool step(const char* what, Index done, Index total) {
    if (hooks_.progress) hooks_.progress(what, done, total);
    stopped_ = stopped_ || (hooks_.interrupted && hooks_.interrupted());
    return !stopped_;
  }

  std::vector<CoverageRow> coverage_of(const std::vector<RungErrors>& errors) const {
    return coverage_over_splits(errors, groups_, request_.splits, {0.5, 0.8, 0.9, 0.95, 0.99}, request_.seed,
                                request_.split_share);
  }

  std::vector<Rival> judge_rivals() const {
    std::vector<Rival> out;
    const auto add = [&](const std::string& name, double error, const RungErrors& errors) {
      out.push_back({name, error, coverage_of({errors})});
    };
    if (classes_.count() > 1) add("the same with one threshold for all places", 1, of_one_class(errors_.front()));
    add("a band of one width", 1, rivals_->constant);
    if (!rivals_->posterior) return out;
    const std::string name = "posterior of a Gaussian process on POD coefficients";
    const double error = std::sqrt(rivals_->their_squares / rivals_->our_squares);
    add(name, error, of_one_class(rivals_->of_posterior));
    if (classes_.count() > 1) add(name + ", by classes of places", error, rivals_->of_posterior);
    return out;
  }

  RungErrors of_one_class(RungErrors errors) const {
    const std::vector<uncertainty::PlaceClasses::Class> all_alike(classes_.count(), 0);
    for (auto& e : errors.cases) renumber_classes(e, all_alike);
    return errors;
  }

  // Of training cases, at some points of each; none for a model without a last hidden layer.
  uncertainty::LastLayer learn_layer() {
    constexpr Index kRows = 2000;
    const auto cases = thinned(request_.train_cases, kScaleCases);
    uncertainty::LastLayerLearner learner;
    for (Index k = 0; k < std::ssize(cases); ++k) {
      const auto c = reader_.dataset().load(cases[k]);
      const auto hidden = model_.hidden(reader_.readings_of(c, cases[k], 0),
                                        reconstruct::descriptors_for(c.descriptors, model_.schema()), c.mesh);
      if (hidden.size() == 0) return {};
      std::vector<Index> rows;
      for (Index i = 0; i < std::min(kRows, hidden.rows()); ++i)
        rows.push_back(i * hidden.rows() / std::min(kRows, hidden.rows()));
      learner.add(hidden(rows, Eigen::all));
      if (!step("looking at the last layer", k + 1, std::ssize(cases))) return {};
    }
    return learner.empty() ? uncertainty::LastLayer() : learner.learn(kDirections);
  }

  std::optional<LessonList> read_lessons(const std::vector<Index>& all, const uncertainty::LastLayer& layer) {
    const auto cases = thinned(all, kScaleCases);
    LessonList out;
    for (Index k = 0; k < std::ssize(cases); ++k) {
      auto s = reader_.see(cases[k], 0, layer.is_on() ? &layer : nullptr);
      out.push_back(std::make_shared<Lesson>(
          Lesson{s.truth.mesh, std::move(s.errors), reader_.normalized(s.readings), std::move(s.doubt)}));
      if (!step("learning where the model errs", k + 1, std::ssize(cases))) return {};
    }
    return out;
  }

  void learn_scales() {
    const bool enough = std::ssize(request_.validation_cases) >= kEnough;
    const auto from = request_.scale ? request_.scale->from : LessonSource::both;
    Lessons lessons;
    if (request_.scale ? request_.scale->by_layer : enough) lessons.layer = learn_layer();
    if (stopped_) return;
    if (request_.scale && request_.scale->by_layer && !lessons.layer.is_on())
      fail(
          "the model has no last hidden layer of a network, or no training cases to know it from; ask for another scale");
    if (enough) {
      auto read = read_lessons(request_.validation_cases, lessons.layer);
      if (!read) return;
      lessons.validation = std::move(*read);
    }
    if (!enough || from != LessonSource::validation) {
      auto read = read_lessons(request_.train_cases, lessons.layer);
      if (!read) return;
      lessons.training = std::move(*read);
    }
    if (enough && (!request_.scale || request_.scale->by_distance)) read_training_readings(lessons.training_readings);
    auto recipe = request_.scale ? *request_.scale : choose_recipe(all_recipes(lessons), lessons, request_.levels);
    if (!enough) recipe.from = LessonSource::training, recipe.by_distance = false;
    scale_ = learn_scale(recipe, lessons);
    classes_ = learn_classes(lessons.all(), request_.levels);
    habits_.learn(request_.train_cases,
                  thinned(enough ? request_.validation_cases : request_.train_cases, kScaleCases));
  }

  void make_rivals() {
    rivals_.emplace();
    rivals_->constant.cases.resize(request_.cases.size());
    rivals_->of_posterior.cases.resize(request_.cases.size());
    if (reader_.dataset().mesh_count() > 1 || model_.sensors().redraw || std::ssize(request_.train_cases) < 3) return;
    const auto mesh = reader_.dataset().mesh(0);
    std::vector<Index> points;
    Random random(request_.seed);
    for (Index i = 0; i < request_.points; ++i) points.push_back(Index(random.below(mesh->size())));
    model::Matrix readings;
    read_training_readings(readings);
    rivals_->posterior.emplace(reader_.dataset(), std::move(points), request_.train_cases, readings.cast<double>(),
                               request_.noise);
  }

  void read_training_readings(model::Matrix& out) const {
    out.resize(std::ssize(request_.train_cases), reader_.own().size());
    for (Index t = 0; t < out.rows(); ++t) {
      const auto index = request_.train_cases[t];
      const auto z = reader_.normalized(reader_.sensors().read(reader_.dataset().load(index), index));
      for (Index v = 0; v < out.cols(); ++v) out(t, v) = z[v];
    }
  }

  std::vector<Index> chosen_groups() const {
    std::vector<Index> order(groups_.size());
    for (Index i = 0; i < std::ssize(order); ++i) order[i] = i;
    Random random(request_.seed, 7);
    random.shuffle(order);
    order.resize(std::max(Index(1), Index(std::lround(request_.share * double(order.size())))));
    return sorted(order);
  }

  Groups calibrated_cases(const std::vector<Index>& chosen) const {
    Groups out;
    for (Index g : chosen) {
      auto& group = out.emplace_back();
      for (Index i : groups_[g]) group.push_back(request_.cases[i]);
    }
    return out;
  }

  bool measure(Index silent, const std::vector<Index>& chosen) {
    auto& rung = errors_.emplace_back();
    rung.silent = silent;
    rung.cases.resize(request_.cases.size());
    std::vector<Index> wanted;
    for (Index g = 0; g < std::ssize(groups_); ++g)
      if (request_.splits > 0 || std::ranges::binary_search(chosen, g))
        wanted.insert(wanted.end(), groups_[g].begin(), groups_[g].end());
    if (request_.parts) wanted = request_.parts->shard.part_of(wanted);
    const auto what = fmt::format("reconstructing with {} silent", silent);
    std::shared_ptr<const field::Mesh> mesh;
    field::Matrix local;
    Yardstick by;
    by.class_count = classes_.count();
    for (Index k = 0; k < std::ssize(wanted); ++k) {
      const auto index = request_.cases[wanted[k]];
      const auto seen = reader_.see(index, silent, scale_.layer.is_on() ? &scale_.layer : nullptr);
      if (seen.truth.mesh != mesh) {
        mesh = seen.truth.mesh;
        by.local = local = scale_.local.at(mesh->points);
        by.classes = classes_.at(mesh->points, mesh->features);
      }
      if (scale_.layer.is_on()) by.local = local.array().colwise() * seen.doubt.array();
      const auto readings = reader_.normalized(seen.readings);
      by.factor = scale_.factor(readings);
      rung.cases[wanted[k]] = scaled_errors(seen, by, request_.points, request_.seed + index);
      if (rivals_ && silent == 0) rivals_->add(wanted[k], seen, by, readings, request_.points, request_.seed + index);
      if (!step(what.c_str(), k + 1, std::ssize(wanted))) return false;
    }
    return true;
  }

  // False when others have not measured their part yet.
  bool join() {
    MeasuredErrors mine;
    for (auto& rung : errors_) mine.push_back(std::move(rung.cases));
    auto all = join_errors(*request_.parts, mine);
    for (std::size_t r = 0; all && r < errors_.size(); ++r) errors_[r].cases = std::move((*all)[r]);
    return all.has_value();
  }

  void join_classes(const std::vector<Index>& chosen) {
    Groups measured;
    for (Index g = 0; g < std::ssize(groups_); ++g)
      if (request_.splits > 0 || std::ranges::binary_search(chosen, g)) measured.push_back(groups_[g]);
    const auto numbers = joined_classes(errors_.front().cases, measured, classes_.count());
    const auto renumber = [&](std::vector<CaseErrors>& cases) {
      for (auto& e : cases) renumber_classes(e, numbers);
    };
    for (auto& rung : errors_) renumber(rung.cases);
    if (rivals_) renumber(rivals_->of_posterior.cases);
    classes_ = classes_.renumbered(numbers);
  }

  // One table of signed errors from a number or more of each case, in groups.
  template <class Of>
  std::vector<std::vector<float>> gathered(Index rung, const std::vector<Index>& chosen, const Of& of) const {
    std::vector<std::vector<float>> out;
    for (Index g : chosen) {
      auto& group = out.emplace_back();
      for (Index i : groups_[g]) of(errors_[rung].cases[i], group);
    }
    return out;
  }

  uncertainty::Calibration::Rung make_rung(Index r, const std::vector<Index>& chosen) const {
    uncertainty::Calibration::Rung out;
    out.silent = ladder_[r];
    const auto table = [&](auto&& of) { return uncertainty::ScoreTable(gathered(r, chosen, of), kEntries, kThrows); };
    for (Index c = 0; c < std::ssize(model_.schema().channels); ++c) {
      out.pointwise.emplace_back(gathered(r, chosen,
                                          [&](const CaseErrors& e, auto& group) {
                                            group.insert(group.end(), e.pointwise[c].begin(), e.pointwise[c].end());
                                          }),
                                 kEntries, kThrows);
      out.simultaneous.emplace_back(
          table([&](const CaseErrors& e, auto& group) { group.push_back(e.largest[c].size); }),
          table([&](const CaseErrors& e, auto& group) { group.push_back(e.largest[c].above); }),
          table([&](const CaseErrors& e, auto& group) { group.push_back(e.largest[c].below); }));
    }
    for (Index k = 0; classes_.count() > 1 && k < classes_.count(); ++k) {
      auto& tables = out.by_class.emplace_back();
      for (Index c = 0; c < std::ssize(model_.schema().channels); ++c)
        tables.emplace_back(gathered(r, chosen,
                                     [&](const CaseErrors& e, auto& group) {
                                       for (std::size_t i = 0; i < e.place_class.size(); ++i)
                                         if (e.place_class[i] == k) group.push_back(e.pointwise[c][i]);
                                     }),
                            kClassEntries, kThrows);
    }
    for (Index f = 0; f < std::ssize(request_.functionals); ++f) {
      const auto scores =
          gathered(r, chosen, [&](const CaseErrors& e, auto& group) { group.push_back(e.functionals[f]); });
      const bool is_known = std::ranges::none_of(
          scores, [](const auto& group) { return std::ranges::any_of(group, [](float s) { return std::isnan(s); }); });
      if (is_known)
        out.functionals.emplace_back(scores, kEntries, kThrows);
      else
        out.functionals.emplace_back();
    }
    return out;
  }

  // A functional that some mesh does not have is none of all.
  static void drop_unknown_functionals(uncertainty::Calibration& c) {
    for (Index f = std::ssize(c.functionals) - 1; f >= 0; --f) {
      if (std::ranges::all_of(c.rungs, [&](const auto& r) { return r.functionals[f].size.groups() > 0; })) continue;
      fail("\"{}\" cannot be computed on every mesh: a probe far from all points, an empty box, or no wall",
           c.functionals[f].name);
    }
  }

  void set_range(uncertainty::Calibration& c) const {
    if (model_.sensors().redraw || request_.train_cases.empty()) return;
    c.lowest.assign(reader_.own().size(), std::numeric_limits<float>::infinity());
    c.highest.assign(reader_.own().size(), -std::numeric_limits<float>::infinity());
    for (auto index : request_.train_cases) {
      const auto values = reader_.sensors().read(reader_.dataset().load(index), index).values;
      for (Index v = 0; v < reader_.own().size(); ++v) {
        const float x = values.data()[reader_.own().readings()[v].place];
        c.lowest[v] = std::min(c.lowest[v], x);
        c.highest[v] = std::max(c.highest[v], x);
      }
    }
    for (Index v = 0; v < reader_.own().size(); ++v) {
      // What never changed in training, as at a wall at rest, is allowed what its channel does.
      const float margin = 0.5f * std::max(c.highest[v] - c.lowest[v], reader_.own().readings()[v].scale);
      c.lowest[v] -= margin;
      c.highest[v] += margin;
    }
  }

  reconstruct::FieldModel& model_;
  const CalibrationRequest& request_;
  const CalibrationHooks& hooks_;
  reconstruct::Functionals functionals_;
  CaseReader reader_;
  std::vector<Index> ladder_;
  LearntScale scale_;
  uncertainty::PlaceClasses classes_;
  SensorHabits habits_;
  Index block_ = 1;
  Groups groups_;
  std::vector<RungErrors> errors_;
  std::optional<Rivals> rivals_;
  bool stopped_ = false;
};

}  // namespace

std::vector<Index> silent_ladder(Index sensors) {
  constexpr Index kAll = 8;
  std::vector<Index> out;
  const Index half = sensors / 2;
  for (Index k = 0; k <= std::min(half, kAll); ++k) out.push_back(k);
  while (out.back() < half) out.push_back(std::min(half, out.back() + std::max(Index(1), out.back() / 2)));
  return out;
}

// Validation cases chose the checkpoint, so that errors on them are a little too small: they may say where the model
// errs, and only cases outside both may say how much.
void choose_cases(CalibrationRequest& request, const field::Split& split) {
  auto seen = split.train;
  seen.insert(seen.end(), split.validation.begin(), split.validation.end());
  std::ranges::sort(seen);
  for (auto index : split.test)
    if (!std::ranges::binary_search(seen, index)) request.cases.push_back(index);
  request.train_cases = split.train;
  request.validation_cases = split.validation;
}

std::optional<CalibrationResult> calibrate_model(reconstruct::FieldModel& model, const field::Dataset& dataset,
                                                 const CalibrationRequest& request, const CalibrationHooks& hooks) {
  if (std::ssize(request.validation_cases) < kEnough && request.train_cases.empty())
    fail("{}: no cases to learn from where the model errs; training or validation cases are needed", request.data);
  return Calibrator(model, dataset, request, hooks).run();
}

void store_calibration(const std::filesystem::path& path, const uncertainty::Calibration& calibration) {
  auto contents = model::contents_of(model::ModelFile::open(path));
  contents.blocks[uncertainty::kCalibrationBlock] = uncertainty::to_block(calibration);
  model::write_model_file(path, contents);
}

}  // namespace fluidsplat::calibrate
