#include "planning/plan_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "planning/plan_watch.hpp"
#include "simulation/assembly.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo {

namespace {

constexpr int rows = 32;
constexpr std::size_t bodies_at_cuts = 64, bodies_elsewhere = 64;
constexpr double tightest = 1e-12;

class Keeper final : public Observer {
 public:
  explicit Keeper(ShortMotion& motion) : motion_(motion) {}
  void output(double t, std::span<const double> position, std::span<const double> velocity) override {
    if (!motion_.time.empty() && t <= motion_.time.back()) return;
    motion_.time.push_back(t);
    motion_.columns = position.size();
    motion_.position.insert(motion_.position.end(), position.begin(), position.end());
    motion_.velocity.insert(motion_.velocity.end(), velocity.begin(), velocity.end());
  }
  void step(const StepRow&, const Scheme&, const AttemptCost&) override {}
  void macro_point(double, double, int) override {}

 private:
  ShortMotion& motion_;
};

/// Rows that both have: a run that was stopped adds its last state at a time of its own.
std::size_t common_rows(const ShortMotion& a, const ShortMotion& b) {
  std::size_t k = 0;
  while (k < a.time.size() && k < b.time.size() &&
         std::abs(a.time[k] - b.time[k]) <= 1e-9 * std::abs(b.time[k]))
    ++k;
  return a.columns == b.columns ? k : 0;
}

/// (5.1) over all columns; negative when the reference does not move.
double relative_error(const std::vector<double>& value, const std::vector<double>& exact, std::size_t first,
                      std::size_t last, std::size_t columns) {
  double difference = 0, size = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    double mean = 0;
    for (std::size_t k = first; k < last; ++k) mean += exact[k * columns + j];
    mean /= static_cast<double>(last - first);
    for (std::size_t k = first; k < last; ++k) {
      difference += std::pow(value[k * columns + j] - exact[k * columns + j], 2);
      size += std::pow(exact[k * columns + j] - mean, 2);
    }
  }
  return size > 0 && std::isfinite(difference) ? std::sqrt(difference / size) : -1;
}

double larger_error(const ShortMotion& motion, const ShortMotion& exact, std::size_t first,
                    std::size_t last) {
  return std::max(relative_error(motion.position, exact.position, first, last, exact.columns),
                  relative_error(motion.velocity, exact.velocity, first, last, exact.columns));
}

}  // namespace

ShortMotion short_motion(const config::Scenario& scenario, const ShortRun& options) {
  ShortMotion motion;
  Watch watch(options.interrupt);
  watch.allow(options.wall_s);
  config::Scenario plain = scenario;
  plain.simulate.local_error = plain.simulate.vtk = false;
  const auto assembly = assemble(plain, watch.flag());
  Session session(plain, *assembly, 1);
  session.loop.end = std::min(session.loop.end, options.end);
  session.loop.output = session.loop.end / rows;
  Keeper keeper(motion);
  TimeLoop loop(*assembly, *session.lanes, *session.scheme, *session.control, session.loop, keeper, nullptr,
                watch.flag());
  const LoopResult result = loop.run();
  if (result.status == LoopResult::Status::failed) motion.trouble = result.reason;
  return motion;
}

MotionError motion_error(const ShortMotion& motion, const ShortMotion& exact) {
  MotionError result;
  const std::size_t count = common_rows(motion, exact);
  if (count < 4) return result;
  result.error = larger_error(motion, exact, 0, count);
  result.until = exact.time[count - 1];
  const double early = larger_error(motion, exact, 0, count / 2), late = result.error;
  if (early > 0 && late > 0) result.growth = std::clamp(std::log2(late / early), 0.0, 1.0);
  return result;
}

config::Scenario tight(const config::Scenario& scenario) {
  config::Scenario result = scenario;
  const auto tighten = [](config::Solve& solve) {
    const double factor = std::max(tightest, 0.01 * solve.rtol) / solve.rtol;
    if (factor >= 1) return;
    solve.rtol *= factor;
    if (solve.atol_pos) *solve.atol_pos *= factor;
    if (solve.atol_vel) *solve.atol_vel *= factor;
  };
  tighten(result.solve);
  for (config::SolveOverride& part : result.solve_overrides) tighten(part.solve);
  return result;
}

std::string record_setting(const Interface& interface, std::size_t bodies) {
  std::set<std::int64_t> labels;
  const std::size_t cuts = interface.couplings.size();
  const std::size_t stride = std::max<std::size_t>(1, 2 * cuts / bodies_at_cuts);
  for (std::size_t c = 0; c < cuts; c += stride)
    for (const CutEnd& end : {interface.couplings[c].from, interface.couplings[c].to})
      labels.insert(end.body.label());
  const std::size_t others = std::min(bodies, bodies_elsewhere);
  for (std::size_t i = 0; i < others; ++i)
    labels.insert(static_cast<std::int64_t>((i * bodies + bodies / 2) / others) + 1);
  while (!labels.empty() && *labels.rbegin() > static_cast<std::int64_t>(bodies))
    labels.erase(*labels.rbegin());
  return fmt::format("simulate.record=[{}]", fmt::join(labels, ", "));
}

}  // namespace cosimo
