#include "integrator/end_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "integrator/kinds.hpp"
#include "integrator/shared_evaluation.hpp"
#include "parallel/team.hpp"

namespace cosimo {
namespace {

class Projected final : public Stepper {
 public:
  Projected(const ConstrainedSystem& system, const Tolerances& tolerances, std::unique_ptr<Stepper> inner,
            Team* team)
      : projection_(system, tolerances, team), inner_(std::move(inner)) {}

  StepperTraits traits() const override { return inner_->traits(); }
  double cost(const Point& at) override { return inner_->cost(at); }

  double attempt(const Point& from, double h, bool retry, State& to, Counters& counters) override {
    const double error = inner_->attempt(from, h, retry, to, counters);
    if (!(error <= 1)) return error;
    return projection_.settle(to, from.s, true, counters) ? error : std::numeric_limits<double>::infinity();
  }

  std::optional<Motion> stage_interpolant(double theta, std::size_t dof) const override {
    return inner_->stage_interpolant(theta, dof);
  }
  std::optional<double> state_interpolant(double theta, std::size_t k) const override {
    return inner_->state_interpolant(theta, k);
  }

  void carry(const AcceptedStep&, DirectionSet&, Counters&) override {
    COSIMO_CHECK(false, "sensitivities are not offered for systems with constraints");
  }

 private:
  EndProjection projection_;
  std::unique_ptr<Stepper> inner_;
};

}  // namespace

bool EndProjection::project(double t, std::span<double> q, std::span<double> v, bool& moved) const {
  MotionSizes allowed = tolerances_.absolute();
  const KindSizes places = root_mean_squares(q, system_.angles()),
                  rates = root_mean_squares(v, system_.angles());
  for (const bool angle : {false, true}) {
    MotionSize& own = angle ? allowed.angle : allowed.length;
    own.position += tolerances_.rtol * places.of(angle);
    own.velocity += tolerances_.rtol * rates.of(angle);
  }
  SharedEvaluation* const shared = team_ == nullptr ? nullptr : system_.shared();
  const int wanted = shared == nullptr ? 1 : std::min(team_->members(), shared->most_shares());
  if (wanted == 1) return system_.project(t, q.data(), v.data(), allowed, moved);
  int shares = 1;
  auto work = [&](Team::Member& member) {
    const SharedEvaluation::Share share{member.number(), member.count()};
    shared->settle(q.data(), v.data(), share);
    member.meet();
    shared->measure(t, allowed, share);
    if (share.number == 0) shares = share.count;
  };
  team_->run(wanted, work);
  return shared->finish_projection(t, q.data(), v.data(), allowed, shares, moved);
}

bool EndProjection::settle(State& to, const double* s, bool evaluated, Counters& counters) const {
  bool moved = false;
  if (!project(to.t, to.q, to.v, moved)) return false;
  if (evaluated && !moved) return true;
  ++counters.evaluations;
  return system_.evaluate(to.t, {to.q.data(), to.v.data(), to.z.data(), s}, to.a.data(), to.z_rate.data());
}

std::unique_ptr<Stepper> make_projected_stepper(const ConstrainedSystem& system, const Tolerances& tolerances,
                                                std::unique_ptr<Stepper> inner, Team* team) {
  return std::make_unique<Projected>(system, tolerances, std::move(inner), team);
}

}  // namespace cosimo
