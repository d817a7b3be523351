// Random models, cut and ready for one macro step with overlaps, for tests of the error estimate:
// chains, chains with a light block, lattices with four and with eight neighbours; masses and
// stiffnesses within a factor 10, nonlinear elements, damping ratios from 1e-3 to 20.
//
//   RandomCase c(seed);                        the same seed, the same case
//   c.model, c.cuts, c.H, c.layers             in the developed state that a short run leaves behind
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "model/graphs.hpp"
#include "model/model.hpp"
#include "scheme/testing.hpp"

namespace cosimo::testing {

class RandomCase {
 public:
  enum class Kind { chain, lattice4, lattice8, light_block };

  explicit RandomCase(std::uint64_t seed) : kind(static_cast<Kind>(seed % 4)), random_(seed, 79) {
    damping_ratio = draw(0, 1) < 0.5 ? log_draw(1e-3, 0.1) : log_draw(0.1, 20);
    nonlinear_ = draw(0, 1) < 0.5 ? 0 : log_draw(1e9, 1e11);
    nonlinear_damping_ = draw(0, 1) < 0.5 ? 0 : 5e-5;
    spread_ = kind == Kind::light_block || draw(0, 1) < 0.5 ? std::sqrt(10.0) : 1.0;
    if (kind == Kind::lattice4 || kind == Kind::lattice8)
      make_lattice(kind == Kind::lattice8);
    else
      make_chain();
    develop();
    choose_step();
  }

  Kind kind;
  Model model;
  PartitionRequest cuts{1, CutMethod::manual};
  double damping_ratio = 0;
  double H = 0, tau = 0, z = 0;  ///< H omega_max / 2, H mu_max / 2
  int layers = 2;
  /// Micro steps of a macro step that resolve the fastest motion and are stable.
  std::int64_t micro_steps() const {
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(std::max(4 * tau, 2 * z))));
  }

 private:
  static constexpr double mass = 5e-5, stiffness = 2.5e6;  // Table 5.9

  double draw(double low, double high) { return random_.uniform(drawn_++, low, high); }
  double log_draw(double low, double high) { return low * std::pow(high / low, draw(0, 1)); }

  void add_bodies(std::size_t count, std::size_t light_from, std::size_t light_to) {
    std::vector<double> masses(count);
    for (std::size_t i = 0; i < count; ++i) {
      const bool light = i >= light_from && i < light_to;
      masses[i] = mass * (kind == Kind::light_block ? (light ? 0.01 : 1) : log_draw(1 / spread_, spread_));
      model.bodies.x.push_back(draw(-2e-3, 2e-3));
      model.bodies.v.push_back(draw(-50, 50));
    }
    model.bodies.count = count;
    model.bodies.mass = Field(std::move(masses));
  }

  void join(BodyId from, BodyId to, double share = 1) {
    const double factor = share * log_draw(1 / spread_, spread_);
    model.elements.from.push_back(from);
    model.elements.to.push_back(to);
    c_.push_back(stiffness * factor);
    d_.push_back(2 * damping_ratio * std::sqrt(stiffness * mass) * factor);
    C_.push_back(nonlinear_ * factor);
    D_.push_back(nonlinear_damping_ * factor);
  }

  void finish() {
    model.elements.c = Field(c_);
    model.elements.d = Field(d_);
    model.elements.C = Field(C_);
    model.elements.D = Field(D_);
  }

  /// Three equal parts; the middle one may be light.
  void make_chain() {
    constexpr std::size_t third = 40, n = 3 * third;
    add_bodies(n, third, 2 * third);
    join(ground, BodyId(std::size_t{0}));
    for (std::size_t i = 1; i < n; ++i) {
      if (i % third == 0) cuts.cuts.push_back(static_cast<std::int64_t>(i) + 1);
      join(BodyId(i - 1), BodyId(i));
    }
    join(BodyId(n - 1), ground);
    finish();
  }

  /// Two by two blocks, tied to the ground at the rim.
  void make_lattice(bool diagonals) {
    constexpr std::size_t side = 16, half = side / 2;
    add_bodies(side * side, 0, 0);
    const auto link = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l, double share) {
      if (i / half != k / half || j / half != l / half)
        cuts.cuts.push_back(static_cast<std::int64_t>(model.elements.count()) + 1);
      join(BodyId(i * side + j), BodyId(k * side + l), share);
    };
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t j = 0; j < side; ++j) {
        if (j + 1 < side) link(i, j, i, j + 1, 1);
        if (i + 1 < side) link(i, j, i + 1, j, 1);
        if (diagonals && i + 1 < side && j + 1 < side) {
          link(i, j, i + 1, j + 1, 0.5);
          link(i, j + 1, i + 1, j, 0.5);
        }
        if (i == 0 || j == 0 || i + 1 == side || j + 1 == side) join(BodyId(i * side + j), ground);
      }
    finish();
  }

  void develop() {
    IntegratorOptions options;
    options.tolerances = default_tolerances(1e-4);
    const double times[] = {draw(0.5, 1.5) * 1e-5};
    RunResult later = run_uncut(model, options, times);
    COSIMO_CHECK(later.ok, "a random model can be integrated");
    model.bodies.x = std::move(later.x.back());
    model.bodies.v = std::move(later.v.back());
  }

  /// Largest eigenvalue of M^-1 K (or D) at the model's state, by power iteration.
  double largest_eigenvalue(bool damping) const {
    const std::size_t n = model.bodies.count;
    std::vector<double> q(n), r(n);
    for (std::size_t i = 0; i < n; ++i) q[i] = random_.uniform(1'000'000 + i, -1, 1);
    double eigenvalue = 0;
    for (int iteration = 0; iteration < 60; ++iteration) {
      std::fill(r.begin(), r.end(), 0.0);
      for (std::size_t e = 0; e < model.elements.count(); ++e) {
        const BodyId a = model.elements.from[e], b = model.elements.to[e];
        const auto difference = [&](std::span<const double> s) {
          return (b == ground ? 0 : s[b.index()]) - (a == ground ? 0 : s[a.index()]);
        };
        const SpringLaw law = model.elements.law(ElementId(e));
        const double tangent =
            damping ? law.damping(difference(model.bodies.v)) : law.stiffness(difference(model.bodies.x));
        const double force = tangent * difference(q);
        if (a != ground) r[a.index()] -= force;
        if (b != ground) r[b.index()] += force;
      }
      double power = 0, inertia = 0, length = 0;
      for (std::size_t i = 0; i < n; ++i) {
        power += q[i] * r[i];
        inertia += model.bodies.mass[i] * q[i] * q[i];
        r[i] /= model.bodies.mass[i];
        length += r[i] * r[i];
      }
      eigenvalue = power / inertia;
      for (std::size_t i = 0; i < n; ++i) q[i] = r[i] / std::sqrt(length);
    }
    return eigenvalue;
  }

  void choose_step() {
    const double omega = std::sqrt(largest_eigenvalue(false)), mu = largest_eigenvalue(true);
    H = log_draw(0.3, 15) * 2 / omega;
    H = std::min(H, std::max(2 * 150 / mu, 0.3 * 2 / omega));  // stiff damping would need thousands of steps
    tau = H * omega / 2;
    z = H * mu / 2;
    layers = 2 + static_cast<int>(draw(0, 1) * std::min(20.0, 2 * tau + 2 * std::sqrt(z) + 6));
  }

  RandomStream random_;
  std::uint64_t drawn_ = 0;
  double nonlinear_ = 0, nonlinear_damping_ = 0, spread_ = 1;
  std::vector<double> c_, d_, C_, D_;
};

}  // namespace cosimo::testing
