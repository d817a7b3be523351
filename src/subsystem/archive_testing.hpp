// Lanes of every kind over irregular macro steps with changing inputs, for the tests of archive().
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "model/mechanism_testing.hpp"
#include "model/pendulum.hpp"
#include "subsystem/linear_oscillator.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/response_testing.hpp"

namespace cosimo::samples {

/// The ends of macro steps of irregular length.
inline double macro_time(int k, double mean) {
  const RandomStream length(3, 1);
  double t = 0;
  for (int i = 0; i < k; ++i) t += mean * length.uniform(static_cast<std::uint64_t>(i), 0.2, 1.8);
  return t;
}

inline void append(std::span<const double> from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

/// All that can be seen of a lane.
inline std::vector<double> everything(const Lane& lane) {
  std::vector<double> seen;
  append(lane.position(), seen);
  append(lane.velocity(), seen);
  const Integrator::Status s = lane.status();
  const Counters& c = s.counters;
  for (const std::int64_t x : {c.steps, c.rejected, c.evaluations, c.factorizations, c.solves, s.switches,
                               s.stiff_steps, s.merson_steps})
    seen.push_back(static_cast<double>(x));
  append(std::array{s.last_step, s.next_step, lane.work()}, seen);
  return seen;
}

/// A subsystem and what drives it.
struct LaneRun {
  std::shared_ptr<const void> model;  ///< whatever the subsystem refers to
  std::shared_ptr<const Component> subsystem;
  std::vector<double> inputs{};  ///< about which they vary
  double macro = 0.1;
  std::function<Response()> response{};  ///< what is asked for in every other step; none: nothing
  static constexpr int steps = 12;

  std::unique_ptr<Lane> make() const { return subsystem->make_lane(); }

  std::vector<Polynomial> courses(int k, const Window& window) const {
    const RandomStream random(11, static_cast<std::uint64_t>(k));
    std::vector<Polynomial> all(inputs.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = {.degree = k % 3, .origin = window.begin, .scale = window.size()};
      for (std::size_t j = 0; j <= static_cast<std::size_t>(all[i].degree); ++j)
        all[i].a[j] = random.uniform(7 * i + j, -0.1, 0.1);
      all[i].a[0] += inputs[i];
    }
    return all;
  }

  std::vector<double> step(int k, Lane& lane) const {
    const Window window{macro_time(k, macro), macro_time(k + 1, macro)};
    const auto driven = courses(k, window);
    const std::array times{window.begin + 0.4 * window.size(), window.end};
    const std::array<std::int32_t, 1> dofs{static_cast<std::int32_t>(lane.position().size()) - 1};
    std::array<double, 2> q{}, v{};
    Response answer = response ? response() : Response{};
    answer.shape = end_shape(window, k % 3);
    const bool asked = response && k % 2 == 0;
    const StepResult result = lane.advance(window, driven, {times, dofs, q, v}, asked ? &answer : nullptr);
    std::vector<double> seen = everything(lane);
    append(q, seen);
    append(v, seen);
    for (const PortState& d : answer.derivative) append(std::array{d.x, d.v}, seen);
    std::vector<PortState> y(output_count(subsystem->ports()));
    lane.outputs(0, {}, y);
    for (const PortState& each : y) append(std::array{each.x, each.v}, seen);
    std::vector<double> a(y.size());
    seen.push_back(lane.accelerations(window.end, inputs, a) ? 1 : 0);
    append(a, seen);
    seen.push_back(result.status == StepStatus::ok ? 1 : 0);
    return seen;
  }
};

struct LaneCase {
  const char* name;
  LaneRun (*make)();
};

namespace lane_cases {

inline IntegratorOptions with(Method method) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {1e-6, 1e-6, 1e-6};
  return options;
}

/// The inner bodies of a chain, pushed at one end and pulled along at the other.
template <Method method>
LaneRun chain_part() {
  ChainSpec spec;
  spec.masses = 30;
  spec.c = 2.0;
  spec.d = 0.1;
  spec.C = 1.0;
  spec.x = Uniform{-0.5, 0.5};
  spec.v = Uniform{-0.5, 0.5};
  const auto cut = std::make_shared<CutChain>(spec, 8, 20, Drive::force, Drive::motion);
  return {cut, cut->subsystem(with(method)), {0.3, 0.2, -0.1}};
}
template <Method method, ResponseMethod kind>
LaneRun answering() {
  LaneRun run = chain_part<method>();
  run.response = [] { return Response{.method = kind, .terms = 3}; };
  return run;
}

/// The first of two jointed groups in space.
template <Method method, Drive drive>
LaneRun jointed_part() {
  struct Cut {
    Model model = testing::two_jointed_groups();
    Partition partition = testing::cut_in_two(model, 1, drive, drive);
  };
  const auto cut = std::make_shared<Cut>();
  LaneRun run{cut, std::make_shared<MultibodySubsystem>(cut->model, cut->partition.parts[0], PartId{0},
                                                        cut->partition.interface, with(method))};
  run.macro = 0.02;
  run.inputs.resize(run.subsystem->inputs().size());
  if (drive == Drive::motion) {  // the far body as it is at first
    const Range far = cut->model.coordinates(BodyId{std::size_t{2}});
    for (std::size_t i = 0; i < far.size(); ++i) run.inputs[i] = cut->model.bodies.x[far.first + i];
  }
  run.response = [] { return Response{}; };
  return run;
}

template <Method method>
LaneRun pendulum_part() {
  struct Whole {
    Model model = make_pendulum({.links = 4,
                                 .length = 0.7,
                                 .mass = 2.0,
                                 .minimal = true,
                                 .angle = std::vector<double>{0.4, -0.3, 1.2, 0.1},
                                 .angular_velocity = std::vector<double>{1, -0.5, 2, 0.3}});
    Partition partition = testing::in_one_part(model);
  };
  const auto whole = std::make_shared<Whole>();
  return {whole, std::make_shared<MultibodySubsystem>(whole->model, whole->partition.parts[0], PartId{0},
                                                      whole->partition.interface, with(method))};
}

inline LaneRun oscillator() {
  struct Cut {
    CutPair pair{linear_pair()};
    Interface interface = pair.interface(Drive::force, Drive::motion);
  };
  const auto cut = std::make_shared<Cut>();
  LaneRun run{cut, std::make_shared<LinearOscillator>(cut->pair.model, cut->pair.parts[1], PartId{1},
                                                      cut->interface)};
  run.inputs = {0.2, -0.1};
  run.response = [] { return Response{.method = ResponseMethod::rk}; };
  return run;
}

}  // namespace lane_cases

inline std::vector<LaneCase> all_lane_cases() {
  using namespace lane_cases;
  return {{"rk", chain_part<Method::rk>},
          {"rosenbrock", chain_part<Method::rosenbrock>},
          {"automatic", chain_part<Method::automatic>},
          {"ida", chain_part<Method::ida>},
          {"series", answering<Method::rk, ResponseMethod::series>},
          {"variational_step", answering<Method::rosenbrock, ResponseMethod::rk>},
          {"variational_step_ida", answering<Method::ida, ResponseMethod::rk>},
          {"sensitivity_rk", answering<Method::rk, ResponseMethod::sensitivity>},
          {"sensitivity_rosenbrock", answering<Method::rosenbrock, ResponseMethod::sensitivity>},
          {"sensitivity_ida", answering<Method::ida, ResponseMethod::sensitivity>},
          {"jointed_rk", jointed_part<Method::rk, Drive::force>},
          {"jointed_radau", jointed_part<Method::radau, Drive::motion>},
          {"jointed_automatic", jointed_part<Method::automatic, Drive::motion>},
          {"jointed_ida", jointed_part<Method::ida, Drive::force>},
          {"jointed_ida_motion", jointed_part<Method::ida, Drive::motion>},
          {"pendulum_rk", pendulum_part<Method::rk>},
          {"pendulum_radau", pendulum_part<Method::radau>},
          {"pendulum_ida", pendulum_part<Method::ida>},
          {"oscillator", oscillator}};
}

}  // namespace cosimo::samples
