#include "mechanics/start.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "mechanics/dynamics.hpp"
#include "numerics/sparse_lu.hpp"

namespace cosimo {

namespace {

/// Residuals that count as none, in the units of the file.
constexpr double assembled = 1e-12;
/// The same for states as a file gives them, with a dozen digits.
constexpr double nearly_assembled = 1e-9;

Dynamics whole(const Mechanism& mechanism) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) bodies.push_back(BodyId(i));
  std::vector<ElementId> elements;
  for (std::size_t i = 0; i < mechanism.elements.size(); ++i) elements.push_back(ElementId(i));
  return {mechanism, bodies, elements};
}

[[noreturn]] void refuse_assembly(const Mechanism& mechanism, const Dynamics::Projection& result) {
  const Constraint& worst = *mechanism.constraints[result.worst];
  throw Error(Fault{
      .field = "model.joints." + worst.name,
      .value = std::string(worst.kind()),
      .problem = "the joint cannot be closed: " + std::to_string(result.residual) +
                 " is left between its sides however the bodies are moved",
      .remedy =
          "check its place and axis, the lengths of the bodies, and whether other joints contradict it"});
}

/// The matrix [mu M + K, J^T; J, -eps] on a fixed pattern.
class EquilibriumMatrix {
 public:
  EquilibriumMatrix(std::size_t freedoms, std::size_t rows, const ConstrainedTangent& t)
      : rows_(rows), lu_(freedoms + rows, pattern(freedoms, rows, t)) {}

  [[nodiscard]] bool factor(const ConstrainedTangent& t, double mu) {
    auto value = lu_.values().begin();
    for (const SparseEntry& e : t.M) *value++ = mu * e.value;
    for (const SparseEntry& e : t.K) *value++ = e.value;
    for (const SparseEntry& e : t.J) *value++ = e.value;
    for (const SparseEntry& e : t.J) *value++ = e.value;
    for (std::size_t i = 0; i < rows_; ++i) *value++ = -regularisation;
    return lu_.factor();
  }
  void solve(std::span<double> b) const { lu_.solve(b); }

 private:
  static constexpr double regularisation = 1e-12;
  static std::vector<SparseLu::Entry> pattern(std::size_t freedoms, std::size_t rows,
                                              const ConstrainedTangent& t) {
    std::vector<SparseLu::Entry> entries;
    for (const auto* block : {&t.M, &t.K})
      for (const SparseEntry& e : *block) entries.push_back({e.row, e.column});
    const auto n = static_cast<std::int32_t>(freedoms);
    for (const SparseEntry& e : t.J) entries.push_back({e.column, e.row + n});
    for (const SparseEntry& e : t.J) entries.push_back({e.row + n, e.column});
    for (std::size_t i = 0; i < rows; ++i) {
      const auto k = n + static_cast<std::int32_t>(i);
      entries.push_back({k, k});
    }
    return entries;
  }

  std::size_t rows_;
  SparseLu lu_;
};

double largest(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::isfinite(x) ? std::max(most, std::abs(x)) : INFINITY;
  return most;
}

/// Newton's method with pseudo-time on one mechanism.
class Equilibrium {
 public:
  Equilibrium(const Mechanism& mechanism, std::vector<double>& q)
      : dynamics_(whole(mechanism)),
        q_(q),
        rest_(q.size()),
        none_(dynamics_.freedoms()),
        lambda_(dynamics_.constraints()),
        step_(dynamics_.freedoms() + dynamics_.constraints()) {
    dynamics_.linearise(0, q_.data(), rest_.data(), none_.data(), lambda_.data(), tangent_);
    for (const Body& body : mechanism.bodies) weight_ += body.mass * mechanism.gravity.norm();
  }

  bool find() {
    EquilibriumMatrix matrix(dynamics_.freedoms(), dynamics_.constraints(), tangent_);
    if (!evaluate()) return false;
    const double scale = std::max({weight_, forces(), 1e-300});
    double mu = first_rate * first_rate;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (forces() <= balanced * scale && gaps() <= assembled) return true;
      dynamics_.linearise(0, q_.data(), rest_.data(), none_.data(), lambda_.data(), tangent_);
      if (!matrix.factor(tangent_, mu)) {
        mu *= 10;
        continue;
      }
      const double before = forces();
      const std::vector<double> q_before = q_, lambda_before = lambda_, residual_before = residual_;
      take_step(matrix);
      if (!evaluate() || forces() > growth * before + balanced * scale) {
        q_ = q_before;
        lambda_ = lambda_before;
        residual_ = residual_before;
        mu *= 10;
        if (!(mu < 1e20)) return false;
        continue;
      }
      mu *= std::clamp(forces() / before, 0.05, 1.0) * 0.5;
    }
    return false;
  }

 private:
  static constexpr int most_iterations = 500;
  static constexpr double first_rate = 10, balanced = 1e-10, growth = 2;

  double forces() const { return largest({residual_.data(), dynamics_.freedoms()}); }
  double gaps() const { return largest({residual_.data() + dynamics_.freedoms(), dynamics_.constraints()}); }

  bool evaluate() {
    residual_.resize(step_.size());
    dynamics_.position_residual(0, q_.data(), residual_.data() + dynamics_.freedoms());
    return dynamics_.residual(0, q_.data(), rest_.data(), none_.data(), lambda_.data(), {},
                              residual_.data()) &&
           std::isfinite(forces());
  }

  void take_step(const EquilibriumMatrix& matrix) {
    for (std::size_t i = 0; i < step_.size(); ++i) step_[i] = -residual_[i];
    matrix.solve(step_);
    std::vector<double> dq(q_.size());
    for (std::size_t b = 0; b < dynamics_.bodies(); ++b) {
      const std::size_t c = dynamics_.first_coordinate(b);
      rates_of(dynamics_.kind(b), q_.data() + c, step_.data() + dynamics_.first_freedom(b), dq.data() + c);
    }
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += dq[i];
    for (std::size_t b = 0; b < dynamics_.bodies(); ++b) {
      const std::size_t c = dynamics_.first_coordinate(b);
      normalise(dynamics_.kind(b), q_.data() + c, rest_.data() + c);
    }
    for (std::size_t i = 0; i < lambda_.size(); ++i) lambda_[i] += step_[dynamics_.freedoms() + i];
  }

  Dynamics dynamics_;
  std::vector<double>& q_;
  std::vector<double> rest_, none_, lambda_, step_, residual_;
  ConstrainedTangent tangent_;
  double weight_ = 0;
};

}  // namespace

void assemble(PlacedMechanism& placed) {
  const Dynamics dynamics = whole(*placed.mechanism);
  const auto work = dynamics.make_workspace();
  const Dynamics::Projection result =
      dynamics.project(0, placed.q.data(), placed.v.data(), assembled, assembled, *work);
  if (!result.ok) refuse_assembly(*placed.mechanism, result);
}

void require_assembled(const PlacedMechanism& placed) {
  const Dynamics dynamics = whole(*placed.mechanism);
  std::vector<double> positions(dynamics.constraints()), velocities(dynamics.constraints());
  dynamics.position_residual(0, placed.q.data(), positions.data());
  dynamics.velocity_residual(0, placed.q.data(), placed.v.data(), velocities.data());
  for (std::size_t c = 0; c < dynamics.constraint_ids().size(); ++c) {
    const Constraint& constraint = *placed.mechanism->constraints[dynamics.constraint_ids()[c]];
    const std::size_t first = dynamics.first_rows()[c];
    const double gap = largest({positions.data() + first, constraint.rows()});
    const double rate = largest({velocities.data() + first, constraint.rows()});
    if (gap <= nearly_assembled && rate <= nearly_assembled) continue;
    const bool open = gap > nearly_assembled;
    throw Error(
        Fault{.field = "model.joints." + constraint.name,
              .value = std::string(constraint.kind()),
              .problem = (open ? "the joint is not closed at the start: " + std::to_string(gap) +
                                     " is left between its sides"
                               : "the velocities at the start contradict the joint: its sides part at " +
                                     std::to_string(rate)),
              .remedy = "place the bodies as the joint requires, or leave `assemble: false` out"});
  }
}

OpenJoint most_open_joint(const PlacedMechanism& placed) {
  const Dynamics dynamics = whole(*placed.mechanism);
  std::vector<double> gaps(dynamics.constraints());
  dynamics.position_residual(0, placed.q.data(), gaps.data());
  OpenJoint worst;
  for (std::size_t c = 0; c < dynamics.constraint_ids().size(); ++c) {
    const Constraint& constraint = *placed.mechanism->constraints[dynamics.constraint_ids()[c]];
    const double gap = largest({gaps.data() + dynamics.first_rows()[c], constraint.rows()});
    if (worst.constraint == nullptr || gap > worst.gap) worst = {&constraint, gap};
  }
  return worst;
}

void settle(PlacedMechanism& placed) {
  std::vector<double> q = placed.q;
  if (!Equilibrium(*placed.mechanism, q).find())
    throw Error(Fault{
        .field = "model.start.equilibrium",
        .value = "true",
        .problem = "no state is found in which all forces balance",
        .remedy = "check that springs or joints carry every body's weight, or start from a nearer state"});
  // The rates of the coordinates belong to the old orientation: keep the velocities they mean.
  const auto first = placed.mechanism->coordinate_offsets();
  for (std::size_t b = 0; b < placed.mechanism->bodies.size(); ++b) {
    const BodyKind kind = placed.mechanism->bodies[b].kind;
    std::array<double, 6> twist{};
    twist_of(kind, placed.q.data() + first[b], placed.v.data() + first[b], twist.data());
    rates_of(kind, q.data() + first[b], twist.data(), placed.v.data() + first[b]);
  }
  placed.q = std::move(q);
  assemble(placed);
}

}  // namespace cosimo
