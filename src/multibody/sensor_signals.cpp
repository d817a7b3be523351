#include "multibody/sensor_signals.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/checked_cast.hpp"
#include "mechanics/coordinate_names.hpp"
#include "mechanics/mechanism.hpp"
#include "mechanics/sensed_numbers.hpp"
#include "multibody/mechanism_translate.hpp"
#include "native/signal_component.hpp"
#include "network/component_spec.hpp"

namespace cosimo {

namespace {

/// No subsystem can have this name.
constexpr std::string_view sensors_name = "/sensors";

/// Where the coordinates of a body begin among the inputs, its rates behind them.
struct Seen {
  BodyId body;
  std::size_t first = 0;
};

/// What all lanes share.
struct Plan {
  std::shared_ptr<const Mechanism> mechanism;
  std::vector<std::size_t> sensors;  ///< outputs
  std::vector<Seen> bodies;
  std::vector<JointCoordinate> joints;     ///< that they look at
  std::vector<std::size_t> joint_numbers;  ///< in the mechanism
};

/// What they count on from.
struct Kept final : Snapshot {
  explicit Kept(const JointReadings& from) : joints(from) {}
  JointReadings joints;
};

class SensorLane final : public Lane {
 public:
  SensorLane(const Plan& plan, const SignalEnds& ends, std::size_t inputs)
      : plan_(plan),
        ends_(ends),
        courses_(ends.input_number.size()),
        values_(inputs),
        centres_(plan.mechanism->bodies.size()),
        joints_(plan.joints),
        here_(plan.joints.size()),
        readings_(plan.mechanism->joint_coordinates.size()),
        sensors_(*plan.mechanism, plan.sensors) {}

  StepResult advance(const Window& window, std::span<const Polynomial> inputs, const Samples& /*samples*/,
                     Response* /*response*/) override {
    courses_.assign(inputs.begin(), inputs.end());
    if (joints_.counts_turns()) {
      place(window.end, {});
      joints_.evaluate(window.end, centres_);
    }
    return {StepStatus::ok, window.end, {}};
  }
  void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const override {
    place(t, inputs);
    joints_.read(t, centres_, here_);
    for (std::size_t k = 0; k < here_.size(); ++k) readings_[plan_.joint_numbers[k]] = here_[k];
    sensors_.evaluate({.t = t, .centres = centres_, .joints = readings_});
    for (std::size_t o = 0; o < y.size(); ++o)
      y[o] = {sensors_.values()[plan_.sensors[ends_.output_number[o]]], 0};
  }

  std::span<const double> position() const override { return {}; }
  std::span<const double> velocity() const override { return {}; }
  void set_state(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*v*/,
                 std::span<const double> /*z*/) override {}
  std::unique_ptr<Snapshot> make_snapshot() const override { return std::make_unique<Kept>(joints_); }
  void save(Snapshot& snapshot) const override { checked_cast<Kept>(snapshot).joints = joints_; }
  void restore(const Snapshot& snapshot) override { joints_ = checked_cast<Kept>(snapshot).joints; }
  void archive(Archive& a) override { joints_.archive(a); }
  SolverStatus status() const override {
    SolverStatus status;
    status.method = "none";
    return status;
  }
  double work() const override { return 0; }

 private:
  /// The bodies, at the values of the inputs or on their courses.
  void place(double t, std::span<const double> inputs) const {
    for (std::size_t k = 0; k < courses_.size(); ++k)
      values_[ends_.input_number[k]] = inputs.empty() ? courses_[k](t) : inputs[k];
    for (const Seen& seen : plan_.bodies) {
      const Body& body = plan_.mechanism->bodies[seen.body.index()];
      double* const q = values_.data() + seen.first;
      double* const v = q + coordinates_of(body.kind);
      normalise(body.kind, q, v);
      Frame& centre = centres_[seen.body.index()];
      centre = frame_of(body.kind, q, v);  // at the reference point
      const Vec3 arm = centre.R * body.reference;
      centre.r -= arm;
      centre.v -= centre.w.cross(arm);
    }
  }

  const Plan& plan_;
  const SignalEnds& ends_;
  std::vector<Polynomial> courses_;
  // What outputs() needs for itself.
  mutable std::vector<double> values_;
  mutable std::vector<Frame> centres_;
  JointReadings joints_;
  mutable std::vector<JointReadings::Reading> here_, readings_;
  mutable SensorReadings sensors_;
};

class SensorComponent final : public Component {
 public:
  SensorComponent(SignalEnds ends, const Plan& plan, std::size_t inputs)
      : ends_(std::move(ends)), plan_(plan), inputs_(inputs) {}
  std::span<const Port> ports() const override { return ends_.ports; }
  std::span<const std::size_t> inputs() const override { return ends_.variables; }
  bool feeds() const override { return true; }
  bool cheap_snapshot() const override { return true; }
  std::unique_ptr<Lane> make_lane() const override {
    return std::make_unique<SensorLane>(plan_, ends_, inputs_);
  }

 private:
  SignalEnds ends_;
  const Plan& plan_;
  std::size_t inputs_;
};

class SensorSpec final : public ComponentSpec {
 public:
  SensorSpec(const PlacedMechanism& placed, std::vector<std::size_t> sensors,
             std::span<const NamedCurve> curves) {
    plan_.mechanism = placed.mechanism;
    plan_.sensors = std::move(sensors);
    const Looked looked = looked_at(*plan_.mechanism, plan_.sensors);
    for (const std::size_t number : looked.coordinates) {
      plan_.joints.push_back(plan_.mechanism->joint_coordinates[number]);
      plan_.joint_numbers.push_back(number);
    }
    for (const BodyId id : looked.bodies) {
      const Body& body = plan_.mechanism->bodies[id.index()];
      plan_.bodies.push_back({id, inputs_.size()});
      for (const bool rate : {false, true})
        for (const char* coordinate : coordinate_names(body.kind)) {
          const std::string from = body.name + "." + coordinate;
          inputs_.push_back({.name = from + (rate ? "'" : ""), .required = true});
          sources_.push_back(rate ? "der(" + from + ")" : from);
        }
    }
    for (const std::size_t sensor : plan_.sensors) {
      outputs_.push_back({.name = plan_.mechanism->sensors[sensor].name, .nominal = sensor_nominal});
      const std::size_t one[] = {sensor};
      seen_.push_back(looked_at(*plan_.mechanism, one).bodies);
      if (plan_.mechanism->sensors[sensor].formula) find_slopes(placed, sensor, curves);
    }
  }

  const std::string& name() const override { return name_; }
  std::string kind() const override { return "sensors"; }
  std::span<const SignalPort> inputs() const override { return inputs_; }
  std::span<const SignalPort> outputs() const override { return outputs_; }
  bool feeds(std::size_t input, std::size_t output) const override {
    const auto after = std::ranges::upper_bound(plan_.bodies, input, {}, &Seen::first);
    return std::ranges::binary_search(seen_[output], std::prev(after)->body);
  }
  /// Errors of the bodies bound those of the sensor. What a formula makes of them is known where the run
  /// begins: elsewhere rather too little than too much, which nobody would see.
  double gain(std::size_t input, std::size_t output) const override {
    if (!feeds(input, output)) return 0;
    const std::size_t sensor = plan_.sensors[output];
    if (!plan_.mechanism->sensors[sensor].formula) return 1;
    const Seen& seen = *std::prev(std::ranges::upper_bound(plan_.bodies, input, {}, &Seen::first));
    const BodyKind kind = plan_.mechanism->bodies[seen.body.index()].kind;
    const std::size_t count = coordinates_of(kind), own = (input - seen.first) % count;
    const bool rate = input - seen.first >= count;
    const std::size_t places = kind == BodyKind::planar ? 2 : std::min<std::size_t>(count, 3);
    const auto slope =
        slopes_.at(sensor).segment<6>(static_cast<Eigen::Index>(12 * seen.body.index() + (rate ? 6 : 0)));
    // A quaternion turns by twice what it changes by.
    const double found =
        own < places ? std::fabs(slope[static_cast<Eigen::Index>(own)]) : 2 * slope.tail<3>().norm();
    return std::isfinite(found) ? std::max(found, sensor_nominal) : sensor_nominal;
  }
  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override {
    return std::make_unique<SensorComponent>(signal_ends(interface, id), plan_, inputs_.size());
  }
  /// The signal behind each input.
  std::span<const std::string> sources() const { return sources_; }

 private:
  /// By the frames of all bodies where the run begins.
  void find_slopes(const PlacedMechanism& placed, std::size_t sensor, std::span<const NamedCurve> curves) {
    const Mechanism& mechanism = *plan_.mechanism;
    const std::vector<std::size_t> first = mechanism.coordinate_offsets();
    std::vector<BodyId> all;
    std::vector<Frame> frames;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      all.emplace_back(b);
      frames.push_back(
          frame_of(mechanism.bodies[b].kind, placed.q.data() + first[b], placed.v.data() + first[b]));
    }
    Measured wanted;
    wanted.number = sensor;
    SensedNumbers numbers({mechanism.sensors, mechanism.joint_coordinates, mechanism.bodies, curves},
                          std::span(&wanted, 1));
    numbers.place(all);
    SensedNumbers::Work work;
    numbers.make_room(work, frames.size());
    const SensedNumbers::At at{0, frames};
    numbers.find(at, work);
    numbers.find_slopes(at, work);
    slopes_[sensor] = numbers.slope(0, work);
  }

  std::string name_{sensors_name};
  Plan plan_;
  std::vector<SignalPort> inputs_, outputs_;
  std::vector<std::string> sources_;
  std::vector<std::vector<BodyId>> seen_;             ///< by each output
  std::map<std::size_t, Eigen::RowVectorXd> slopes_;  ///< of formulas, by the number of the sensor
};

}  // namespace

bool is_sensor(const config::Scenario& scenario, std::string_view name) {
  return scenario.mechanism && std::ranges::find(scenario.mechanism->sensors, name, &config::Sensor::name) !=
                                   scenario.mechanism->sensors.end();
}

SensorSignals sensor_signals(const config::Scenario& scenario, const std::set<std::string>& names) {
  const auto& all = scenario.mechanism->sensors;
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (names.contains(all[k].name)) used.push_back(k);
  const auto spec = std::make_shared<SensorSpec>(place_mechanism(scenario), std::move(used), scenario.curves);
  return {spec, {spec->sources().begin(), spec->sources().end()}};
}

}  // namespace cosimo
