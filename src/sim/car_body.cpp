// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/car_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/misuse.h"

namespace fluidsplat::sim {
namespace {

using Eigen::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kBend = 0.16;           // length over which the roof line turns from one slope into the next
constexpr double kDiffuserLength = 0.8;  // of the floor before the tail that rises

// Zero before 0 and x after it, with a smooth turn.
double ramp(double x, double bend) {
  return 0.5 * (x + std::sqrt(x * x + bend * bend));
}

// The body is a box with rounded edges whose every cross-section is then stretched between floor and roof line.
class Bending {
 public:
  explicit Bending(const CarShape& s) : s_(s) {
    const double rise = std::tan(s.windscreen * kDegree), fall = std::tan(s.slant * kDegree);
    screen_end_ = s.bonnet_length + (s.height - s.bonnet_height) / rise;
    roof_end_ = screen_end_ + s.roof_length;
    slant_end_ = roof_end_ + (s.height - s.deck_height) / fall;
    rise_ = rise;
    fall_ = fall;
  }

  // From the rounded box: x in 0 .. length, y in -1/2 .. 1/2 of the width, z in 0 .. 1 from floor to roof.
  Vector3d operator()(const Vector3d& box) const {
    const double x = box.x(), low = floor(x), z = low + box.z() * (roof(x) - low);
    const double middle = (x - 0.5 * s_.length) / (0.5 * s_.length), end = middle * middle;
    const double narrow = (1 - s_.taper * end * end) * (1 - s_.lean * ramp(z - s_.bonnet_height, kBend));
    return {x, box.y() * s_.width * narrow, z};
  }

  double roof_end() const { return roof_end_; }
  double roof(double x) const {
    // A bonnet that rises a little towards the windscreen.
    constexpr double kBonnetSlope = 0.08;
    const double bonnet = s_.bonnet_height + kBonnetSlope * (std::min(x, s_.bonnet_length) - s_.bonnet_length);
    return bonnet + rise_ * (ramp(x - s_.bonnet_length, kBend) - ramp(x - screen_end_, kBend)) -
           fall_ * (ramp(x - roof_end_, kBend) - ramp(x - slant_end_, kBend));
  }
  double floor(double x) const {
    return s_.ride_height + std::tan(s_.diffuser * kDegree) * ramp(x - (s_.length - kDiffuserLength), kBend);
  }

 private:
  CarShape s_;
  double screen_end_, roof_end_, slant_end_, rise_, fall_;
};

// Planes of a lattice from 0 to `length`: even ones, and between each end and `radius` from it some that become equal
// angles when the edge is rounded.
std::vector<double> planes(double length, double radius, double panel_size) {
  const double quarter = radius * std::numbers::pi / 4;
  const auto around = std::max<Index>(2, Index(std::ceil(quarter / (0.7 * panel_size))));
  const auto straight = std::max<Index>(2, Index(std::lround((length - 2 * radius) / panel_size)));
  std::vector<double> out;
  const auto bend = [&](Index i) { return radius * std::tan(std::numbers::pi / 4 * double(i) / double(around)); };
  for (Index i = around; i > 0; --i) out.push_back(radius - bend(i));
  for (Index i = 0; i < straight; ++i) out.push_back(radius + (length - 2 * radius) * double(i) / double(straight));
  for (Index i = 0; i <= around; ++i) out.push_back(length - radius + bend(i));
  return out;
}

// A point of a box's surface moved onto the box with rounded edges inside it.
Vector3d rounded(const Vector3d& point, const Vector3d& size, double radius) {
  const Vector3d inner = point.cwiseMax(radius).cwiseMin((size.array() - radius).matrix());
  return inner + radius * (point - inner).normalized();
}

}  // namespace

CarShape random_car(Random& random) {
  CarShape s;
  s.length = random.uniform(3.7, 4.9);
  s.width = random.uniform(1.65, 1.95);
  s.height = random.uniform(1.3, 1.75);
  s.ride_height = random.uniform(0.14, 0.26);
  s.bonnet_length = random.uniform(0.8, 1.3);
  s.bonnet_height = random.uniform(0.78, 0.98);
  s.windscreen = random.uniform(27, 48);
  // The roof ends somewhere between the middle of the cabin and just before the tail.
  const double screen_end = s.bonnet_length + (s.height - s.bonnet_height) / std::tan(s.windscreen * kDegree);
  s.roof_length = random.uniform(0.35, 0.9) * (s.length - screen_end);
  s.slant = random.uniform(18, 55);
  s.deck_height = s.bonnet_height + random.uniform(0, 0.2);
  s.rounding = random.uniform(0.14, 0.26);
  s.lean = random.uniform(0.1, 0.4);
  s.taper = random.uniform(0.05, 0.2);
  s.diffuser = random.uniform(0, 8);
  return s;
}

void check_car(const CarShape& s) {
  const auto expect = [](bool right, const char* measure, double value, const char* rule) {
    if (!right) fail("car body: {} = {:g}: {}", measure, value, rule);
  };
  expect(s.length >= 2 && s.length <= 8, "length", s.length, "must be between 2 and 8 m");
  expect(s.width >= 1 && s.width <= 3, "width", s.width, "must be between 1 and 3 m");
  expect(s.ride_height > 0, "ride_height", s.ride_height, "must be above the ground");
  expect(s.bonnet_height - s.ride_height >= 0.3, "bonnet_height", s.bonnet_height,
         "must be at least 0.3 m above the floor");
  expect(s.height > s.bonnet_height, "height", s.height, "must be more than the bonnet's");
  expect(s.deck_height > s.ride_height + 0.3 && s.deck_height <= s.height, "deck_height", s.deck_height,
         "must be at least 0.3 m above the floor and at most the height");
  expect(s.windscreen >= 15 && s.windscreen <= 70, "windscreen", s.windscreen, "must be between 15 and 70 degrees");
  expect(s.slant >= 5 && s.slant <= 70, "slant", s.slant, "must be between 5 and 70 degrees");
  expect(s.diffuser >= 0 && s.diffuser <= 15, "diffuser", s.diffuser, "must be between 0 and 15 degrees");
  expect(s.taper >= 0 && s.taper <= 0.5, "taper", s.taper, "must be between 0 and 0.5");
  expect(s.lean >= 0 && s.lean <= 0.6, "lean", s.lean, "must be between 0 and 0.6");
  expect(s.rounding >= 0.05 && s.rounding <= 0.35, "rounding", s.rounding, "must be between 0.05 and 0.35 m");
  expect(s.roof_length >= 0 && Bending(s).roof_end() <= s.length, "roof_length", s.roof_length,
         "the roof ends behind the tail; make it, the bonnet or the windscreen shorter");
}

PanelMesh car_mesh(const CarShape& shape, double panel_size) {
  check_car(shape);
  if (!(panel_size > 0.01)) misuse("car_mesh: panels of {} m", panel_size);
  // The box that is bent has the height of the middle of the body, so that the rounding is nearly round there.
  const Vector3d size(shape.length, shape.width, shape.height - shape.ride_height);
  auto mesh = box_surface(planes(size.x(), shape.rounding, panel_size), planes(size.y(), shape.rounding, panel_size),
                          planes(size.z(), shape.rounding, panel_size));
  const Bending bend(shape);
  for (auto& v : mesh.vertices) {
    const Vector3d box = rounded(v, size, shape.rounding);
    v = bend({box.x(), box.y() / size.y() - 0.5, box.z() / size.z()});
  }
  return mesh;
}

}  // namespace fluidsplat::sim
