// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/fit_kriging.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "field/fields_at.h"
#include "kernels/matern_sum.h"

namespace fluidsplat::reconstruct {
namespace {

using classical::Kriging;
using field::Matrix;

constexpr Index kCases = 24, kPoints = 768, kSensors = 512;
constexpr double kLengths[] = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32};
constexpr double kContrasts[] = {0.5, 1, 2, 4, 1e6};
constexpr double kNoises[] = {0.01, 0.1, 0.3, 1};
// A channel that is zero in a case counts as if it had this root mean square, in its scale.
constexpr double kLeastSize = 1e-3;
// What is gained must be more than what a choice among so many gains by chance.
constexpr double kWorthwhile = 0.99;

// One case: the model's answer, positions in the unit box and what is missed (over the channels' scale), at the
// sensors and at a sample of points.
struct Sample {
  Matrix sensor_positions, sensor_answers, sensor_missed;
  Matrix positions, answers, missed;
  std::vector<double> size;  // the norm of each channel's truth at the points, over its scale
};

void keep_rows(std::vector<Index>& rows, Index most, Random& random) {
  random.shuffle(rows);
  if (std::ssize(rows) > most) rows.resize(most);
}

std::vector<Index> numbers(Index count) {
  std::vector<Index> out(count);
  for (Index i = 0; i < count; ++i) out[i] = i;
  return out;
}

// How many of a case's sensors speak.
Index speaking(const KrigingTrial& t, Index number, Index sensors) {
  if (t.sensors_max == 0) return sensors;
  constexpr Index kSteps = 4;
  const Index least = std::max<Index>(1, t.sensors_min);
  return std::min(sensors, least + (t.sensors_max - least) * (number % (kSteps + 1)) / kSteps);
}

Sample look_at(FieldModel& model, const KrigingTrial& t, Index number, Index case_index) {
  Random random(number, 17);
  const auto c = t.dataset.load(case_index);
  field::PlacedSensors placed{t.sensors.of(case_index).layout, t.sensors.draw(case_index, *c.mesh, random)};
  placed.layout.positions = field::points_at(*c.mesh, placed.points).positions;
  auto readings = field::read_sensors(c, placed);
  const Index speak = speaking(t, number, readings.values.rows());
  readings.values.bottomRows(readings.values.rows() - speak).setConstant(std::numeric_limits<float>::quiet_NaN());
  const auto descriptors = descriptors_for(c.descriptors, model.schema());
  const Matrix answers = model.reconstruct(readings, descriptors, c.mesh).field;
  const Matrix on_wall = c.mesh->wall ? model.reconstruct(readings, descriptors, c.mesh->wall).field : Matrix();

  const auto& normalization = model.description().normalization;
  const auto over_scale = [&](Matrix m) {
    for (Index k = 0; k < m.cols(); ++k) m.col(k) /= normalization.channels.scale[k];
    return m;
  };
  Sample s;
  auto heard = numbers(speak);
  keep_rows(heard, kSensors, random);
  s.sensor_positions = normalization.positions(readings.positions)(heard, Eigen::all);
  s.sensor_answers.resize(std::ssize(heard), answers.cols());
  for (Index i = 0; i < std::ssize(heard); ++i) {
    const Index place = placed.points[heard[i]];
    s.sensor_answers.row(i) = place < answers.rows() ? answers.row(place) : on_wall.row(place - answers.rows());
  }
  s.sensor_missed = over_scale(readings.values(heard, Eigen::all) - s.sensor_answers);
  // Away from the sensors: at them anything that hears them is right.
  auto points = numbers(answers.rows());
  std::erase_if(points, [&](Index p) { return std::ranges::find(placed.points, p) != placed.points.end(); });
  keep_rows(points, kPoints, random);
  s.positions = normalization.positions(c.mesh->points(points, Eigen::all));
  s.answers = answers(points, Eigen::all);
  s.missed = over_scale(c.fields(points, Eigen::all) - s.answers);
  const Matrix truth = over_scale(c.fields(points, Eigen::all));
  for (Index k = 0; k < truth.cols(); ++k)
    s.size.push_back(std::max<double>(truth.col(k).norm(), kLeastSize * std::sqrt(double(truth.rows()))));
  return s;
}

// The relative error, channel by channel and then the mean: which channel has the largest numbers is a matter of units.
// The kernels of all sensors at all points and at each other know lengths and contrast, not the noise, but solving is
// quick: everything is done anew for each.
double error_of(const Sample& s, const Kriging& kriging, const model::Normalization& normalization) {
  const Index sensors = s.sensor_positions.rows(), points = s.positions.rows(), channels = s.answers.cols();
  Matrix corrected = s.missed;
  if (kriging.is_on() && sensors > 0) {
    const classical::KrigingSpace space(kriging, normalization);
    const Index stride = (points + 63) / 64 * 64;
    std::vector<float> centres(sensors * space.dim()), weights(sensors * channels), places(stride * space.dim()),
        values(stride * channels);
    space.place(s.sensor_positions.data(), s.sensor_answers.data(), sensors, space.dim(), 1, centres.data());
    classical::KrigingWeights(sensors, channels)
        .solve(centres.data(), space.dim(), kriging.noise, s.sensor_missed.data(), weights.data());
    space.place(s.positions.data(), s.answers.data(), points, 1, stride, places.data());
    kernels::matern_sum({centres.data(), weights.data(), sensors, space.dim(), channels}, places.data(), points, stride,
                        values.data(), nullptr);
    for (Index i = 0; i < points; ++i)
      for (Index k = 0; k < channels; ++k) corrected(i, k) -= values[k * stride + i];
  }
  double sum = 0;
  for (Index k = 0; k < channels; ++k) sum += corrected.col(k).norm() / s.size[std::size_t(k)];
  return sum / double(channels);
}

}  // namespace

KrigingFit fit_kriging(FieldModel& model, const KrigingTrial& trial) {
  std::vector<Sample> samples;
  const Index count = std::ssize(trial.cases), taken = std::min(count, kCases);
  for (Index i = 0; i < taken; ++i) samples.push_back(look_at(model, trial, i, trial.cases[i * count / taken]));
  const auto mean_error = [&](const Kriging& kriging) {
    double sum = 0;
    for (const auto& s : samples) sum += error_of(s, kriging, model.description().normalization);
    return sum / double(taken);
  };
  KrigingFit out;
  out.before = out.after = mean_error({});
  double least = kWorthwhile * out.before;
  for (const double length : kLengths)
    for (const double contrast : kContrasts)
      for (const double noise : kNoises) {
        const Kriging kriging{length, contrast, noise};
        const double error = mean_error(kriging);
        if (error < least) out.kriging = kriging, out.after = least = error;
      }
  return out;
}

}  // namespace fluidsplat::reconstruct
