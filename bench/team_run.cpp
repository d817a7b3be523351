#include "bench/team_run.hpp"

#include <cstdint>
#include <limits>
#include <span>

#include "bench/timing.hpp"

namespace cosimo::bench {

TeamRun::TeamRun(const PlacedMechanism& made, Method method, const Span& span, int threads, Linear linear)
    : made_(made), method_(method), span_(span), linear_(linear) {
  model_.mechanism = made.mechanism;
  for (std::size_t b = 0; b < model_.mechanism->bodies.size(); ++b) bodies_.emplace_back(b);
  for (std::size_t e = 0; e < model_.mechanism->elements.size(); ++e) elements_.emplace_back(e);
  dynamics_ = std::make_unique<Dynamics>(*model_.mechanism, bodies_, elements_);
  part_ = std::make_unique<MechanismPart>(model_, *dynamics_, std::span<const CutPort>{});
  team_.hire(threads);
}

double TeamRun::operator()() {
  IntegratorOptions options;
  options.method = method_;
  options.linear = linear_;
  options.end = span_.end;
  options.team = &team_;
  const auto integrator = make_integrator(*part_, options);
  integrator->start(0, made_.q, made_.v);
  bool fine = integrator->advance(span_.begin, {}).ok;
  const auto attempts = [&] {
    const Counters counters = integrator->status().counters;
    return counters.steps + counters.rejected;
  };
  const std::int64_t before = attempts();
  const double took = seconds([&] { fine = integrator->advance(span_.end, {}).ok && fine; });
  return fine ? took / static_cast<double>(attempts() - before) : std::numeric_limits<double>::infinity();
}

}  // namespace cosimo::bench
