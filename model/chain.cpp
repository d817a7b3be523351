#include "model/chain.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "model/chain_loads.hpp"

namespace cosimo {

namespace {

Field field(const Sequence& sequence, std::size_t n, std::uint64_t seed, std::string_view use) {
  return Field(expand(sequence, n, named_stream(seed, use)));
}

std::vector<double> full(const Sequence& sequence, std::size_t n, std::uint64_t seed, std::string_view use) {
  std::vector<double> values = expand(sequence, n, named_stream(seed, use));
  if (values.size() == 1) values.assign(n, values.front());
  return values;
}

Bodies make_bodies(const ChainSpec& spec) {
  Bodies bodies;
  bodies.count = spec.masses;
  bodies.mass = field(spec.mass, spec.masses, spec.seed, "mass");
  bodies.x = full(spec.x, spec.masses, spec.seed, "x");
  bodies.v = full(spec.v, spec.masses, spec.seed, "v");
  const std::size_t distinct = bodies.mass.uniform() ? 1 : spec.masses;
  for (std::size_t i = 0; i < distinct; ++i)
    if (!(bodies.mass[i] > 0) || !std::isfinite(bodies.mass[i]))
      throw Error(Fault{.field = "model.chain.mass",
                        .value = std::to_string(bodies.mass[i]),
                        .problem = "the mass of body " + std::to_string(i + 1) + " is not positive",
                        .remedy = "give every body a mass above zero"});
  return bodies;
}

SpringDampers make_elements(const ChainSpec& spec) {
  const std::size_t n = spec.masses;
  SpringDampers elements;
  elements.from.reserve(n + 1);
  elements.to.reserve(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    elements.from.push_back(i == 0 ? ground : BodyId(i - 1));
    elements.to.push_back(i == n ? ground : BodyId(i));
  }
  if (spec.ends[0] == End::free) elements.to.front() = ground;
  if (spec.ends[1] == End::free) elements.from.back() = ground;
  elements.c = field(spec.c, n + 1, spec.seed, "c");
  elements.d = field(spec.d, n + 1, spec.seed, "d");
  elements.C = field(spec.C, n + 1, spec.seed, "C");
  elements.D = field(spec.D, n + 1, spec.seed, "D");
  elements.ex = spec.ex;
  elements.ev = spec.ev;
  return elements;
}

}  // namespace

Model make_chain(const ChainSpec& spec) {
  if (spec.masses == 0)
    throw Error(Fault{.field = "model.chain.masses",
                      .value = "0",
                      .problem = "a chain needs at least one mass",
                      .remedy = "write masses: 1 or more"});
  for (const auto& [name, exponent] : {std::pair{"ex", spec.ex}, std::pair{"ev", spec.ev}})
    if (!(exponent > 0) || !std::isfinite(exponent))
      throw Error(Fault{.field = std::string("model.chain.spring.") + name,
                        .value = std::to_string(exponent),
                        .problem = "the exponent is not positive",
                        .remedy = "write a number above zero; 3 is the default"});
  Model model;
  model.bodies = make_bodies(spec);
  model.elements = make_elements(spec);
  model.loads = make_chain_loads(spec);
  return model;
}

}  // namespace cosimo
