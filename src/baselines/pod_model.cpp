// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/pod_model.h"

#include <cmath>

#include "base/error.h"
#include "baselines/matrices.h"
#include "classical/gappy_pod.h"

namespace fluidsplat::baselines {
namespace {

using namespace classical;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::pair<PodMap, Kernel> kKernels[] = {{PodMap::kLinear, Kernel::kLinear},
                                                  {PodMap::kQuadratic, Kernel::kQuadratic},
                                                  {PodMap::kGaussian, Kernel::kGaussian},
                                                  {PodMap::kMatern, Kernel::kMatern}};

constexpr Index kFewCases = 100;

}  // namespace

void PodSpec::bind(Config& c) {
  c.add_choice("model.map", &map,
               {{"best", PodMap::kBest},
                {"linear", PodMap::kLinear},
                {"quadratic", PodMap::kQuadratic},
                {"gaussian", PodMap::kGaussian},
                {"matern", PodMap::kMatern},
                {"gappy", PodMap::kGappy}},
               "from readings to the modes' coefficients: ridge regression on readings (and their products), a kernel, "
               "or the one of these that predicts left-out cases best; gappy: modes fitted to the readings");
  c.add("model.noise", &noise,
        "noise that readings will have, as a share of how much they vary in training: maps are chosen to stand it")
      .at_least(0)
      .at_most(10);
  c.add("model.rank", &rank, "modes at most").at_least(1).at_most(kSketch);
}

PodModel::PodModel(const PodSpec& spec, const learn::DataFacts&)
    : ClosedFormModel({"modes", "coefficients", "readings", "noise", "settings"}), spec_(spec) {}

// Sensors that are others in every case have no map.
bool PodModel::is_gappy() const {
  return spec_.map == PodMap::kGappy || sensors().identity() == KnownSensors::Identity::kNone;
}

void PodModel::fit_deviations(const Fitting& f) {
  if (is_gappy() && spec_.map != PodMap::kGappy && spec_.map != PodMap::kBest)
    fail(
        "model.map: sensors that are drawn anew for every case have no order that a map could know; use gappy or best");
  const auto pod = make_pod(f.deviations, spec_.rank);
  set_matrix("modes", to_tensor(pod.modes));
  set_matrix("coefficients", pod.coefficients);
  const Index cases = std::ssize(f.said);
  MatrixXd readings(cases, is_gappy() ? 0 : sensors().size());
  std::vector<GappyCase> gappy;
  for (Index t = 0; t < cases; ++t) {
    if (is_gappy())
      gappy.push_back({at_sensors(matrix("modes"), f.said[t]), deviations_at_sensors(f.said[t]),
                       pod.coefficients.row(t).transpose()});
    else
      readings.row(t) = f.said[t].readings.transpose();
  }
  set_matrix("readings", readings);
  set_matrix("noise", MatrixXd::Constant(1, 1, is_gappy() ? fit_gappy(gappy).noise : 0.0));
  choose_map();
}

void PodModel::take_modes(const PodModel& fitted) {
  load(fitted.tensors(), "modes");
  choose_map();
  prepare("modes");
}

void PodModel::choose_map() {
  KernelSettings settings;
  if (!is_gappy()) settings = best_settings(as_doubles("readings"), as_doubles("coefficients"));
  // Float keeps twelve decades of ridges by their logarithm.
  set_matrix("settings", MatrixXd{{double(settings.kernel), settings.length, std::log10(settings.ridge)}});
}

KernelSettings PodModel::best_settings(const MatrixXd& readings, const MatrixXd& coefficients) const {
  std::vector<Kernel> allowed;
  for (const auto& [map, kernel] : kKernels)
    if (spec_.map == map || spec_.map == PodMap::kBest) allowed.push_back(kernel);
  return choose_settings(allowed, readings, coefficients, spec_.noise).settings;
}

void PodModel::prepare(const std::string& where) {
  const auto modes = matrix("modes"), coefficients = matrix("coefficients"), readings = matrix("readings");
  if (modes.size(1) != carrier().size() * channels() || coefficients.size(1) != modes.size(0) ||
      readings.size(0) != coefficients.size(0) || readings.size(1) != (is_gappy() ? 0 : sensors().size()) ||
      matrix("noise").numel() != 1 || matrix("settings").numel() != 3 ||
      !(as_doubles("settings")(0, 0) >= 0 && as_doubles("settings")(0, 0) <= double(Kernel::kMatern)))
    fail("{}: the sizes of modes, coefficients and readings do not fit each other; the file is damaged", where);
  maps_.clear();
}

PodModel::Map PodModel::make_map(const std::vector<Index>& sensors) const {
  const MatrixXd coefficients = as_doubles("coefficients");
  if (sensors.empty()) return [n = coefficients.cols()](const VectorXd&) { return VectorXd(VectorXd::Zero(n)); };
  const MatrixXd readings = as_doubles("readings")(Eigen::all, sensors);
  const auto kept = as_doubles("settings");
  KernelSettings settings{Kernel(Index(kept(0, 0))), kept(0, 1), std::pow(10.0, kept(0, 2))};
  if (std::ssize(sensors) < this->sensors().size() && coefficients.rows() <= kFewCases)
    settings = best_settings(readings, coefficients);
  return [map = ReadingMap(settings, readings, coefficients)](const VectorXd& r) {
    return VectorXd(map(r.transpose()).transpose());
  };
}

const PodModel::Map& PodModel::map_for(const std::vector<Index>& sensors) {
  const std::lock_guard lock(mutex_);
  const auto found = maps_.find(sensors);
  return found != maps_.end() ? found->second : maps_.emplace(sensors, make_map(sensors)).first->second;
}

VectorXd PodModel::coefficients(const Said& said) {
  if (!is_gappy()) return map_for(said.sensors)(said.readings);
  const MatrixXd known = as_doubles("coefficients");
  const GappyPod gappy{known.colwise().squaredNorm() / double(known.rows()), as_doubles("noise")(0, 0)};
  return gappy(at_sensors(matrix("modes"), said), deviations_at_sensors(said));
}

torch::Tensor PodModel::deviation(const Said& said, const Place& place) {
  const Eigen::VectorXf amounts = coefficients(said).cast<float>();
  const auto row = torch::from_blob(const_cast<float*>(amounts.data()), {1, amounts.size()});
  return carrier().look_up_sum(row, matrix("modes"), channels(), place.positions, place.points);
}

}  // namespace fluidsplat::baselines
