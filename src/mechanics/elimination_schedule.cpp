#include "mechanics/elimination_schedule.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Places that an operation reads or writes.
struct Touch {
  std::size_t first = 0, count = 0;
  bool reads = false, writes = false;
};
using Touches = std::array<Touch, 8>;

Touches touches_of(const BlockOp& op) {
  const std::size_t k = op.k, m = op.m, n = op.n;
  const std::size_t arm = k == 6 ? 4 : 3, response = k == 6 ? 10 : 3,
                    mass = k == 6 ? 7 : 3;    // in space or in the plane
  const std::size_t second = n == 2 ? 1 : 0;  // there is one
  const auto all = [&](std::size_t a, std::size_t b, std::size_t target, bool anew) {
    return Touches{{{op.a, a, true, false}, {op.b, b, true, false}, {op.target, target, !anew, true}}};
  };
  switch (op.kind) {
    case BlockKind::set_product:
    case BlockKind::set_lower:
      return all(m * k, n * k, m * n, true);
    case BlockKind::add_product:
    case BlockKind::subtract_product:
    case BlockKind::add_lower:
    case BlockKind::subtract_lower:
      return all(m * k, n * k, m * n, false);
    case BlockKind::set_transposed:
      return all(m * k, m, k, true);
    case BlockKind::add_transposed:
    case BlockKind::subtract_transposed:
      return all(m * k, m, k, false);
    case BlockKind::apply:
      return all(k * k, 0, k, false);
    case BlockKind::invert:
    case BlockKind::invert_hub:
      return {{{op.a, k * k, true, true}, {op.b, k, true, false}, {op.target, k, true, true}}};
    case BlockKind::eliminate:
      return {{{op.a, k * k, true, true},
               {op.b, k, true, false},
               {op.target, k, true, true},
               {op.more[0], k * k, true, false},
               {op.more[1], k * k, true, true},
               {op.more[2], second * k * k, true, false},
               {op.more[3], second * k * k, true, true},
               {op.more[4], second * k * k, true, true}}};
    case BlockKind::eliminate_rest:
    case BlockKind::take_back: {
      const bool down = op.kind == BlockKind::eliminate_rest;
      return {{{op.a, k * k, true, false},
               {op.target, k, true, true},
               {op.more[0], k * k, true, false},
               {op.more[1], k, true, down},
               {op.more[2], second * k * k, true, false},
               {op.more[3], second * k, true, down}}};
    }
    case BlockKind::prepare_arms: {
      const std::size_t numbers = k == 6 ? 9 : 4;
      return {{{op.a, arm, true, false},
               {op.b, mass, true, false},
               {op.target, numbers, true, true},
               {op.more[0], second * arm, true, false},
               {op.more[1], second * numbers, true, true},
               {op.more[2], second * numbers, true, true}}};
    }
    case BlockKind::respond_arms:
      return {{{op.a, arm, true, false},
               {op.b, m, true, false},
               {op.target, k, true, true},
               {op.more[0], second * arm, true, false},
               {op.more[1], second * m, true, false},
               {op.more[2], mass, true, false}}};
    case BlockKind::find_row:  // the largest in any order among themselves
      return {{{op.a, arm, true, false},
               {op.b, k, true, false},
               {op.target, m, false, true},
               {op.more[0], second * arm, true, false},
               {op.more[1], second * k, true, false},
               {op.more[2], m, true, false},
               {op.more[3], 2, true, false}}};
    case BlockKind::divide_rigid:
      return all(m * 6, 7, m * 6, true);
    case BlockKind::divide_diagonal:
      return all(m * k, k, m * k, true);
    case BlockKind::divide_arm:
      return all(arm, mass, response, true);
    case BlockKind::set_arms:
    case BlockKind::set_arms_lower:
      return all(response, arm, m * n, true);
    case BlockKind::add_arms:
    case BlockKind::add_arms_lower:
      return all(response, arm, m * n, false);
    case BlockKind::add_arm_motion:
      return all(arm, k, m, false);
    case BlockKind::subtract_arm_response:
      return all(response, m, k, false);
    case BlockKind::set_negative:
    case BlockKind::set_negative_transpose:
      return all(m * k, 0, m * k, true);
    case BlockKind::set_noise:
      return all(k * k, 0, k, true);
    case BlockKind::set_zero:
      return all(0, 0, op.b, true);
    case BlockKind::set_copy:
      return all(op.b, 0, op.b, true);
    case BlockKind::add_copy:
      return all(op.b, 0, op.b, false);
    case BlockKind::keep_largest:  // in any order among themselves
      return {{{op.a, k, true, false}, {op.a + op.b, k, true, false}, {op.target, 2, true, false}}};
  }
  return {};
}

/// For each operation those before it that it must wait for.
std::vector<std::vector<std::uint32_t>> find_needs(const std::vector<BlockOp>& ops) {
  struct Use {
    std::int64_t writer = -1;
    std::vector<std::uint32_t> readers;
  };
  std::unordered_map<std::size_t, Use> uses;
  std::vector<std::vector<std::uint32_t>> needs(ops.size());
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Touches touches = touches_of(ops[i]);
    for (const Touch& touch : touches) {
      for (std::size_t p = touch.first; p < touch.first + touch.count; ++p) {
        Use& use = uses[p];
        if (use.writer >= 0) needs[i].push_back(static_cast<std::uint32_t>(use.writer));
        if (touch.writes) needs[i].insert(needs[i].end(), use.readers.begin(), use.readers.end());
      }
    }
    for (const Touch& touch : touches) {
      for (std::size_t p = touch.first; p < touch.first + touch.count; ++p) {
        Use& use = uses[p];
        if (touch.writes) {
          use.writer = i;
          use.readers.clear();
        } else {
          use.readers.push_back(i);
        }
      }
    }
    auto& own = needs[i];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    std::erase(own, i);
  }
  return needs;
}

/// Everything that i waits for, then i itself.
void take(std::uint32_t i, const std::vector<std::vector<std::uint32_t>>& needs, std::vector<bool>& taken,
          std::vector<std::uint32_t>& order) {
  std::vector<std::pair<std::uint32_t, std::size_t>> open{{i, 0}};
  if (taken[i]) return;
  taken[i] = true;
  while (!open.empty()) {
    auto& [op, next] = open.back();
    if (next == needs[op].size()) {
      order.push_back(op);
      open.pop_back();
      continue;
    }
    const std::uint32_t before = needs[op][next++];
    if (taken[before]) continue;
    taken[before] = true;
    open.emplace_back(before, 0);
  }
}

}  // namespace

std::vector<BlockOp> schedule(const std::vector<BlockOp>& ops, const std::vector<BlockOp>& leaders,
                              Pace pace) {
  std::vector<std::vector<std::uint32_t>> needs = find_needs(ops);
  std::vector<std::uint32_t> sequence;
  for (std::uint32_t i = 0; i < ops.size() && sequence.size() < leaders.size(); ++i)
    if (ops[i] == leaders[sequence.size()]) sequence.push_back(i);
  COSIMO_CHECK(sequence.size() == leaders.size(), "the leaders are among the operations");
  const auto count = static_cast<std::uint32_t>(ops.size());
  std::vector<bool> taken(ops.size(), false);
  std::vector<std::uint32_t> order;
  if (pace == Pace::late) {
    for (const std::uint32_t i : sequence) take(i, needs, taken, order);
    for (std::uint32_t i = 0; i < count; ++i) take(i, needs, taken, order);
  } else {  // the same from behind
    std::vector<std::vector<std::uint32_t>> needed_by(ops.size());
    for (std::uint32_t i = 0; i < count; ++i)
      for (const std::uint32_t before : needs[i]) needed_by[before].push_back(i);
    for (std::size_t k = sequence.size(); k-- > 0;) take(sequence[k], needed_by, taken, order);
    for (std::uint32_t i = count; i-- > 0;) take(i, needed_by, taken, order);
    std::reverse(order.begin(), order.end());
  }
  std::vector<BlockOp> out;
  out.reserve(order.size());
  for (const std::uint32_t i : order) out.push_back(ops[i]);
  return out;
}

}  // namespace cosimo
