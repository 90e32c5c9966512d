// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "baselines/pod_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "baselines/pod_basis.h"

namespace fluidsplat::baselines {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::pair<PodMap, Kernel> kKernels[] = {{PodMap::kLinear, Kernel::kLinear},
                                                  {PodMap::kQuadratic, Kernel::kQuadratic},
                                                  {PodMap::kGaussian, Kernel::kGaussian},
                                                  {PodMap::kMatern, Kernel::kMatern}};

torch::Tensor to_tensor(const MatrixXd& m) {
  const model::Matrix rows = m.cast<float>();
  return torch::from_blob(const_cast<float*>(rows.data()), {rows.rows(), rows.cols()}).clone();
}

MatrixXd to_matrix(const torch::Tensor& t) {
  return Eigen::Map<const model::Matrix>(t.data_ptr<float>(), t.size(0), t.size(1)).cast<double>();
}

// Gappy POD as Bayes has it: coefficients are normal with the training cases' variances, readings are modes times
// coefficients with noise.  Its variance is chosen so that the training cases are met best, each from its readings.
class GappyFit {
 public:
  GappyFit(MatrixXd modes_at_sensors, const MatrixXd& readings, const MatrixXd& coefficients)
      : modes_(std::move(modes_at_sensors)),
        variances_(coefficients.colwise().squaredNorm() / double(readings.rows())) {
    double best = std::numeric_limits<double>::infinity();
    const double scale = readings.squaredNorm() / double(readings.size());
    for (double noise = 1e-12; noise < 2; noise *= 10) {
      const MatrixXd map = solve(noise * scale);
      const double error = (readings * map.transpose() - coefficients).squaredNorm();
      if (error < best) best = error, map_ = map;
    }
  }
  VectorXd operator()(const VectorXd& readings) const { return map_ * readings; }

 private:
  // V M' (M V M' + noise)^-1 for modes M [S, J] and variances V.
  MatrixXd solve(double noise) const {
    const MatrixXd spread = variances_.asDiagonal() * modes_.transpose();
    MatrixXd gram = modes_ * spread;
    gram.diagonal().array() += noise;
    return gram.ldlt().solve(spread.transpose()).transpose();
  }

  MatrixXd modes_;
  VectorXd variances_;
  MatrixXd map_;
};

void check_one_mesh(const field::Dataset& dataset, const std::vector<Index>& cases) {
  for (const Index i : cases)
    if (dataset.mesh_of(i) != dataset.mesh_of(cases.front()))
      fail("model.kind = pod: the training cases of {} lie on different meshes, so they have no modes in common",
           dataset.name());
}

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
  c.add("model.rank", &rank, "modes at most").at_least(1).at_most(kSketch);
}

PodModel::PodModel(const PodSpec& spec, const learn::DataFacts&) : spec_(spec) {
  for (auto [name, tensor] : {std::pair("mean", &mean_),
                              {"modes", &modes_},
                              {"coefficients", &case_coefficients_},
                              {"readings", &case_readings_},
                              {"sensor_positions", &sensor_positions_},
                              {"sensor_channels", &sensor_channels_},
                              {"modes_at_sensors", &sensor_modes_}})
    *tensor = register_buffer(name, torch::zeros({0, 0}));
}

void PodModel::fit(const learn::TrainingData& data) {
  check_one_mesh(data.dataset, data.cases);
  const Index count = std::ssize(data.cases), c = spec_.channels;
  const Index length = data.dataset.mesh(data.dataset.mesh_of(data.cases.front()))->size() * c;
  field::Matrix fields;
  const auto load = [&](Index t) {
    fields = data.dataset.load(data.cases[t]).fields;
    data.normalization.channels.normalize(fields);
    return fields.data();
  };
  const auto pod = make_pod({count, length, load}, spec_.rank);

  const auto placed = data.sensors.of(data.cases.front());
  std::vector<std::pair<Index, Index>> seen;  // sensor, channel
  std::vector<VectorXd> rows;
  for (const Index i : data.cases) {
    const auto readings = data.sensors.read(data.dataset.load(i), i);
    if (seen.empty())
      for (Index s = 0; s < readings.values.rows(); ++s)
        for (Index k = 0; k < c; ++k)
          if (!std::isnan(readings.values(s, k))) seen.emplace_back(s, k);
    VectorXd row(std::ssize(seen));
    for (Index r = 0; r < row.size(); ++r) {
      const auto [s, k] = seen[r];
      row(r) = (readings.values(s, k) - readings.mean(s, k)) / data.normalization.readings.scale[k];
    }
    rows.push_back(std::move(row));
  }
  const Index sensors = std::ssize(seen);
  MatrixXd readings(count, sensors), positions(sensors, spec_.dim), channels(sensors, 1),
      at_sensors(sensors, pod.modes.rows());
  for (Index t = 0; t < count; ++t) readings.row(t) = rows[t].transpose();
  for (Index r = 0; r < sensors; ++r) {
    const auto [s, k] = seen[r];
    positions.row(r) = data.normalization.positions(placed.layout.positions.row(s)).row(0).cast<double>();
    channels(r, 0) = double(k);
    // A reading is the deviation of the field there, in the readings' own scale.
    const double scale = data.normalization.channels.scale[k] / data.normalization.readings.scale[k];
    at_sensors.row(r) = pod.modes.col(placed.points[s] * c + k).transpose().cast<double>() * scale;
  }
  mean_.set_data(to_tensor(pod.mean.transpose().cast<double>()));
  modes_.set_data(torch::from_blob(const_cast<float*>(pod.modes.data()), {pod.modes.rows(), length}).clone());
  case_coefficients_.set_data(to_tensor(pod.coefficients));
  case_readings_.set_data(to_tensor(readings));
  sensor_positions_.set_data(to_tensor(positions));
  sensor_channels_.set_data(to_tensor(channels));
  sensor_modes_.set_data(to_tensor(at_sensors));
  maps_.clear();
}

PodModel::Map PodModel::make_map(const std::vector<Index>& sensors) const {
  const MatrixXd coefficients = to_matrix(case_coefficients_);
  const MatrixXd readings = to_matrix(case_readings_)(Eigen::all, sensors);
  if (sensors.empty()) return [n = coefficients.cols()](const VectorXd&) { return VectorXd(VectorXd::Zero(n)); };
  if (spec_.map == PodMap::kGappy)
    return GappyFit(to_matrix(sensor_modes_)(sensors, Eigen::all), readings, coefficients);
  Chosen best{{}, std::numeric_limits<double>::infinity()};
  for (const auto& [map, kernel] : kKernels)
    if (spec_.map == map || spec_.map == PodMap::kBest)
      if (const auto chosen = choose_settings(kernel, readings, coefficients);
          chosen.leave_one_out < best.leave_one_out)
        best = chosen;
  return [map = ReadingMap(best.settings, readings, coefficients)](const VectorXd& r) {
    return VectorXd(map(r.transpose()).transpose());
  };
}

const PodModel::Map& PodModel::map_for(const std::vector<Index>& sensors) {
  const std::lock_guard lock(mutex_);
  const auto found = maps_.find(sensors);
  return found != maps_.end() ? found->second : maps_.emplace(sensors, make_map(sensors)).first->second;
}

VectorXd PodModel::coefficients(const learn::Observation& o, Index b) {
  const auto place = o.positions.accessor<float, 3>();
  const auto value = o.values.accessor<float, 2>(), present = o.present.accessor<float, 2>();
  const auto channel = o.channels.accessor<std::int64_t, 2>();
  const auto known = sensor_positions_.accessor<float, 2>(), known_channel = sensor_channels_.accessor<float, 2>();
  std::vector<Index> sensors;
  std::vector<double> readings;
  for (Index s = 0; s < known.size(0); ++s)
    for (Index token = 0; token < value.size(1); ++token) {
      bool same = present[b][token] > 0 && channel[b][token] == Index(known_channel[s][0]);
      for (Index a = 0; a < known.size(1); ++a) same = same && std::abs(place[b][token][a] - known[s][a]) < kSamePlace;
      if (!same) continue;
      sensors.push_back(s);
      readings.push_back(value[b][token]);
      break;
    }
  return map_for(sensors)(Eigen::Map<const VectorXd>(readings.data(), std::ssize(readings)));
}

torch::Tensor PodModel::reconstruct(const learn::Observation& o, const learn::Queries& queries) {
  const Index batch = o.values.size(0), c = spec_.channels, points = modes_.size(1) / c;
  if (!queries.points.defined() ||
      std::ranges::any_of(queries.meshes, [&](const auto& m) { return m->size() != points; }))
    fail("a model of kind pod answers at the {} points of its training mesh only; give it that mesh", points);
  MatrixXd all(batch, modes_.size(0));
  for (Index b = 0; b < batch; ++b) all.row(b) = coefficients(o, b).transpose();
  const auto fields = torch::addmm(mean_, to_tensor(all), modes_).view({batch, points, c});
  return fields.gather(1, queries.points.unsqueeze(-1).expand({-1, -1, c}));
}

void PodModel::load(const learn::TensorMap& tensors, const std::string& where) {
  for (const auto& item : named_buffers()) {
    const auto found = tensors.find(item.key());
    if (found == tensors.end() || found->second.dim() != 2) fail("{}: expected a matrix \"{}\"", where, item.key());
    auto buffer = item.value();
    buffer.set_data(found->second.to(torch::kFloat32).contiguous().clone());
  }
  const Index modes = modes_.size(0), sensors = case_readings_.size(1), cases = case_readings_.size(0);
  const auto fits = [](const torch::Tensor& t, Index rows, Index columns) {
    return t.size(0) == rows && t.size(1) == columns;
  };
  if (modes_.size(1) % spec_.channels != 0 || !fits(mean_, 1, modes_.size(1)) ||
      !fits(case_coefficients_, cases, modes) || !fits(sensor_positions_, sensors, spec_.dim) ||
      !fits(sensor_channels_, sensors, 1) || !fits(sensor_modes_, sensors, modes))
    fail("{}: the sizes of modes, coefficients, readings and sensors do not fit each other", where);
  maps_.clear();
}

}  // namespace fluidsplat::baselines
