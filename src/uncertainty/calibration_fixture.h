// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Test support: a calibration of random numbers.
#pragma once

#include "base/random.h"
#include "uncertainty/calibration.h"

namespace fluidsplat::uncertainty {

struct RandomCalibration {
  Index dim = 2, channels = 2, sensors = 5, readings = 9, cases = 39;
  Index classes = 1;                      // of places
  Index features = 0;                     // of points; with some, the last two classes are by the last of them
  Index layer_width = 0, directions = 6;  // of the last hidden layer; 0: it has no say
  bool by_place = true, by_distance = true, with_instants = false;

  Calibration make(std::uint64_t seed = 1) const {
    Random random(seed);
    Calibration out;
    out.sensors = sensors;
    out.data = "flow.h5";
    out.chosen = "every second case";
    for (Index i = 0; i < cases; ++i) out.cases.push_back(2 * i);
    out.functionals = {{"drag", "", R"({"kind":"force"})"}, {"tail", "m/s", R"({"kind":"probe"})"}};
    for (Index silent = 0; silent <= sensors / 2; ++silent) {
      auto& rung = out.rungs.emplace_back();
      rung.silent = silent;
      // The more are silent, the larger the errors.
      const auto scores = [&](Index of_each, bool positive) {
        std::vector<std::vector<float>> groups(cases);
        for (auto& g : groups)
          for (Index i = 0; i < of_each; ++i) {
            const double e = double(1 + silent) * random.normal();
            g.push_back(float(positive ? std::abs(e) : e));
          }
        return groups;
      };
      for (Index c = 0; c < channels; ++c) {
        rung.pointwise.emplace_back(scores(40, false), 100, 50);
        rung.simultaneous.emplace_back(scores(1, false));
      }
      for (Index k = 0; classes > 1 && k < classes; ++k)
        for (auto& tables = rung.by_class.emplace_back(); std::ssize(tables) < channels;)
          tables.emplace_back(scores(40, false), 100, 50);
      rung.functionals.emplace_back(scores(1, false));
      rung.functionals.emplace_back(scores(1, false));
      rung.reading_scale.assign(readings, float(0.1 * double(1 + silent)));
      rung.disagreement = ScoreTable(scores(1, true));
      rung.consistency = ScoreTable(scores(1, true));
    }
    const auto draw = [&](Index rows, Index cols, double low, double high) {
      model::Matrix m(rows, cols);
      for (Index i = 0; i < m.size(); ++i) m.data()[i] = float(random.uniform(low, high));
      return m;
    };
    out.scale = by_place ? LocalScale(draw(300, dim, -1, 3), draw(300, channels, -2, 1))
                         : LocalScale(std::vector<float>(channels, 0.5f));
    if (layer_width > 0) out.layer.directions = draw(directions, layer_width + 1, -1, 1);
    if (classes > 1) {
      std::vector<PlaceClasses::Class> numbers;
      for (Index i = 0; i < 200; ++i) numbers.push_back(PlaceClasses::Class(i % classes));
      PlaceClasses::NearWall near_wall;
      if (features > 0)
        near_wall = {features - 1, features, {-0.5f, 0.1f}, {PlaceClasses::Class(classes - 1), PlaceClasses::Class(0)}};
      out.classes = {draw(200, dim, -1, 3), numbers, near_wall, "here and there"};
    }
    auto law = std::make_shared<ReadingLaw>();
    law->training = draw(20, readings, -1, 1);
    for (Index i = 0; i < sensors; ++i) law->settings.push_back({classical::Kernel(i % 4), 0.5 + double(i), 1e-3});
    for (Index v = 0; v < readings; ++v) law->is_sharper.push_back(v % 2 == 1);
    out.law = law;
    out.block_steps = draw(cases, 2 * readings, -1, 1);
    if (with_instants) {
      out.instants = {draw(30, readings, -1, 1), draw(2 * cases, readings, -1, 1), {}, {}};
      for (Index i = 0; i < 2 * cases; ++i) {
        out.instants.group.push_back(i / 2);
        out.instants.consistency.push_back(double(float(random.uniform(0.5, 2))));
      }
    }
    if (by_distance) out.distance = {draw(12, readings, -1, 1), 0.7, 0.2};
    return out;
  }
};

}  // namespace fluidsplat::uncertainty
