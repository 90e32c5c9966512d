// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "import/array_mesh.h"
#include "import/case_reader.h"

namespace fluidsplat::importing {
namespace {

// The arrays of one file, open.
struct OpenFile {
  std::vector<ArrayFrames> channels;
  std::optional<ArrayFrames> mask;
  std::vector<Index> offsets;  // of cases laid end to end
  std::unique_ptr<ArrayMesh> where;
  std::shared_ptr<const field::Mesh> mesh;  // of the last case, or of all when they share it

  Index cases() const { return offsets.empty() ? channels.front().cases() : std::ssize(offsets) - 1; }
  field::Matrix read(ArrayFrames& array, Index index) const {
    if (offsets.empty()) return array.read(array.axes().has('t') ? index : 0);
    const std::size_t i = index;
    return array.read_points(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

class ArrayCases : public CaseReader {
 public:
  ArrayCases(const Recipe& recipe, const std::vector<InputPath>& files) : recipe_(recipe), files_(files) {
    if (are_the_arrays()) files_.resize(1);
    take_axis_names();
    for (std::size_t f = 0; f < files_.size(); ++f) {
      const auto file = open(f);
      if (f == 0) {
        make_schema(file);
        describe(file);
      }
      if (int(file.where->coordinate_names().size()) != schema_.dim())
        fail("{}: is {}-D, {} is {}-D", files_[f].path.string(), file.where->dim(), files_[0].path.string(),
             schema_.dim());
      const auto take = taken(file);
      if (take.size() != schema_.channels.size())
        fail("{}: holds {} channels, {} holds {}", files_[f].path.string(), take.size(), files_[0].path.string(),
             schema_.channels.size());
      first_.push_back(size_);
      size_ += file.cases();
    }
    first_.push_back(size_);
    read_times();
    say_what_several_files_are();
  }

  const field::Schema& schema() const override { return schema_; }
  Index size() const override { return size_; }
  const std::vector<std::string>& notes() const override { return notes_; }

  std::string name(Index index) const override {
    const auto f = file_of(index);
    const auto stem = files_[f].path.stem().string();
    return first_[f + 1] - first_[f] == 1 ? stem : fmt::format("{}-{:05d}", stem, index - first_[f]);
  }

  double time(Index index) const override {
    return times_.empty() ? std::numeric_limits<double>::quiet_NaN() : times_[index];
  }

  field::Case read(Index index) override {
    const auto f = file_of(index);
    if (!open_ || open_index_ != f) {
      open_.emplace(open(f));
      open_index_ = f;
    }
    const auto t = index - first_[f];
    field::Case c;
    c.name = name(index);
    if (open_->where->differs_by_case() || !open_->mesh)
      open_->mesh = std::make_shared<const field::Mesh>(open_->where->read(t));
    c.mesh = open_->mesh;
    if (open_->where->surface_is_open() && !warned_of_open_wall_) {
      notes_.push_back(open_surface_note(c.name));
      warned_of_open_wall_ = true;
    }
    fill(c, t);
    return c;
  }

  field::Matrix descriptors(const std::vector<std::string>& names) override {
    field::Matrix out(size_, std::ssize(names));
    for (std::size_t f = 0; f < files_.size(); ++f)
      for (std::size_t k = 0; k < names.size(); ++k) {
        auto source = ArraySource::open(files_[f].path, names[k]);
        const auto values = source.all();
        const auto cases = first_[f + 1] - first_[f];
        if (std::ssize(values) != cases)
          fail("{}: the descriptor has {} values for {} cases", source.label(), values.size(), cases);
        for (Index t = 0; t < cases; ++t) out(first_[f] + t, k) = float(values[t]);
      }
    return out;
  }

 private:
  // Files that are all named again as arrays hold the channels of the same cases.
  bool are_the_arrays() const {
    return std::all_of(files_.begin(), files_.end(), [&](const InputPath& file) {
      return std::find(recipe_.arrays.begin(), recipe_.arrays.end(), file.path.string()) != recipe_.arrays.end();
    });
  }

  // What the first file says of its axes (NetCDF does), where the user says nothing.
  void take_axis_names() {
    const auto source = ArraySource::open(files_.front().path, recipe_.arrays.empty() ? "" : recipe_.arrays.front());
    const auto& names = source.axis_names();
    if (names.layout.empty() || !recipe_.layout.empty()) return;
    recipe_.layout = names.layout;
    if (recipe_.times.empty()) recipe_.times = names.times;
    if (!recipe_.points.empty() || !recipe_.origin.empty() || !recipe_.spacing.empty()) return;
    const std::array named = {&recipe_.x, &recipe_.y, &recipe_.z};
    for (std::size_t a = 0; a < 3; ++a)
      if (named[a]->empty()) *named[a] = names.coordinates[a];
  }

  std::size_t file_of(Index index) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), index) - first_.begin()) - 1;
  }

  OpenFile open(std::size_t f) const {
    const auto& path = files_[f].path;
    OpenFile out;
    AxesHints hints;
    hints.points = scattered_points(recipe_, path);
    const Index with_mask = recipe_.mask_channel >= 0 ? 1 : 0;
    if (recipe_.arrays.size() > 1)
      hints.channels = 1;
    else if (recipe_.select.empty() && !recipe_.channels.empty())
      hints.channels = std::ssize(recipe_.channels) + with_mask;
    const auto arrays = recipe_.arrays.empty() ? std::vector<std::string>{""} : recipe_.arrays;
    for (const auto& reference : arrays) {
      auto source = ArraySource::open(path, reference);
      hints.any_order = source.any_order();
      auto axes = read_axes(recipe_.layout, source.shape(), hints, source.label());
      if (!out.channels.empty() && axes.shape != out.channels.front().axes().shape)
        fail("{}: has the shape {}, {} has {}; channels must have one shape", source.label(),
             io::shape_text(axes.shape), out.channels.front().source().label(),
             io::shape_text(out.channels.front().axes().shape));
      out.channels.emplace_back(std::move(source), std::move(axes));
    }
    const auto& axes = out.channels.front().axes();
    if (!recipe_.mask.empty()) out.mask.emplace(open_companion(path, recipe_.mask, axes, false, "mask"));
    out.offsets = read_offsets(recipe_, path, axes);
    out.where = std::make_unique<ArrayMesh>(recipe_, path, axes, out.offsets);
    return out;
  }

  // The channels to keep, as columns of the arrays laid side by side.
  std::vector<Index> taken(const OpenFile& file) const {
    Index columns = 0;
    for (const auto& c : file.channels) columns += c.columns();
    if (recipe_.mask_channel >= columns)
      fail("{}: mask_channel = {}, but it holds {} channels (0 to {})", file.channels.front().source().label(),
           recipe_.mask_channel, columns, columns - 1);
    std::vector<Index> out = recipe_.select;
    for (auto s : out)
      if (s >= columns)
        fail("{}: select = {}, but it holds {} channels (0 to {})", file.channels.front().source().label(), s, columns,
             columns - 1);
    if (out.empty())
      for (Index k = 0; k < columns; ++k)
        if (k != recipe_.mask_channel) out.push_back(k);
    return out;
  }

  void make_schema(const OpenFile& file) {
    take_ = taken(file);
    auto names = recipe_.channels;
    if (names.empty())
      for (auto k : take_) {
        const auto& source = file.channels[file.channels.size() > 1 ? static_cast<std::size_t>(k) : 0].source();
        const bool one = file.channels.size() > 1 || take_.size() == 1;
        names.push_back(one ? source.name() : fmt::format("{}_{}", source.name(), k));
      }
    if (names.size() != take_.size())
      fail("{}: {} channels are named ({}), {} are read; name each, or choose with select",
           file.channels.front().source().label(), names.size(), fmt::join(names, ", "), take_.size());
    schema_.channels = make_columns(names, recipe_.units, "channels");
    for (const auto& name : file.where->coordinate_names()) schema_.coordinates.push_back({name, recipe_.length_unit});
    schema_.features = make_columns(recipe_.features, recipe_.feature_units, "features");
  }

  void describe(const OpenFile& file) {
    const auto& first = file.channels.front();
    notes_.push_back(fmt::format("{}: shape {} read as {}", first.source().label(), io::shape_text(first.axes().shape),
                                 first.axes().letters));
    if (recipe_.x.empty() && recipe_.points.empty() && recipe_.spacing.empty())
      notes_.push_back(
          "the grid's spacing is not given: one unit from value to value (spacing = NUMBERS, or x = NAME and y = NAME, tell)");
  }

  // u.npy and v.npy could be two channels of the same cases; they are read one after the other.
  void say_what_several_files_are() {
    if (files_.size() < 2 || files_.front().path.extension() != ".npy" || size_ == std::ssize(files_)) return;
    std::vector<std::string> names;
    for (const auto& file : files_) names.push_back(file.path.string());
    const auto all = fmt::format("{}", fmt::join(names, ","));
    notes_.push_back(
        fmt::format("{} files are read one after the other: {} cases of {} channel{} ({}); if they are channels "
                    "of the same cases, say arrays = {}",
                    files_.size(), size_, schema_.channels.size(), schema_.channels.size() == 1 ? "" : "s",
                    schema_.channels.front().name, files_.size() > 8 ? "FILE,FILE,..." : all));
  }

  void read_times() {
    if (recipe_.times.empty()) return;
    const bool one_list = recipe_.times.find(".np") != std::string::npos;
    for (std::size_t f = 0; f < files_.size() && !(one_list && f > 0); ++f) {
      auto source = ArraySource::open(files_[f].path, recipe_.times);
      const auto values = source.all();
      const auto cases = one_list ? size_ : first_[f + 1] - first_[f];
      if (std::ssize(values) != cases) fail("{}: {} times for {} cases", source.label(), values.size(), cases);
      times_.insert(times_.end(), values.begin(), values.end());
    }
  }

  void fill(field::Case& c, Index t) {
    field::Matrix all;
    for (auto& channel : open_->channels) {
      auto part = open_->read(channel, t);
      if (open_->channels.size() == 1) {
        all = std::move(part);
        break;
      }
      const auto column = all.cols();
      all.conservativeResize(part.rows(), column + part.cols());
      all.rightCols(part.cols()) = part;
    }
    const float nothing = std::numeric_limits<float>::quiet_NaN();
    c.fields.resize(all.rows(), std::ssize(take_));
    for (std::size_t k = 0; k < take_.size(); ++k) c.fields.col(k) = all.col(take_[k]);
    blank_no_data(c.fields, recipe_.no_data);
    field::Matrix mask;
    if (open_->mask) mask = open_->read(*open_->mask, t);
    if (recipe_.mask_channel >= 0) mask = all.col(recipe_.mask_channel);
    for (Index i = 0; i < mask.rows(); ++i)
      if (std::isnan(mask(i, 0)) || (mask(i, 0) == 0) != recipe_.mask_inverted) c.fields.row(i).setConstant(nothing);
  }

  Recipe recipe_;
  std::vector<InputPath> files_;
  field::Schema schema_;
  std::vector<Index> first_, take_;  // first case of each file; channels
  Index size_ = 0;
  std::vector<double> times_;
  std::vector<std::string> notes_;
  std::optional<OpenFile> open_;
  std::size_t open_index_ = 0;
  bool warned_of_open_wall_ = false;
};

}  // namespace

std::unique_ptr<CaseReader> read_arrays(const Recipe& recipe, const std::vector<InputPath>& files) {
  return std::make_unique<ArrayCases>(recipe, files);
}

}  // namespace fluidsplat::importing
