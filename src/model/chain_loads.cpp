#include "model/chain_loads.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/counted.hpp"

namespace cosimo {

namespace {

/// How many numbers a list or blocks hold; n for every other description.
std::size_t described_length(const Sequence& sequence, std::size_t n) {
  if (const auto* list = std::get_if<std::vector<double>>(&sequence)) return list->size();
  if (const auto* blocks = std::get_if<std::vector<Block>>(&sequence))
    return std::accumulate(
        blocks->begin(), blocks->end(), std::size_t{0},
        [](std::size_t sum, const Block& block) { return sum + static_cast<std::size_t>(block.count); });
  return n;
}

/// Calls f(sequence, key) for everything that a load draws.
template <class F>
void for_sequences(const LoadSpec& load, F f) {
  if (const auto* harmonic = std::get_if<HarmonicSpec>(&load.kind)) {
    f(harmonic->amplitude, "amplitude");
    f(harmonic->omega, "omega");
    f(harmonic->phase, "phase");
  } else if (const auto* contact = std::get_if<ContactSpec>(&load.kind)) {
    f(contact->A, "A");
    f(contact->B, "B");
  } else if (const auto* impulse = std::get_if<ImpulseSpec>(&load.kind)) {
    f(impulse->amplitude, "amplitude");
  } else if (const auto* powersine = std::get_if<PowerSineSpec>(&load.kind)) {
    f(powersine->amplitude, "amplitude");
    f(powersine->omega, "omega");
    f(powersine->phase, "phase");
  } else if (const auto* curve = std::get_if<CurveSpec>(&load.kind)) {
    f(curve->amplitude, "amplitude");
  }
}

/// A list has one entry per chosen body, which only the generator can count.
void check_lengths(const LoadSpec& load, const LoadContext& context, std::size_t n) {
  if (n == 0) return;
  for_sequences(load, [&](const Sequence& sequence, std::string_view key) {
    const std::size_t length = described_length(sequence, n);
    if (length != n)
      context.refuse(key, std::to_string(length) + " numbers", "the load acts on " + counted(n, "body"),
                     "give one number per body, or a single one");
  });
}

/// Numbers of one use, for a range of the chosen bodies.
class Drawn {
 public:
  Drawn(const Sequence& sequence, std::size_t n, const RandomStream& random, Range places)
      : first_(places.first), constant_(is_constant(sequence)), values_(constant_ ? 1 : places.size()) {
    if (constant_)
      values_[0] = std::get<double>(sequence);
    else
      expand(sequence, n, random, places, values_);
  }
  double operator[](std::size_t k) const { return values_[constant_ ? 0 : k - first_]; }

 private:
  std::size_t first_;
  bool constant_;
  std::vector<double> values_;
};

/// +1 or -1 for the k-th chosen body.
double sign_of(Sign sign, std::size_t k, const RandomStream& random) {
  switch (sign) {
    case Sign::plus:
      return 1.0;
    case Sign::alternating:
      return k % 2 == 0 ? 1.0 : -1.0;
    case Sign::random:
      return random.uniform(k) < 0.5 ? 1.0 : -1.0;
  }
  return 1.0;
}

/// Adds one load of the file to the tables, kind by kind, on a range of bodies.
class Adder {
 public:
  Adder(const LoadSpec& spec, const LoadContext& context, const ChosenBodies& chosen, Range bodies,
        Loads& loads)
      : spec_(spec),
        context_(context),
        chosen_(chosen),
        bodies_(bodies),
        places_(chosen.places(bodies)),
        loads_(loads),
        random_sign_(context.stream("sign")) {}

  void operator()(const HarmonicSpec& harmonic) {
    const Drawn amplitude = draw(harmonic.amplitude, "amplitude");
    const Drawn omega = draw(harmonic.omega, "omega");
    const Drawn phase = draw(harmonic.phase, "phase");
    append(loads_.harmonic, 1, [&](std::size_t k, BodyId body, auto& table) {
      table.push_back({body, sign(k) * amplitude[k], omega[k], phase[k]});
    });
  }

  void operator()(const ContactSpec& contact) {
    const Drawn A = draw(contact.A, "A");
    const Drawn B = draw(contact.B, "B");
    append(loads_.contact, 1, [&](std::size_t k, BodyId body, auto& table) {
      table.push_back({body, sign(k) * A[k], B[k]});
    });
  }

  void operator()(const ImpulseSpec& impulse) {
    const Drawn amplitude = draw(impulse.amplitude, "amplitude");
    std::vector<double> starts = impulse.start;
    std::sort(starts.begin(), starts.end());
    append(loads_.impulse, starts.size(), [&](std::size_t k, BodyId body, auto& table) {
      for (const double start : starts)
        table.push_back({body, sign(k) * amplitude[k], start, impulse.duration, impulse.steepness});
    });
  }

  void operator()(const PowerSineSpec& powersine) {
    const Drawn amplitude = draw(powersine.amplitude, "amplitude");
    const Drawn omega = draw(powersine.omega, "omega");
    const Drawn phase = draw(powersine.phase, "phase");
    append(loads_.powersine, 1, [&](std::size_t k, BodyId body, auto& table) {
      table.push_back({body, sign(k) * amplitude[k], omega[k], phase[k], powersine.exponent});
    });
  }

  void operator()(const CurveSpec& curve) {
    const Drawn amplitude = draw(curve.amplitude, "amplitude");
    append(loads_.curve, 1, [&](std::size_t k, BodyId body, auto& table) {
      table.push_back({body, sign(k) * amplitude[k], curve.curve});
    });
  }

 private:
  Drawn draw(const Sequence& sequence, std::string_view use) const {
    if (chosen_.count() == 0) return {0.0, 0, random_sign_, {}};
    return {sequence, chosen_.count(), context_.stream(use), places_};
  }
  template <class Table, class F>
  void append(Table& table, std::size_t per_body, F f) const {
    const std::size_t needed = table.size() + per_body * places_.size();
    if (needed > table.capacity()) table.reserve(std::max(needed, table.capacity() + table.capacity() / 2));
    chosen_.for_each(bodies_, [&](std::size_t k, BodyId body) { f(k, body, table); });
  }
  double sign(std::size_t k) const { return sign_of(spec_.sign, k, random_sign_); }

  const LoadSpec& spec_;
  const LoadContext& context_;
  const ChosenBodies& chosen_;
  Range bodies_, places_;
  Loads& loads_;
  RandomStream random_sign_;
};

/// Both are sorted by body and have no body in common.
template <class Load>
void merge(std::vector<Load>& fresh, std::vector<Load>& loads) {
  if (loads.empty()) std::swap(fresh, loads);
  const auto old = static_cast<std::ptrdiff_t>(loads.size());
  loads.insert(loads.end(), fresh.begin(), fresh.end());
  std::inplace_merge(loads.begin(), loads.begin() + old, loads.end(),
                     [](const Load& a, const Load& b) { return a.body < b.body; });
}

}  // namespace

ChainLoads::ChainLoads(const ChainSpec& spec) : spec_(spec) {
  for (std::size_t i = 0; i < spec.loads.size(); ++i) {
    const LoadContext context{spec.masses, spec.seed, i};
    chosen_.emplace_back(spec.loads[i].bodies, context);
    check_lengths(spec.loads[i], context, chosen_.back().count());
  }
}

void ChainLoads::add(std::span<const Range> bodies, Loads& loads) const {
  Loads fresh;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const LoadContext context{spec_.masses, spec_.seed, i};
    for (const Range range : bodies)
      std::visit(Adder(spec_.loads[i], context, chosen_[i], range, fresh), spec_.loads[i].kind);
  }
  sort_by_body(fresh);
  for_each_table([&](auto table) { merge(fresh.*table, loads.*table); });
}

std::vector<double> ChainLoads::breakpoints() const {
  // Times do not depend on the body: one of each kind stands for all.
  Loads samples;
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    if (chosen_[i].count() == 0) continue;
    if (const auto* curve = std::get_if<CurveSpec>(&spec_.loads[i].kind))
      samples.curve.push_back({BodyId(0), 1.0, curve->curve});
    const auto* impulse = std::get_if<ImpulseSpec>(&spec_.loads[i].kind);
    if (impulse == nullptr) continue;
    for (const double start : impulse->start)
      samples.impulse.push_back({BodyId(0), 1.0, start, impulse->duration, impulse->steepness});
  }
  return cosimo::breakpoints(samples);
}

Loads make_chain_loads(const ChainSpec& spec) {
  Loads loads;
  const Range all{0, spec.masses};
  ChainLoads(spec).add(std::span(&all, 1), loads);
  return loads;
}

}  // namespace cosimo
