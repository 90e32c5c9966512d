// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/write_report.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "field/split.h"
#include "io/csv.h"
#include "learn/batch.h"
#include "learn/predictor.h"
#include "report/reconstruction_report.h"

namespace fluidsplat::app {
namespace {

constexpr std::size_t kShownPrimitives = 48;

// The primitives with the largest weights as one-sigma ellipses in the data's coordinates.
std::vector<report::Ellipse> weightiest(const learn::Primitives& p, const field::Normalizer& normalizer) {
  const auto centre = p.centre[0].contiguous(), scale = p.scale[0].contiguous(),
             weight = p.log_weight[0].contiguous();
  const auto count = centre.size(0);
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const float* w = weight.data_ptr<float>();
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return w[a] > w[b]; });
  order.resize(std::min(order.size(), kShownPrimitives));
  std::vector<report::Ellipse> out;
  const double low_x = normalizer.domain.low[0], low_y = normalizer.domain.low[1],
               side_x = normalizer.domain.high[0] - low_x, side_y = normalizer.domain.high[1] - low_y;
  for (auto k : order) {
    // Principal axes in the unit box, stretched into the domain; then the axes of the stretched ellipse.
    Eigen::Matrix2d axes = Eigen::Matrix2d::Identity();
    if (p.rotation.defined())
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) axes(i, j) = p.rotation[0][k][i][j].item<double>();
    for (int i = 0; i < 2; ++i) axes.row(i) *= scale[k][i].item<double>();
    axes.col(0) *= side_x;
    axes.col(1) *= side_y;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(axes.transpose() * axes);
    const auto major = eigen.eigenvectors().col(1);
    out.push_back({low_x + side_x * centre[k][0].item<double>(), low_y + side_y * centre[k][1].item<double>(),
                   std::sqrt(eigen.eigenvalues()[1]), std::sqrt(std::max(0.0, eigen.eigenvalues()[0])),
                   std::atan2(major[1], major[0])});
  }
  return out;
}

report::ShownCase show(learn::Predictor& predictor, const learn::SensorPlan& sensors,
                       const field::Dataset& dataset, std::int64_t index, const std::string& caption) {
  const auto c = dataset.load(index);
  const auto readings = sensors.read(c, dataset.mesh_of(index));
  auto said = predictor.reconstruct(readings, c.descriptors, *c.mesh, true);
  report::ShownCase out;
  out.caption = caption;
  out.index = index;
  out.time = c.time;
  out.mesh = c.mesh;
  out.error = field::compare(said.field, c.fields);
  out.truth = c.fields;
  out.prediction = std::move(said.field);
  out.scaffold = std::move(said.scaffold);
  out.sensors = readings.positions;
  if (dataset.schema().dim() == 2)
    out.primitives =
        weightiest(predictor.primitives(readings, c.descriptors, *c.mesh), predictor.bundle().normalizer);
  return out;
}

}  // namespace

void write_report(const ReportSource& source) {
  const field::DatasetFile dataset(source.data);
  learn::Predictor predictor(learn::load_model(source.run / "model.safetensors"), torch::kCPU);
  const learn::SensorPlan sensors(predictor.bundle().sensors, dataset);
  const auto split = field::read_split(source.run / "split.json", dataset.size());
  const auto cases = io::read_csv(source.run / "cases.csv"), log = io::read_csv(source.run / "log.csv");
  const auto& index = cases.column("case");
  const auto& error = cases.column("relative_l2");
  std::vector<std::size_t> by_error(index.size());
  std::iota(by_error.begin(), by_error.end(), 0);
  std::sort(by_error.begin(), by_error.end(), [&](auto a, auto b) { return error[a] < error[b]; });

  report::ReconstructionReport r;
  r.title = source.title;
  r.schema = dataset.schema();
  r.config = read_file(source.run / "config.toml");
  const auto case_at = [&](std::size_t rank) { return static_cast<std::int64_t>(index[by_error[rank]]); };
  r.cases.push_back(show(predictor, sensors, dataset, case_at(by_error.size() / 2), "Median"));
  r.cases.push_back(show(predictor, sensors, dataset, case_at(by_error.size() - 1), "Worst"));
  r.cases.push_back(show(predictor, sensors, dataset, case_at(0), "Best"));

  const double mean = std::accumulate(error.begin(), error.end(), 0.0) / static_cast<double>(error.size());
  const auto& model = *predictor.bundle().model;
  r.introduction = {
      fmt::format("{}. A FluidSplat model of {} parameters was trained on {} of {} cases and reconstructs "
                  "the other {} from {} sensors alone.",
                  dataset.title(), learn::parameter_count(model), split.train.size(), dataset.size(),
                  index.size(), predictor.bundle().sensors.size())};
  r.numbers = {
      {"quantity", "value"},
      {"relative L2 error, mean over unseen cases", fmt::format("{:.4f}", mean)},
      {"median", fmt::format("{:.4f}", error[by_error[by_error.size() / 2]])},
      {"worst", fmt::format("{:.4f} (case {})", error[by_error.back()], case_at(by_error.size() - 1))},
      {"sensor consistency, mean",
       fmt::format("{:.4f}", std::accumulate(cases.column("sensor_consistency").begin(),
                                             cases.column("sensor_consistency").end(), 0.0) /
                                 static_cast<double>(error.size()))},
      {"unseen cases", fmt::format("{}", index.size())},
      {"sensors", fmt::format("{}", predictor.bundle().sensors.size())},
      {"primitives", fmt::format("{}", model.config.primitives)},
      {"parameters", fmt::format("{}", learn::parameter_count(model))},
      {"training steps", fmt::format("{:.0f}", log.column("step").back())},
      {"training time", fmt::format("{:.0f} s", log.column("seconds").back())}};

  std::vector<std::pair<double, double>> over_time;
  for (std::size_t i = 0; i < index.size(); ++i)
    over_time.emplace_back(dataset.time_of(static_cast<std::int64_t>(index[i])), error[i]);
  std::sort(over_time.begin(), over_time.end());
  for (const auto& [t, e] : over_time) {
    r.test_time.push_back(t);
    r.test_error.push_back(e);
  }
  r.loss_step = log.column("step");
  r.loss = log.column("loss");
  r.validation = log.column("validation");
  write_file(source.out / "index.html", report::to_html(r));
}

}  // namespace fluidsplat::app
