// Where an elimination tree has the numbers of its domains, and which of them flow from one to another.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "mechanics/elimination_schedule.hpp"
#include "mechanics/elimination_tree.hpp"

namespace cosimo {
namespace {

constexpr std::size_t most_lanes = 8;
/// Numbers of a unit, at least: those of some fifty rods.
constexpr std::size_t smallest_unit = 4000;

/// Multiplications of the products in a list.
std::size_t products(const std::vector<BlockOp>& ops) {
  std::size_t sum = 0;
  for (const BlockOp& op : ops) {
    const std::size_t k = op.k;
    if (op.kind == BlockKind::eliminate)
      sum += k * k * k / 2 + k * k * k * (op.n == 1 ? 2 : 5);
    else
      sum +=
          op.kind == BlockKind::invert || op.kind == BlockKind::invert_hub ? k * k * k / 2 : k * op.m * op.n;
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
  std::vector<BlockOp> rows = program.rows;
  for (BlockOp& op : rows)
    if (op.kind == BlockKind::keep_largest)
      op.b = 0;
    else if (op.kind == BlockKind::find_row)
      op.more[4] = 0;
  program.up = schedule(joined({&program.backward, &program.respond, &rows}), program.backward, Pace::early);
}

/// Whether a domain is coupled with one of these before it.
bool waits_for(const TreePlan& plan, Range before, std::size_t domain) {
  for (std::size_t d = before.first; d < before.last; ++d)
    for (const std::uint32_t u : plan.order.leaves[d].border)
      if (plan.order.leaf_of[u] == static_cast<std::int32_t>(domain)) return true;
  return false;
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
  arms_ = plan.has_arms;
  for (std::uint32_t c = 0; c < constraints.size(); ++c) {
    for (std::size_t e = 0; e < constraints[c].bodies.size(); ++e) {
      const std::int32_t hub = plan.order.hub_of[constraints[c].bodies[e]];
      if (hub < 0) continue;
      const auto h = static_cast<std::size_t>(hub);
      const std::int32_t of_hub = plan.order.leaf_of[h], own = plan.order.leaf_of[c];
      feels_[first_end_[c] + e] =
          of_hub == own ? plan.order.turn[h] < plan.order.turn[c] : comes_before(of_hub, own);
    }
  }
  std::vector<DomainProgram> domains;
  for (std::size_t k = 0; k < plan.order.leaves.size(); ++k)
    domains.push_back(make_domain_program(plan, static_cast<std::int32_t>(k)));
  domains.push_back(make_domain_program(plan, -1));
  add_groups(plan, domains);
}

std::vector<EliminationTree::Alike> EliminationTree::find_alike(std::vector<DomainProgram>& domains,
                                                                Range which) {
  std::vector<Alike> out;
  std::unordered_map<std::size_t, std::vector<std::size_t>> by_length;  // places in `out`
  for (std::size_t d = which.first; d < which.last; ++d) {
    BlockProgram& program = domains[d].program;
    auto& alike = by_length[program.factor.size() + std::size_t{1000003} * program.places];
    auto at = std::find_if(alike.begin(), alike.end(),
                           [&](std::size_t k) { return programs_[out[k].program] == program; });
    if (at == alike.end()) {
      at = alike.insert(at, out.size());
      out.push_back({programs_.size(), {}});
      programs_.push_back(std::move(program));
    }
    out[*at].domains.push_back(d);
  }
  return out;
}

EliminationTree::Group EliminationTree::add_group(std::size_t program, std::size_t width) {
  storage_ = (storage_ + most_lanes - 1) / most_lanes * most_lanes;  // whole cache lines
  const Group group{program, storage_, width, note_storage_};
  storage_ += width * programs_[program].places;
  note_storage_ += width * (2 + 2 * (programs_[program].all_rows - programs_[program].own_rows));
  note_storage_ = (note_storage_ + most_lanes - 1) / most_lanes * most_lanes;
  return group;
}

void EliminationTree::add_groups(const TreePlan& plan, std::vector<DomainProgram>& domains) {
  const std::size_t leaves = plan.order.between, top = domains.size() - 1;
  // In the crown lanes may stay empty: whatever is in them goes nowhere.
  std::vector<Place> places(domains.size());
  const auto place = [&](const Alike& alike, bool fill, auto keep) {
    const std::size_t count = alike.domains.size();
    for (std::size_t done = 0, width = most_lanes; done < count; done += width) {
      while (width > count - done && !(fill && width < 2 * (count - done))) width /= 2;
      const Group group = add_group(alike.program, width);
      for (std::size_t lane = 0; lane < std::min(width, count - done); ++lane) {
        const std::size_t d = alike.domains[done + lane];
        places[d] = {group, lane, crown_.size()};
        add_slots(plan, domains[d], group, lane);
      }
      keep(group);
    }
  };
  const auto to_crown = [&](const Group& group) { crown_.push_back({group, {}, {}}); };
  for (std::size_t first = leaves, last = 0; first <= top; first = last) {
    last = first + 1;
    while (first < top && last < top && !waits_for(plan, {first, last}, last)) ++last;
    for (const Alike& alike : find_alike(domains, {first, last})) place(alike, true, to_crown);
  }
  crown_storage_ = storage_;
  const std::vector<Alike> alike_leaves = find_alike(domains, {0, leaves});
  for (const Alike& alike : alike_leaves) {
    schedule_lists(programs_[alike.program]);
    place(alike, false, [&](const Group& group) { groups_.push_back(group); });
  }
  add_units();
  facts_ = {leaves, alike_leaves.size(), 0, 0, 0};
  for (const Group& group : groups_) count_work(group, false);
  for (const Upper& upper : crown_) count_work(upper.group, &upper == &crown_.back());

  returns_.resize(groups_.size());
  crown_returns_.resize(crown_.size());
  for (std::size_t g = 0; const Alike& alike : alike_leaves)
    for (std::size_t done = 0; done < alike.domains.size(); done += groups_[g++].width)
      for (std::size_t lane = 0; lane < groups_[g].width; ++lane)
        add_transfers(plan, domains, places, alike.domains[done + lane], returns_[g]);
  for (std::size_t d = leaves; d < top; ++d)
    add_transfers(plan, domains, places, d, crown_returns_[places[d].upper]);
  for (Upper& upper : crown_)
    for (Transfers* all : {&upper.from_leaves, &upper.from_crown})
      for (Moves* list : {&all->blocks, &all->rows, &all->drift, &all->thresholds}) join(*list);
  for (auto* all : {&returns_, &crown_returns_})
    for (Returns& one : *all) {
      join(one.rows);
      join(one.hubs);
    }
  for (std::size_t d = leaves; d <= top; ++d)
    if (places[d].lane == 0) add_given(plan, domains[d], places[d].group);
}

void EliminationTree::add_units() {
  for (std::size_t g = 0, first = 0, begin = crown_storage_; g < groups_.size(); ++g) {
    const std::size_t end = groups_[g].base + groups_[g].width * programs_[groups_[g].program].places;
    if (end - begin < smallest_unit && g + 1 < groups_.size()) continue;
    units_.push_back({first, g + 1});
    unit_ends_.push_back(end);
    first = g + 1;
    begin = end;
  }
  units_.push_back({groups_.size(), groups_.size()});
}

void EliminationTree::count_work(const Group& group, bool top) {
  const std::size_t work = group.width * products(programs_[group.program].factor);
  facts_.factor_products += work;
  if (top) facts_.top_products += work;
  if (group.width > 1 && group.base >= crown_storage_) facts_.in_lanes += group.width;
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

void EliminationTree::add_given(const TreePlan& plan, const DomainProgram& domain, const Group& group) {
  const BlockProgram& program = programs_[group.program];
  const auto add = [&](std::size_t first, std::size_t count) {
    if (count > 0)
      given_.push_back({group.base + first * group.width, group.base + (first + count) * group.width});
  };
  add(0, program.given);
  add(program.row(RowSection::curvature, 0), program.own_rows);
  add(program.row(RowSection::lambda, 0), program.own_rows);
  for (const BodyPlace& body : domain.bodies) {
    const std::size_t freedoms = plan.bodies[body.body].freedoms;
    add(body.alpha, freedoms);
    if (plan.is_hub(body.body)) add(body.mass, freedoms * freedoms);
  }
}

/// Sorted, so that what is side by side in both places is one move. Sums are taken in this order.
void EliminationTree::join(Moves& list) {
  const auto key = [](const Move& move) { return std::pair(std::int64_t{move.from} - move.to, move.from); };
  std::sort(list.begin(), list.end(), [&](const Move& a, const Move& b) { return key(a) < key(b); });
  Moves joined;
  for (const Move& move : list) {
    if (!joined.empty() && joined.back().from + joined.back().count == move.from &&
        joined.back().to + joined.back().count == move.to)
      ++joined.back().count;
    else
      joined.push_back(move);
  }
  list = std::move(joined);
}

void EliminationTree::add_transfers(const TreePlan& plan, const std::vector<DomainProgram>& domains,
                                    const std::vector<Place>& places, std::size_t domain, Returns& returns) {
  const DomainProgram& own = domains[domain];
  const Place& here = places[domain];
  const BlockProgram& program = programs_[here.group.program];
  const std::size_t top = domains.size() - 1;
  const auto domain_of = [&](std::uint32_t u) {
    const std::int32_t d = plan.order.leaf_of[u];
    return d < 0 ? top : static_cast<std::size_t>(d);
  };
  const auto local = [&](std::size_t in, std::uint32_t u) -> std::uint32_t {
    if (domain_of(u) == in) return plan.order.turn[u];
    const auto& all = domains[in].unknowns;
    return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), u) - all.begin());
  };
  const auto at = [](const Place& place, std::size_t number) {
    return place.group.base + number * place.group.width + place.lane;
  };
  struct Transfer {
    std::size_t from = 0, to = 0;
    std::uint32_t from_stride = 1, to_stride = 1, rows = 1, columns = 1;
    bool transposed = false;
  };
  const auto push = [](Moves& list, const Transfer& t) {
    for (std::size_t i = 0; i < t.rows; ++i)
      for (std::size_t j = 0; j < t.columns; ++j) {
        const std::size_t k = i * t.columns + j, there = t.transposed ? j * t.rows + i : k;
        list.push_back({static_cast<std::uint32_t>(t.from + k * t.from_stride),
                        static_cast<std::uint32_t>(t.to + there * t.to_stride)});
      }
  };
  const auto into = [&](std::size_t target) -> Transfers& {
    Upper& upper = crown_[places[target].upper];
    return here.group.base >= crown_storage_ ? upper.from_leaves : upper.from_crown;
  };
  const auto transfer = [&](std::size_t from, std::size_t target, std::size_t to, std::uint32_t rows,
                            std::uint32_t columns = 1) {
    const auto from_stride = static_cast<std::uint32_t>(here.group.width);
    const auto to_stride = static_cast<std::uint32_t>(places[target].group.width);
    return Transfer{at(here, from), at(places[target], to), from_stride, to_stride, rows, columns};
  };
  for (std::size_t u = 0; u < own.unknowns.size(); ++u) {
    if (own.first_row[u] < program.own_rows) continue;
    const std::uint32_t unknown = own.unknowns[u];
    const std::size_t target = domain_of(unknown);
    const BlockProgram& above = programs_[places[target].group.program];
    const std::uint32_t row = domains[target].first_row[plan.order.turn[unknown]];
    const auto rows = [&](RowSection from, RowSection to) {
      return transfer(program.row(from, own.first_row[u]), target, above.row(to, row),
                      plan.order.sizes[unknown]);
    };
    const std::uint32_t behind = own.first_row[u] - program.own_rows;  // in the notes
    const auto noted = [&](std::uint32_t section, RowSection from) {
      Transfer out = rows(from, RowSection::rest);
      const std::size_t place = 2 + section * (program.all_rows - program.own_rows) + behind;
      if (here.group.base >= crown_storage_)
        out.from = here.group.notes + place * here.group.width + here.lane;
      return out;
    };
    push(into(target).rows, noted(0, RowSection::rest));
    push(into(target).drift, noted(1, RowSection::curvature));
    push(into(target).thresholds, rows(RowSection::threshold, RowSection::threshold));
    push(returns.rows, rows(RowSection::rest, RowSection::rest));
  }
  for (const auto& [pair, place] : own.blocks) {
    if (own.first_row[pair.second] < program.own_rows) continue;
    const std::uint32_t i = own.unknowns[pair.first], j = own.unknowns[pair.second];
    const std::size_t target = std::min(domain_of(i), domain_of(j));
    const std::uint32_t row = local(target, i), column = local(target, j);
    const bool transposed = row < column;
    const std::uint32_t there = domains[target].blocks.at(std::minmax(row, column, std::greater<>()));
    Transfer block = transfer(place, target, there, plan.order.sizes[i], plan.order.sizes[j]);
    block.transposed = transposed;
    push(into(target).blocks, block);
  }
  for (const BodyPlace& hub : own.border_hubs)
    push(returns.hubs,
         {at(here, hub.alpha), alpha_[hub.body].at, static_cast<std::uint32_t>(here.group.width),
          alpha_[hub.body].stride, plan.bodies[hub.body].freedoms});
}

}  // namespace cosimo
