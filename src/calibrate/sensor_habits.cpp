// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/sensor_habits.h"

#include <algorithm>
#include <cmath>

#include "uncertainty/series_check.h"

namespace fluidsplat::calibrate {
namespace {

// A reading's usual error, over errors of any law: what nine of ten are within, as if they were normal.
constexpr double kOften = 0.9, kOftenNormal = 1.645;
// Fewer cases teach no law.
constexpr Index kFewest = 10;
// Simulated readings have no noise, and a law that trusted them to the last digit would find fault with every real
// sensor.  In normalised units.
constexpr double kLeastNoise = 0.01;

// The model costs a reconstruction for every sensor that is asked about, the law next to nothing: it is only done
// without where the model is clearly sharper.
constexpr double kMuch = 1.25;

double often(std::vector<float> sizes) {
  const auto at = sizes.begin() + std::min(std::ssize(sizes) - 1, Index(kOften * double(sizes.size())));
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at / kOftenNormal;
}

// In units of `scale`, NaN where nothing was said.
std::vector<float> in_steps(std::vector<float> errors, const std::vector<float>& scale) {
  for (std::size_t v = 0; v < errors.size(); ++v) errors[v] /= scale[v];
  return errors;
}

}  // namespace

SensorHabits::SensorHabits(CaseReader& reader, const std::vector<Index>& ladder, Step step)
    : reader_(reader), ladder_(ladder), step_(std::move(step)), own_(reader.own()), left_out_(reader.model()) {}

void SensorHabits::go_to(Index index, Index silent) {
  const auto c = reader_.dataset().load(index);
  now_ = reader_.readings_of(c, index, silent);
  left_out_.go_to(now_, reconstruct::descriptors_for(c.descriptors, reader_.model().schema()), c.mesh);
}

std::vector<float> SensorHabits::errors(Index index, Index silent) {
  go_to(index, silent);
  std::vector<float> out(own_.size());
  (*expectation_)(now_.values.data(), out.data());
  for (Index v = 0; v < own_.size(); ++v) out[v] = now_.values.data()[own_.readings()[v].place] - out[v];
  return out;
}

// What readings are usually off by, [V], from that of several cases.
std::vector<float> SensorHabits::usual(const std::vector<std::vector<float>>& errors) const {
  std::vector<std::vector<float>> sizes(own_.size());
  std::vector<float> all, out;
  for (const auto& e : errors)
    for (Index v = 0; v < own_.size(); ++v)
      if (!std::isnan(e[v])) {
        sizes[v].push_back(std::abs(e[v]));
        all.push_back(std::abs(e[v]) / own_.readings()[v].scale);
      }
  // A sensor that nobody heard is taken to be like the others; none is taken to be much better than they are.
  const double common = all.empty() ? 1 : often(all);
  for (Index v = 0; v < own_.size(); ++v) {
    const double unit = own_.readings()[v].scale;
    const double own = sizes[v].empty() ? common * unit : often(sizes[v]);
    out.push_back(float(std::max({own, 0.05 * common * unit, 1e-9 * unit})));
  }
  return out;
}

// The law is learnt for readings with the noise that they will have, and asked about cases that it was not learnt
// from.
bool SensorHabits::learn_law(const std::vector<Index>& training, const std::vector<Index>& held_out) {
  std::vector<Index> cases;
  for (Index index : training)
    if (std::ranges::find(held_out, index) == held_out.end()) cases.push_back(index);
  if (std::ssize(cases) < kFewest || own_.sensors() < 2 || reader_.model().sensors().redraw) return true;
  const Index kept = std::min(std::ssize(cases), uncertainty::kMostLawCases);
  field::Matrix readings(kept, own_.size());
  for (Index k = 0; k < kept; ++k) {
    const auto index = cases[k * std::ssize(cases) / kept];
    const auto z = reader_.normalized(reader_.sensors().read(reader_.dataset().load(index), index));
    for (Index v = 0; v < own_.size(); ++v) readings(k, v) = z[v];
    if (!step_("learning how readings follow from each other", k + 1, kept)) return false;
  }
  auto law = std::make_shared<uncertainty::ReadingLaw>(
      uncertainty::learn_law(readings, own_, std::max(kLeastNoise, reader_.noise())));
  law_ = law;
  uncertainty::LeftOutExpectation both(law, own_, {});
  std::vector<std::vector<float>> by_law, by_model;
  for (Index k = 0; k < std::ssize(held_out); ++k) {
    go_to(held_out[k], 0);
    const float* said = now_.values.data();
    both.by_law(said, by_law.emplace_back(own_.size()).data());
    left_out_(said, by_model.emplace_back(own_.size()).data());
    for (auto* told : {&by_law.back(), &by_model.back()})
      for (Index v = 0; v < own_.size(); ++v) (*told)[v] -= said[own_.readings()[v].place];
    if (!step_("asking sensors about each other", k + 1, std::ssize(held_out))) return false;
  }
  const auto of_law = usual(by_law), of_model = usual(by_model);
  for (Index v = 0; v < own_.size(); ++v) law->is_sharper[v] = of_law[v] < kMuch * of_model[v];
  if (!law->is_ever_sharper()) law_ = nullptr;
  return true;
}

bool SensorHabits::learn(const std::vector<Index>& training, const std::vector<Index>& held_out) {
  if (!learn_law(training, held_out)) return false;
  expectation_.emplace(law_, own_, [this](const float* values, float* expected) { left_out_(values, expected); });
  for (Index silent : ladder_) {
    auto& scales = scales_.emplace_back();
    // One is left out, one must be left to ask, and a reading is held against more than itself.
    if (own_.sensors() - silent < 3) continue;
    std::vector<std::vector<float>> all;
    for (Index k = 0; k < std::ssize(held_out); ++k) {
      all.push_back(errors(held_out[k], silent));
      if (!step_("asking sensors about each other", k + 1, std::ssize(held_out))) return false;
    }
    scales = usual(all);
  }
  return true;
}

bool SensorHabits::measure(const Groups& groups, uncertainty::Calibration& out) {
  out.law = law_;
  for (std::size_t r = 0; r < ladder_.size(); ++r) {
    if (scales_[r].empty()) continue;
    std::vector<std::vector<float>> worst, together, steps;
    std::vector<Index> group_of;
    for (Index g = 0; g < std::ssize(groups); ++g) {
      worst.emplace_back();
      double sum = 0;
      for (Index index : groups[g]) {
        steps.push_back(in_steps(errors(index, ladder_[r]), scales_[r]));
        group_of.push_back(g);
        float most = 0;
        double squares = 0;
        Index count = 0;
        for (float s : steps.back()) {
          if (std::isnan(s)) continue;
          most = std::max(most, std::abs(s)), squares += double(s) * s;
          ++count;
        }
        worst.back().push_back(most);
        sum += count > 0 ? squares / double(count) : 0;
      }
      // One number per group, as the shift test bets once a block.
      together.push_back({float(std::sqrt(sum / double(groups[g].size())))});
      if (!step_("asking sensors about each other", g + 1, std::ssize(groups))) return false;
    }
    auto& rung = out.rungs[r];
    rung.reading_scale = scales_[r];
    rung.disagreement = uncertainty::ScoreTable(worst, 1000);
    rung.consistency = uncertainty::ScoreTable(together);
    if (ladder_[r] == 0) out.block_steps = uncertainty::block_steps(steps, group_of);
  }
  return true;
}

}  // namespace fluidsplat::calibrate
