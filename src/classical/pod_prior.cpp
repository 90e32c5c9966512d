// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "classical/pod_prior.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/misuse.h"
#include "model/block_matrix.h"

namespace fluidsplat::classical {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kVersion = 3;  // 2 knew kernels up to Matern's 5/2, 1 had one map
// With so few cases the map's settings are chosen anew for those sensors that speak, which then takes milliseconds.
constexpr Index kFewCases = 100;
// Maps that are remembered; sensors rarely die in more ways.
constexpr std::size_t kMostMaps = 256;
constexpr double kSamePlace = 1e-4;  // of the domain's longest side

bool is_speaking(double reading) {
  return !std::isnan(reading);
}

std::vector<Index> speaking(const VectorXd& readings) {
  std::vector<Index> out;
  for (Index i = 0; i < readings.size(); ++i)
    if (is_speaking(readings[i])) out.push_back(i);
  return out;
}

template <class Maps, class Make>
auto remembered(Maps& maps, std::mutex& mutex, const std::vector<Index>& sensors, const Make& make) {
  {
    const std::lock_guard lock(mutex);
    if (const auto found = maps.find(sensors); found != maps.end()) return found->second;
  }
  auto made = make();
  const std::lock_guard lock(mutex);
  if (maps.size() >= kMostMaps) maps.clear();
  return maps.emplace(sensors, std::move(made)).first->second;
}

}  // namespace

PodPrior::PodPrior(const model::Matrix& points, Index channels, Fit fit)
    : channels_(channels), fit_(std::move(fit)), fields_(points, std::move(fit_.modes)) {
  fit_.modes.resize(0, 0);
  if (fields_.values().cols() != modes() * channels_ || fit_.coefficients.rows() != fit_.readings.rows())
    misuse("a prior of {} modes and {} channels has {} columns, {} rows of readings and {} of coefficients", modes(),
           channels_, fields_.values().cols(), fit_.readings.rows(), fit_.coefficients.rows());
}

MatrixXd PodPrior::readings_of(const Sensors& sensors) const {
  return fit_.readings.cast<double>()(Eigen::all, sensors);
}

NoiseLadder PodPrior::ladder_for(const Sensors& sensors) const {
  if (std::ssize(sensors) == readings() || cases() > kFewCases) return fit_.ladder;
  std::vector<Kernel> kernels;
  for (const auto& rung : fit_.ladder.rungs)
    if (std::find(kernels.begin(), kernels.end(), rung.settings.kernel) == kernels.end())
      kernels.push_back(rung.settings.kernel);
  return choose_ladder(kernels, readings_of(sensors), fit_.coefficients.cast<double>(), fit_.noise);
}

std::shared_ptr<const PodPrior::Map> PodPrior::map_for(const Sensors& sensors) const {
  return remembered(maps_, mutex_, sensors, [&] {
    return std::make_shared<const Map>(
        Map{sensors, AdaptiveMap(ladder_for(sensors), readings_of(sensors), fit_.coefficients.cast<double>())});
  });
}

std::shared_ptr<const LeftOutAdaptiveMap> PodPrior::left_out_map_for(const Sensors& sensors) const {
  return remembered(left_out_maps_, mutex_, sensors, [&] {
    return std::make_shared<const LeftOutAdaptiveMap>(ladder_for(sensors), readings_of(sensors),
                                                      fit_.coefficients.cast<double>());
  });
}

VectorXd PodPrior::coefficients(const VectorXd& given) const {
  const auto sensors = speaking(given);
  if (sensors.empty()) return VectorXd::Zero(modes());
  return map_for(sensors)->map(given(sensors));
}

VectorXd PodPrior::left_out(Index row, const VectorXd& given) const {
  const auto sensors = speaking(given);
  if (sensors.empty()) return VectorXd::Zero(modes());
  return (*left_out_map_for(sensors))(row, given(sensors));
}

void PodPrior::add(const float* rows, Index n, Index channels, const VectorXd& coefficients, float* values) {
  const Index modes = coefficients.size();
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < channels; ++c) {
      double sum = 0;
      for (Index j = 0; j < modes; ++j) sum += coefficients[j] * double(rows[(i * modes + j) * channels + c]);
      values[i * channels + c] += float(sum);
    }
}

PriorInputs::PriorInputs(const model::Matrix& trained_at, const model::SensorLayout& known,
                         const model::SensorLayout& given, const model::Normalization& normalization) {
  const Index channels = std::ssize(normalization.readings.mean);
  double longest = 0;
  for (std::size_t a = 0; a < normalization.domain.low.size(); ++a)
    longest = std::max(longest, normalization.domain.high[a] - normalization.domain.low[a]);
  const auto find = [&](Index sensor, int channel) -> Index {
    for (const auto* places : {&trained_at, &known.positions})
      for (Index i = 0; i < given.size(); ++i) {
        const auto& seen = given.channels[i];
        if ((given.positions.row(i) - places->row(sensor)).cast<double>().norm() <= kSamePlace * longest &&
            std::find(seen.begin(), seen.end(), channel) != seen.end())
          return i * channels + channel;
      }
    return -1;
  };
  for (Index i = 0; i < known.size(); ++i)
    for (const int c : known.channels[i])
      inputs_.push_back(
          {.reading = find(i, c),
           .mean = known.mean_readings.size() > 0 ? known.mean_readings(i, c) : normalization.readings.mean[c],
           .scale = normalization.readings.scale[c]});
}

void PriorInputs::read(const float* readings, double* out) const {
  for (const auto& input : inputs_)
    *out++ = input.reading < 0 ? std::numeric_limits<double>::quiet_NaN()
                               : (double(readings[input.reading]) - input.mean) / input.scale;
}

PriorReader::PriorReader(std::shared_ptr<const PodPrior> prior, PriorInputs inputs)
    : prior_(std::move(prior)),
      inputs_(std::move(inputs)),
      readings_(inputs_.size()),
      speaking_(inputs_.size()),
      coefficients_(prior_->modes()) {
  if (inputs_.size() != prior_->readings())
    misuse("{} inputs for a prior of {} readings", inputs_.size(), prior_->readings());
}

const VectorXd& PriorReader::read(const float* readings) {
  inputs_.read(readings, readings_.data());
  // Are those that speak the ones that spoke before?
  Index count = 0;
  bool same = map_ != nullptr;
  for (Index i = 0; i < readings_.size(); ++i) {
    if (!is_speaking(readings_[i])) continue;
    same = same && count < std::ssize(map_->sensors) && map_->sensors[count] == i;
    speaking_[count++] = readings_[i];
  }
  coefficients_.setZero();
  if (count == 0) return coefficients_;
  if (!same || std::ssize(map_->sensors) != count) {
    map_ = prior_->map_for(speaking(readings_));
    scratch_.resize(map_->map.scratch());
  }
  map_->map.apply(speaking_.data(), scratch_.data(), coefficients_.data());
  return coefficients_;
}

model::Block Prior::to_block() const {
  nlohmann::json config = {{"noise", pod->noise()}, {"judge", pod->ladder().judge}, {"network_scale", network_scale}};
  for (const auto& r : pod->ladder().rungs)
    config["rungs"].push_back({{"noise", r.noise},
                               {"kernel", int(r.settings.kernel)},
                               {"length", r.settings.length},
                               {"ridge", r.settings.ridge},
                               {"quiet", r.quiet},
                               {"loud", r.loud}});
  return {kVersion,
          config.dump(),
          {{"modes", model::to_array(pod->fields().values())},
           {"readings", model::to_array(pod->training_readings())},
           {"places", model::to_array(pod->places())},
           {"coefficients", model::to_array(pod->training_coefficients())}}};
}

Prior read_prior(const model::ModelFile& file, const model::BaseField* base) {
  if (!file.has_block(Prior::kBlock)) return {};
  if (!base) fail("{}: has a prior but no base field; the file is damaged", file.name());
  const auto& d = file.description();
  const Index channels = std::ssize(d.schema.channels);
  const auto block = file.block(Prior::kBlock, kVersion);
  PodPrior::Fit fit;
  Index readings = 0;
  for (const auto& seen : d.sensors.channels) readings += std::ssize(seen);
  fit.coefficients = model::matrix_of(block, "coefficients", -1, "the prior", file.name());
  fit.readings = model::matrix_of(block, "readings", readings, "the prior", file.name());
  fit.modes = model::matrix_of(block, "modes", fit.coefficients.cols() * channels, "the prior", file.name());
  Prior out;
  try {
    const auto config = nlohmann::json::parse(block.config);
    fit.noise = config.at("noise");
    out.network_scale = config.at("network_scale");
    bool is_sound = fit.noise >= 0 && std::isfinite(out.network_scale);
    fit.ladder.judge = config.value("judge", Index(0));
    // Version 1 had one map for all readings.
    nlohmann::json one = config;
    one.update({{"noise", 0}, {"quiet", 0}, {"loud", 0}});
    for (const auto& r : block.version == 1 ? nlohmann::json::array({one}) : config.at("rungs")) {
      const int kernel = r.at("kernel");
      is_sound = is_sound && kernel >= 0 && kernel <= int(Kernel::kSmoothMatern);
      fit.ladder.rungs.push_back(
          {r.at("noise"), {Kernel(kernel), r.at("length"), r.at("ridge")}, r.at("quiet"), r.at("loud")});
      const auto& rung = fit.ladder.rungs.back();
      is_sound = is_sound && rung.noise >= 0 && rung.settings.length > 0 && rung.settings.ridge > 0 &&
                 rung.quiet >= 0 && rung.loud >= rung.quiet;
    }
    if (!is_sound || fit.ladder.judge < 0 || fit.ladder.judge >= std::ssize(fit.ladder.rungs))
      fail("{}: the prior's settings are out of range; the file is damaged", file.name());
  } catch (const nlohmann::json::exception& e) {
    fail("{}: the prior's settings cannot be read ({}); the file is damaged", file.name(), e.what());
  }
  fit.places = model::matrix_of(block, "places", d.schema.dim(), "the prior", file.name());
  if (fit.places.rows() != d.sensors.size())
    fail("{}: the prior has places of {} sensors, the model {}; the file is damaged", file.name(), fit.places.rows(),
         d.sensors.size());
  if (fit.modes.rows() != base->points().rows() || fit.coefficients.rows() != fit.readings.rows())
    fail("{}: the prior has {} rows of modes, {} of readings and {} of coefficients for {} points; the file is damaged",
         file.name(), fit.modes.rows(), fit.readings.rows(), fit.coefficients.rows(), base->points().rows());
  out.pod = std::make_shared<const PodPrior>(base->points(), channels, std::move(fit));
  return out;
}

}  // namespace fluidsplat::classical
