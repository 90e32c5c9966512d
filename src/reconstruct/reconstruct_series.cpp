// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "reconstruct/reconstruct_series.h"

#include <fmt/format.h>

#include "reconstruct/places.h"
#include "reconstruct/series.h"

namespace fluidsplat::reconstruct {
namespace {

Extras all_extras(const FieldModel& model) {
  Extras extras;
  extras.scaffold = extras.mass = true;
  extras.vorticity = extras.divergence = !model.velocity().empty();
  return extras;
}

}  // namespace

SeriesReport reconstruct_series(FieldModel& model, const SeriesRequest& request, const SeriesHooks& hooks) {
  Places places(request, model, hooks.note);
  const auto table = parse_readings(io::read_csv(request.readings), model.schema(), places.sensors());
  places.check(table);
  if (!table.silent.empty() && hooks.note)
    hooks.note(fmt::format("{}: no column for {}; taken as missing", request.readings.string(),
                           fmt::join(table.silent, ", ")));

  const auto instants = std::ssize(table.values);
  const auto extras = request.field_only ? Extras{} : all_extras(model);
  std::filesystem::create_directories(request.out);
  const auto series =
      request.format == SeriesFormat::npy ? npy_series(request.out, instants) : vtk_series(request.out, "field", model);
  SeriesReport report;
  for (Index row = 0; row < instants; ++row) {
    report.complete = !(hooks.interrupted && hooks.interrupted());
    if (!report.complete) return report;
    places.go_to(table, row);
    const auto& target = places.target();
    const auto readings = instant(table, row, places.sensors());
    series->add(table.times[row], target, model.reconstruct(readings, table.descriptors[row], target.mesh, extras));
    report.instants = row + 1;
    report.points = target.mesh->size();
    if (hooks.progress) hooks.progress(row + 1, instants);
  }
  report.file = series->finish();
  return report;
}

}  // namespace fluidsplat::reconstruct
