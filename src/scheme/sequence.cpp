#include "scheme/sequence.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;  ///< parts beside, or behind, every part

/// Every neighbour as often as they share cuts: harmless below.
Lists neighbours(const Interface& interface, std::size_t parts) {
  Lists result(parts);
  for (const Coupling& coupling : interface.couplings) {
    const std::size_t a = coupling.from.part.index(), b = coupling.to.part.index();
    COSIMO_CHECK(a < result.size() && b < result.size(), "a cut of parts that do not exist");
    if (a == b) continue;
    result[a].push_back(b);
    result[b].push_back(a);
  }
  return result;
}

bool reaches(const Lists& behind, std::size_t start, std::size_t goal) {
  std::vector<char> seen(behind.size(), 0);
  std::vector<std::size_t> open{start};
  seen[start] = 1;
  while (!open.empty()) {
    const std::size_t part = open.back();
    if (part == goal) return true;
    open.pop_back();
    for (const std::size_t next : behind[part])
      if (seen[next] == 0) {
        seen[next] = 1;
        open.push_back(next);
      }
  }
  return false;
}

/// From the force-driven part of every force/displacement cut to the motion-driven one, and along signals, as
/// far as that makes no circle.
Lists oriented(const Interface& interface, std::size_t parts) {
  Lists behind(parts);
  for (const Coupling& coupling : interface.couplings) {
    if (coupling.from.drive == coupling.to.drive) continue;
    std::size_t first = coupling.from.part.index(), second = coupling.to.part.index();
    if (coupling.from.drive == Drive::motion) std::swap(first, second);
    if (!reaches(behind, second, first)) behind[first].push_back(second);
  }
  return behind;
}

/// Place of every part when the graph is walked in breadth from the lowest part of each of its components. In
/// this order greedy colouring needs two colours wherever two are enough.
std::vector<std::size_t> breadth_first_places(const Lists& beside) {
  std::vector<std::size_t> order, place(beside.size(), beside.size());
  order.reserve(beside.size());
  const auto visit = [&](std::size_t part) {
    if (place[part] < beside.size()) return;
    place[part] = order.size();
    order.push_back(part);
  };
  for (std::size_t start = 0, done = 0; start < beside.size(); ++start) {
    visit(start);
    for (; done < order.size(); ++done)
      for (const std::size_t next : beside[order[done]]) visit(next);
  }
  return place;
}

/// The first of the stages from `lowest` on that no neighbour stands in. Stage -1: not placed yet.
int free_stage(const std::vector<std::size_t>& beside, const std::vector<int>& stages, int lowest) {
  std::vector<char> taken(beside.size() + 1, 0);
  for (const std::size_t part : beside) {
    const int offset = stages[part] - lowest;
    if (stages[part] >= 0 && offset >= 0 && static_cast<std::size_t>(offset) < taken.size())
      taken[static_cast<std::size_t>(offset)] = 1;
  }
  return lowest + static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
}

std::vector<int> automatic_stages(const Interface& interface, std::size_t parts) {
  const Lists beside = neighbours(interface, parts), behind = oriented(interface, parts);
  const std::vector<std::size_t> place = breadth_first_places(beside);
  const std::size_t n = beside.size();
  std::vector<std::size_t> waits_for(n, 0), part_at(n);
  for (const std::vector<std::size_t>& list : behind)
    for (const std::size_t part : list) ++waits_for[part];
  for (std::size_t part = 0; part < n; ++part) part_at[place[part]] = part;

  // Parts by their place, each after those it must stand behind.
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t part = 0; part < n; ++part)
    if (waits_for[part] == 0) ready.push(place[part]);
  std::vector<int> stages(n, -1), lowest(n, 0);
  while (!ready.empty()) {
    const std::size_t part = part_at[ready.top()];
    ready.pop();
    stages[part] = free_stage(beside[part], stages, lowest[part]);
    for (const std::size_t next : behind[part]) {
      lowest[next] = std::max(lowest[next], stages[part] + 1);
      if (--waits_for[next] == 0) ready.push(place[next]);
    }
  }
  return stages;
}

std::vector<int> stages_of_order(const Interface& interface, std::size_t parts,
                                 std::span<const std::int32_t> order) {
  const Lists beside = neighbours(interface, parts);
  COSIMO_CHECK(order.size() == beside.size(),
               std::to_string(order.size()) + " parts in an order of " + std::to_string(beside.size()));
  std::vector<int> stages(beside.size(), -1);
  for (const std::int32_t number : order) {
    const auto part = static_cast<std::size_t>(number);
    COSIMO_CHECK(number >= 0 && part < stages.size() && stages[part] < 0,
                 "part " + std::to_string(number + 1) + " in an order, twice or unknown");
    stages[part] = 0;
    for (const std::size_t other : beside[part]) stages[part] = std::max(stages[part], stages[other] + 1);
  }
  return stages;
}

}  // namespace

std::vector<int> gauss_seidel_stages(const Interface& interface, std::size_t parts,
                                     std::span<const std::int32_t> order) {
  return order.empty() ? automatic_stages(interface, parts) : stages_of_order(interface, parts, order);
}

}  // namespace cosimo
