// Small models for the tests of this and other modules.
//
//   Model chain = samples::chain(50);                        Table 5.9 parameters, fixed ends
//   Model tree = samples::random_tree(40, 7);                branched, body numbers shuffled
//   Model mixed = samples::shuffled(chain, 3);               the same chain, other body numbers
//   Model plate = samples::lattice({.columns = 8, .rows = 6});   2-D, 4 or 8 neighbours
//   Equations whole(chain, samples::whole(chain));           everything in one part
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/random.hpp"
#include "model/chain.hpp"
#include "model/model.hpp"
#include "partition/part.hpp"

namespace cosimo::samples {

/// The chain of Table 5.9 (N, mm, s) with random initial state.
inline ChainSpec chain_spec(std::size_t masses, std::uint64_t seed = 1) {
  ChainSpec spec;
  spec.masses = masses;
  spec.mass = 5.0e-5;
  spec.c = 2.5e6;
  spec.d = 0.25;
  spec.C = 1.0e10;
  spec.D = 5.0e-5;
  spec.x = Uniform{-1.0e-2, 1.0e-2};
  spec.v = Uniform{-100, 100};
  spec.seed = seed;
  return spec;
}

inline Model chain(std::size_t masses, std::uint64_t seed = 1) {
  return make_chain(chain_spec(masses, seed));
}

/// A random order of 0..n-1.
inline std::vector<std::int32_t> random_order(std::size_t n, std::uint64_t seed) {
  const RandomStream random(seed, 77);
  std::vector<std::int32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i))]);
  return order;
}

/// The same mechanics with other body numbers: body i becomes body order[i]. Elements keep theirs.
inline Model renumbered(const Model& model, const std::vector<std::int32_t>& order) {
  const auto moved = [&](BodyId body) { return body == ground ? ground : BodyId(order[body.index()]); };
  const std::size_t n = model.bodies.count;
  Model result = model;
  std::vector<double> mass(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t to = moved(BodyId(i)).index();
    mass[to] = model.bodies.mass[i];
    result.bodies.x[to] = model.bodies.x[i];
    result.bodies.v[to] = model.bodies.v[i];
  }
  if (!model.bodies.mass.uniform()) result.bodies.mass = Field(std::move(mass));
  for (BodyId& body : result.elements.from) body = moved(body);
  for (BodyId& body : result.elements.to) body = moved(body);
  for_each_table([&](auto table) {
    for (auto& load : result.loads.*table) load.body = moved(load.body);
  });
  sort_by_body(result.loads);
  return result;
}

inline Model shuffled(const Model& model, std::uint64_t seed) {
  return renumbered(model, random_order(model.bodies.count, seed));
}

/// Bodies of order one with random elements of order one. The caller adds elements with join().
class Builder {
 public:
  Builder(std::size_t bodies, std::uint64_t seed) : random_(seed, 78) {
    model_.bodies.count = bodies;
    std::vector<double> mass(bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
      mass[i] = draw(0.5, 2);
      model_.bodies.x.push_back(draw(-1, 1));
      model_.bodies.v.push_back(draw(-1, 1));
    }
    model_.bodies.mass = Field(std::move(mass));
  }
  double draw(double low, double high) { return random_.uniform(count_++, low, high); }
  void join(BodyId from, BodyId to) {
    model_.elements.from.push_back(from);
    model_.elements.to.push_back(to);
    c_.push_back(draw(1, 3));
    d_.push_back(draw(0.1, 0.3));
    C_.push_back(draw(1, 3));
    D_.push_back(draw(0.1, 0.3));
  }
  Model finish() {
    model_.elements.c = Field(c_);
    model_.elements.d = Field(d_);
    model_.elements.C = Field(C_);
    model_.elements.D = Field(D_);
    sort_by_body(model_.loads);
    return model_;
  }
  Loads& loads() { return model_.loads; }

 private:
  RandomStream random_;
  std::uint64_t count_ = 0;
  Model model_;
  std::vector<double> c_, d_, C_, D_;
};

/// A random branched tree with shuffled body numbers, tied to the ground at its first body.
inline Model random_tree(std::size_t bodies, std::uint64_t seed) {
  Builder builder(bodies, seed);
  const std::vector<std::int32_t> name = random_order(bodies, seed + 1);
  builder.join(ground, BodyId(name[0]));
  for (std::size_t i = 1; i < bodies; ++i) {
    // Half of the bodies continue the last one, so that runs and branches both occur.
    const bool straight = builder.draw(0, 1) < 0.5;
    const auto parent = straight ? i - 1 : static_cast<std::size_t>(builder.draw(0, static_cast<double>(i)));
    builder.join(BodyId(name[parent]), BodyId(name[i]));
  }
  return builder.finish();
}

/// A closed ring: the smallest graph that is no tree.
inline Model ring(std::size_t bodies, std::uint64_t seed) {
  Builder builder(bodies, seed);
  for (std::size_t i = 0; i < bodies; ++i) builder.join(BodyId(i), BodyId((i + 1) % bodies));
  builder.join(BodyId(std::size_t{0}), ground);
  return builder.finish();
}

/// A rectangular lattice. Bodies row by row; from every body elements to the right, to the next row, and
/// with 8 neighbours along both diagonals of the next row; the first body is tied to the ground last.
struct LatticeSpec {
  std::size_t columns = 10, rows = 10;
  int neighbours = 4;                    ///< or 8
  Field mass{1.0};                       ///< per body
  Field c{1.0}, d{0.0}, C{0.0}, D{0.0};  ///< per element
  double x = 0.1, v = 0.1;               ///< bounds of the random initial state
  std::uint64_t seed = 1;
};

inline Model lattice(const LatticeSpec& spec) {
  Model model;
  const std::size_t n = spec.columns * spec.rows;
  const RandomStream position(spec.seed, 79), velocity(spec.seed, 80);
  model.bodies.count = n;
  model.bodies.mass = spec.mass;
  for (std::size_t i = 0; i < n; ++i) {
    model.bodies.x.push_back(position.uniform(i, -spec.x, spec.x));
    model.bodies.v.push_back(velocity.uniform(i, -spec.v, spec.v));
  }
  const auto join = [&](BodyId from, BodyId to) {
    model.elements.from.push_back(from);
    model.elements.to.push_back(to);
  };
  const auto at = [&](std::size_t row, std::size_t column) { return BodyId(row * spec.columns + column); };
  for (std::size_t r = 0; r < spec.rows; ++r)
    for (std::size_t k = 0; k < spec.columns; ++k) {
      if (k + 1 < spec.columns) join(at(r, k), at(r, k + 1));
      if (r + 1 == spec.rows) continue;
      join(at(r, k), at(r + 1, k));
      if (spec.neighbours == 8 && k + 1 < spec.columns) join(at(r, k), at(r + 1, k + 1));
      if (spec.neighbours == 8 && k > 0) join(at(r, k), at(r + 1, k - 1));
    }
  join(at(0, 0), ground);
  model.elements.c = spec.c;
  model.elements.d = spec.d;
  model.elements.C = spec.C;
  model.elements.D = spec.D;
  return model;
}

/// The whole model as one part, bodies in ascending order (partition/ orders them better).
inline Part whole(const Model& model) {
  Part part;
  for (std::size_t i = 0; i < model.bodies.count; ++i) part.bodies.push_back(BodyId(i));
  part.owned = {0, part.bodies.size()};
  for (std::size_t e = 0; e < model.elements.count(); ++e) part.elements.push_back(ElementId(e));
  return part;
}

}  // namespace cosimo::samples
