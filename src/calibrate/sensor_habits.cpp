// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "calibrate/sensor_habits.h"

#include <algorithm>
#include <cmath>

#include "uncertainty/sensor_habit.h"

namespace fluidsplat::calibrate {
namespace {

// Fewer cases teach no law.
constexpr Index kFewest = 10;
// Simulated readings have no noise, and a law that trusted them to the last digit would find fault with every real
// sensor.  In normalised units.
constexpr double kLeastNoise = 0.01;

// The model costs a reconstruction for every sensor that is asked about, the law next to nothing: it is only done
// without where the model is clearly sharper.
constexpr double kMuch = 1.25;

model::Matrix as_matrix(const std::vector<std::vector<float>>& rows) {
  model::Matrix out(std::ssize(rows), std::ssize(rows.front()));
  for (Index i = 0; i < out.rows(); ++i) std::ranges::copy(rows[i], out.row(i).data());
  return out;
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
  const auto of_law = uncertainty::usual_differences(by_law, own_),
             of_model = uncertainty::usual_differences(by_model, own_);
  for (Index v = 0; v < own_.size(); ++v) law->is_sharper[v] = of_law[v] < kMuch * of_model[v];
  return true;
}

bool SensorHabits::learn(const std::vector<Index>& training, const std::vector<Index>& held_out) {
  if (!learn_law(training, held_out)) return false;
  expectation_.emplace(law_, own_, [this](const float* values, float* expected) { left_out_(values, expected); });
  for (Index silent : ladder_) {
    auto& scales = scales_.emplace_back();
    // One is left out, one must be left to ask, and a reading is held against more than itself.
    if (own_.sensors() - silent < 3 || (silent > 0 && law_)) continue;
    std::vector<std::vector<float>> all;
    for (Index k = 0; k < std::ssize(held_out); ++k) {
      all.push_back(errors(held_out[k], silent));
      if (silent == 0) usual_readings_.push_back(reader_.normalized(now_));
      if (!step_("asking sensors about each other", k + 1, std::ssize(held_out))) return false;
    }
    scales = uncertainty::usual_differences(all, own_);
  }
  return true;
}

bool SensorHabits::measure(const Groups& groups, uncertainty::Calibration& out) {
  out.law = law_;
  for (std::size_t r = 0; r < ladder_.size(); ++r) {
    if (scales_[r].empty()) continue;
    std::vector<std::vector<float>> all, readings;
    std::vector<Index> group_of;
    for (Index g = 0; g < std::ssize(groups); ++g) {
      for (Index index : groups[g]) {
        all.push_back(errors(index, ladder_[r]));
        readings.push_back(reader_.normalized(now_));
        group_of.push_back(g);
      }
      if (!step_("asking sensors about each other", g + 1, std::ssize(groups))) return false;
    }
    auto habit = uncertainty::habit_of(all, group_of, scales_[r]);
    auto& rung = out.rungs[r];
    rung.reading_scale = std::move(habit.scale);
    rung.disagreement = std::move(habit.disagreement);
    rung.consistency = std::move(habit.consistency);
    if (ladder_[r] > 0) continue;
    out.block_steps = std::move(habit.block_steps);
    const auto is_finite = [](const std::vector<float>& row) {
      return std::ranges::all_of(row, [](float x) { return std::isfinite(x); });
    };
    if (law_ && std::ranges::all_of(usual_readings_, is_finite) && std::ranges::all_of(readings, is_finite))
      out.instants = {as_matrix(usual_readings_), as_matrix(readings), std::move(group_of), std::move(habit.instants)};
  }
  return true;
}

}  // namespace fluidsplat::calibrate
