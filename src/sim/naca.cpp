// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/naca.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"

namespace fluidsplat::sim {

namespace {

Vec2 minus(Vec2 a, Vec2 b) {
  return {a.x - b.x, a.y - b.y};
}

Vec2 unit(Vec2 a) {
  const double length = std::hypot(a.x, a.y);
  return {a.x / length, a.y / length};
}

// To the right of a segment: outward on a counter-clockwise loop.
Vec2 outward(Vec2 from, Vec2 to) {
  const Vec2 along = minus(to, from);
  return unit({along.y, -along.x});
}

// The camber line of the 5-digit series: two cubics that meet at `join`, behind which the third derivative is `ratio`
// times that before; 0 makes a straight line.  All for a factor of 1.
struct FiveDigitLine {
  double join, ratio;

  double slope(double x) const {
    const double m = join;
    return (3 * (x < m ? 1 : ratio) * std::pow(x - m, 2) - ratio * std::pow(1 - m, 3) - m * m * m) / 6;
  }
  // The n-th coefficient of thin-airfoil theory, 2/pi times the integral of slope * cos(n theta), x = (1 - cos
  // theta)/2.
  double coefficient(int n) const {
    constexpr int kNodes = 2000;
    double sum = 0;
    for (int k = 0; k < kNodes; ++k) {
      const double theta = std::numbers::pi * (k + 0.5) / kNodes;
      sum += slope(0.5 * (1 - std::cos(theta))) * std::cos(n * theta);
    }
    return 2 * sum / kNodes;
  }
};

// The line whose largest camber is at `place`: m (1 - sqrt(m / 3)) = place, by Newton.
FiveDigitLine plain_line(double place) {
  double m = place;
  for (int k = 0; k < 50; ++k) m -= (m * (1 - std::sqrt(m / 3)) - place) / (1 - 1.5 * std::sqrt(m / 3));
  return {m, 0};
}

// The one without a moment about the quarter chord (its first two coefficients agree), by bisection (Jacobs and
// Pinkerton 1935).
FiveDigitLine reflexed_line(double place) {
  const auto line = [&](double m) {
    return FiveDigitLine{m, (3 * std::pow(m - place, 2) - m * m * m) / std::pow(1 - m, 3)};
  };
  const auto moment = [&](double m) { return line(m).coefficient(1) - line(m).coefficient(2); };
  double low = place, high = 0.9;
  const bool rises = moment(high) > 0;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    ((moment(middle) > 0) == rises ? high : low) = middle;
  }
  return line(0.5 * (low + high));
}

// Farther back the camber lines of the 5-digit series become odd: a reflexed one would have to turn up within the last
// few percent of the chord.
constexpr double kLastPlain = 8, kLastReflexed = 6;

void check(const std::vector<double>& d) {
  if (d.size() != 3 && d.size() != 4)
    fail("NACA airfoil of {} numbers ({}): three make one of the 4-digit series, four one of the 5-digit series",
         d.size(), fmt::join(d, ", "));
  for (double x : d)
    if (!std::isfinite(x) || x < 0) fail("NACA airfoil {}: its numbers must be 0 or more", fmt::join(d, ", "));
  if (!(d.back() >= 1 && d.back() <= 40))
    fail("NACA airfoil {}: a thickness of {} % of the chord, expected 1 to 40", fmt::join(d, ", "), d.back());
  if (d.size() == 3 && d[1] >= 10)
    fail("NACA airfoil {}: the largest camber at {} tenths of the chord, expected less than 10", fmt::join(d, ", "),
         d[1]);
  if (d.size() == 3) return;
  if (d[2] != 0 && d[2] != 1)
    fail("NACA airfoil {}: the third number is {}, expected 0 (plain) or 1 (reflexed)", fmt::join(d, ", "), d[2]);
  const double last = d[2] == 1 ? kLastReflexed : kLastPlain;
  if (d[0] > 0 && !(d[1] >= 0.5 && d[1] <= last))
    fail("NACA airfoil {}: the largest camber at {} twentieths of the chord, expected 0.5 to {}", fmt::join(d, ", "),
         d[1], last);
}

}  // namespace

NacaAirfoil::NacaAirfoil(std::vector<double> digits, Index panels) : digits_(std::move(digits)) {
  check(digits_);
  thickness_ = digits_.back() / 100;
  if (digits_.size() == 3) {
    place_ = digits_[1] / 10;
    top_ = place_ > 0 ? digits_[0] / 100 : 0;
  } else if (digits_[0] > 0) {
    const double place = digits_[1] / 20, design_lift = 0.15 * digits_[0];
    const FiveDigitLine line = digits_[2] == 1 ? reflexed_line(place) : plain_line(place);
    join_ = line.join;
    aft_ratio_ = line.ratio;
    // At its ideal angle a thin airfoil's lift is pi times the first coefficient.
    factor_ = design_lift / (std::numbers::pi * line.coefficient(1));
  }
  polygon_ = surface(panels);
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    const Vec2 a = polygon_[i].position, b = polygon_[(i + 1) % polygon_.size()].position;
    area_ += 0.5 * (a.x * b.y - b.x * a.y);
  }
}

double NacaAirfoil::camber(double x) const {
  if (digits_.size() == 3) {
    if (top_ == 0) return 0;
    const double p = place_;
    return x < p ? top_ / (p * p) * (2 * p * x - x * x) : top_ / std::pow(1 - p, 2) * (1 - 2 * p + 2 * p * x - x * x);
  }
  const double m = join_, m3 = m * m * m;
  return factor_ / 6 *
         ((x < m ? 1 : aft_ratio_) * std::pow(x - m, 3) - aft_ratio_ * std::pow(1 - m, 3) * x - m3 * x + m3);
}

double NacaAirfoil::camber_slope(double x) const {
  if (digits_.size() == 3) {
    if (top_ == 0) return 0;
    return 2 * top_ / std::pow(x < place_ ? place_ : 1 - place_, 2) * (place_ - x);
  }
  return factor_ * FiveDigitLine{join_, aft_ratio_}.slope(x);
}

double NacaAirfoil::half_thickness(double x) const {
  // The last coefficient, -0.1036 instead of -0.1015, closes the trailing edge.
  return 5 * thickness_ * (0.2969 * std::sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1036 * x))));
}

std::vector<Vec2> NacaAirfoil::outline(Index count) const {
  if (count < 4 || count % 2 != 0) fail("an outline of {} points: must be an even number, at least 4", count);
  std::vector<Vec2> out;
  for (Index i = 0; i < count; ++i) {
    const double x = 0.5 * (1 + std::cos(2 * std::numbers::pi * double(i) / double(count)));
    // The sum of rounded coefficients may be a little below 0 at the trailing edge.
    const double t = std::max(0.0, half_thickness(x)), slope = camber_slope(x), side = 2 * i < count ? 1 : -1;
    const double across = side * t / std::hypot(1, slope);
    out.push_back({x - across * slope, camber(x) + across});
  }
  return out;
}

std::vector<NacaAirfoil::SurfacePoint> NacaAirfoil::surface(Index count) const {
  const auto points = outline(count);
  std::vector<SurfacePoint> out;
  double length = 0;
  for (Index i = 0; i < count; ++i) {
    const Vec2 before = points[(i + count - 1) % count], here = points[i], after = points[(i + 1) % count];
    const Vec2 a = outward(before, here), b = outward(here, after);
    out.push_back({here, unit({a.x + b.x, a.y + b.y}), length});
    length += std::hypot(after.x - here.x, after.y - here.y);
  }
  for (auto& p : out) p.arclength /= length;
  return out;
}

NacaAirfoil::Nearest NacaAirfoil::nearest(Vec2 p) const {
  Nearest best;
  double least = std::numeric_limits<double>::infinity();
  bool inside = false;
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    const auto &from = polygon_[i], &to = polygon_[(i + 1) % polygon_.size()];
    const Vec2 a = from.position, b = to.position, along = minus(b, a), way = minus(p, a);
    const double share =
        std::clamp((way.x * along.x + way.y * along.y) / (along.x * along.x + along.y * along.y), 0.0, 1.0);
    const Vec2 foot{a.x + share * along.x, a.y + share * along.y};
    const double square = std::pow(p.x - foot.x, 2) + std::pow(p.y - foot.y, 2);
    if (square < least) {
      least = square;
      const Vec2 normal{(1 - share) * from.normal.x + share * to.normal.x,
                        (1 - share) * from.normal.y + share * to.normal.y};
      best = {foot, unit(normal), 0};
    }
    // A ray to the right crosses the outline an odd number of times from inside.
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) * along.x / along.y) inside = !inside;
  }
  best.distance = (inside ? -1 : 1) * std::sqrt(least);
  return best;
}

std::string airfoil_name(const std::vector<double>& digits) {
  std::string joined;
  bool whole = true;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    whole = whole && digits[i] == std::floor(digits[i]) && (digits[i] < 10 || i + 1 == digits.size());
    joined += i + 1 == digits.size() ? fmt::format("{:02.0f}", digits[i]) : fmt::format("{:.0f}", digits[i]);
  }
  return whole ? "NACA " + joined : fmt::format("NACA {}", fmt::join(digits, " "));
}

}  // namespace fluidsplat::sim
