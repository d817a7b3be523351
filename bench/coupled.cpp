#include "bench/coupled.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>

#include "bench/timing.hpp"
#include "scheme/implicit.hpp"
#include "simulation/assembly.hpp"
#include "simulation/observer.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo::bench {

namespace {

/// Keeps and counts what the time loop tells, and ends it in order when its time is up.
class Memory final : public Observer {
 public:
  Memory(CoupledRun& run, double limit) : run_(run), deadline_(now() + limit) {}

  void output(double t, std::span<const double> position, std::span<const double> velocity) override {
    if (t <= 0) return;
    Trajectory& kept = run_.trajectory;
    kept.columns = position.size();
    kept.position.insert(kept.position.end(), position.begin(), position.end());
    kept.velocity.insert(kept.velocity.end(), velocity.begin(), velocity.end());
  }
  void step(const StepRow& row, const Scheme&, const AttemptCost&) override {
    ++(row.accepted ? run_.macro_steps : run_.rejected_steps);
    run_.iterations += row.iterations;
    run_.corrector_failures += row.converged ? 0 : 1;
    if (now() > deadline_) late_ = true;
  }
  void macro_point(double, double, int) override {}

  const std::atomic<bool>& late() const { return late_; }

 private:
  CoupledRun& run_;
  double deadline_;
  std::atomic<bool> late_ = false;
};

}  // namespace

CoupledRun run_coupled(const std::string& text, const Setting& setting, double limit) {
  const Scenario scenario = Scenario::parse(text, "bench", setting.overrides);
  CoupledRun run;
  Memory memory(run, limit);
  const auto assembly = assemble(scenario.data(), &memory.late());
  Session session(scenario.data(), *assembly, setting.threads);
  TimeLoop loop(*assembly, *session.lanes, *session.scheme, *session.control, session.loop, memory, nullptr,
                &memory.late());
  const double begin = now();
  const LoopResult result = loop.run();
  run.seconds = now() - begin;
  run.integrations = session.lanes->integrations();
  if (const auto* implicit = dynamic_cast<const ImplicitScheme*>(session.scheme.get()))
    run.jacobians = implicit->jacobians();
  if (result.status == LoopResult::Status::interrupted)
    run.trouble = fmt::format("> {:.2g} s", limit);
  else if (result.status == LoopResult::Status::failed)
    run.trouble = run.macro_steps >= session.loop.max_steps
                      ? fmt::format("> {:.2g} steps", static_cast<double>(run.macro_steps))
                      : result.reason;
  return run;
}

Setting tight_uncut(const char* method) {
  return {"reference",
          {"partition=none", fmt::format("solve.method={}", method), "solve.rtol=1e-10",
           "solve.atol_pos=1e-13", "solve.atol_vel=1e-10"},
          1};
}

double nrmse_5_2(const Trajectory& a, const Trajectory& reference) {
  return std::sqrt(2 * static_cast<double>(reference.columns)) * rms_nrmse(a, reference);
}

}  // namespace cosimo::bench
