// A course over time through given points, such as a recorded force: straight lines or a monotone cubic
// between them; before the first and after the last one it keeps their values or is zero.
//
//   const Curve f(times, values, {.between = Between::cubic});
//   Jet y = f.at(0.3);                             // with two derivatives; at a point those from there on
//   Timetable stops = f.breaks(Breaks::slope);     // what an integrator must know of a force
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/settings.hpp"
#include "numerics/jet.hpp"
#include "numerics/monotone_cubic.hpp"

namespace cosimo {

/// Instants that no step may jump over, and stretches of time in which steps are bounded.
class Timetable {
 public:
  Timetable() = default;
  explicit Timetable(std::vector<double> instants);  ///< in any order
  /// Steps from `begin` to before `end`, which become instants, are not longer than `longest`.
  void bound(double begin, double end, double longest);
  void merge(const Timetable& other);
  /// That of f(scale t + shift), where this one is that of f(t).
  Timetable of(double scale, double shift) const;

  const std::vector<double>& instants() const { return instants_; }  ///< ascending
  /// First one after t; infinity when there is none.
  double next(double t) const;
  /// The same between two instants; infinity: any step may be taken.
  double longest_step(double t) const;

 private:
  struct Stretch {
    double begin, end, longest;
  };
  void sort();

  std::vector<double> instants_;
  std::vector<Stretch> stretches_;
};

/// What may jump at an instant: the value alone, also the slope, also the second derivative.
enum class Breaks { value, slope, curvature };

struct CurveShape {
  Between between = Between::linear;
  Outside before = Outside::hold, after = Outside::hold;
};

class Curve {
 public:
  /// At least two points, finite, times strictly ascending.
  Curve(std::vector<double> times, std::vector<double> values, const CurveShape& shape);

  double operator()(double t) const { return at(t).value; }
  Jet at(double t) const;
  double rate(double t) const { return at(t).first; }

  /// The instants where it breaks so much; of a jump also the number before it. Steps meet every kink of straight lines. A cubic has none: there
  /// steps are bounded by two mean distances between points, so that none passes over a bulge unseen, and
  /// meet the greatest value and the ends of intervals that are much shorter.
  Timetable breaks(Breaks which) const;

  /// Of the integrals from the first point to any other one, the greatest magnitude.
  double greatest_integral() const { return greatest_integral_; }
  /// Of points and shape.
  std::uint64_t digest() const { return digest_; }

 private:
  bool jumps(std::size_t point, Outside outside) const {
    return outside == Outside::zero && values_[point] != 0;
  }
  /// Of the straight line from point i to the next.
  double slope(std::size_t i) const;
  void integrate();
  void make_digest();

  std::vector<double> times_, values_;
  CurveShape shape_;
  std::optional<MonotoneCubic> cubic_;
  double greatest_integral_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325ULL;
};

/// How formulas and loads call it.
struct NamedCurve {
  std::string name;
  std::shared_ptr<const Curve> curve;
};

}  // namespace cosimo
