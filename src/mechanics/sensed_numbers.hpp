// Sensors, coordinates of joints and of bodies as numbers with exact derivatives by the frames of bodies:
// what a force depends on that follows them (mechanics/sensed_force.hpp).
//
// All of them are lengths, displacements, angles of two markers, or rates of these (mechanics/along.hpp),
// speeds of points, and formulas of such numbers. Angles between bodies in space go on from those at the
// beginning of the step, which the memory of the law holds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanics/mechanism.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

/// What formulas call such numbers: ref1, ref2, ..., behind names of their own.
std::vector<std::string> with_references(std::vector<std::string> names, std::size_t references);
/// Formulas that change their signs where one switches.
std::vector<Expression> switches_of(const Expression& formula, std::span<const std::string> names,
                                    std::span<const NamedCurve> curves);

class SensedNumbers {
 public:
  /// Of a mechanism as far as it is made.
  struct Sources {
    std::span<const Sensor> sensors;
    std::span<const JointCoordinate> joints;
    std::span<const Body> bodies;
    std::span<const NamedCurve> curves;  ///< that formulas may use
  };
  /// All must follow from the state (follows_from_state).
  SensedNumbers(const Sources& sources, std::span<const Measured> wanted);

  std::vector<BodyId> bodies() const;  ///< ascending
  /// Which of the frames below are theirs. Before any of what follows.
  void place(std::span<const BodyId> members);

  std::size_t size() const { return wanted_.size(); }
  std::size_t remembers() const { return angles_; }
  Timetable breaks(Breaks which) const;
  std::size_t switch_count() const;

  struct At {
    double t = 0;
    std::span<const Frame> frames{};
    const double* s = nullptr;  ///< null: angles are those near the start
  };
  struct Work {
    std::vector<double> values, arguments, derivatives;
    Eigen::MatrixXd slopes;  ///< of all values, by (dr, dtheta, dv, dw) of all frames and by t
  };
  void make_room(Work& work, std::size_t frames) const;
  void find(const At& at, Work& work) const;
  void find_slopes(const At& at, Work& work) const;  ///< after find()
  double value(std::size_t k, const Work& work) const { return work.values[wanted_[k]]; }
  auto slope(std::size_t k, const Work& work) const { return work.slopes.row(index(wanted_[k])); }

  void commit(const Work& work, double* s) const;
  void switches(Work& work, double t, Switch* out) const;  ///< after find()
  /// All that makes them these and no others.
  void add_to(std::vector<double>& parameters) const;

 private:
  struct Node {
    enum class Kind : std::uint8_t { travel, rate, speed, formula };
    Kind kind = Kind::travel;
    Along along = Along::length;
    Marker from, to;
    std::size_t from_at = nowhere, to_at = nowhere;  ///< places of the frames
    std::optional<std::size_t> angle{};              ///< in the memory
    double start = 0;                                ///< of that
    std::optional<Expression> formula{};
    std::vector<Expression> switches{};
    std::vector<std::size_t> known{};  ///< nodes
  };
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  static Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }

  std::size_t add(const Sources& sources, const Measured& wanted);
  std::size_t add(const Sources& sources, const Sensor& sensor);
  std::size_t add(Node node);
  std::size_t of_joint(const JointCoordinate& joint, bool rate);
  static Node of_point(const Marker& point, const std::optional<Vec3>& direction, bool rate);
  static Frame marker(const Marker& marker, std::size_t at, std::span<const Frame> frames);
  double find(const Node& node, const At& at, Work& work) const;
  std::span<const double> arguments(const Node& node, double t, Work& work) const;

  std::vector<Node> nodes_;  ///< those that a formula knows come before it
  std::vector<std::size_t> wanted_;
  std::size_t angles_ = 0;
};

}  // namespace cosimo
