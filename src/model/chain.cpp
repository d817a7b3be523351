#include "model/chain.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/chain_loads.hpp"
#include "model/model_hash.hpp"
#include "partition/division.hpp"

namespace cosimo {

namespace {

void check(const ChainSpec& spec) {
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
}

void check_masses(const Field& mass, Range bodies) {
  for (std::size_t i = bodies.first; i < bodies.last; ++i)
    if (!(mass[i] > 0) || !std::isfinite(mass[i]))
      throw Error(Fault{.field = "model.chain.mass",
                        .value = std::to_string(mass[i]),
                        .problem = "the mass of body " + std::to_string(i + 1) + " is not positive",
                        .remedy = "give every body a mass above zero"});
}

/// All entries at once where they are equal, otherwise room for n.
Field empty_field(const Sequence& sequence, std::size_t n) {
  return is_constant(sequence) ? Field(std::get<double>(sequence)) : Field(LazyArray<double>(n));
}

void join(const ChainSpec& spec, Range rows, SpringDampers& elements) {
  const std::size_t n = spec.masses;
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    elements.from[i] = i == 0 || (i == n && spec.ends[1] == End::free) ? ground : BodyId(i - 1);
    elements.to[i] = i == n || (i == 0 && spec.ends[0] == End::free) ? ground : BodyId(i);
  }
}

}  // namespace

/// Writes numbers of the specification to where they belong.
class ChainGenerator::Writer {
 public:
  explicit Writer(const ChainSpec& spec) : spec_(spec) {}

  void operator()(const Sequence& sequence, std::string_view use, Range entries,
                  LazyArray<double>& out) const {
    const auto* constant = std::get_if<double>(&sequence);
    if (constant != nullptr && *constant == 0 && !std::signbit(*constant)) return;  // as it is
    expand(sequence, out.size(), named_stream(spec_.seed, use), entries,
           std::span(out).subspan(entries.first, entries.size()));
  }
  void operator()(const Sequence& sequence, std::string_view use, Range entries, Field& out) const {
    if (!is_constant(sequence)) (*this)(sequence, use, entries, out.values());
  }

 private:
  const ChainSpec& spec_;
};

ChainGenerator::ChainGenerator(ChainSpec spec)
    : spec_((check(spec), std::make_unique<const ChainSpec>(std::move(spec)))),
      loads_(std::make_unique<const ChainLoads>(*spec_)) {}

ChainGenerator::ChainGenerator(ChainGenerator&&) noexcept = default;
ChainGenerator& ChainGenerator::operator=(ChainGenerator&&) noexcept = default;
ChainGenerator::~ChainGenerator() = default;

Model ChainGenerator::make(Range bodies) const {
  const ChainSpec& spec = *spec_;
  const std::size_t n = spec.masses;
  Model model;
  model.bodies.count = n;
  model.bodies.mass = empty_field(spec.mass, n);
  if (is_constant(spec.mass)) check_masses(model.bodies.mass, {0, 1});
  model.bodies.x = LazyArray<double>(n);
  model.bodies.v = LazyArray<double>(n);
  model.bodies.filled.emplace();
  SpringDampers& elements = model.elements;
  elements.from = LazyArray<BodyId>(n + 1);
  elements.to = LazyArray<BodyId>(n + 1);
  elements.c = empty_field(spec.c, n + 1);
  elements.d = empty_field(spec.d, n + 1);
  elements.C = empty_field(spec.C, n + 1);
  elements.D = empty_field(spec.D, n + 1);
  elements.ex = spec.ex;
  elements.ev = spec.ev;
  elements.filled.emplace();
  extend(model, bodies);
  return model;
}

Model ChainGenerator::make() const {
  return make({0, spec_->masses});
}

void ChainGenerator::extend(Model& model, Range bodies) const {
  extend(model, std::span(&bodies, 1));
}

void ChainGenerator::extend(Model& model, std::span<const Range> bodies) const {
  COSIMO_CHECK(model.bodies.count == spec_->masses, "a model of another chain");
  if (!model.bodies.filled) return;
  RangeSet fresh;
  for (const Range range : bodies) {
    COSIMO_CHECK(range.first <= range.last && range.last <= spec_->masses, "bodies outside a chain");
    for (const Range gap : model.bodies.filled->missing(range)) {
      fill_bodies(model.bodies, gap);
      fill_elements(model.elements, {gap.first, gap.last + 1});
      fresh.add(gap);
    }
  }
  loads_->add(fresh.ranges(), model.loads);
  // A model without gaps is like one that never had any.
  if (!model.bodies.filled->missing({0, spec_->masses}).empty()) return;
  model.bodies.filled.reset();
  model.elements.filled.reset();
}

void ChainGenerator::fill_bodies(Bodies& bodies, Range gap) const {
  const Writer write(*spec_);
  write(spec_->mass, "mass", gap, bodies.mass);
  if (!is_constant(spec_->mass)) check_masses(bodies.mass, gap);
  write(spec_->x, "x", gap, bodies.x);
  write(spec_->v, "v", gap, bodies.v);
  bodies.filled->add(gap);
}

void ChainGenerator::fill_elements(SpringDampers& elements, Range touching) const {
  const Writer write(*spec_);
  for (const Range gap : elements.filled->missing(touching)) {
    join(*spec_, gap, elements);
    write(spec_->c, "c", gap, elements.c);
    write(spec_->d, "d", gap, elements.d);
    write(spec_->C, "C", gap, elements.C);
    write(spec_->D, "D", gap, elements.D);
  }
  elements.filled->add(touching);
}

std::vector<double> ChainGenerator::breakpoints() const {
  return loads_->breakpoints();
}

std::vector<std::uint64_t> ChainGenerator::hash_share(std::size_t rank, std::size_t ranks,
                                                      const Model& held) const {
  const std::size_t n = spec_->masses, all = hash_blocks(n, n + 1);
  const Range mine{share_begin(all, ranks, rank), share_begin(all, ranks, rank + 1)};
  std::vector<std::uint64_t> hashes;
  for (std::size_t block = mine.first; block < mine.last; ++block) {
    // The last element may stand in a block without bodies; it comes with the last of them.
    const Range bodies{std::min(block * hash_block, n - 1), std::min((block + 1) * hash_block, n)};
    const bool known = !held.bodies.filled || held.bodies.filled->missing(bodies).empty();
    const Range one{block, block + 1};
    hashes.push_back((known ? block_hashes(held, one) : block_hashes(make(bodies), one)).front());
  }
  return hashes;
}

std::uint64_t ChainGenerator::hash(std::span<const std::uint64_t> blocks) const {
  return combine_hashes(make({0, 0}), blocks);
}

Model make_chain(const ChainSpec& spec) {
  return ChainGenerator(spec).make();
}

}  // namespace cosimo
