#include "scheme/ghosts.hpp"

#include <algorithm>
#include <utility>

namespace cosimo {

namespace {

constexpr std::size_t first_depth = 16;

std::vector<std::size_t> places_of(const Overlapping& physics, std::span<const std::int64_t> bodies) {
  std::vector<std::size_t> result;
  for (const std::int64_t body : bodies)
    for (const std::size_t place : physics.places(BodyId{static_cast<std::int32_t>(body)}))
      result.push_back(place);
  return result;
}

}  // namespace

void BodySubscription::subscribe(Exchange& exchange, const Overlapping& physics,
                                 const std::vector<std::vector<std::int64_t>>& wanted) {
  const auto asked = exchange.swap(wanted);
  in_.clear();
  out_.clear();
  told_.clear();
  for (int r = 0; r < exchange.ranks(); ++r) {
    const auto k = static_cast<std::size_t>(r);
    const auto post = [&](const std::vector<std::int64_t>& bodies, std::vector<Post>& posts) {
      if (bodies.empty()) return;
      Post& made = posts.emplace_back();
      made.rank = r;
      made.places = places_of(physics, bodies);
      made.numbers.resize(2 * made.places.size());
    };
    post(wanted[k], in_);
    post(asked[k], out_);
    for (const std::int64_t body : asked[k]) told_.emplace_back(static_cast<std::int32_t>(body));
  }
  outgoing_.clear();
  incoming_.clear();
  for (Post& post : out_) outgoing_.push_back({post.rank, post.numbers});
  for (Post& post : in_) incoming_.push_back({post.rank, post.numbers});
}

void BodySubscription::start(Exchange& exchange, std::span<const double> x, std::span<const double> v) {
  for (Post& post : out_) {
    double* number = post.numbers.data();
    for (const std::size_t c : post.places) {
      *number++ = x[c];
      *number++ = v[c];
    }
  }
  exchange.start(outgoing_, incoming_);
}

void BodySubscription::finish(Exchange& exchange, std::span<double> x, std::span<double> v) {
  exchange.finish();
  for (const Post& post : in_) {
    const double* number = post.numbers.data();
    for (const std::size_t c : post.places) {
      x[c] = *number++;
      v[c] = *number++;
    }
  }
}

Ghosts::Ghosts(const Seam& seam, std::size_t own_parts, Overlapping& physics,
               std::span<const std::int32_t> part_of)
    : seam_(seam),
      own_parts_(static_cast<std::int32_t>(own_parts)),
      physics_(physics),
      graph_(physics.graph()),
      part_of_(part_of),
      states_(physics.states()) {}

bool Ghosts::known(BodyId body) const {
  if (seam_.single()) return true;
  if (!graph_.knows(body) || !heard(body)) return false;
  const auto near = graph_.around(body);
  return std::all_of(near.begin(), near.end(),
                     [&](const Incident& i) { return i.other == ground || heard(i.other); });
}

/// All foreign bodies up to `depth_` elements away from this rank's cuts, by breadth.
void Ghosts::survey() {
  // A halo that grows beyond what has been heard of stops at the second body there, and looks at its
  // neighbour.
  physics_.reach(depth_ + 2);
  around_ = BodyTable<char>();
  std::vector<BodyId> layer, next, all;
  const auto reach = [&](BodyId body) {
    if (body == ground || own(body) || !around_.insert(body, 1).second) return;
    next.push_back(body);
    for (const BodyId mate : graph_.group(body))
      if (!own(mate) && around_.insert(mate, 1).second) next.push_back(mate);
  };
  for (const Seam::End& end : seam_.foreign_ends()) reach(end.body);
  for (std::size_t depth = 1; !next.empty(); ++depth) {
    all.insert(all.end(), next.begin(), next.end());
    if (depth >= depth_) break;
    layer = std::exchange(next, {});
    for (const BodyId body : layer)
      for (const Incident& i : graph_.around(body)) reach(i.other);
  }
  std::sort(all.begin(), all.end(), [](BodyId a, BodyId b) { return a.value < b.value; });
  near_.subscribe(seam_.exchange(), physics_, all, [&](BodyId body) {
    return seam_.rank_of(static_cast<std::size_t>(part_of_[body.index()]));
  });
}

void Ghosts::look_around() {
  if (seam_.single()) return;
  if (depth_ == 0) {
    depth_ = first_depth;
    survey();
  }
  near_.start(seam_.exchange(), states_.x(), states_.v());
  near_.finish(seam_.exchange(), states_.now_x(), states_.now_v());
}

void Ghosts::look_further() {
  depth_ *= 2;
  survey();
  look_around();
}

void Ghosts::follow(std::vector<BodyId> foreign) {
  if (seam_.single()) return;
  std::sort(foreign.begin(), foreign.end(), [](BodyId a, BodyId b) { return a.value < b.value; });
  foreign.erase(std::unique(foreign.begin(), foreign.end()), foreign.end());
  followed_.subscribe(seam_.exchange(), physics_, foreign, [&](BodyId body) {
    return seam_.rank_of(static_cast<std::size_t>(part_of_[body.index()]));
  });
}

std::vector<char> Ghosts::told_parts() const {
  std::vector<char> told(static_cast<std::size_t>(own_parts_), 0);
  for (const BodyId body : followed_.told()) told[static_cast<std::size_t>(part_of_[body.index()])] = 1;
  return told;
}

void Ghosts::start() {
  if (seam_.single()) return;
  followed_.start(seam_.exchange(), states_.next_x(), states_.next_v());
}

void Ghosts::finish() {
  if (seam_.single()) return;
  followed_.finish(seam_.exchange(), states_.next_x(), states_.next_v());
}

}  // namespace cosimo
