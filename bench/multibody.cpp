// 200 rods that hang one from the other: seconds of processor time per simulated second at a tip error of
// 1e-5.
//
// Joints as constraints, against Simbody, whose coordinates are the angles of the joints. Both start from the
// same smooth shape, in which the chain swings without folding, and are compared with a run of ours at rtol
// 1e-12; that it is no mistake of ours is checked against Simbody's most accurate run. Each method runs over
// its tolerances, and its fastest run that is good enough counts.
//
// Then the same chain with compliant joints at one or three places, where it is cut into two or four parts,
// against the same model uncut.
#include "bench/multibody.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include <Eigen/Geometry>

#include "bench/benchmarks.hpp"
#include "bench/multibody_cut.hpp"
#include "integrator/integrator.hpp"
#include "mechanics/body.hpp"
#include "mechanics/mechanism.hpp"
#include "model/graphs.hpp"
#include "model/pendulum.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo::bench {

namespace {

constexpr double wanted = 1e-5;  ///< metres

HangingChain smooth_chain(bool spatial, double end) {
  HangingChain chain;
  chain.spatial = spatial;
  chain.sideways = spatial ? 0.05 : 0;
  const double last = static_cast<double>(chain.links - 1);
  for (std::size_t i = 0; i < chain.links; ++i)
    chain.angle.push_back(first_angle + (last_angle - first_angle) * static_cast<double>(i) / last);
  for (int k = 1; k <= 10; ++k) chain.times.push_back(end * k / 10);
  return chain;
}

Model make_chain_of_rods(const HangingChain& chain) {
  PendulumSpec spec;
  spec.links = chain.links;
  spec.length = chain.length;
  spec.mass = chain.mass;
  spec.rods = true;
  spec.spherical = chain.spatial;
  spec.dimensions = chain.spatial ? 3 : 2;
  spec.angle = chain.angle;
  spec.gravity = chain.gravity;
  Model model = make_pendulum(spec);
  if (!chain.spatial) return model;
  for (std::size_t i = 0; i < chain.links; ++i) {
    const std::size_t at = model.coordinates(BodyId(i)).first;
    const double* const q = &model.bodies.x[at];
    const Vec3 turn(chain.sideways, 0, 0), velocity = turn.cross(Vec3(q[0], q[1], q[2]));
    Vec6 twist;
    twist << velocity, turn;
    rates_of(BodyKind::rigid, q, twist.data(), &model.bodies.v[at]);
  }
  return model;
}

ChainRun run_ours(const HangingChain& chain, Method method, double rtol) {
  const Model model = make_chain_of_rods(chain);
  const Partition whole = uncut(model);
  const auto equations = make_part_equations(model, whole.parts.front());
  const auto driven = equations->make_system({});
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {rtol, 1e-3 * rtol, rtol};
  options.end = chain.times.back();
  const auto integrator = make_integrator(driven->system(), options);

  const BodyKind kind = chain.spatial ? BodyKind::rigid : BodyKind::planar;
  const std::size_t columns = coordinates_of(kind);
  std::vector<std::int32_t> dofs;
  for (std::size_t k = 0; k < columns; ++k)
    dofs.push_back(static_cast<std::int32_t>((chain.links - 1) * columns + k));
  std::vector<double> q(columns * chain.times.size()), v(q.size());
  integrator->start(0.0, equations->initial_position(), equations->initial_velocity());

  ChainRun run;
  run.rtol = rtol;
  AdvanceResult done;
  const double begin = processor_time();
  done = integrator->advance(chain.times.back(), {chain.times, dofs, q, v});
  run.seconds = processor_time() - begin;
  if (!done.ok) throw std::runtime_error(fmt::format("multibody: {}", done.reason));
  run.steps = integrator->status().counters.steps;
  run.evaluations = integrator->status().counters.evaluations;
  for (std::size_t row = 0; row < chain.times.size(); ++row) {
    const Frame rod = frame_of(kind, &q[row * columns], &v[row * columns]);
    const Vec3 tip = rod.r + 0.5 * chain.length * rod.R.col(0);
    run.tip.insert(run.tip.end(), tip.data(), tip.data() + 3);
  }
  return run;
}

double tip_error(const ChainRun& run, const ChainRun& reference) {
  double worst = 0;
  for (std::size_t i = 0; i < reference.tip.size(); i += 3)
    worst = std::max(worst, std::hypot(run.tip[i] - reference.tip[i], run.tip[i + 1] - reference.tip[i + 1],
                                       run.tip[i + 2] - reference.tip[i + 2]));
  return worst;
}

struct Competitor {
  std::string name;
  std::function<ChainRun(double)> solve;
  std::vector<ChainRun> runs{};  ///< from the loosest tolerance to the tightest

  const ChainRun* best() const {
    const ChainRun* found = nullptr;
    for (const ChainRun& run : runs)
      if (run.error <= wanted && (found == nullptr || run.seconds < found->seconds)) found = &run;
    return found;
  }
};

/// Half a decade at a time, two runs beyond the first that is good enough: a little tighter may be faster,
/// when fewer steps are rejected.
void sweep(Competitor& competitor, const ChainRun& reference) {
  int good = 0;
  for (int k = 0; k <= 12 && good < 3; ++k) {
    ChainRun run = competitor.solve(std::pow(10.0, -2 - 0.5 * k));
    run.error = tip_error(run, reference);
    if (run.error <= wanted) ++good;
    competitor.runs.push_back(std::move(run));
  }
}

/// The runs that can win take turns.
void measure_again(std::vector<Competitor>& competitors, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Competitor& competitor : competitors)
      for (ChainRun& run : competitor.runs)
        if (run.error <= wanted) run.seconds = std::min(run.seconds, competitor.solve(run.rtol).seconds);
}

std::vector<Competitor> competitors_of(const HangingChain& chain) {
  std::vector<Competitor> all;
  for (const auto& [name, method] : {std::pair{"rk", Method::rk}, std::pair{"auto", Method::automatic}})
    all.push_back({name, [&chain, method = method](double tol) { return run_ours(chain, method, tol); }});
#ifdef COSIMO_SIMBODY
  using Kind = SimbodyMethod;
  for (const auto& [name, method] : {std::pair{"Simbody RungeKuttaMerson", Kind::merson},
                                     std::pair{"Simbody RungeKutta3", Kind::runge_kutta_3}})
    all.push_back({name, [&chain, method = method](double tol) { return run_simbody(chain, method, tol); }});
#endif
  return all;
}

const Competitor* fastest_of(std::span<const Competitor> competitors) {
  const Competitor* found = nullptr;
  for (const Competitor& c : competitors)
    if (c.best() != nullptr && (found == nullptr || c.best()->seconds < found->best()->seconds)) found = &c;
  return found;
}

void rigid_joints(bool spatial, const Options& options, Table& table) {
  const double end = options.quick ? 1 : 5;
  const HangingChain chain = smooth_chain(spatial, end);
  const char* const joints = spatial ? "ball joints" : "pins";
  const ChainRun reference = run_ours(chain, Method::rk, 1e-12);
  std::vector<Competitor> competitors = competitors_of(chain);
  for (Competitor& c : competitors) sweep(c, reference);
  measure_again(competitors, options.quick ? 1 : 4);
  table.remark(fmt::format("{} rods with {}, {} s: tolerance, tip error, steps, evaluations, s per s",
                           chain.links, joints, end));
  for (const Competitor& c : competitors)
    for (const ChainRun& run : c.runs)
      table.remark(fmt::format("{:<26} {:8.1e} {:9.1e} {:6} {:7} {:8.4f}", c.name, run.rtol, run.error,
                               run.steps, run.evaluations, run.seconds / end));
#ifdef COSIMO_SIMBODY
  const ChainRun other = run_simbody(chain, SimbodyMethod::merson, 1e-9);
  table.remark(fmt::format("Simbody at accuracy 1e-9 agrees with the reference to {:.1e}",
                           tip_error(other, reference)));
#endif
  const Competitor* ours = fastest_of(std::span(competitors).first(2));
  const Competitor* theirs = fastest_of(std::span(competitors).subspan(2));
  if (ours == nullptr) throw std::runtime_error("multibody: no run of ours reached the error");
  const std::string work = fmt::format("{} rods, {}: {} rtol {:.0e}, processor time per simulated second",
                                       chain.links, joints, ours->name, ours->best()->rtol);
  const double own = ours->best()->seconds / end;
  if (theirs == nullptr) {
    table.remark("Simbody was not found when the benchmarks were built");
    table.add({"multibody", work, "", 0, own, "s", 0, Goal::none, 0,
               fmt::format("error {:.1e}", ours->best()->error)});
    return;
  }
  const double their = theirs->best()->seconds / end;
  table.add({"multibody", work, fmt::format("{} {:.0e}", theirs->name, theirs->best()->rtol), their, own, "s",
             their / own, Goal::at_least, 25,
             fmt::format("tip errors {:.1e}, {:.1e}", theirs->best()->error, ours->best()->error)});
}

}  // namespace

double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void multibody(const Options& options, Table& table) {
  rigid_joints(false, options, table);
  rigid_joints(true, options, table);
  cut_chains(wanted, options, table);
}

}  // namespace cosimo::bench
