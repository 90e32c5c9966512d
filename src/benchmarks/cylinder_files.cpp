// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/cylinder_files.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/error.h"
#include "benchmarks/cylinder_wake.h"
#include "field/dataset_file.h"
#include "field/split.h"
#include "io/npy.h"
#include "io/pickle.h"

namespace fluidsplat::benchmarks {
namespace {

namespace fs = std::filesystem;
constexpr const char *kPickle = "Cy_Taira.pickle", *kArray = "cylinder.npy";
constexpr Index kTrain = 50, kValidation = 200, kSeed = 123;
constexpr Index kEnough = 1000;  // frames, for these numbers

fs::path find_array(const fs::path& source) {
  if (!fs::exists(source)) fail("{}: no such file or folder; name Cy_Taira.pickle or its folder", source.string());
  if (!fs::is_directory(source)) return source;
  for (const char* name : {kPickle, "Cy_Taira.npy", kArray})
    if (fs::exists(source / name)) return source / name;
  fail("{}: holds neither {} nor Cy_Taira.npy nor {}; name the file itself", source.string(), kPickle, kArray);
}

// Frames of the array, whatever the file, one in memory at a time.
class Frames {
 public:
  Frames(const fs::path& file, const sim::PixelWindow& window) : name_(file.string()), columns_(window.columns) {
    if (file.extension() == ".npy")
      open<io::NpyReader>(file);
    else
      open<io::PickleReader>(file);
    const bool image = shape_.size() == 3 || (shape_.size() == 4 && shape_[3] == 1);
    if (!image || shape_[1] != window.rows || shape_[2] != window.columns || shape_[0] < 2)
      fail("{}: the array is {}; the cylinder's is (frames, {}, {}, 1)", name_, io::shape_text(shape_), window.rows,
           window.columns);
  }

  Index size() const { return shape_[0]; }
  std::vector<double> read(Index frame) const {
    auto values = row_(frame).as<double>();
    const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); }) - values.begin();
    if (bad < std::ssize(values))
      fail("{}: frame {}, row {}, column {} is not a finite number", name_, frame, bad / columns_, bad % columns_);
    return values;
  }

 private:
  template <class Reader>
  void open(const fs::path& file) {
    const auto reader = std::make_shared<Reader>(file);
    shape_ = reader->shape();
    row_ = [reader](Index frame) { return reader->read_rows(frame, 1); };
  }

  std::string name_;
  Index columns_;
  std::vector<std::int64_t> shape_;
  std::function<io::Array(Index)> row_;
};

// The pixels that Senseiver trains on: those that are not zero in the first frame.
std::vector<std::uint8_t> nonzero_pixels(const std::vector<double>& frame, const std::string& file) {
  std::vector<std::uint8_t> mask(frame.size());
  std::ranges::transform(frame, mask.begin(), [](double x) { return std::uint8_t(x != 0); });
  if (std::ranges::count(mask, 1) < 100) fail("{}: frame 0 is zero nearly everywhere; is this the vorticity?", file);
  return mask;
}

// As published; an array that is too short for it keeps the proportions.
field::Split published_split(Index frames) {
  const double scale = frames >= kEnough ? 1.0 : double(frames) / double(kEnough);
  const auto part = [&](Index of) { return std::max<Index>(1, Index(scale * double(of))); };
  return field::protocol_split(frames, part(kTrain), part(kValidation), kSeed);
}

}  // namespace

Outcome import_cylinder(const fs::path& source, const fs::path& dataset, const RunHooks& hooks) {
  const auto file = find_array(source);
  const sim::PixelWindow window;
  const Frames frames(file, window);
  const auto first = frames.read(0);
  const auto mesh = std::make_shared<const field::Mesh>(wake_mesh(window, nonzero_pixels(first, file.string())));
  field::DatasetWriter writer(dataset, wake_schema(false), "Cylinder wake of the Senseiver benchmark");
  Outcome outcome;
  Index outside = 0;
  for (Index t = 0; t < frames.size(); ++t) {
    if (hooks.should_stop()) return interrupted_outcome();
    const auto values = t == 0 ? first : frames.read(t);
    field::Case c;
    c.name = fmt::format("frame-{:05d}", t);
    c.time = double(t);
    c.mesh = mesh;
    c.fields.resize(mesh->size(), 1);
    for (Index i = 0; i < mesh->size(); ++i) c.fields(i, 0) = float(values[mesh->grid_cell[i]]);
    outside = std::max(outside, Index(std::ranges::count_if(values, [](double x) { return x != 0; })) - mesh->size());
    writer.add(c);
    hooks.tell(double(t + 1) / double(frames.size()), "frames");
  }
  outcome.cases = frames.size();
  const auto split = published_split(frames.size());
  outcome.notes = {
      fmt::format("{}: {} frames of {} x {} pixels, {} of them not zero in the first frame", file.string(),
                  frames.size(), window.rows, window.columns, mesh->size()),
      fmt::format("split \"paper\": {} training frames (seed {}), {} test, {} of these choose the checkpoint",
                  split.train.size(), kSeed, split.test.size(), split.validation.size())};
  if (outside > 0)
    outcome.notes.push_back(fmt::format(
        "up to {} pixels are zero in the first frame and not later; they are left out, as Senseiver does", outside));
  writer.set_notes({{"source", file.filename().string()}, {"benchmark", "cylinder"}});
  writer.set_splits({{"paper", split}});
  writer.commit();
  return outcome;
}

Outcome make_cylinder_file(const fs::path& folder, const RunHooks& hooks) {
  const CylinderWakeOptions options;
  sim::CylinderFlow flow(options.flow);
  const auto& window = options.flow.window;
  io::NpyWriter writer(folder / kArray, io::DType::f32, {options.frames, window.rows, window.columns, 1});
  const auto store = [&](const sim::WakeFrame& frame) {
    writer.add_row(std::as_bytes(std::span(frame.image.vorticity)));
  };
  const auto report = sim::make_wake_frames(flow, {.frames = options.frames}, store, hooks);
  if (!report.complete) return interrupted_outcome();
  writer.commit();
  return {.cases = report.frames};
}

}  // namespace fluidsplat::benchmarks
