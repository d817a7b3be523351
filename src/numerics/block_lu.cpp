#include "numerics/block_lu.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "numerics/block_builder.hpp"

namespace cosimo {
namespace {

constexpr std::size_t most_lanes = 8;

/// A top with more multiplications is divided into waves: their meetings cost less than the threads bring.
constexpr std::uint64_t worth_waves = 1U << 20U;

std::uint64_t products(const std::vector<LuOp>& ops) {
  std::uint64_t sum = 0;
  for (const LuOp& op : ops) sum += products(op);
  return sum;
}

}  // namespace

BlockLu::BlockLu(const SparsePattern& pattern, const UnknownGroups& groups) {
  const BlockLayout layout(pattern, groups);
  if (!layout.tidy() || layout.operations() > most_operations) return;
  usable_ = true;
  std::vector<BlockDomain> leaves;
  for (const EliminationOrder::Domain& leaf : layout.order().leaves)
    leaves.push_back(make_block_domain(layout, leaf));
  BlockDomain top = make_block_domain(layout, layout.order().top);
  if (products(top.program.factor) >= worth_waves) waves_ = divide_into_waves(layout, top);
  add_groups(layout, leaves, top);
  if (groups.half_empty && leaves.size() > 1 && facts_.in_lanes < leaves.size()) {
    usable_ = false;
    return;
  }
  find_slots(pattern, layout, leaves, top);
  count_costs();
}

void BlockLu::add_groups(const BlockLayout& layout, std::vector<BlockDomain>& leaves,
                         const BlockDomain& top) {
  std::vector<std::vector<std::size_t>> users;  // leaves of a program
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_length;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    auto& alike =
        by_length[leaves[k].program.factor.size() + std::size_t{1000003} * leaves[k].program.places];
    auto at = std::find_if(alike.begin(), alike.end(),
                           [&](std::size_t p) { return programs_[p] == leaves[k].program; });
    if (at == alike.end()) {
      at = alike.insert(at, programs_.size());
      programs_.push_back(leaves[k].program);
      users.emplace_back();
    }
    users[*at].push_back(k);
  }
  programs_.push_back(top.program);
  top_ = {programs_.size() - 1, 0, 0, {1, top.program.places, top.program.all_rows}};
  storage_ = top.program.places;
  row_storage_ = top.program.all_rows;
  const std::size_t in_top = products(top.program.factor);
  facts_ = {leaves.size(),
            users.size(),
            0,
            in_top,
            in_top,
            top.program.places,
            waves_.tasks.empty() ? 0 : waves_.tasks.size() - 1};
  group_of_.resize(leaves.size());
  lane_of_.resize(leaves.size());
  const auto whole_lines = [](std::size_t n) { return (n + most_lanes - 1) / most_lanes * most_lanes; };
  for (std::size_t p = 0; p < users.size(); ++p) {
    for (std::size_t done = 0, width = most_lanes; done < users[p].size(); done += width) {
      while (width > users[p].size() - done) width /= 2;
      const Group group{p,
                        whole_lines(storage_),
                        whole_lines(row_storage_),
                        {width, programs_[p].places, programs_[p].all_rows}};
      storage_ = group.base + width * programs_[p].places;
      row_storage_ = group.first_row + width * programs_[p].all_rows;
      if (width > 1) facts_.in_lanes += width;
      facts_.products += width * products(programs_[p].factor);
      facts_.entries += width * programs_[p].places;
      for (std::size_t lane = 0; lane < width; ++lane) {
        group_of_[users[p][done + lane]] = groups_.size();
        lane_of_[users[p][done + lane]] = lane;
      }
      groups_.push_back(group);
    }
  }
  // In the order of the leaves, whatever their groups.
  for (std::size_t k = 0; k < leaves.size(); ++k)
    add_transfers(leaves[k], groups_[group_of_[k]], lane_of_[k], top, layout);
}

BlockLu::Slot BlockLu::slot(const Group& group, std::size_t place, std::size_t lane, bool row) {
  const std::size_t first = row ? group.first_row : group.base, width = group.width();
  const std::size_t apart = width > 1 ? width : row ? group.shape.rows : group.shape.places;
  const std::size_t complex = width > 1 ? 2 * (first + place * width) + lane : 2 * first + place;
  return {static_cast<std::uint32_t>(first + place * width + lane), static_cast<std::uint32_t>(complex),
          static_cast<std::uint32_t>(apart)};
}

void BlockLu::add_transfers(const BlockDomain& leaf, const Group& group, std::size_t lane,
                            const BlockDomain& top, const BlockLayout& layout) {
  const std::size_t border = leaf.blocks.size() - leaf.own;
  const auto step = static_cast<std::uint32_t>(group.width());
  for (std::size_t p = 0; p < border; ++p) {
    const std::uint32_t row = leaf.blocks[leaf.own + p], there = top.local.at(row);
    row_transfers_.push_back({slot(group, leaf.first_row[leaf.own + p], lane, true), step, layout.size(row),
                              top.first_row[there]});
    for (std::size_t q = 0; q < border; ++q) {
      const std::uint32_t place = leaf.corner[p * border + q];
      if (place == BlockDomain::nowhere) continue;
      const std::uint32_t column = leaf.blocks[leaf.own + q];
      block_transfers_.push_back({slot(group, place, lane, false), step,
                                  layout.size(row) * layout.size(column),
                                  top.place(there, top.local.at(column))});
    }
  }
}

void BlockLu::find_slots(const SparsePattern& pattern, const BlockLayout& layout,
                         const std::vector<BlockDomain>& leaves, const BlockDomain& top) {
  const auto leaf_of = [&](std::uint32_t block) { return layout.order().leaf_of[layout.vertex(block)]; };
  const auto slot_in = [&](std::int32_t leaf, std::size_t place, bool row) {
    if (leaf < 0) return slot(top_, place, 0, row);
    const auto k = static_cast<std::size_t>(leaf);
    return slot(groups_[group_of_[k]], place, lane_of_[k], row);
  };
  const auto domain = [&](std::int32_t leaf) -> const BlockDomain& {
    return leaf < 0 ? top : leaves[static_cast<std::size_t>(leaf)];
  };
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    const BlockLayout::Place& column = layout.place(j);
    const std::int32_t home = leaf_of(column.block);
    const BlockDomain& own = domain(home);
    rows_.push_back(slot_in(home, own.first_row[own.local.at(column.block)] + column.row, true));
    for (int k = pattern.columns[j]; k < pattern.columns[j + 1]; ++k) {
      const BlockLayout::Place& row =
          layout.place(static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(k)]));
      const std::int32_t leaf = std::max(home, leaf_of(row.block));
      const BlockDomain& at = domain(leaf);
      const std::uint32_t block = at.place(at.local.at(row.block), at.local.at(column.block));
      entries_.push_back(slot_in(leaf, block + row.row * layout.size(column.block) + column.row, false));
    }
  }
}

/// What threads share is divided by it.
void BlockLu::count_costs() {
  factor_costs_ = solve_costs_ = {0};
  for (const Group& group : groups_) {
    const LuProgram& program = programs_[group.program];
    factor_costs_.push_back(factor_costs_.back() + group.width() * products(program.factor));
    solve_costs_.push_back(solve_costs_.back() + group.width() * program.places);
  }
  // Blocks of the top one after the other, each with what leaves add to it in their order.
  std::stable_sort(block_transfers_.begin(), block_transfers_.end(),
                   [](const Transfer& a, const Transfer& b) { return a.top < b.top; });
  for (std::size_t k = 0; k < block_transfers_.size(); ++k)
    if (k == 0 || block_transfers_[k - 1].top != block_transfers_[k].top) block_firsts_.push_back(k);
  block_firsts_.push_back(block_transfers_.size());
}

namespace {

/// f(step of a number in a leaf, part of a complex number).
template <class Transfers, class F>
void for_transfers(Field field, const Transfers& list, std::size_t apart_in_top, const F& f) {
  for (const auto& t : list) {
    const std::size_t step = field == Field::real || t.step == 1 ? t.step : 2 * t.step;
    f(t.leaf.in(field), t.top, step, t.count);
    if (field == Field::complex) f(t.leaf.complex + t.leaf.apart, t.top + apart_in_top, step, t.count);
  }
}

template <class Transfers>
void add_to_top(Field field, const Transfers& list, std::size_t apart_in_top, double* values) {
  for_transfers(field, list, apart_in_top,
                [=](std::size_t leaf, std::size_t top, std::size_t step, std::size_t count) {
                  for (std::size_t k = 0; k < count; ++k) values[top + k] += values[leaf + k * step];
                });
}

template <class Transfers>
void copy_to_leaves(Field field, const Transfers& list, std::size_t apart_in_top, double* values) {
  for_transfers(field, list, apart_in_top,
                [=](std::size_t leaf, std::size_t top, std::size_t step, std::size_t count) {
                  for (std::size_t k = 0; k < count; ++k) values[leaf + k * step] = values[top + k];
                });
}

template <class Slots>
void scatter(Field field, const Slots& slots, Range range, const double* numbers, double* values) {
  if (field == Field::real) {
    for (std::size_t k = range.first; k < range.last; ++k) values[slots[k].real] = numbers[k];
    return;
  }
  for (std::size_t k = range.first; k < range.last; ++k) {
    double* const at = values + slots[k].complex;
    at[0] = numbers[2 * k];
    at[slots[k].apart] = numbers[2 * k + 1];
  }
}

template <class Slots>
void gather(Field field, const Slots& slots, Range range, const double* values, double* numbers) {
  if (field == Field::real) {
    for (std::size_t k = range.first; k < range.last; ++k) numbers[k] = values[slots[k].real];
    return;
  }
  for (std::size_t k = range.first; k < range.last; ++k) {
    const double* const at = values + slots[k].complex;
    numbers[2 * k] = at[0];
    numbers[2 * k + 1] = at[slots[k].apart];
  }
}

}  // namespace

void BlockLu::factor(Field field, const double* matrix, AlignedVector& blocks, const Fellow& me) const {
  const std::size_t each = parts(field);
  double* const values = blocks.data();
  const Range own = me.share(storage(field), most_lanes);
  std::fill(values + own.first, values + own.last, 0.0);
  me.meet();
  scatter(field, entries_, me.share(entries_.size()), matrix, values);
  me.meet();
  const Range mine = me.share_by_cost(factor_costs_);
  for (std::size_t k = mine.first; k < mine.last; ++k)
    run_factor(field, programs_[groups_[k].program].factor, groups_[k].shape,
               values + each * groups_[k].base);
  me.meet();
  const Range of_top = me.share(block_firsts_.size() - 1);
  const std::size_t first = block_firsts_[of_top.first], last = block_firsts_[of_top.last];
  add_to_top(field, std::span(block_transfers_).subspan(first, last - first), top_.shape.places, values);
  me.meet();
  factor_top(field, values, me);
  me.meet();
}

void BlockLu::factor_top(Field field, double* blocks, const Fellow& me) const {
  const std::vector<LuOp>& ops = programs_[top_.program].factor;
  if (me.count == 1 || waves_.tasks.empty()) {
    if (me.leads()) run_factor(field, ops, top_.shape, blocks);
    return;
  }
  for (std::size_t wave = 0; wave + 1 < waves_.tasks.size(); ++wave) {
    const std::size_t first = waves_.tasks[wave], last = waves_.tasks[wave + 1];
    const Range mine = me.share_by_cost(std::span(waves_.costs).subspan(first, last - first + 1));
    const std::size_t begin = waves_.ops[first + mine.first], end = waves_.ops[first + mine.last];
    run_factor(field, std::span(ops).subspan(begin, end - begin), top_.shape, blocks);
    me.meet();
  }
}

void BlockLu::solve(Field field, const AlignedVector& blocks, AlignedVector& rows, double* b,
                    const Fellow& me) const {
  const std::size_t each = parts(field);
  const double* const factors = blocks.data();
  double* const x = rows.data();
  scatter(field, rows_, me.share(rows_.size()), b, x);
  me.meet();
  const Range mine = me.share_by_cost(solve_costs_);
  for (std::size_t k = mine.first; k < mine.last; ++k) {
    const Group& group = groups_[k];
    const LuProgram& program = programs_[group.program];
    double* const own = x + each * group.first_row;
    const std::size_t lanes = group.width() > 1 ? each * group.width() : 1;
    std::fill(own + lanes * program.own_rows, own + lanes * program.all_rows, 0.0);
    if (field == Field::complex && lanes == 1)
      std::fill(own + program.all_rows + program.own_rows, own + 2 * program.all_rows, 0.0);
    run_solve(field, program.forward, group.shape, factors + each * group.base, own);
  }
  me.meet();
  if (me.leads()) {
    add_to_top(field, row_transfers_, top_.shape.rows, x);
    for (const auto* list : {&programs_[top_.program].forward, &programs_[top_.program].backward})
      run_solve(field, *list, top_.shape, factors, x);
    copy_to_leaves(field, row_transfers_, top_.shape.rows, x);
  }
  me.meet();
  for (std::size_t k = mine.first; k < mine.last; ++k)
    run_solve(field, programs_[groups_[k].program].backward, groups_[k].shape,
              factors + each * groups_[k].base, x + each * groups_[k].first_row);
  me.meet();
  gather(field, rows_, me.share(rows_.size()), x, b);
  me.meet();
}

}  // namespace cosimo
