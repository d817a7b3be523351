#include "subsystem/pendulum_part.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "integrator/constrained_system.hpp"
#include "mechanics/minimal_pendulum.hpp"

namespace cosimo {

namespace {

using ConstMap = Eigen::Map<const Eigen::VectorXd>;
using Map = Eigen::Map<Eigen::VectorXd>;

constexpr double never = std::numeric_limits<double>::infinity();

void copy(const double* from, std::size_t n, double* to) {
  std::copy_n(from, n, to);
}

/// Row by row, every entry.
void fill(const Eigen::MatrixXd& matrix, std::vector<SparseEntry>& out) {
  const Eigen::Index n = matrix.rows();
  out.resize(static_cast<std::size_t>(n * n));
  auto entry = out.begin();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      *entry++ = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), matrix(i, j)};
}

/// Freedoms are the coordinates' own rates, so that all maps between them are copies.
class PendulumSystem final : public ConstrainedSystem, public DrivenSystem {
 public:
  PendulumSystem(const MinimalPendulum& pendulum, const std::atomic<bool>* interrupt)
      : pendulum_(pendulum),
        interrupt_(interrupt),
        n_(static_cast<Eigen::Index>(pendulum.size())),
        work_(pendulum),
        all_(n_),
        angles_(pendulum.size(), 1),
        matrix_(n_, n_),
        other_(n_, n_) {}

  const System& system() const override { return *this; }
  void drive(std::span<const Polynomial> inputs) override {
    COSIMO_CHECK(inputs.empty(), "a pendulum in minimal coordinates has no inputs");
  }
  bool accelerations(double, const Whole&, std::span<const double>, std::span<double>) const override {
    return true;  // it has no outputs
  }
  bool respond(const Window&, const Start&, Response&) override { return true; }

  std::size_t size() const override { return pendulum_.size(); }
  bool acceleration(double, const double* q, const double* v, double* a, Range dofs) const override {
    if (!pendulum_.acceleration(vector(q), vector(v), all_, work_, interrupt_)) return false;
    std::copy(all_.data() + dofs.first, all_.data() + dofs.last, a + dofs.first);
    return all_.allFinite();
  }
  void time_derivative(double, const double*, const double*, double* a_t) const override {
    std::fill_n(a_t, size(), 0.0);
  }
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return never; }

  std::span<const std::uint8_t> angles() const override { return angles_; }

  std::size_t freedoms() const override { return size(); }
  std::span<const std::uint8_t> turning() const override { return angles_; }
  std::size_t constraints() const override { return 0; }
  void twist(const double*, const double* v, double* w) const override { copy(v, size(), w); }
  void rates(const double*, const double* w, double* v) const override { copy(w, size(), v); }
  void lift(const double*, const double*, const double* alpha, double* a) const override {
    copy(alpha, size(), a);
  }
  void lower(const double*, const double*, const double* a, double* alpha) const override {
    copy(a, size(), alpha);
  }

  bool residual(double, const double* q, const double* v, const double* alpha, const double*,
                double* r) const override {
    pendulum_.mass_matrix(vector(q), matrix_, work_);
    pendulum_.force(vector(q), vector(v), all_, work_);
    Map(r, n_).noalias() = matrix_ * vector(alpha) - all_;
    return Map(r, n_).allFinite();
  }
  void position_residual(double, const double*, double*) const override {}
  void velocity_residual(double, const double*, const double*, double*) const override {}
  void linearise(double, const double* q, const double* v, const double* alpha, const double*,
                 ConstrainedTangent& out) const override {
    pendulum_.mass_matrix(vector(q), matrix_, work_);
    fill(matrix_, out.M);
    pendulum_.force_by_rate(vector(q), vector(v), matrix_, work_);
    matrix_ = -matrix_;
    fill(matrix_, out.C);
    pendulum_.inertia_by_angle(vector(q), vector(alpha), matrix_, work_);
    pendulum_.force_by_angle(vector(q), vector(v), other_, work_);
    matrix_ -= other_;
    fill(matrix_, out.K);
  }
  bool acceleration_and_multipliers(double t, const double* q, const double* v, double* a,
                                    double*) const override {
    return acceleration(t, q, v, a, {0, size()});
  }
  bool project(double, double*, double*, const MotionSizes&, bool& moved) const override {
    moved = false;
    return true;
  }

 private:
  ConstMap vector(const double* x) const { return {x, n_}; }

  const MinimalPendulum& pendulum_;
  const std::atomic<bool>* interrupt_;
  Eigen::Index n_;
  mutable MinimalPendulum::Workspace work_;
  mutable Eigen::VectorXd all_;
  std::vector<std::uint8_t> angles_;
  mutable Eigen::MatrixXd matrix_, other_;
};

class PendulumEquations final : public PartEquations {
 public:
  PendulumEquations(const Model& model, const std::atomic<bool>* interrupt)
      : model_(model), interrupt_(interrupt) {}
  std::span<const double> initial_position() const override { return model_.bodies.x; }
  std::span<const double> initial_velocity() const override { return model_.bodies.v; }
  bool autonomous() const override { return true; }
  double next_breakpoint(double) const override { return never; }
  std::unique_ptr<DrivenSystem> make_system(std::span<const Port> ports) const override {
    COSIMO_CHECK(ports.empty(), "a pendulum in minimal coordinates cannot be cut");
    return std::make_unique<PendulumSystem>(*model_.pendulum, interrupt_);
  }

 private:
  const Model& model_;
  const std::atomic<bool>* interrupt_;
};

}  // namespace

std::unique_ptr<PartEquations> make_pendulum_equations(const Model& model,
                                                       const std::atomic<bool>* interrupt) {
  return std::make_unique<PendulumEquations>(model, interrupt);
}

}  // namespace cosimo
