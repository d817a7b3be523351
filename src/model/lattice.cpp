#include "model/lattice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "mechanics/builder.hpp"
#include "model/chain_loads.hpp"
#include "model/point_masses.hpp"

namespace cosimo {

namespace {

using Place = std::array<std::size_t, 3>;

/// The masses of a lattice, numbered along x first.
struct Grid {
  Place size{1, 1, 1};

  explicit Grid(const std::vector<std::size_t>& given) {
    std::copy(given.begin(), given.end(), size.begin());
  }
  std::size_t count() const { return size[0] * size[1] * size[2]; }
  Place place(std::size_t i) const { return {i % size[0], i / size[0] % size[1], i / (size[0] * size[1])}; }
  BodyId body(const Place& p) const { return BodyId(p[0] + size[0] * (p[1] + size[1] * p[2])); }
  Vec3 point(std::size_t i, double spacing) const {
    const Place p = place(i);
    return spacing * Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
  }
};

struct Joined {
  BodyId from, to;
};

/// Every element of the lattice in its order (see the header).
std::vector<Joined> joined(const Grid& grid, bool fixed_ends, bool diagonals) {
  std::vector<Joined> result;
  for (std::size_t i = 0; i < grid.count(); ++i) {
    const Place p = grid.place(i);
    if (p[0] == 0 && fixed_ends) result.push_back({ground, BodyId(i)});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (p[axis] == 0) continue;
      Place before = p;
      --before[axis];
      result.push_back({grid.body(before), BodyId(i)});
    }
    if (!diagonals) continue;
    for (const auto& [a, b] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
      const auto u = static_cast<std::size_t>(a), w = static_cast<std::size_t>(b);
      if (p[w] == 0) continue;
      Place down = p;
      --down[w];
      if (p[u] > 0) {
        --down[u];
        result.push_back({grid.body(down), BodyId(i)});
        ++down[u];
      }
      if (p[u] + 1 < grid.size[u]) {
        ++down[u];
        result.push_back({grid.body(down), BodyId(i)});
      }
    }
  }
  if (fixed_ends)
    for (std::size_t i = 0; i < grid.count(); ++i)
      if (grid.place(i)[0] + 1 == grid.size[0]) result.push_back({BodyId(i), ground});
  return result;
}

Model scalar_lattice(const LatticeSpec& spec, const Grid& grid) {
  const std::size_t n = grid.count();
  Model model;
  model.bodies.count = n;
  model.bodies.mass = Field(expand(spec.mass, n, named_stream(spec.seed, "mass")));
  check_masses(all_numbers(spec.mass, n, spec.seed, "mass"), "model.lattice.mass");
  model.bodies.x = all_numbers(spec.x, n, spec.seed, "x");
  model.bodies.v = all_numbers(spec.v, n, spec.seed, "v");
  for (const Joined& j : joined(grid, spec.fixed_ends, false)) {
    model.elements.from.push_back(j.from);
    model.elements.to.push_back(j.to);
  }
  const std::size_t count = model.elements.count();
  const auto field = [&](const Sequence& s, std::string_view use) {
    return Field(expand(s, count, named_stream(spec.seed, use)));
  };
  model.elements.c = field(spec.c, "c");
  model.elements.d = field(spec.d, "d");
  model.elements.C = field(spec.C, "C");
  model.elements.D = field(spec.D, "D");
  model.elements.ex = spec.ex;
  model.elements.ev = spec.ev;
  model.loads = make_chain_loads({.masses = n, .seed = spec.seed, .loads = spec.loads});
  return model;
}

std::string text(double x) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr};
}

std::string sine(double omega, double phase) {
  return "sin(" + text(omega) + "*t + " + text(phase) + ")";
}

/// The loads of a scalar model as formulas for forces along x; positions count from the places of the
/// lattice.
void add_loads(MechanismBuilder& builder, const Loads& loads, const Grid& grid, double spacing) {
  std::size_t number = 0;
  const auto add = [&](BodyId body, std::string formula, std::vector<double> jumps,
                       std::vector<NamedCurve> curves = {}) {
    AppliedSpec spec;
    spec.force[0] = std::move(formula);
    spec.breakpoints = std::move(jumps);
    spec.curves = std::move(curves);
    const Marker origin{.point = grid.point(body.index(), spacing)};
    builder.add(make_applied("load" + std::to_string(++number), origin, {.body = body}, spec));
  };
  for (const Harmonic& load : loads.harmonic)
    add(load.body, text(load.amplitude) + "*" + sine(load.omega, load.phase), {});
  for (const Contact& load : loads.contact) add(load.body, text(load.A) + "*exp(" + text(load.B) + "*x)", {});
  for (const Impulse& load : loads.impulse) {
    Loads alone;
    alone.impulse = {load};
    const auto edge = [&](double at) { return "tanh((t - " + text(at) + ")/" + text(load.steepness) + ")"; };
    add(load.body,
        text(0.5 * load.amplitude) + "*(" + edge(load.start) + " - " + edge(load.start + load.duration) + ")",
        breakpoints(alone));
  }
  for (const PowerSine& load : loads.powersine) {
    const std::string s = sine(load.omega, load.phase);
    const bool even = std::fmod(load.exponent, 2) == 0;  // even powers lose the sign
    std::string law = text(load.amplitude);
    if (!even) law.append("*sign(").append(s).append(")");
    law.append("*abs(").append(s).append(")^").append(text(load.exponent));
    add(load.body, law, {});
  }
  std::set<const Curve*> known;
  for (const CurveLoad& load : loads.curve) {
    if (known.insert(load.curve.get()).second) builder.add(*load.curve);
    add(load.body, text(load.amplitude) + "*curve(t)", {}, {{"curve", load.curve}});
  }
}

Model space_lattice(const LatticeSpec& spec, const Grid& grid) {
  const std::size_t n = grid.count(), dimensions = std::max<std::size_t>(2, spec.size.size());
  const auto mass = all_numbers(spec.mass, n, spec.seed, "mass");
  check_masses(mass, "model.lattice.mass");
  const auto x = all_numbers(spec.x, n * dimensions, spec.seed, "x");
  const auto v = all_numbers(spec.v, n * dimensions, spec.seed, "v");
  MechanismBuilder builder;
  for (std::size_t i = 0; i < n; ++i) {
    Frame frame;
    frame.r = grid.point(i, spec.spacing) + vector_at(x, i, dimensions);
    frame.v = vector_at(v, i, dimensions);
    builder.add({.name = "mass" + std::to_string(i + 1), .kind = point_kind(dimensions), .mass = mass[i]},
                frame);
  }
  const std::vector<Joined> elements = joined(grid, spec.fixed_ends, spec.diagonals);
  const std::size_t count = elements.size();
  const auto c = all_numbers(spec.c, count, spec.seed, "c"), d = all_numbers(spec.d, count, spec.seed, "d");
  const auto C = all_numbers(spec.C, count, spec.seed, "C"), D = all_numbers(spec.D, count, spec.seed, "D");
  for (std::size_t e = 0; e < count; ++e) {
    const auto [from, to] = elements[e];
    const Vec3 at_from = from == ground
                             ? Vec3(grid.point(to.index(), spec.spacing) - spec.spacing * Vec3::UnitX())
                             : grid.point(from.index(), spec.spacing);
    const Vec3 at_to =
        to == ground ? Vec3(at_from + spec.spacing * Vec3::UnitX()) : grid.point(to.index(), spec.spacing);
    SpringSpec spring{.law = {c[e], d[e], C[e], D[e], spec.ex, spec.ev}, .length = (at_to - at_from).norm()};
    builder.add(make_spring("spring" + std::to_string(e + 1),
                            {.body = from, .point = from == ground ? at_from : Vec3::Zero()},
                            {.body = to, .point = to == ground ? at_to : Vec3::Zero()}, spring));
  }
  add_loads(builder, make_chain_loads({.masses = n, .seed = spec.seed, .loads = spec.loads}), grid,
            spec.spacing);
  PlacedMechanism made = builder.finish();
  return make_model(std::move(made.mechanism), made.q, made.v);
}

}  // namespace

Model make_lattice(const LatticeSpec& spec) {
  if (spec.size.empty() || spec.size.size() > 3 || std::count(spec.size.begin(), spec.size.end(), 0U) > 0)
    throw Error(Fault{.field = "model.lattice.size",
                      .value = "",
                      .problem = "a lattice has one to three numbers of masses, each at least 1",
                      .remedy = "write for example size: [100, 100]"});
  const Grid grid(spec.size);
  return spec.space ? space_lattice(spec, grid) : scalar_lattice(spec, grid);
}

}  // namespace cosimo
