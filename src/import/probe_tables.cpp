// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/probe_tables.h"

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "field/dataset_file.h"
#include "io/openfoam_probes.h"

namespace fluidsplat::importing {
namespace {

std::vector<std::string> names_of(const std::vector<field::Column>& columns) {
  std::vector<std::string> out;
  for (const auto& c : columns) out.push_back(c.name);
  return out;
}

// The axes that the probes need.
std::vector<std::string> coordinates_of(const io::FoamProbes& probes) {
  const bool flat = std::all_of(probes.places.begin(), probes.places.end(),
                                [&](const auto& place) { return place[2] == probes.places.front()[2]; });
  return flat ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
}

}  // namespace

ProbeTables write_probe_tables(const std::filesystem::path& folder, const std::filesystem::path& dataset,
                               const std::filesystem::path& sensors, const std::filesystem::path& readings) {
  const auto probes = io::read_foam_probes(folder);
  auto coordinates = coordinates_of(probes);
  std::vector<std::string> channels;  // empty: all
  if (!dataset.empty()) {
    const field::DatasetFile data(dataset);
    coordinates = names_of(data.schema().coordinates);
    channels = names_of(data.schema().channels);
  }
  const auto channel_of = [](const std::string& column) { return column.substr(column.find('.') + 1); };
  io::Table kept;
  std::vector<std::string> measured;
  for (std::size_t c = 0; c < probes.readings.header.size(); ++c) {
    const auto& column = probes.readings.header[c];
    const auto channel = channel_of(column);
    // Without a dataset, a velocity out of the plane is no channel of flat data.
    const bool across = channels.empty() && coordinates.size() == 2 && channel == "w";
    const bool known = channels.empty() || std::find(channels.begin(), channels.end(), channel) != channels.end();
    if (c > 0 && (across || !known)) continue;
    kept.header.push_back(column);
    kept.columns.push_back(probes.readings.columns[c]);
    if (c > 0 && std::find(measured.begin(), measured.end(), channel) == measured.end()) measured.push_back(channel);
  }
  if (measured.empty())
    fail("{}: the probes measure none of the channels of {} ({})", probes.readings.source, dataset.string(),
         fmt::join(channels, ", "));
  std::string text = fmt::format("name,{},channels\n", fmt::join(coordinates, ","));
  for (std::size_t i = 0; i < probes.places.size(); ++i) {
    text += fmt::format("probe{}", i);
    for (const auto& name : coordinates) {
      if (name != "x" && name != "y" && name != "z")
        fail("{}: its coordinate \"{}\" is none of x, y, z, in which probes are given", dataset.string(), name);
      text += fmt::format(",{}", probes.places[i][std::size_t(name[0] - 'x')]);
    }
    text += fmt::format(",{}\n", fmt::join(measured, ";"));
  }
  write_file(sensors, text);
  io::write_csv(readings, kept);
  const auto& times = kept.columns.front();
  return {std::ssize(probes.places), std::ssize(times), times.front(), times.back()};
}

}  // namespace fluidsplat::importing
