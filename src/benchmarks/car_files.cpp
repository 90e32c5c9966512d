// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/car_files.h"

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "benchmarks/car_raw.h"
#include "field/dataset_file.h"
#include "field/surface_features.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr double kSigmas = 3;
constexpr Index kPublishedCases = 100, kPublishedTraining = 75;

field::Schema car_schema() {
  field::Schema schema;
  schema.coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
  schema.channels = {{"p_norm", ""}};
  schema.features = field::surface_feature_columns(schema.coordinates);
  schema.descriptors = {{"speed", "m/s"}, {"yaw", "deg"}};
  return schema;
}

// Which rows are within three standard deviations of the mean.
std::vector<Index> usual_rows(const Eigen::VectorXd& pressure) {
  const double mean = pressure.mean();
  const double deviation = std::sqrt((pressure.array() - mean).square().mean());
  std::vector<Index> rows;
  for (Index i = 0; i < pressure.size(); ++i)
    if (std::abs(pressure[i] - mean) <= kSigmas * deviation) rows.push_back(i);
  return rows;
}

field::Case to_case(const sim::SurfaceCloud& cloud, const Eigen::Vector3d& velocity, Index number) {
  const auto rows = usual_rows(cloud.values);
  const Index n = std::ssize(rows);
  auto mesh = std::make_shared<field::Mesh>();
  mesh->points.resize(n, 3);
  for (Index i = 0; i < n; ++i) mesh->surface.push_back(i);
  field::Case c;
  c.name = fmt::format("case_{}", number);
  c.fields.resize(n, 1);
  for (Index i = 0; i < n; ++i) {
    mesh->points.row(i) = cloud.points.col(rows[i]).transpose().cast<float>();
    c.fields(i, 0) = float((cloud.values[rows[i]] - kCarPressureLow) / (kCarPressureHigh - kCarPressureLow));
  }
  mesh->features = field::surface_features(*mesh);
  c.mesh = std::move(mesh);
  const double speed = velocity.norm(), yaw = std::acos(velocity.x() / speed) * 180 / std::numbers::pi;
  c.descriptors.resize(2);
  c.descriptors << float(speed), float(yaw);
  c.reference.speed = speed;
  c.reference.direction = {velocity.x(), velocity.y(), velocity.z()};
  return c;
}

// None may be missing in between: a download that stopped, say.
std::vector<Index> complete_numbers(const fs::path& folder) {
  if (!fs::is_directory(folder))
    fail("{}: no such folder; name the one that holds pressure_files and velocity_files", folder.string());
  const auto numbers = car_case_numbers(folder);
  if (numbers.empty()) fail("{}: pressure_files has no case_<number>_p_car_patch.raw", folder.string());
  for (Index i = 0; i < std::ssize(numbers); ++i) {
    if (numbers[i] != numbers[0] + i)
      fail("{}: there is a case {} but no case {}; the set is incomplete", folder.string(), numbers[i], numbers[0] + i);
    const auto files = car_file_names(folder, numbers[i]);
    for (const auto& file : {files.pressure, files.velocity})
      if (!fs::exists(file)) fail("{}: is missing, the other file of this case is there", file.string());
  }
  if (numbers.size() < 2)
    fail("{}: has one case, at least one to train on and one to test are needed", folder.string());
  return numbers;
}

field::Split paper_split(Index cases) {
  const Index train = std::max<Index>(1, cases * kPublishedTraining / kPublishedCases);
  field::Split split;
  for (Index i = 0; i < cases; ++i) (i < train ? split.train : split.test).push_back(i);
  return split;
}

}  // namespace

Outcome import_car(const fs::path& folder, const fs::path& dataset, const RunHooks& hooks) {
  const auto numbers = complete_numbers(folder);
  const Index cases = std::ssize(numbers);
  field::DatasetWriter writer(dataset, car_schema(), "Pressure on cars");
  Index rows = 0, kept = 0;
  for (Index i = 0; i < cases; ++i) {
    if (hooks.should_stop()) return interrupted_outcome();
    hooks.tell(double(i) / double(cases), "reading cars");
    const auto files = car_file_names(folder, numbers[i]);
    const auto cloud = read_car_pressure(files.pressure);
    const auto c = to_case(cloud, read_flow_velocity(files.velocity), numbers[i]);
    rows += cloud.values.size();
    kept += c.mesh->size();
    writer.add(c);
  }
  hooks.tell(1, "reading cars");
  const auto split = paper_split(cases);
  const auto back = fmt::format("p = {:.3f} * p_norm {:+.3f}, in the files' unit (m2/s2)",
                                kCarPressureHigh - kCarPressureLow, kCarPressureLow);
  Outcome outcome;
  outcome.cases = cases;
  outcome.notes = {fmt::format("{}: {} cases of {} points on average, {:.2f} % of them left out as more than {:g} "
                               "standard deviations from the mean of their case",
                               folder.string(), cases, rows / cases, 100 * double(rows - kept) / double(rows), kSigmas),
                   "the channel p_norm: " + back,
                   fmt::format("split \"paper\": cases {} to {} train, the others up to {} test, none choose",
                               numbers.front(), numbers[split.train.back()], numbers.back())};
  if (numbers.front() != 1 || cases != kPublishedCases)
    outcome.notes.push_back(
        fmt::format("the published set has cases 1 to {}, of which 1 to {} train; here the first three quarters do",
                    kPublishedCases, kPublishedTraining));
  writer.set_notes({{"benchmark", "car"}, {"pressure", back}});
  writer.set_splits({{"paper", split}});
  writer.commit();
  return outcome;
}

}  // namespace fluidsplat::benchmarks
