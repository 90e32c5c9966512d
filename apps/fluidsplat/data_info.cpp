// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/data_commands.h"
#include "base/error.h"
#include "draw/surface_discs.h"
#include "draw/volume_view.h"
#include "field/dataset_file.h"
#include "field/sensor_file.h"
#include "survey/summary.h"

namespace fluidsplat::app {

void add_data_info(CLI::App& data) {
  struct Options {
    std::string file, picture, channel;
    Index index = 0;
    bool json = false;
  };
  auto o = std::make_shared<Options>();
  auto* command = data.add_subcommand("info", "what a dataset holds: sizes, ranges, how much varies");
  command->add_option("file", o->file, "the dataset")->required();
  command->add_flag("--json", o->json, "for programs");
  command->add_option("--picture", o->picture,
                      "write a case as a picture (.png): of surfaces in space a view, of volumes the middle slice");
  command->add_option("--case", o->index, "which case to draw")->check(CLI::NonNegativeNumber);
  command->add_option("--channel", o->channel, "which channel to draw (default: the first)");
  command->callback([o] {
    const field::DatasetFile dataset(o->file);
    const auto summary = survey::summarize(dataset);
    fmt::print("{}", o->json ? survey::to_json(summary).dump(1) + "\n" : survey::to_text(summary));
    if (o->picture.empty()) return;
    const auto c = dataset.load(o->index);
    const int channel =
        o->channel.empty() ? 0 : field::channel_indices({o->channel}, dataset.schema(), o->file).front();
    const field::Vector values = c.fields.col(channel);
    const auto scale = draw::scale_for(values);
    io::write_png(o->picture, draw::is_surface(*c.mesh) ? draw::draw_volume(*c.mesh, values, scale)
                                                        : draw::draw_field(draw::Plane(*c.mesh), values, scale));
    if (!o->json)
      fmt::print("{}: {} of case {} ({}), colours from {:.4g} to {:.4g}\n", o->picture,
                 dataset.schema().channels[channel].name, o->index, c.name, scale.low, scale.high);
  });
}

}  // namespace fluidsplat::app
