#include "contact/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/distance-inl.hpp"

namespace cosimo::contact {

namespace {

constexpr double skin_of_reach = 0.2;  ///< of the smallest body
constexpr double oversize = 4;         ///< times the middle one: too large for the grid
constexpr std::size_t few = 24;        ///< bodies: a grid is not worth it

/// A cell as one number, in the order x, y, z; beyond a million cells they share the outermost.
std::uint64_t cell_key(const Vec3& place, double edge, int dx, int dy, int dz) {
  constexpr double most = 1'000'000;
  const auto number = [&](double x, int shift) {
    if (!std::isfinite(x)) return std::uint64_t{0};
    return static_cast<std::uint64_t>(std::clamp(std::floor(x / edge), -most, most) + shift + most + 2);
  };
  return (number(place.x(), dx) << 42U) | (number(place.y(), dy) << 21U) | number(place.z(), dz);
}

}  // namespace

bool Allowed::operator()(std::uint32_t a, std::uint32_t b) const {
  const unsigned one = sides[a], other = sides[b];
  const bool meets = ((one & 1U) != 0 && (other & 2U) != 0) || ((one & 2U) != 0 && (other & 1U) != 0);
  return meets && (never.empty() || !std::ranges::binary_search(never, Pair{a, b}));
}

NearPairs::NearPairs(std::span<const Outline> shapes, std::size_t bodies, const Allowed& allowed)
    : shapes_(shapes), bodies_(bodies), allowed_(allowed) {
  std::vector<double> reach;
  for (std::size_t i = 0; i < bodies; ++i) reach.push_back(shapes[i].reach);
  std::ranges::sort(reach);
  skin_ = skin_of_reach * reach.front();
  const double most = bodies > few ? oversize * reach[bodies / 2] : 0;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    if (shapes[i].reach > most)
      large_.push_back(i);
    else
      largest_ = std::max(largest_, shapes[i].reach);
  }
}

NearPairs::Scratch NearPairs::make_scratch() const {
  Scratch scratch;
  scratch.now_.resize(bodies_);
  scratch.built_.resize(bodies_);
  return scratch;
}

void NearPairs::look(std::span<const Frame> frames, Scratch& scratch, const Fellow& me) const {
  double moved = 0;
  bool finite = true;
  const Range own = me.share(bodies_);
  for (std::size_t i = own.first; i < own.last; ++i) {
    scratch.now_[i] = frames[i].r + frames[i].R * shapes_[i].middle;
    const double square = (scratch.now_[i] - scratch.built_[i]).squaredNorm();
    moved = std::max(moved, square);
    finite = finite && square - square == 0;
  }
  scratch.moved_[me.number].square = finite ? moved : std::numeric_limits<double>::infinity();
  me.meet();
  if (me.leads()) scratch.looked_ = me.count;
}

/// Half the skin by every body; a state that is not finite is looked at anew.
void NearPairs::renew(Scratch& scratch) const {
  double moved = 0;
  for (std::size_t k = 0; k < scratch.looked_; ++k) moved = std::max(moved, scratch.moved_[k].square);
  if (!scratch.made_ || !(moved < 0.249 * skin_ * skin_)) build(scratch);
}

/// Pairs are ascending, and so are their numbers at each body.
void NearPairs::list_by_body(Scratch& scratch) const {
  auto& firsts = scratch.firsts_;
  firsts.assign(bodies_ + 1, 0);
  const auto each = [&](const auto& visit) {
    for (std::uint32_t k = 0; k < scratch.pairs_.size(); ++k)
      for (const std::uint32_t body : {scratch.pairs_[k].a, scratch.pairs_[k].b})
        if (body < bodies_) visit(body, k);
  };
  each([&](std::uint32_t body, std::uint32_t) { ++firsts[body + 1]; });
  for (std::size_t i = 0; i < bodies_; ++i) firsts[i + 1] += firsts[i];
  scratch.next_.assign(firsts.begin(), firsts.end() - 1);
  scratch.numbers_.resize(firsts.back());
  each([&](std::uint32_t body, std::uint32_t k) { scratch.numbers_[scratch.next_[body]++] = k; });
}

void NearPairs::try_pair(std::uint32_t a, std::uint32_t b, Scratch& scratch) const {
  if (a > b) std::swap(a, b);
  const double far = shapes_[a].reach + shapes_[b].reach + skin_;
  if ((scratch.now_[a] - scratch.now_[b]).squaredNorm() > far * far || !allowed_(a, b)) return;
  scratch.pairs_.push_back({a, b});
}

/// Pairs with bodies in the grid: in the same cell those after it, and all in half of the cells around.
void NearPairs::look_around(std::uint32_t body, Scratch& scratch) const {
  const double edge = 2 * largest_ + skin_;
  const Vec3& own = scratch.now_[body];
  const auto key_of = [](const auto& entry) { return entry.first; };
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) {
      // Three cells in a row are neighbours in the list.
      const std::uint64_t first = cell_key(own, edge, dx, dy, -1), last = cell_key(own, edge, dx, dy, 1);
      for (auto entry = std::ranges::lower_bound(scratch.cells_, first, {}, key_of);
           entry != scratch.cells_.end() && entry->first <= last; ++entry)
        if (entry->second > body) try_pair(body, entry->second, scratch);
    }
}

void NearPairs::build(Scratch& scratch) const {
  scratch.pairs_.clear();
  scratch.cells_.clear();
  const double edge = 2 * largest_ + skin_;
  const auto in_grid = [&](std::uint32_t i) { return !std::ranges::binary_search(large_, i); };
  for (std::uint32_t i = 0; i < bodies_; ++i)
    if (in_grid(i)) scratch.cells_.emplace_back(cell_key(scratch.now_[i], edge, 0, 0, 0), i);
  std::ranges::sort(scratch.cells_);
  for (std::uint32_t i = 0; i < bodies_; ++i)
    if (in_grid(i)) look_around(i, scratch);
  for (const std::uint32_t big : large_)
    for (std::uint32_t i = 0; i < bodies_; ++i)
      if (i > big || (i != big && in_grid(i))) try_pair(big, i, scratch);
  for (std::uint32_t i = 0; i < bodies_; ++i)
    for (auto g = static_cast<std::uint32_t>(bodies_); g < shapes_.size(); ++g) {
      const Outline& fixed = shapes_[g];
      const Vec3 own = fixed.turn.transpose() * (scratch.now_[i] - fixed.at);
      const double d = distance_from<double>(fixed, {own.x(), own.y(), own.z()}).d - fixed.round;
      if (!(d > shapes_[i].reach + skin_) && allowed_(i, g)) scratch.pairs_.push_back({i, g});
    }
  std::ranges::sort(scratch.pairs_);
  list_by_body(scratch);
  scratch.built_ = scratch.now_;
  scratch.made_ = true;
}

}  // namespace cosimo::contact
