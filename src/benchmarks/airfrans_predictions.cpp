// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airfrans_predictions.h"

#include "base/error.h"
#include "benchmarks/airfrans_case.h"
#include "io/vtk.h"

namespace fluidsplat::benchmarks {

namespace {

void write_prediction(const std::filesystem::path& truth, const std::filesystem::path& out,
                      const field::Matrix& fields) {
  auto vtk = io::read_vtk(truth);
  if (vtk.point_count() != fields.rows())
    fail("{}: has {} points, the dataset's case has {}; import the folder again", truth.string(), vtk.point_count(),
         fields.rows());
  io::VtkArray velocity{"U", 3, {}, io::DType::f32}, pressure{"p", 1, {}, io::DType::f32};
  for (Index i = 0; i < fields.rows(); ++i) {
    velocity.values.insert(velocity.values.end(), {fields(i, 0), fields(i, 1), 0});
    pressure.values.push_back(fields(i, 2));
  }
  vtk.point_data = {std::move(velocity), std::move(pressure)};
  vtk.cell_data.clear();
  io::write_vtk(out, vtk);
}

}  // namespace

Outcome write_airfrans_predictions(const std::filesystem::path& folder, const field::Dataset& dataset,
                                   const std::vector<Index>& cases, const field::SensorPlacement& sensors,
                                   const field::Predict& predict, const RunHooks& hooks) {
  if (dataset.schema() != airfrans_schema())
    fail(
        "{}: does not hold AirfRANS's channels, features and descriptors; make it with \"fluidsplat data import "
        "--benchmark airfrans\"",
        dataset.name());
  const AirfransFiles files{folder};
  Outcome out;
  for (const Index index : cases) {
    if (hooks.should_stop()) {
      out.complete = false;
      return out;
    }
    const auto c = dataset.load(index);
    if (!std::filesystem::exists(files.internal(c.name)))
      fail("{}: missing; {} holds its case, so the folder is not the one that it was made of",
           files.internal(c.name).string(), dataset.name());
    const auto readings = sensors.read(c, index);
    write_prediction(files.internal(c.name), files.predicted_internal(c.name), predict(readings, c, c.mesh));
    write_prediction(files.aerofoil(c.name), files.predicted_aerofoil(c.name), predict(readings, c, c.mesh->wall));
    hooks.tell(double(++out.cases) / double(std::ssize(cases)), "cases");
  }
  return out;
}

}  // namespace fluidsplat::benchmarks
