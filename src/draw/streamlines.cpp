// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "draw/streamlines.h"

#include <cmath>
#include <optional>

namespace fluidsplat::draw {
namespace {

using Place = std::array<double, 2>;

// All lengths are shares of the frame's longer side.
constexpr int kCells = 240;         // of the raster that velocities are read from, along that side
constexpr double kStep = 0.002;     // along a line
constexpr double kTooNear = 0.5;    // of the spacing: a line ends this close to another ...
constexpr double kSelf = 0.2;       // ... and this close to itself
constexpr double kShortest = 1.5;   // of the spacing: shorter lines are noise
constexpr double kStill = 1e-4;     // of the fastest: the flow has no direction there
constexpr int kMostSteps = 20'000;  // of a line that runs in circles

double longer_side(const Frame& frame) {
  return std::max(frame.right - frame.left, frame.top - frame.bottom);
}

// Directions on a raster, between whose nodes they are linear: reading the mesh at every step would cost far more.
class Directions {
 public:
  Directions(const Plane& plane, const field::Vector& across, const field::Vector& up) : frame_(plane.frame()) {
    cell_ = longer_side(frame_) / kCells;
    columns_ = std::max(1, int(std::lround((frame_.right - frame_.left) / cell_)));
    rows_ = std::max(1, int(std::lround((frame_.top - frame_.bottom) / cell_)));
    velocity_.resize(static_cast<std::size_t>((rows_ + 1) * (columns_ + 1)));
    double fastest = 0;
    for (int row = 0; row <= rows_; ++row)
      for (int column = 0; column <= columns_; ++column) {
        const double x = frame_.left + column * cell_, y = frame_.bottom + row * cell_;
        auto& v = velocity_[at(row, column)];
        v = {plane.interpolate(across, x, y), plane.interpolate(up, x, y)};
        if (const double speed = std::hypot(v[0], v[1]); speed > fastest) fastest = speed;
      }
    still_ = kStill * fastest;
  }

  // Of length one; absent outside, where there is no data, and where the flow stands still.
  std::optional<Place> operator()(const Place& p) const {
    const double x = (p[0] - frame_.left) / cell_, y = (p[1] - frame_.bottom) / cell_;
    if (!(x >= 0 && y >= 0 && x < columns_ && y < rows_)) return std::nullopt;
    const int column = int(x), row = int(y);
    const double a = x - column, b = y - row;
    Place v{};
    for (std::size_t axis = 0; axis < 2; ++axis)
      v[axis] = (1 - b) * ((1 - a) * velocity_[at(row, column)][axis] + a * velocity_[at(row, column + 1)][axis]) +
                b * ((1 - a) * velocity_[at(row + 1, column)][axis] + a * velocity_[at(row + 1, column + 1)][axis]);
    const double speed = std::hypot(v[0], v[1]);
    if (!(speed > still_)) return std::nullopt;
    return Place{v[0] / speed, v[1] / speed};
  }

 private:
  std::size_t at(int row, int column) const { return static_cast<std::size_t>(row * (columns_ + 1) + column); }

  Frame frame_;
  double cell_, still_ = 0;
  int columns_, rows_;
  std::vector<Place> velocity_;
};

// The points of all lines so far, in boxes as wide as the distance that is asked for.
class Neighbourhood {
 public:
  Neighbourhood(const Frame& frame, double distance) : frame_(frame), distance_(distance) {
    columns_ = box(frame.right - frame.left) + 1;
    rows_ = box(frame.top - frame.bottom) + 1;
    boxes_.resize(static_cast<std::size_t>(columns_ * rows_));
  }
  void add(const Place& p) {
    boxes_[static_cast<std::size_t>(box(p[1] - frame_.bottom) * columns_ + box(p[0] - frame_.left))].push_back(p);
  }
  bool is_near(const Place& p, double share) const {
    const int column = box(p[0] - frame_.left), row = box(p[1] - frame_.bottom);
    for (int r = std::max(0, row - 1); r <= std::min(rows_ - 1, row + 1); ++r)
      for (int c = std::max(0, column - 1); c <= std::min(columns_ - 1, column + 1); ++c)
        for (const auto& q : boxes_[static_cast<std::size_t>(r * columns_ + c)])
          if (std::hypot(p[0] - q[0], p[1] - q[1]) < share * distance_) return true;
    return false;
  }

 private:
  int box(double length) const { return std::max(0, int(length / distance_)); }

  Frame frame_;
  double distance_;
  int columns_, rows_;
  std::vector<std::vector<Place>> boxes_;
};

// In an eddy a line comes back to where it was, or winds ever closer.
bool is_near_itself(const Path& path, double step, double spacing) {
  constexpr double kAway = 2;        // of the spacing: what lies less far back is the line's own way here
  constexpr std::size_t kEvery = 4;  // points that are looked at
  const auto& here = path.back();
  const auto recent = static_cast<std::size_t>(kAway * spacing / step);
  for (std::size_t i = 0; i + recent < path.size(); i += kEvery)
    if (std::hypot(path[i][0] - here[0], path[i][1] - here[1]) < kSelf * spacing) return true;
  return false;
}

// One way from the start, against the flow with a negative step, by the midpoint rule, as far as it goes.
Path follow(const Directions& direction, const Neighbourhood& others, const Place& start, double step, double spacing) {
  Path path;
  Place here = start;
  for (int i = 0; i < kMostSteps; ++i) {
    const auto first = direction(here);
    if (!first) break;
    const auto middle = direction({here[0] + 0.5 * step * (*first)[0], here[1] + 0.5 * step * (*first)[1]});
    if (!middle) break;
    here = {here[0] + step * (*middle)[0], here[1] + step * (*middle)[1]};
    if (!direction(here) || others.is_near(here, kTooNear)) break;
    path.push_back(here);
    if (is_near_itself(path, std::abs(step), spacing)) break;
  }
  return path;
}

Path line_through(const Directions& direction, const Neighbourhood& others, const Place& start, double step,
                  double spacing) {
  const Path against = follow(direction, others, start, -step, spacing);
  Path line(against.rbegin(), against.rend());
  line.push_back(start);
  // All around an eddy, and back: there is no other way.
  const bool closed = double(against.size()) * step > 2 * spacing &&
                      std::hypot(against.back()[0] - start[0], against.back()[1] - start[1]) < 2 * kSelf * spacing;
  if (closed) return line;
  const Path with = follow(direction, others, start, step, spacing);
  line.insert(line.end(), with.begin(), with.end());
  return line;
}

}  // namespace

std::vector<Path> streamlines(const Plane& plane, const field::Vector& across, const field::Vector& up,
                              double spacing) {
  const Frame& frame = plane.frame();
  const double side = longer_side(frame), distance = spacing * side, step = kStep * side;
  const Directions direction(plane, across, up);
  Neighbourhood others(frame, distance);
  std::vector<Path> lines;
  const auto try_from = [&](const Place& start) {
    if (!direction(start) || others.is_near(start, 1)) return;
    auto line = line_through(direction, others, start, step, distance);
    if (double(line.size()) * step < kShortest * distance) return;
    for (const auto& p : line) others.add(p);
    lines.push_back(std::move(line));
  };
  // Starts beside a line, both sides, all along it; what such starts never reach, an eddy, is found from a raster.
  std::size_t next = 0;
  const auto grow = [&] {
    for (; next < lines.size(); ++next) {
      const Path line = lines[next];
      const auto stride = static_cast<std::size_t>(std::max(1.0, distance / step));
      for (std::size_t i = 0; i + 1 < line.size(); i += stride) {
        const double dx = line[i + 1][0] - line[i][0], dy = line[i + 1][1] - line[i][1], length = std::hypot(dx, dy);
        if (!(length > 0)) continue;
        for (const double side : {1.001 * distance, -1.001 * distance})
          try_from({line[i][0] - side * dy / length, line[i][1] + side * dx / length});
      }
    }
  };
  const auto margin = [&](double low, double high) { return 0.5 * std::min(distance, high - low); };
  for (double y = frame.bottom + margin(frame.bottom, frame.top); y < frame.top; y += distance)
    for (double x = frame.left + margin(frame.left, frame.right); x < frame.right; x += distance) {
      try_from({x, y});
      grow();
    }
  return lines;
}

}  // namespace fluidsplat::draw
