#include "integrator/ida.hpp"

#include <ida/ida.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "core/check.hpp"
#include "core/checked_cast.hpp"
#include "integrator/ida_integrator.hpp"
#include "integrator/step_control.hpp"

namespace cosimo {

namespace {

Counters operator+(Counters a, const Counters& b) {
  a.steps += b.steps;
  a.rejected += b.rejected;
  a.evaluations += b.evaluations;
  a.factorizations += b.factorizations;
  a.solves += b.solves;
  return a;
}

std::string_view failure_text(int flag) {
  switch (flag) {
    case IDA_ERR_FAIL:
      return "the error test failed repeatedly, or with the smallest step";
    case IDA_CONV_FAIL:
      return "the Newton iteration failed repeatedly, or with the smallest step";
    case IDA_REP_RES_ERR:
      return "a force overflows however small the step";
    case IDA_TOO_MUCH_ACC:
      return "the tolerances ask for more than double precision can give";
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "the linear solver failed";
    case IDA_ILL_INPUT:
      return "the state is not finite, or a tolerance is zero at a zero of the state";
    default:
      return "IDA failed";
  }
}

}  // namespace

Ida::Ida(const System& system, const IntegratorOptions& options)
    : system_(system),
      extent_(system.extent()),
      options_(options),
      problem_(make_ida_problem(system, options, context_.context)),
      y_(problem_->space()),
      yp_(problem_->space()),
      step_y_(problem_->space()),
      step_yp_(problem_->space()),
      ida_(context_.context, *problem_, y_.get(), yp_.get()),
      memory_(ida_.get()),
      directions_(system),
      watch_(system, options.tolerances),
      s_(extent_.s),
      committed_(extent_.s),
      sides_(extent_.roots),
      events_(system, options) {
  problem_->use_memory(s_.data());
  if (!events_.idle()) at_.emplace(system.size(), 0, extent_);
  COSIMO_CHECK(options.stop != Stop::limit || (events_.idle() && extent_.s == 0),
               "steps that end at events and where memory is made");
  COSIMO_CHECK(options.limit >= 1, "n of h <= H / n");
  COSIMO_CHECK(options.max_step > 0, "largest step");
  if (!watch_.idle())
    for (auto* x : {&begin_q_, &begin_v_}) x->resize(system.size());
  const ConstrainedSystem* const constrained = system.constrained();
  if (constrained == nullptr || constrained->constraints() == 0) return;
  projection_.emplace(*constrained, options.tolerances);
  sample_q_.resize(system.size());
  sample_v_.resize(system.size());
}

void Ida::start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
                std::span<const double> s) {
  COSIMO_CHECK(q.size() == system_.size() && v.size() == system_.size() && z.size() == extent_.z &&
                   s.size() == extent_.s,
               "size of the initial state");
  double* y = write(y_.get());
  std::copy(q.begin(), q.end(), y);
  std::copy(v.begin(), v.end(), y + problem_->space().layout().stride);
  std::copy(z.begin(), z.end(), y + problem_->space().layout().first_state());
  std::copy(s.begin(), s.end(), s_.begin());
  std::fill(sides_.begin(), sides_.end(), std::int8_t{0});
  last_step_ = 0;
  time_ = t;
  resume_ = Resume::state;
  before_ = {};
}

AdvanceResult Ida::advance(double t_end, const Sampling& samples) {
  COSIMO_CHECK(t_end >= time_, "advance into the past");
  COSIMO_CHECK(samples.trace == nullptr, "only one-step methods trace their steps");
  COSIMO_CHECK(samples.directions == nullptr || (problem_->matrix() != nullptr && events_.idle()),
               "sensitivities are not offered for systems with constraints, first-order states or events");
  directions_.begin(samples.directions);
  watch_.begin();
  const double window = t_end - time_;
  longest_ = system_.longest_step(now());
  limit_steps(window);
  stuck_ = -std::numeric_limits<double>::infinity();
  restarts_ = 0;
  std::size_t next = sample(samples, 0, std::min(now(), t_end));
  const double begin = time_;
  if (const auto over = enter_events(t_end)) return *over;
  for (std::int64_t steps = 0; now() < t_end; ++steps) {
    if (interrupted(options_)) return failed(interrupted_reason);
    if (steps >= options_.max_steps) return failed("too many steps");
    if (resume_ != Resume::history && !begin_anew()) return failed("a force overflows at the initial state");
    const double from = now();
    const double breakpoint = system_.next_breakpoint(from);
    if (const double longest = system_.longest_step(from); longest != longest_) {
      longest_ = longest;
      limit_steps(window);
    }
    const double target = options_.stop == Stop::limit ? breakpoint : std::min(t_end, breakpoint);
    const int flag = step(t_end, target);
    if ((flag < 0 || !(now() > from)) && begin_again(t_end)) continue;
    if (flag < 0) return failed(failure_text(flag));
    if (!(now() > from)) return failed("the step size vanished");
    if (const auto law = watch_.lost_turn()) {
      AdvanceResult result = failed(turn_lost_reason);
      result.law = *law;
      return result;
    }
    const Meeting event = meet(from, t_end, begin);
    next = sample(samples, next, event.there ? at_->t : std::min(now(), t_end));
    if (event.there) {
      if (const auto over = leave_step(event)) return *over;
      continue;
    }
    complete(from);
    if (now() == breakpoint) resume_ = Resume::breakpoint;
  }
  finish(t_end);
  return {true, t_end, {}};
}

// After a step without an event.
void Ida::complete(double from) {
  last_step_ = now() - from;
  std::copy(events_.roots().sides().begin(), events_.roots().sides().end(), sides_.begin());
  if (extent_.s == 0) return;
  const double* const y = read(memory_.history(0));
  const StateLayout& layout = problem_->space().layout();
  commit(now(), {y, y + layout.stride, y + layout.first_state(), s_.data()});
  std::copy(committed_.begin(), committed_.end(), s_.begin());
}

// Called before every advance() and where the system's bound changes, because IDA itself looks at the largest
// step only when it increases the step: a shorter macro step must shorten a running one (Section 4.3).
void Ida::limit_steps(double window) {
  max_step_ = std::min(options_.max_step, longest_);
  if (options_.stop == Stop::limit && window > 0) max_step_ = std::min(max_step_, window / options_.limit);
  IDASetMaxStep(ida_.get(), std::isfinite(max_step_) ? max_step_ : 0.0);
  if (resume_ == Resume::history && memory_.next_step() > max_step_) memory_.set_next_step(max_step_);
}

bool Ida::begin_anew() {
  before_ = counters();
  const double t = now();
  const N_Vector y = resume_ == Resume::state ? y_.get() : memory_.history(0);
  ++before_.evaluations;
  if (!problem_->begin(t, y, yp_.get())) return false;
  const int flag = IDAReInit(ida_.get(), t, y, yp_.get());
  COSIMO_CHECK(flag == IDA_SUCCESS, "IDAReInit");
  resume_ = Resume::history;
  if (directions_.wanted()) directions_.restart(t, view(memory_.history(0)));
  return true;
}

// Constraints that have become dependent (a singular position), or independent again, are a kink that the
// history does not know of: from the last state, brought onto the constraints, the way may go on. Once at
// each instant.
bool Ida::begin_again(double t_end) {
  const double t = now();
  constexpr double near = 1e-4;  // of the way to go
  constexpr int often = 20;
  if (!projection_ || !(t > stuck_)) return false;
  restarts_ = t - stuck_ < near * (t_end - t) ? restarts_ + 1 : 0;
  if (restarts_ > often) return false;
  stuck_ = t;
  const StateView at = view(memory_.history(0));
  std::copy_n(at.q, sample_q_.size(), sample_q_.begin());
  std::copy_n(at.v, sample_v_.size(), sample_v_.begin());
  bool moved = false;
  if (!projection_->project(t, sample_q_, sample_v_, moved)) return false;
  before_ = counters();
  const StateLayout& layout = problem_->space().layout();
  const double* const z = at.q + layout.first_state();
  double* const y = write(y_.get());
  std::copy(sample_q_.begin(), sample_q_.end(), y);
  std::copy(sample_v_.begin(), sample_v_.end(), y + layout.stride);
  std::copy_n(z, extent_.z, y + layout.first_state());
  time_ = t;
  resume_ = Resume::state;
  return true;
}

// One step, at most to `target`. A step that passes in and out of a branch of a law is taken back and
// repeated with a part of its length.
int Ida::step(double t_end, double target) {
  const double from = memory_.time();
  const std::int64_t steps = memory_.counters().steps;
  double stop = target;
  Ref<const Counted> factors;
  if (!watch_.idle()) {
    memory_.save(before_step_);
    factors = problem_->factors();
    copy_watched(begin_q_.data(), begin_v_.data());
  }
  int flag = attempt(t_end, stop);
  for (double share = 0; flag >= 0 && (share = watched_share(from)) < 1;) {
    const double h = share * (memory_.time() - from);
    ++before_.rejected;
    memory_.restore(before_step_);
    problem_->adopt(factors);
    if (memory_.fresh()) {
      stop = from + h;
    } else {
      memory_.set_next_step(h);
    }
    flag = attempt(t_end, stop);
  }
  if (directions_.wanted() && memory_.counters().steps > steps) carry();
  // IDA may consider itself there a few units of rounding earlier, without another step
  if (flag == IDA_TSTOP_RETURN && memory_.time() != stop) memory_.set_time(stop);
  return flag;
}

int Ida::attempt(double t_end, double target) {
  const double least = 100 * std::numeric_limits<double>::epsilon() * std::abs(memory_.time());
  if (memory_.fresh() && target - memory_.time() <= least) {
    memory_.set_time(target);  // nothing happens in so short a time, and IDA refuses it
    return IDA_SUCCESS;
  }
  if (!memory_.fresh() && options_.stop == Stop::adjusted) adjust_step(target);
  if (std::isfinite(target)) {
    IDASetStopTime(ida_.get(), target);
  } else {
    memory_.clear_stop_time();
  }
  double towards = std::min(t_end, target);
  // Steps that may pass t_end may also begin a rounding error before it, at a breakpoint, where IDA wants to
  // see farther.
  if (memory_.fresh() && towards - memory_.time() <= least)
    towards = std::min(target, memory_.time() + max_step_);
  double reached = 0;
  const int flag = IDASolve(ida_.get(), towards, &reached, step_y_.get(), step_yp_.get(), IDA_ONE_STEP);
  problem_->rethrow_failure();
  memory_.drop_scratch();
  assign(step_y_.get(), {});
  assign(step_yp_.get(), {});
  return flag;
}

double Ida::watched_share(double from) {
  const double h = memory_.time() - from;
  if (watch_.idle() || !(h > minimum_step(from, from + h))) return 1;
  const std::size_t stride = problem_->space().layout().stride;
  const auto motion = [&](double theta, double* q, double* v) {
    if (theta == 1) return copy_watched(q, v);
    for (const std::int32_t dof : watch_.dofs()) {
      q[dof] = theta == 0 ? begin_q_[static_cast<std::size_t>(dof)] : 0;
      v[dof] = theta == 0 ? begin_v_[static_cast<std::size_t>(dof)] : 0;
    }
    if (theta == 0) return;
    const Interpolation at = memory_.interpolation(from + theta * h);
    for (std::size_t j = 0; j < at.count; ++j) {
      const Scaled row = read_scaled(memory_.history(j));
      for (const std::int32_t dof : watch_.dofs()) {
        const auto i = static_cast<std::size_t>(dof);
        q[i] += at.c[j] * row.c * row.values[i];
        v[i] += at.c[j] * row.c * row.values[stride + i];
      }
    }
  };
  return watch_.longest(from, h, std::cref(motion));
}

/// The state at the last point of the history that switches depend on.
void Ida::copy_watched(double* q, double* v) const {
  const Scaled row = read_scaled(memory_.history(0));
  const double* const rates = row.values + problem_->space().layout().stride;
  for (const std::int32_t dof : watch_.dofs()) {
    q[dof] = row.c * row.values[dof];
    v[dof] = row.c * rates[dof];
  }
}

StateView Ida::view(N_Vector y) const {
  const double* q = read(y);
  return {q, q + problem_->space().layout().stride};
}

// Takes the directions through the step that IDA has just made.
void Ida::carry() {
  before_.solves +=
      directions_.step(memory_.last_formula(), memory_.time(), view(memory_.history(0)), *problem_->matrix());
}

// Listing 4.1: stretch the next step, or halve what is left, so that no tiny one remains.
void Ida::adjust_step(double target) {
  const double left = target - memory_.time();
  const double h = memory_.next_step();
  if (left < 1.1 * h && left <= max_step_) {
    memory_.set_next_step(left);
  } else if (left < 2 * h) {
    memory_.set_next_step(left / 2);
  }
}

// Fills the rows from `next` on whose times are not after `until`; returns the first that is.
std::size_t Ida::sample(const Sampling& samples, std::size_t next, double until) {
  const std::size_t stride = problem_->space().layout().stride, width = samples.dofs.size();
  const std::size_t first_state = problem_->space().layout().first_state();
  for (; next < samples.times.size() && samples.times[next] <= until; ++next) {
    Interpolation at;
    std::array<const double*, 6> x{};
    if (resume_ == Resume::state) {
      at.count = 1;
      at.c[0] = 1;
      x[0] = read(y_.get());
    } else {
      at = memory_.interpolation(samples.times[next]);
      for (std::size_t j = 0; j < at.count; ++j) {
        const Scaled row = read_scaled(memory_.history(j));
        at.c[j] *= row.c;
        x[j] = row.values;
      }
    }
    const auto motion = [&](std::size_t i) {
      Motion m;
      for (std::size_t j = 0; j < at.count; ++j) {
        m.q += at.c[j] * x[j][i];
        m.v += at.c[j] * x[j][stride + i];
      }
      return m;
    };
    if (projection_) project_sample(samples.times[next], motion);
    for (std::size_t k = 0; k < width; ++k) {
      const auto i = static_cast<std::size_t>(samples.dofs[k]);
      const Motion m = projection_ ? Motion{sample_q_[i], sample_v_[i]} : motion(i);
      samples.position[next * width + k] = m.q;
      samples.velocity[next * width + k] = m.v;
    }
    for (std::size_t k = 0; k < samples.states.size(); ++k) {
      const auto own = static_cast<std::size_t>(samples.states[k]);
      if (own >= extent_.z) {
        samples.state[next * samples.states.size() + k] = s_[own - extent_.z];
        continue;
      }
      const std::size_t i = first_state + own;
      double z = 0;
      for (std::size_t j = 0; j < at.count; ++j) z += at.c[j] * x[j][i];
      samples.state[next * samples.states.size() + k] = z;
    }
  }
  return next;
}

/// The whole state, on the constraints; as interpolated where there is no such state nearby.
template <class MotionOf>
void Ida::project_sample(double t, const MotionOf& motion) {
  for (std::size_t i = 0; i < sample_q_.size(); ++i) {
    const Motion m = motion(i);
    sample_q_[i] = m.q;
    sample_v_[i] = m.v;
  }
  bool moved = false;
  static_cast<void>(projection_->project(t, sample_q_, sample_v_, moved));
}

void Ida::finish(double t_end) {
  if (resume_ != Resume::state) {
    Interpolation at = memory_.interpolation(t_end);
    std::array<N_Vector, 6> history{};
    for (std::size_t j = 0; j < at.count; ++j) history[j] = memory_.history(j);
    // at the end of a step all but the first are zero, and the state shares the first
    N_VLinearCombination(static_cast<int>(at.count), at.c.data(), history.data(), y_.get());
    read(y_.get());
    problem_->rethrow_failure();
    directions_.finish(at);
  }
  time_ = t_end;
}

AdvanceResult Ida::failed(std::string_view reason) {
  const double reached = now();
  if (resume_ != Resume::state) assign(y_.get(), share(memory_.history(0)));
  time_ = reached;
  return {false, reached, reason};
}

Counters Ida::counters() const {
  return resume_ == Resume::state ? before_ : before_ + memory_.counters();
}

void Ida::save(Snapshot& snapshot) const {
  auto* const own = &checked_cast<IdaSnapshot>(snapshot);
  own->saved = true;
  memory_.save(own->ida);
  own->factors = problem_->factors();
  own->y = share(y_.get());
  own->time = time_;
  own->resume = resume_;
  own->before = before_;
  own->s = s_;
  own->sides = sides_;
  own->last_step = last_step_;
}

void Ida::restore(const Snapshot& snapshot) {
  const auto* const own = &checked_cast<IdaSnapshot>(snapshot);
  COSIMO_CHECK(own->saved, "a snapshot that was saved");
  memory_.restore(own->ida);
  problem_->adopt(own->factors);
  assign(y_.get(), own->y);
  time_ = own->time;
  resume_ = own->resume;
  before_ = own->before;
  std::copy(own->s.begin(), own->s.end(), s_.begin());
  sides_ = own->sides;
  last_step_ = own->last_step;
}

void Ida::archive(Archive& a) {
  a.section("ida");
  IdaSnapshot snapshot;
  if (!a.loading()) save(snapshot);
  ValueArchive vectors(problem_->space(), a);
  snapshot.ida.archive(a, vectors);
  vectors(snapshot.y);
  a(snapshot.time, snapshot.resume, snapshot.before);
  if (extent_.s + extent_.roots > 0) {
    snapshot.s.resize(extent_.s);
    snapshot.sides.resize(extent_.roots);
    a(std::span(snapshot.s), std::span(snapshot.sides), snapshot.last_step);
  }
  problem_->archive_factors(a);
  if (!a.loading()) return;
  snapshot.factors = problem_->factors();
  snapshot.saved = true;
  restore(snapshot);
}

void Ida::overwrite(Range kept, std::span<const double> q, std::span<const double> v,
                    const Recalled& recalled) {
  COSIMO_CHECK(kept.size() == 0 && recalled.roots.empty(),
               "only one-step methods take other states for some; the past of this one would be wrong");
  std::vector<std::int8_t> sides = sides_;
  find_signs(system_, now(), {position().data(), velocity().data(), states().data(), s_.data()}, sides);
  const std::vector<double> z(states().begin(), states().end()), s = s_;
  start(now(), q, v, recalled.z.empty() ? z : recalled.z, recalled.s.empty() ? s : recalled.s);
  sides_ = std::move(sides);
}

void Ida::inherit(const Integrator&) {
  COSIMO_CHECK(false, "only one-step methods go on with other degrees of freedom");
}

Integrator::Status Ida::status() const {
  Status out;
  out.counters = counters();
  out.method = "ida";
  out.stiff_steps = out.counters.steps;
  out.last_step = memory_.last_step();
  if (resume_ == Resume::history && !memory_.fresh()) out.next_step = memory_.next_step();
  return out;
}

std::unique_ptr<Integrator> make_ida(const System& system, const IntegratorOptions& options) {
  return std::make_unique<Ida>(system, options);
}

}  // namespace cosimo
