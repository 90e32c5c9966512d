// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
//
// Which sensor matters most?  Silences one sensor after the other and prints how far the reconstruction at
// all sensors moves.
//
//   silent_sensors MODEL
#include <cmath>
#include <cstdio>
#include <exception>
#include <fluidsplat/fluidsplat.hpp>
#include <limits>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s MODEL\n", argv[0]);
    return 2;
  }
  const fluidsplat::Model model(argv[1]);
  const auto info = model.info();
  if (info.features > 0 || info.descriptors > 0)
    throw std::runtime_error("this example is for models without point features and descriptors");
  const auto points = model.sensor_positions();
  fluidsplat::Plan plan(model, fluidsplat::PlanOptions{.points = points.data(), .count = info.sensors});

  // All instants in one batch: first every sensor speaks, then each is silent once.
  const std::size_t row = info.sensors * info.channels, frames = info.sensors + 1;
  std::vector<float> readings(frames * row), field(frames * row);
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (std::size_t i = 0; i < row; ++i)
      readings[frame * row + i] = i / info.channels + 1 == frame ? std::numeric_limits<float>::quiet_NaN()
                                                                 : std::sin(static_cast<float>(i));
  fluidsplat::Outputs out{};
  out.field = field.data();
  plan.run_batch(readings.data(), nullptr, frames, out);

  for (std::size_t silent = 0; silent < info.sensors; ++silent) {
    double square = 0;
    for (std::size_t i = 0; i < row; ++i) square += std::pow(field[(silent + 1) * row + i] - field[i], 2);
    std::printf("sensor %zu: %g\n", silent, std::sqrt(square / static_cast<double>(row)));
  }
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
