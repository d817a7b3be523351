#include "model/chosen_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/chain_loads.hpp"
#include "partition/division.hpp"

namespace cosimo {

namespace {

std::vector<BodyId> sorted_list(const std::vector<std::int64_t>& labels, const LoadContext& context) {
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

std::vector<BodyId> beside_cuts(const BesideCutsOf& division, const LoadContext& context) {
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

std::size_t rounded_count(const FractionOfBodies& part, const LoadContext& context) {
  if (!(part.fraction >= 0 && part.fraction <= 1))
    context.refuse("bodies", std::to_string(part.fraction), "this is no fraction",
                   "write a number from 0 to 1");
  return static_cast<std::size_t>(std::llround(part.fraction * static_cast<double>(context.masses)));
}

}  // namespace

RandomStream LoadContext::stream(std::string_view use) const {
  return named_stream(seed, "load " + std::to_string(position + 1) + " " + std::string(use));
}

void LoadContext::refuse(std::string_view key, std::string value, std::string problem,
                         std::string remedy) const {
  throw Error(Fault{.field = "model.chain.loads." + std::to_string(position + 1) + "." + std::string(key),
                    .value = std::move(value),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

Lots::Lots(RandomStream random, std::size_t bodies, std::size_t chosen)
    : random_(random), before_(bodies / stretch + 1, 0) {
  COSIMO_CHECK(chosen > 0 && chosen < bodies, "lots for none or all");
  constexpr std::size_t bins = 65536;
  const auto bin_of = [](double number) { return static_cast<std::size_t>(number * bins); };
  std::vector<std::size_t> in_bin(bins, 0);
  for (std::size_t i = 0; i < bodies; ++i) ++in_bin[bin_of(random.uniform(i))];
  std::size_t bin = 0, wanted = chosen;  // wanted: from the bin in which the last chosen one lies
  while (wanted > in_bin[bin]) wanted -= in_bin[bin++];

  std::vector<Lot> candidates;
  std::vector<std::size_t> in_stretch(before_.size(), 0);
  for (std::size_t i = 0; i < bodies; ++i) {
    const double number = random.uniform(i);
    const std::size_t mine = bin_of(number);
    if (mine < bin) ++in_stretch[i / stretch];
    if (mine == bin) candidates.push_back({number, i});
  }
  std::sort(candidates.begin(), candidates.end());
  last_ = candidates[wanted - 1];
  for (std::size_t k = 0; k < wanted; ++k) ++in_stretch[candidates[k].body / stretch];
  std::exclusive_scan(in_stretch.begin(), in_stretch.end(), before_.begin(), std::size_t{0});
}

std::size_t Lots::before(std::size_t body) const {
  const std::size_t known = body / stretch;
  std::size_t count = before_[known];
  for (std::size_t i = known * stretch; i < body; ++i) count += chosen(i) ? 1 : 0;
  return count;
}

ChosenBodies::ChosenBodies(const BodyChoice& choice, const LoadContext& context) {
  count_ = context.masses;
  if (const auto* labels = std::get_if<std::vector<std::int64_t>>(&choice))
    list_ = sorted_list(*labels, context);
  else if (const auto* division = std::get_if<BesideCutsOf>(&choice))
    list_ = beside_cuts(*division, context);
  else if (const auto* part = std::get_if<FractionOfBodies>(&choice)) {
    count_ = rounded_count(*part, context);
    if (count_ == 0)
      list_.emplace();
    else if (count_ < context.masses)
      lots_.emplace(context.stream("bodies"), context.masses, count_);
  }
  if (list_) count_ = list_->size();
}

std::size_t ChosenBodies::before(std::size_t body) const {
  if (list_)
    return static_cast<std::size_t>(std::lower_bound(list_->begin(), list_->end(), BodyId(body)) -
                                    list_->begin());
  return lots_ ? lots_->before(body) : body;
}

}  // namespace cosimo
