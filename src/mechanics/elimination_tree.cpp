#include "mechanics/elimination_tree.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "mechanics/elimination_schedule.hpp"

namespace cosimo {
namespace {

constexpr std::size_t most_lanes = 8;

/// Multiplications of the products in a list.
std::size_t products(const std::vector<BlockOp>& ops) {
  std::size_t sum = 0;
  for (const BlockOp& op : ops) {
    const std::size_t k = op.k;
    sum += op.kind == BlockKind::invert || op.kind == BlockKind::invert_hub ? k * k * k / 2 : k * op.m * op.n;
  }
  return sum;
}

/// One list after the other.
std::vector<BlockOp> joined(std::initializer_list<const std::vector<BlockOp>*> lists) {
  std::vector<BlockOp> out;
  for (const std::vector<BlockOp>* list : lists) out.insert(out.end(), list->begin(), list->end());
  return out;
}

void schedule_lists(BlockProgram& program) {
  program.down = schedule(joined({&program.prepare, &program.rows, &program.factor, &program.forward}),
                          program.forward, Pace::late);
  program.descent = schedule(joined({&program.rows, &program.forward}), program.forward, Pace::late);
  program.up =
      schedule(joined({&program.backward, &program.respond, &program.rows}), program.backward, Pace::early);
}

}  // namespace

EliminationTree::EliminationTree(std::span<const TreeBody> bodies,
                                 std::span<const TreeConstraint> constraints) {
  const TreePlan plan = make_tree_plan(bodies, constraints);
  std::size_t ends = 0;
  for (const TreeConstraint& constraint : constraints) {
    first_end_.push_back(ends);
    ends += constraint.bodies.size();
  }
  jacobian_.resize(ends);
  feels_.resize(ends, true);
  mass_.resize(bodies.size());
  alpha_.resize(bodies.size());
  rows_.resize(constraints.size());
  for (std::uint32_t b = 0; b < bodies.size(); ++b) hub_.push_back(plan.is_hub(b));
  for (std::uint32_t c = 0; c < constraints.size(); ++c) {
    for (std::size_t e = 0; e < constraints[c].bodies.size(); ++e) {
      const std::int32_t hub = plan.order.hub_of[constraints[c].bodies[e]];
      if (hub < 0) continue;
      const auto h = static_cast<std::size_t>(hub);
      const bool together = plan.order.leaf_of[h] == plan.order.leaf_of[c];
      feels_[first_end_[c] + e] =
          together ? plan.order.turn[h] < plan.order.turn[c] : plan.order.leaf_of[c] < 0;
    }
  }
  std::vector<DomainProgram> leaves;
  for (std::size_t k = 0; k < plan.order.leaves.size(); ++k)
    leaves.push_back(make_domain_program(plan, static_cast<std::int32_t>(k)));
  add_groups(plan, leaves, make_domain_program(plan, -1));
}

void EliminationTree::add_groups(const TreePlan& plan, std::vector<DomainProgram>& leaves,
                                 const DomainProgram& top) {
  std::vector<std::vector<std::size_t>> users;                          // leaves of a program
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_length;  // programs
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    auto& alike = by_length[leaves[k].program.factor.size() + 1000003U * leaves[k].program.places];
    auto at = std::find_if(alike.begin(), alike.end(),
                           [&](std::size_t p) { return programs_[p] == leaves[k].program; });
    if (at == alike.end()) {
      at = alike.insert(at, programs_.size());
      programs_.push_back(std::move(leaves[k].program));
      users.emplace_back();
    }
    users[*at].push_back(k);
  }
  for (BlockProgram& program : programs_) schedule_lists(program);
  programs_.push_back(top.program);
  top_ = {programs_.size() - 1, 0, 1};
  storage_ = top.program.places;
  add_slots(plan, top, top_, 0);
  facts_ = {leaves.size(), users.size(), 0, products(top.program.factor), products(top.program.factor)};
  for (std::size_t p = 0; p < users.size(); ++p) {
    for (std::size_t done = 0, width = most_lanes; done < users[p].size(); done += width) {
      while (width > users[p].size() - done) width /= 2;
      const std::size_t line = most_lanes;  // whole cache lines
      storage_ = (storage_ + line - 1) / line * line;
      const Group group{p, storage_, width};
      storage_ += width * programs_[p].places;
      groups_.push_back(group);
      if (width > 1) facts_.in_lanes += width;
      facts_.factor_products += width * products(programs_[p].factor);
      for (std::size_t lane = 0; lane < width; ++lane) {
        const DomainProgram& leaf = leaves[users[p][done + lane]];
        add_slots(plan, leaf, group, lane);
        add_transfers(plan, leaf, group, lane, top);
      }
    }
  }
}

void EliminationTree::add_slots(const TreePlan& plan, const DomainProgram& domain, const Group& group,
                                std::size_t lane) {
  const BlockProgram& program = programs_[group.program];
  const auto stride = static_cast<std::uint32_t>(group.width);
  const auto at = [&](std::size_t place) { return group.base + place * group.width + lane; };
  for (const EndPlace& end : domain.ends)
    jacobian_[first_end_[end.constraint] + end.end] = {at(end.jacobian), stride};
  for (const BodyPlace& body : domain.bodies) {
    mass_[body.body] = {at(body.mass), stride};
    alpha_[body.body] = {at(body.alpha), stride};
  }
  for (std::size_t u = 0; u < domain.unknowns.size(); ++u) {
    const std::uint32_t unknown = domain.unknowns[u];
    if (domain.first_row[u] >= program.own_rows || unknown >= plan.constraints.size()) continue;
    rows_[unknown] = {at(program.row(RowSection::rest, domain.first_row[u])),
                      std::size_t{program.all_rows} * group.width, stride};
  }
}

void EliminationTree::add_transfers(const TreePlan& plan, const DomainProgram& leaf, const Group& group,
                                    std::size_t lane, const DomainProgram& top) {
  const BlockProgram &program = programs_[group.program], &above = programs_[top_.program];
  const auto stride = static_cast<std::uint32_t>(group.width);
  const auto at = [&](std::size_t place) { return group.base + place * group.width + lane; };
  const auto size = [&](std::uint32_t u) { return plan.order.sizes[u]; };
  const auto turn = [&](std::uint32_t u) { return plan.order.turn[u]; };
  for (std::size_t u = 0; u < leaf.unknowns.size(); ++u) {
    if (leaf.first_row[u] < program.own_rows) continue;
    const std::uint32_t unknown = leaf.unknowns[u], row = top.first_row[turn(unknown)];
    const auto transfer = [&](RowSection from, RowSection to, std::vector<Transfer>& list) {
      list.push_back({at(program.row(from, leaf.first_row[u])), above.row(to, row), stride, size(unknown)});
    };
    transfer(RowSection::rest, RowSection::rest, row_transfers_);
    transfer(RowSection::curvature, RowSection::rest, drift_transfers_);
    transfer(RowSection::threshold, RowSection::threshold, threshold_transfers_);
  }
  for (const auto& [pair, place] : leaf.blocks) {
    if (leaf.first_row[pair.second] < program.own_rows) continue;
    const std::uint32_t i = leaf.unknowns[pair.first], j = leaf.unknowns[pair.second];
    const bool transposed = turn(i) < turn(j);
    const std::pair there = transposed ? std::pair(turn(j), turn(i)) : std::pair(turn(i), turn(j));
    block_transfers_.push_back({at(place), top.blocks.at(there), stride, size(i), size(j), transposed});
  }
  for (const BodyPlace& hub : leaf.border_hubs)
    hub_transfers_.push_back({at(hub.alpha), alpha_[hub.body].at, stride, plan.bodies[hub.body].freedoms});
}

void EliminationTree::run(const Group& group, List list, AlignedVector& values, Shares shares) const {
  run_block_ops(programs_[group.program].*list, values.data() + group.base, group.width, shares);
}

void EliminationTree::run_leaves(List list, AlignedVector& values, Shares shares) const {
  for (const Group& group : groups_) run(group, list, values, shares);
}

void EliminationTree::add_to_top(const std::vector<Transfer>& list, AlignedVector& values) {
  for (const Transfer& t : list) {
    const double* from = values.data() + t.leaf;
    double* const top = values.data() + t.top;
    const std::size_t rows = t.rows, columns = t.columns, stride = t.stride;
    if (!t.transposed) {
      for (std::size_t k = 0; k < rows * columns; ++k) top[k] += from[k * stride];
      continue;
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j, from += stride) top[j * rows + i] += *from;
  }
}

void EliminationTree::copy_to_leaves(const std::vector<Transfer>& list, AlignedVector& values) {
  for (const Transfer& t : list)
    for (std::size_t i = 0; i < t.rows; ++i) values[t.leaf + i * t.stride] = values[t.top + i];
}

void EliminationTree::prepare(AlignedVector& values) const {
  run_leaves(&BlockProgram::prepare, values);
  run(top_, &BlockProgram::prepare, values);
  add_to_top(threshold_transfers_, values);
}

void EliminationTree::factorise(AlignedVector& values, Shares shares) const {
  run_leaves(&BlockProgram::factor, values, shares);
  factorise_top(values, shares);
}

void EliminationTree::factorise_top(AlignedVector& values, Shares shares) const {
  add_to_top(block_transfers_, values);
  run(top_, &BlockProgram::factor, values, shares);
}

EliminationTree::Largest EliminationTree::descend(AlignedVector& values, Factor factor) const {
  copy_to_leaves(hub_transfers_, values);
  descend_leaves(values, factor, {0, groups_.size()});
  return descend_top(values, factor);
}

double EliminationTree::ascend(AlignedVector& values) const {
  ascend_top(values);
  ascend_leaves(values, {0, groups_.size()});
  return find_left(values);
}

void EliminationTree::descend_leaves(AlignedVector& values, Factor factor, Range groups) const {
  for (std::size_t g = groups.first; g < groups.last; ++g)
    run(groups_[g], factor == Factor::made ? &BlockProgram::descent : &BlockProgram::down, values);
}

EliminationTree::Largest EliminationTree::descend_top(AlignedVector& values, Factor factor) const {
  if (factor == Factor::missing) {
    run(top_, &BlockProgram::prepare, values);
    add_to_top(threshold_transfers_, values);
    factorise_top(values, Shares::found);
  }
  const Largest most = find_rest_of_top(values);
  add_to_top(row_transfers_, values);
  run(top_, &BlockProgram::forward, values);
  return most;
}

void EliminationTree::ascend_top(AlignedVector& values) const {
  run(top_, &BlockProgram::backward, values);
  run(top_, &BlockProgram::respond, values);
  copy_to_leaves(row_transfers_, values);
  copy_to_leaves(hub_transfers_, values);
}

void EliminationTree::ascend_leaves(AlignedVector& values, Range groups) const {
  for (std::size_t g = groups.first; g < groups.last; ++g) run(groups_[g], &BlockProgram::up, values);
}

EliminationTree::Largest EliminationTree::find_rest_of_top(AlignedVector& values) const {
  run(top_, &BlockProgram::rows, values);
  add_to_top(drift_transfers_, values);
  Largest most;
  const auto keep = [](double& so_far, double x) { so_far = x > so_far ? x : so_far; };
  const BlockProgram& top = programs_[top_.program];
  for (std::uint32_t k = 0; k < top.own_rows; ++k)
    keep(most.rest, std::abs(values[top.row(RowSection::rest, k)]));
  keep(most.curvature, values[top.most + 1]);
  for (const Group& group : groups_) {
    const double* const own = values.data() + group.base + group.width * programs_[group.program].most;
    for (std::size_t lane = 0; lane < group.width; ++lane) {
      keep(most.rest, own[lane]);
      keep(most.curvature, own[group.width + lane]);
    }
  }
  return most;
}

void EliminationTree::solve(AlignedVector& values) const {
  run_leaves(&BlockProgram::forward, values);
  add_to_top(row_transfers_, values);
  run(top_, &BlockProgram::forward, values);
  run(top_, &BlockProgram::backward, values);
  copy_to_leaves(row_transfers_, values);
  run_leaves(&BlockProgram::backward, values);
}

void EliminationTree::respond(AlignedVector& values) const {
  run_leaves(&BlockProgram::respond, values);
  run(top_, &BlockProgram::respond, values);
}

/// Calls f(first, count) with the own rows of every group.
template <class Function>
void EliminationTree::for_section(RowSection section, const Function& f) const {
  const auto visit = [&](const Group& group) {
    const BlockProgram& program = programs_[group.program];
    f(group.base + group.width * program.row(section, 0), group.width * program.own_rows);
  };
  visit(top_);
  for (const Group& group : groups_) visit(group);
}

void EliminationTree::copy_jacobians(const AlignedVector& from, AlignedVector& to) const {
  const auto visit = [&](const Group& group) {
    std::copy_n(from.data() + group.base, group.width * programs_[group.program].jacobians,
                to.data() + group.base);
  };
  visit(top_);
  for (const Group& group : groups_) visit(group);
}

void EliminationTree::copy(RowSection section, const AlignedVector& from, AlignedVector& to) const {
  for_section(section, [&](std::size_t first, std::size_t count) {
    std::copy_n(from.data() + first, count, to.data() + first);
  });
}

void EliminationTree::clear(RowSection section, AlignedVector& values) const {
  for_section(section,
              [&](std::size_t first, std::size_t count) { std::fill_n(values.data() + first, count, 0.0); });
}

}  // namespace cosimo
