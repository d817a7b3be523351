#include "subsystem/mechanism_part.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "integrator/shared_equations.hpp"
#include "integrator/shared_evaluation.hpp"

namespace cosimo {

namespace {

constexpr double never = std::numeric_limits<double>::quiet_NaN();  // differs from every time

CutSide other(CutSide side) {
  return side == CutSide::from ? CutSide::to : CutSide::from;
}

std::size_t body_at(const Dynamics& dynamics, std::size_t coordinate) {
  for (std::size_t body = 0; body < dynamics.bodies(); ++body)
    if (dynamics.first_coordinate(body) == coordinate) return body;
  COSIMO_CHECK(false, "a port acts on a body of its part");
}

}  // namespace

/// What several threads do of an evaluation.
class MechanismPart::Together final : public SharedEvaluation {
 public:
  explicit Together(const MechanismPart& part) : part_(part), dynamics_(part.dynamics_) {}

  int most_shares() const override { return dynamics_.most_shares(); }
  void expect(int shares) override { dynamics_.expect(shares, *part_.work_); }
  std::span<const Range> own(const Share& share) const override {
    return dynamics_.owned_by(share.number, share.count);
  }
  void place(const Instant& at, const Share& share) override {
    dynamics_.place(evaluation(at), share.number, share.count);
  }
  bool has_others() const override { return dynamics_.has_others() || !part_.drivers_.empty(); }
  void load_others(const Instant& at, const Fellow& me) override {
    bool driven = true;
    if (me.leads()) {
      part_.take_inputs(at.t);
      driven = part_.find_wrenches(at.t, at.q, at.v);
    }
    dynamics_.load_others(evaluation(at), driven, me);
  }
  void load(const Instant& at, const Share& share, bool again) override {
    dynamics_.load(evaluation(at), share.number, share.count, again);
  }
  void move(const Instant& at, const Share& share, bool again) override {
    dynamics_.move(evaluation(at), share.number, share.count, again);
  }
  Verdict judge(const Instant& at, const Share& share, int times) override {
    switch (dynamics_.judge(evaluation(at), share.number, share.count, times)) {
      case Dynamics::Verdict::fine:
        return Verdict::fine;
      case Dynamics::Verdict::again:
        return Verdict::again;
      default:
        return Verdict::unclear;
    }
  }
  void settle(double* q, double* v, const Share& share) override {
    dynamics_.settle(q, v, *part_.work_, share.number, share.count);
  }
  void measure(double t, const MotionSizes& tolerances, const Share& share) override {
    dynamics_.measure(t, tolerances, *part_.work_, share.number, share.count);
  }
  bool finish_projection(double t, double* q, double* v, const MotionSizes& tolerances, int shares,
                         bool& moved) override {
    const Dynamics::Projection result =
        dynamics_.finish_projection(t, q, v, tolerances, *part_.work_, shares);
    moved = result.moved;
    return result.ok;
  }

 private:
  Dynamics::Evaluation evaluation(const Instant& at) const {
    return {at.t, at.q, at.v, part_.wrenches_, at.a, part_.work_.get()};
  }

  const MechanismPart& part_;
  const Dynamics& dynamics_;
};

/// What fellows do of a residual or a tangent; they share the bodies.
class MechanismPart::Equations final : public SharedEquations {
 public:
  explicit Equations(const MechanismPart& part) : part_(part), dynamics_(part.dynamics_) {}

  int most_fellows() const override { return dynamics_.most_fellows(); }
  Range coordinates(const Fellow& me) const override {
    return own(
        me, [&](std::size_t b) { return dynamics_.first_coordinate(b); }, dynamics_.size());
  }
  Range freedoms(const Fellow& me) const override {
    return own(
        me, [&](std::size_t b) { return dynamics_.first_freedom(b); }, dynamics_.freedoms());
  }
  void twist(const double* q, const double* v, double* w, const Fellow& me) const override {
    part_.twist(q, v, w, me.share(dynamics_.bodies()));
  }
  void rates(const double* q, const double* w, double* v, const Fellow& me) const override {
    part_.rates(q, w, v, me.share(dynamics_.bodies()));
  }
  void lift(const double* q, const double* v, const double* alpha, double* a,
            const Fellow& me) const override {
    part_.lift(q, v, alpha, a, me.share(dynamics_.bodies()));
  }
  void lower(const double* q, const double* v, const double* a, double* alpha,
             const Fellow& me) const override {
    part_.lower(q, v, a, alpha, me.share(dynamics_.bodies()));
  }

  bool residual(const Instant& at, const Fellow& me) override {
    bool fine = true;
    if (me.leads()) {
      make_work();
      part_.take_inputs(at.t);
      fine = part_.find_wrenches(at.t, at.y.q, at.y.v);
    }
    me.meet();
    return dynamics_.residual(instant(at.t, at.y, at.alpha, at.lambda), fine, {at.r, at.z_rate, at.rows},
                              *work_, me);
  }
  void linearise(double t, const Whole& y, const double* alpha, const double* lambda, StateTangent& out,
                 const Fellow& me) override {
    if (me.leads()) make_work();
    me.meet();
    dynamics_.linearise(instant(t, y, alpha, lambda), out, &out.z, *work_, me);
    if (me.leads()) part_.finish_tangent(t, y.q, y.v, out);
    me.meet();
  }

 private:
  template <class First>
  Range own(const Fellow& me, const First& first, std::size_t end) const {
    const Range bodies = me.share(dynamics_.bodies());
    const auto border = [&](std::size_t b) { return b < dynamics_.bodies() ? first(b) : end; };
    return {border(bodies.first), border(bodies.last)};
  }
  void make_work() {
    if (work_ == nullptr) work_ = dynamics_.make_shared_work();
  }
  Dynamics::Instant instant(double t, const Whole& y, const double* alpha, const double* lambda) const {
    return {t, y.q, y.v, alpha, lambda, part_.wrenches_, remembered(y)};
  }

  const MechanismPart& part_;
  const Dynamics& dynamics_;
  Dynamics::SharedWorkPtr work_;
};

MechanismPart::~MechanismPart() = default;

SharedEvaluation* MechanismPart::shared() const {
  return together_.get();
}

SharedEquations* MechanismPart::shared_equations() const {
  return equations_.get();
}

MechanismPart::MechanismPart(const Model& model, const Dynamics& dynamics, std::span<const CutPort> ports,
                             std::span<const double> initial)
    : model_(model),
      dynamics_(dynamics),
      work_(dynamics.make_workspace()),
      together_(std::make_unique<Together>(*this)),
      equations_(std::make_unique<Equations>(*this)),
      output_dofs_(cosimo::output_dofs(ports)),
      initial_(initial),
      cached_t_(never),
      a_(dynamics.size()),
      before_(dynamics.size()),
      z_rate_(dynamics.extent().z),
      alpha_(dynamics.freedoms()) {
  for (std::size_t body = 0; body < dynamics.bodies(); ++body) {
    const BodyKind kind = dynamics.kind(body);
    for (std::size_t k = 0; k < coordinates_of(kind); ++k) angles_.push_back(is_angle(kind, k) ? 1 : 0);
    for (const std::uint8_t component : freedom_components(kind)) turning_.push_back(component >= 3 ? 1 : 0);
  }
  for (auto* list : {&angles_, &turning_})  // of lengths alone nothing need be said
    if (std::ranges::find(*list, 1) == list->end()) list->clear();
  std::size_t inputs = 0;
  for (const CutPort& port : ports) {
    COSIMO_CHECK(port.input == inputs, "the inputs of ports follow each other");
    inputs += port.inputs;
    if (port.drive == Drive::none) {
      measured_.push_back(measured_at(port));
      continue;
    }
    const std::size_t body = body_at(dynamics, static_cast<std::size_t>(port.dof));
    Driver& driver = drivers_.emplace_back(Driver{port, {}, body, dynamics.kind(body), dynamics.kind(body)});
    if (port.drive != Drive::signal)
      driver.far_kind = driver.law.emplace(model, port.element).kind(other(port.side));
    wrenches_.push_back({body, {}});
  }
  inputs_.resize(inputs);
  values_.resize(inputs);
  answers_.resize(6 * output_dofs_.size());
  find_switches();
  if (ports.empty()) return;
  // Through the constraints an input moves all accelerations.
  driven_.resize(size());
  std::iota(driven_.begin(), driven_.end(), 0);
}

MechanismPart::Measured MechanismPart::measured_at(const CutPort& port) const {
  const auto dof = static_cast<std::size_t>(port.dof);
  std::size_t body = 0;
  while (body + 1 < dynamics_.bodies() && dynamics_.first_coordinate(body + 1) <= dof) ++body;
  Measured at{port, body};
  const std::size_t coordinate = dof - dynamics_.first_coordinate(body);
  if (!is_angle(dynamics_.kind(body), coordinate) &&
      !model_.mechanism->bodies[port.body.index()].reference.isZero(0))
    at.axis = static_cast<Eigen::Index>(coordinate);
  return at;
}

void MechanismPart::outputs(double t, const Whole& state, std::span<const double> inputs,
                            std::span<PortState> y) const {
  DrivenSystem::outputs(t, state, inputs, y);
  for (const Measured& at : measured_) {
    if (at.axis < 0) continue;
    const Frame own = dynamics_.frame(at.body, state.q, state.v);
    const Vec3 arm = own.R * model_.mechanism->bodies[at.port.body.index()].reference;
    y[at.port.output].x += arm[at.axis];
    y[at.port.output].v += own.w.cross(arm)[at.axis];
  }
}

/// With the coordinates' accelerations in a_.
double MechanismPart::measured_acceleration(const Measured& at, const Whole& y) const {
  const double own = a_[static_cast<std::size_t>(at.port.dof)];
  if (at.axis < 0) return own;
  const std::size_t x = dynamics_.first_coordinate(at.body);
  const BodyKind kind = dynamics_.kind(at.body);
  const Frame frame = dynamics_.frame(at.body, y.q, y.v);
  const Vec3 arm = frame.R * model_.mechanism->bodies[at.port.body.index()].reference;
  std::array<double, 6> freedoms{};
  twist_rates_of(kind, y.q + x, y.v + x, a_.data() + x, freedoms.data());
  Vec3 turning = Vec3::Zero();
  for (std::size_t k = 0; k < freedoms_of(kind); ++k)
    if (const std::uint8_t component = freedom_components(kind)[k]; component >= 3)
      turning[component - 3] = freedoms[k];
  return own + (turning.cross(arm) + frame.w.cross(frame.w.cross(arm)))[at.axis];
}

void MechanismPart::drive(std::span<const Polynomial> inputs) {
  std::copy(inputs.begin(), inputs.end(), inputs_.begin());
  cached_t_ = never;
  time_scale_ = 1;
  if (!inputs_.empty()) time_scale_ = std::fabs(inputs_[0].scale);
}

void MechanismPart::take_inputs(double t) const {
  if (t == cached_t_) return;
  for (std::size_t i = 0; i < inputs_.size(); ++i) values_[i] = inputs_[i](t);
  cached_t_ = t;
}

Frame MechanismPart::far_frame(const Driver& driver) const {
  const double* const x = values_.data() + driver.port.input;
  return frame_of(driver.far_kind, x, x + driver.port.far_coordinates);
}

/// With the inputs' values as they are.
bool MechanismPart::effort_at(const Driver& driver, double t, const Frame& own, Effort& out) const {
  if (driver.port.drive == Drive::force) {
    out = driver.law->effort_of(values_.data() + driver.port.input);
    return true;
  }
  const Frame far = far_frame(driver);
  const bool from = driver.port.side == CutSide::from;
  return driver.law->effort(t, from ? own : far, from ? far : own, out);
}

/// That of a signal.
Wrench MechanismPart::push(const Driver& driver, const Frame& own) const {
  const CutPort& port = driver.port;
  return wrench_along(port.freedom, values_[port.input], model_.mechanism->bodies[port.body.index()], own);
}

bool MechanismPart::wrench_at(const Driver& driver, double t, const Frame& own, Wrench& out) const {
  Effort effort;
  if (driver.law && !effort_at(driver, t, own, effort)) return false;
  out = driver.law ? driver.law->wrench(driver.port.side, effort, own) : push(driver, own);
  return true;
}

bool MechanismPart::find_wrenches(double t, const double* q, const double* v) const {
  for (std::size_t p = 0; p < drivers_.size(); ++p)
    if (!wrench_at(drivers_[p], t, dynamics_.frame(drivers_[p].body, q, v), wrenches_[p].wrench))
      return false;
  return true;
}

bool MechanismPart::acceleration(double t, const double* q, const double* v, double* a, Range dofs) const {
  if (shareable()) return dynamics_.acceleration_of(t, q, v, a, dofs);
  take_inputs(t);
  if (!find_wrenches(t, q, v)) return false;
  const bool all = dofs.size() == size();
  if (!dynamics_.acceleration(t, q, v, wrenches_, all ? a : a_.data(), nullptr, *work_)) return false;
  if (all) return true;
  std::copy(a_.data() + dofs.first, a_.data() + dofs.last, a + dofs.first);
  return true;
}

/// All accelerations with these values of the inputs, into a_.
bool MechanismPart::accelerate_with(double t, const Whole& y, std::span<const double> values) const {
  std::copy(values.begin(), values.end(), values_.begin());
  cached_t_ = never;  // the polynomials count again from the next call on
  return find_wrenches(t, y.q, y.v) && dynamics_.acceleration(t, y.q, y.v, wrenches_, a_.data(), nullptr,
                                                              *work_, remembered(y), z_rate_.data());
}

bool MechanismPart::accelerations(double t, const Whole& y, std::span<const double> values,
                                  std::span<double> a) const {
  if (!accelerate_with(t, y, values)) return false;
  for (const Driver& driver : drivers_)
    std::copy_n(a_.data() + driver.port.dof, driver.port.outputs, a.data() + driver.port.output);
  for (const Measured& at : measured_) a[at.port.output] = measured_acceleration(at, y);
  return true;
}

bool MechanismPart::accelerations(double t, const Whole& y, std::span<const double> values,
                                  std::span<const std::int32_t> dofs, std::span<double> a) const {
  if (!accelerate_with(t, y, values)) return false;
  for (std::size_t k = 0; k < dofs.size(); ++k) a[k] = a_[static_cast<std::size_t>(dofs[k])];
  return true;
}

void MechanismPart::time_derivative(double t, const double* q, const double* v, double* a_t) const {
  // The rounding and the truncation error of a central difference are about equal.
  const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * time_scale_;
  const Range all{0, size()};
  if (!acceleration(t + h, q, v, a_t, all) || !acceleration(t - h, q, v, before_.data(), all)) {
    std::fill_n(a_t, size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t i = 0; i < size(); ++i) a_t[i] = (a_t[i] - before_[i]) / (2 * h);
}

double MechanismPart::next_breakpoint(double t) const {
  double next = dynamics_.next_breakpoint(t);
  for (const Driver& driver : drivers_)
    if (driver.law) next = std::min(next, driver.law->element().next_breakpoint(t));
  return next;
}

double MechanismPart::longest_step(double t) const {
  double longest = dynamics_.longest_step(t);
  for (const Driver& driver : drivers_)
    if (driver.law) longest = std::min(longest, driver.law->element().longest_step(t));
  return longest;
}

void MechanismPart::find_switches() {
  const auto laws = dynamics_.switch_laws(), coordinates = dynamics_.switch_coordinates();
  switch_laws_.assign(laws.begin(), laws.end());
  switch_dofs_.assign(coordinates.begin(), coordinates.end());
  for (const std::int32_t law : laws) switched_.push_back(dynamics_.law(static_cast<std::size_t>(law)));
  for (const Driver& driver : drivers_) {
    if (driver.port.drive != Drive::motion) continue;
    const ForceElement& element = driver.law->element();
    const std::size_t count = element.switch_count();
    if (count == 0) continue;
    switch_laws_.insert(switch_laws_.end(), count, switch_laws_.empty() ? 0 : switch_laws_.back() + 1);
    switched_.insert(switched_.end(), count, {.element = &element});
    for (std::size_t k = 0; k < driver.port.outputs; ++k)
      switch_dofs_.push_back(driver.port.dof + static_cast<std::int32_t>(k));
  }
}

void MechanismPart::switches(double t, const double* q, const double* v, Switch* out) const {
  dynamics_.switches(t, q, v, out, *work_);
  out += dynamics_.switch_laws().size();
  for (const Driver& driver : drivers_) {
    if (driver.port.drive != Drive::motion || driver.law->element().switch_count() == 0) continue;
    const ForceElement& element = driver.law->element();
    take_inputs(t);
    const Frame own = dynamics_.frame(driver.body, q, v), far = far_frame(driver);
    const bool from = driver.port.side == CutSide::from;
    element.switches(t, marker_frame(from ? own : far, element.at_from),
                     marker_frame(from ? far : own, element.at_to), out);
    out += element.switch_count();
  }
}

std::string MechanismPart::law_name(std::int32_t law) const {
  const auto found = std::ranges::lower_bound(switch_laws_, law);
  if (found == switch_laws_.end() || *found != law) return {};
  const Dynamics::Law& switched = switched_[static_cast<std::size_t>(found - switch_laws_.begin())];
  if (switched.element == nullptr)
    return std::string(switched.group->kind()) + " '" + switched.group->name + "'";
  const ForceElement& element = *switched.element;
  const auto name = [&](BodyId body) {
    return body == ground ? "ground" : model_.mechanism->bodies[body.index()].name;
  };
  return "element '" + element.name + "' between " + name(element.at_from.body) + " and " +
         name(element.at_to.body);
}

void MechanismPart::twist(const double* q, const double* v, double* w, Range bodies) const {
  for (std::size_t b = bodies.first; b < bodies.last; ++b) {
    const std::size_t x = dynamics_.first_coordinate(b);
    twist_of(dynamics_.kind(b), q + x, v + x, w + dynamics_.first_freedom(b));
  }
}

void MechanismPart::rates(const double* q, const double* w, double* v, Range bodies) const {
  for (std::size_t b = bodies.first; b < bodies.last; ++b) {
    const std::size_t x = dynamics_.first_coordinate(b);
    rates_of(dynamics_.kind(b), q + x, w + dynamics_.first_freedom(b), v + x);
  }
}

void MechanismPart::lift(const double* q, const double* v, const double* alpha, double* a,
                         Range bodies) const {
  for (std::size_t b = bodies.first; b < bodies.last; ++b) {
    const std::size_t x = dynamics_.first_coordinate(b);
    accelerations_of(dynamics_.kind(b), q + x, v + x, alpha + dynamics_.first_freedom(b), a + x);
  }
}

void MechanismPart::lower(const double* q, const double* v, const double* a, double* alpha,
                          Range bodies) const {
  for (std::size_t b = bodies.first; b < bodies.last; ++b) {
    const std::size_t x = dynamics_.first_coordinate(b);
    twist_rates_of(dynamics_.kind(b), q + x, v + x, a + x, alpha + dynamics_.first_freedom(b));
  }
}

void MechanismPart::normalise(double* q) const {
  std::array<double, 7> rates{};
  for (std::size_t b = 0; b < dynamics_.bodies(); ++b)
    cosimo::normalise(dynamics_.kind(b), q + dynamics_.first_coordinate(b), rates.data());
}

bool MechanismPart::whole_residual(double t, const Whole& y, const double* alpha, const double* lambda,
                                   double* r, double* z_rate) const {
  take_inputs(t);
  return find_wrenches(t, y.q, y.v) &&
         dynamics_.residual(t, y.q, y.v, alpha, lambda, wrenches_, r, remembered(y), z_rate);
}

bool MechanismPart::evaluate_with_multipliers(double t, const Whole& y, double* a, double* z_rate,
                                              double* lambda) const {
  take_inputs(t);
  return find_wrenches(t, y.q, y.v) &&
         dynamics_.acceleration(t, y.q, y.v, wrenches_, a, lambda, *work_, remembered(y), z_rate);
}

bool MechanismPart::project(double t, double* q, double* v, const MotionSizes& tolerances,
                            bool& moved) const {
  const Dynamics::Projection result = dynamics_.project(t, q, v, tolerances, *work_);
  moved = result.moved;
  return result.ok;
}

std::string MechanismPart::explain(double t, const double* q, std::string_view method) const {
  constexpr double nearly = 0.03;  // sine of the angle between rows
  std::vector<std::uint8_t> here(dynamics_.constraints()), before(dynamics_.constraints());
  dynamics_.dependent_rows(t, q, *work_, here, nearly);
  dynamics_.dependent_rows(0, initial_.data(), *work_, before, nearly);
  if (std::count(here.begin(), here.end(), 1) <= std::count(before.begin(), before.end(), 1)) return {};
  std::vector<std::string> names;
  for (std::size_t row = 0; row < here.size(); ++row) {
    const std::string& name = dynamics_.constraint_of(row).name;
    if (here[row] > before[row] && (names.empty() || names.back() != name)) names.push_back(name);
  }
  constexpr std::size_t most = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) list += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  return "; the mechanism is in or near a singular position, where " +
         (names.size() == 1 ? "joint " + list + " holds" : "joints " + list + " hold") +
         " what others hold already" +
         (method == "rk" || method == "merson" ? ""
                                               : ": `solve: {method: rk}` passes through such positions");
}

}  // namespace cosimo
