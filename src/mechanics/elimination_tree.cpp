#include "mechanics/elimination_tree.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {
namespace {

void keep(double& so_far, double x) {
  so_far = x > so_far ? x : so_far;
}

}  // namespace

void EliminationTree::run(const Group& group, List list, double* values, Shares shares) const {
  run_block_ops(programs_[group.program].*list, values + group.base, group.width, shares);
}

void EliminationTree::run_all(List list, double* values, Shares shares) const {
  for (const Group& group : groups_) run(group, list, values, shares);
  for (const Upper& upper : crown_) run(upper.group, list, values, shares);
}

void EliminationTree::add(const Moves& list, const double* from, double* to) {
  for (const Move& move : list) {
    to[move.to] += from[move.from];
    for (std::size_t k = 1; k < move.count; ++k) to[move.to + k] += from[move.from + k];
  }
}

/// The other way.
void EliminationTree::take(const Moves& list, double* to, const double* from) {
  for (const Move& move : list) {
    to[move.from] = from[move.to];
    for (std::size_t k = 1; k < move.count; ++k) to[move.from + k] = from[move.to + k];
  }
}

void EliminationTree::prepare(AlignedVector& values) const {
  double* const all = values.data();
  run_all(&BlockProgram::prepare, all);
  for (const Upper& upper : crown_) {
    add(upper.from_leaves.thresholds, all, all);
    add(upper.from_crown.thresholds, all, all);
  }
}

void EliminationTree::factorise(AlignedVector& values, Shares shares) const {
  double* const all = values.data();
  for (const Group& group : groups_) run(group, &BlockProgram::factor, all, shares);
  for (const Upper& upper : crown_) {
    add(upper.from_leaves.blocks, all, all);
    add(upper.from_crown.blocks, all, all);
    run(upper.group, &BlockProgram::factor, all, shares);
  }
}

EliminationTree::Largest EliminationTree::descend(AlignedVector& values, AlignedVector& notes,
                                                  Factor factor) const {
  for (const Returns& returns : returns_) take(returns.hubs, values.data(), values.data());
  for (const Returns& returns : crown_returns_) take(returns.hubs, values.data(), values.data());
  descend_leaves(values.data(), notes.data(), factor, {0, groups_.size()});
  return descend_crown(values.data(), notes.data(), values.data(), factor);
}

double EliminationTree::ascend(AlignedVector& values, AlignedVector& notes) const {
  ascend_crown(values.data());
  ascend_leaves(values.data(), notes.data(), values.data(), {0, groups_.size()});
  return find_left(notes.data(), values.data()).rest;
}

void EliminationTree::descend_leaves(double* values, double* notes, Factor factor, Range groups) const {
  for (std::size_t g = groups.first; g < groups.last; ++g) {
    run(groups_[g], factor == Factor::made ? &BlockProgram::descent : &BlockProgram::down, values);
    leave_notes(groups_[g], values, notes);
  }
}

/// The largest numbers of its rows, and what it adds to those of its border.
void EliminationTree::leave_notes(const Group& group, const double* values, double* notes) const {
  const BlockProgram& program = programs_[group.program];
  const std::size_t border = program.all_rows - program.own_rows;
  double* to = notes + group.notes;
  const auto copy = [&](std::size_t place, std::size_t count) {
    to = std::copy_n(values + group.base + place * group.width, count * group.width, to);
  };
  copy(program.most, 2);
  copy(program.row(RowSection::rest, program.own_rows), border);
  copy(program.row(RowSection::curvature, program.own_rows), border);
}

EliminationTree::Largest EliminationTree::descend_crown(const double* values, const double* notes,
                                                        double* crown, Factor factor) const {
  Largest most = largest_of_leaves(notes);
  for (const Upper& upper : crown_) {
    if (factor == Factor::missing) {
      run(upper.group, &BlockProgram::prepare, crown);
      add(upper.from_leaves.thresholds, values, crown);
      add(upper.from_crown.thresholds, crown, crown);
      add(upper.from_leaves.blocks, values, crown);
      add(upper.from_crown.blocks, crown, crown);
      run(upper.group, &BlockProgram::factor, crown);
    }
    find_rest(upper, notes, crown, most);
    add(upper.from_leaves.rows, notes, crown);
    add(upper.from_crown.rows, crown, crown);
    run(upper.group, &BlockProgram::forward, crown);
  }
  return most;
}

void EliminationTree::ascend_crown(double* crown) const {
  for (std::size_t k = crown_.size(); k-- > 0;) {
    take(crown_returns_[k].rows, crown, crown);
    take(crown_returns_[k].hubs, crown, crown);
    run(crown_[k].group, &BlockProgram::backward, crown);
    run(crown_[k].group, &BlockProgram::respond, crown);
  }
}

void EliminationTree::ascend_leaves(double* values, double* notes, const double* crown, Range groups) const {
  for (std::size_t g = groups.first; g < groups.last; ++g) {
    take(returns_[g].rows, values, crown);
    take(returns_[g].hubs, values, crown);
    run(groups_[g], &BlockProgram::up, values);
    leave_notes(groups_[g], values, notes);
  }
}

EliminationTree::Largest EliminationTree::find_left(const double* notes, double* crown) const {
  Largest most = largest_of_leaves(notes);
  for (const Upper& upper : crown_) find_rest(upper, notes, crown, most);
  return most;
}

EliminationTree::Largest EliminationTree::largest_of_leaves(const double* notes) const {
  Largest most;
  for (const Group& group : groups_) {
    const double* const own = notes + group.notes;
    for (std::size_t lane = 0; lane < group.width; ++lane) {
      keep(most.rest, own[lane]);
      keep(most.curvature, own[group.width + lane]);
    }
  }
  return most;
}

/// rest = curvature + J alpha; of the border's rows others have a part.
void EliminationTree::find_rest(const Upper& upper, const double* notes, double* crown, Largest& most) const {
  run(upper.group, &BlockProgram::rows, crown);
  add(upper.from_leaves.drift, notes, crown);
  add(upper.from_crown.drift, crown, crown);
  const BlockProgram& program = programs_[upper.group.program];
  const std::size_t width = upper.group.width;
  const double* const own = crown + upper.group.base;
  for (std::size_t k = 0; k < width * program.own_rows; ++k)
    keep(most.rest, std::abs(own[width * program.row(RowSection::rest, 0) + k]));
  for (std::size_t lane = 0; lane < width; ++lane)
    keep(most.curvature, own[width * (program.most + 1) + lane]);
}

void EliminationTree::copy_crown(const double* values, double* crown) const {
  for (const Range& range : given_) std::copy(values + range.first, values + range.last, crown + range.first);
}

void EliminationTree::solve(AlignedVector& values, AlignedVector& notes) const {
  double* const all = values.data();
  for (const Group& group : groups_) {
    run(group, &BlockProgram::forward, all);
    leave_notes(group, all, notes.data());
  }
  for (const Upper& upper : crown_) {
    add(upper.from_leaves.rows, notes.data(), all);
    add(upper.from_crown.rows, all, all);
    run(upper.group, &BlockProgram::forward, all);
  }
  for (std::size_t k = crown_.size(); k-- > 0;) {
    take(crown_returns_[k].rows, all, all);
    run(crown_[k].group, &BlockProgram::backward, all);
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    take(returns_[g].rows, all, all);
    run(groups_[g], &BlockProgram::backward, all);
  }
}

void EliminationTree::respond(AlignedVector& values) const {
  run_all(&BlockProgram::respond, values.data());
}

/// Calls f(first, count) with the own rows of every group.
template <class Function>
void EliminationTree::for_section(RowSection section, const Function& f) const {
  const auto visit = [&](const Group& group) {
    const BlockProgram& program = programs_[group.program];
    f(group.base + group.width * program.row(section, 0), group.width * program.own_rows);
  };
  for (const Upper& upper : crown_) visit(upper.group);
  for (const Group& group : groups_) visit(group);
}

void EliminationTree::copy_jacobians(const AlignedVector& from, AlignedVector& to) const {
  const auto visit = [&](const Group& group) {
    std::copy_n(from.data() + group.base, group.width * programs_[group.program].jacobians,
                to.data() + group.base);
  };
  for (const Upper& upper : crown_) visit(upper.group);
  for (const Group& group : groups_) visit(group);
}

void EliminationTree::copy(RowSection section, const AlignedVector& from, AlignedVector& to) const {
  for_section(section, [&](std::size_t first, std::size_t count) {
    std::copy_n(from.data() + first, count, to.data() + first);
  });
}

std::size_t EliminationTree::unit_of(const TreeSlot& slot) const {
  if (slot.at < crown_storage_) return units_.size() - 1;
  return static_cast<std::size_t>(std::upper_bound(unit_ends_.begin(), unit_ends_.end(), slot.at) -
                                  unit_ends_.begin());
}

void EliminationTree::clear(RowSection section, std::size_t unit, AlignedVector& values) const {
  const auto visit = [&](const Group& group) {
    const BlockProgram& program = programs_[group.program];
    std::fill_n(values.data() + group.base + group.width * program.row(section, 0),
                group.width * program.own_rows, 0.0);
  };
  for (std::size_t g = units_[unit].first; g < units_[unit].last; ++g) visit(groups_[g]);
  if (unit + 1 == units_.size())
    for (const Upper& upper : crown_) visit(upper.group);
}

void EliminationTree::clear(RowSection section, AlignedVector& values) const {
  for_section(section,
              [&](std::size_t first, std::size_t count) { std::fill_n(values.data() + first, count, 0.0); });
}

}  // namespace cosimo
