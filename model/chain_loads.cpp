#include "model/chain_loads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "model/division.hpp"

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

/// Numbers of one load: where it stands in the file and what it may draw from.
struct Context {
  std::size_t masses;
  std::uint64_t seed;
  std::size_t position;  ///< from 0

  RandomStream stream(std::string_view use) const {
    return named_stream(seed, "load " + std::to_string(position + 1) + " " + std::string(use));
  }
  /// A list has one entry per chosen body, which only the generator can count.
  Field draw(const Sequence& sequence, std::size_t n, std::string_view use) const {
    const std::size_t length = described_length(sequence, n);
    if (length != n)
      refuse(use, std::to_string(length) + " numbers", "the load acts on " + std::to_string(n) + " bodies",
             "give one number per body, or a single one");
    return Field(expand(sequence, n, stream(use)));
  }
  [[noreturn]] void refuse(std::string_view key, std::string value, std::string problem,
                           std::string remedy) const {
    throw Error(Fault{.field = "model.chain.loads[" + std::to_string(position + 1) + "]." + std::string(key),
                      .value = std::move(value),
                      .problem = std::move(problem),
                      .remedy = std::move(remedy)});
  }
};

std::vector<BodyId> choose(const AllBodies& /*all*/, const Context& context) {
  std::vector<BodyId> bodies(context.masses);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = BodyId(i);
  return bodies;
}

std::vector<BodyId> choose(const std::vector<std::int64_t>& labels, const Context& context) {
  std::vector<BodyId> bodies;
  bodies.reserve(labels.size());
  for (const std::int64_t label : labels) {
    if (label < 1 || label > static_cast<std::int64_t>(context.masses))
      context.refuse("bodies", std::to_string(label), "there is no such body",
                     "bodies are numbered from 1 to " + std::to_string(context.masses));
    bodies.push_back(BodyId(static_cast<std::size_t>(label - 1)));
  }
  std::sort(bodies.begin(), bodies.end());
  const auto twice = std::adjacent_find(bodies.begin(), bodies.end());
  if (twice != bodies.end())
    context.refuse("bodies", std::to_string(twice->label()), "the body is listed twice",
                   "name it once, or add a second load");
  return bodies;
}

/// Every body draws a number; those with the smallest are chosen.
std::vector<BodyId> choose(const FractionOfBodies& part, const Context& context) {
  if (!(part.fraction >= 0 && part.fraction <= 1))
    context.refuse("bodies", std::to_string(part.fraction), "this is no fraction",
                   "write a number from 0 to 1");
  const RandomStream random = context.stream("bodies");
  const auto chosen = std::llround(part.fraction * static_cast<double>(context.masses));
  std::vector<std::pair<double, BodyId>> lots(context.masses);
  for (std::size_t i = 0; i < lots.size(); ++i) lots[i] = {random.uniform(i), BodyId(i)};
  std::nth_element(lots.begin(), lots.begin() + chosen, lots.end());
  std::vector<BodyId> bodies;
  for (auto lot = lots.begin(); lot != lots.begin() + chosen; ++lot) bodies.push_back(lot->second);
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

std::vector<BodyId> choose(const BesideCutsOf& division, const Context& context) {
  if (division.parts < 1 || division.parts > static_cast<std::int64_t>(context.masses))
    context.refuse("bodies", std::to_string(division.parts), "the chain cannot be divided into so many parts",
                   "write a number from 1 to " + std::to_string(context.masses));
  const auto parts = static_cast<std::size_t>(division.parts);
  std::vector<BodyId> bodies;
  for (std::size_t k = 1; k < parts; ++k) {
    const std::size_t right = share_begin(context.masses, parts, k);
    bodies.push_back(BodyId(right - 1));
    bodies.push_back(BodyId(right));
  }
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

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

/// Adds one load of the file to the tables, kind by kind.
class Adder {
 public:
  Adder(const LoadSpec& spec, const Context& context, Loads& loads)
      : spec_(spec), context_(context), loads_(loads), random_sign_(context.stream("sign")) {
    bodies_ = std::visit([&](const auto& choice) { return choose(choice, context); }, spec.bodies);
  }

  void operator()(const HarmonicSpec& harmonic) {
    const Field amplitude = draw(harmonic.amplitude, "amplitude");
    const Field omega = draw(harmonic.omega, "omega");
    const Field phase = draw(harmonic.phase, "phase");
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      loads_.harmonic.push_back({bodies_[k], sign(k) * amplitude[k], omega[k], phase[k]});
  }

  void operator()(const ContactSpec& contact) {
    const Field A = draw(contact.A, "A");
    const Field B = draw(contact.B, "B");
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      loads_.contact.push_back({bodies_[k], sign(k) * A[k], B[k]});
  }

  void operator()(const ImpulseSpec& impulse) {
    const Field amplitude = draw(impulse.amplitude, "amplitude");
    std::vector<double> starts = impulse.start;
    std::sort(starts.begin(), starts.end());
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      for (const double start : starts)
        loads_.impulse.push_back(
            {bodies_[k], sign(k) * amplitude[k], start, impulse.duration, impulse.steepness});
  }

  void operator()(const PowerSineSpec& powersine) {
    const Field amplitude = draw(powersine.amplitude, "amplitude");
    const Field omega = draw(powersine.omega, "omega");
    const Field phase = draw(powersine.phase, "phase");
    for (std::size_t k = 0; k < bodies_.size(); ++k)
      loads_.powersine.push_back(
          {bodies_[k], sign(k) * amplitude[k], omega[k], phase[k], powersine.exponent});
  }

 private:
  Field draw(const Sequence& sequence, std::string_view use) const {
    return bodies_.empty() ? Field(0.0) : context_.draw(sequence, bodies_.size(), use);
  }
  double sign(std::size_t k) const { return sign_of(spec_.sign, k, random_sign_); }

  const LoadSpec& spec_;
  const Context& context_;
  Loads& loads_;
  RandomStream random_sign_;
  std::vector<BodyId> bodies_;
};

}  // namespace

Loads make_chain_loads(const ChainSpec& spec) {
  Loads loads;
  for (std::size_t i = 0; i < spec.loads.size(); ++i) {
    const Context context{spec.masses, spec.seed, i};
    std::visit(Adder(spec.loads[i], context, loads), spec.loads[i].kind);
  }
  sort_by_body(loads);
  return loads;
}

}  // namespace cosimo
