#include "mechanics/elimination_builder.hpp"

#include <algorithm>
#include <unordered_map>

namespace cosimo {
namespace {

std::uint8_t small(std::size_t n) {
  return static_cast<std::uint8_t>(n);
}

class Builder {
 public:
  Builder(const TreePlan& plan, std::int32_t domain)
      : plan_(plan),
        order_(plan.order),
        domain_(domain),
        own_(domain < 0 ? order_.top.own : order_.leaves[static_cast<std::size_t>(domain)].own),
        border_(domain < 0 ? order_.top.border : order_.leaves[static_cast<std::size_t>(domain)].border) {}

  DomainProgram run() {
    number_unknowns();
    find_ends();
    place_inputs();
    place_blocks();
    place_rows();
    write_prepare();
    write_factor();
    write_solve();
    write_motion();
    return std::move(out_);
  }

 private:
  bool is_constraint(std::uint32_t unknown) const { return unknown < plan_.constraints.size(); }
  std::uint32_t size(std::uint32_t local) const { return order_.sizes[out_.unknowns[local]]; }
  std::uint32_t take(std::size_t numbers) {
    const std::uint32_t place = program_.places;
    program_.places += static_cast<std::uint32_t>(numbers);
    return place;
  }

  void number_unknowns() {
    out_.unknowns = own_;
    out_.unknowns.insert(out_.unknowns.end(), border_.begin(), border_.end());
    for (std::uint32_t k = 0; k < out_.unknowns.size(); ++k) {
      local_[out_.unknowns[k]] = k;
      out_.first_row.push_back(program_.all_rows);
      program_.all_rows += size(k);
      if (k < own_.size()) program_.own_rows += size(k);
    }
  }

  /// Bodies in the order in which they come up, from the border on, so that alike domains have alike lists.
  void find_ends() {
    std::vector<std::uint32_t> scan(border_.begin(), border_.end());
    scan.insert(scan.end(), own_.begin(), own_.end());
    for (const std::uint32_t c : scan) {
      if (!is_constraint(c)) continue;
      const auto bodies = plan_.constraints[c].bodies;
      for (std::uint32_t e = 0; e < bodies.size(); ++e) {
        if (plan_.domain_of_end(c, bodies[e]) != domain_) continue;
        number_.try_emplace(bodies[e], static_cast<std::uint32_t>(number_.size()));
        out_.ends.push_back({c, e, bodies[e]});
      }
    }
    std::stable_sort(out_.ends.begin(), out_.ends.end(), [&](const EndPlace& a, const EndPlace& b) {
      return std::pair(local_[a.constraint], number_[a.body]) <
             std::pair(local_[b.constraint], number_[b.body]);
    });
    if (domain_ >= 0) return;
    for (std::uint32_t b = 0; b < plan_.bodies.size(); ++b)  // those without constraints as well
      if (plan_.domain_of_body[b] == domain_)
        number_.try_emplace(b, static_cast<std::uint32_t>(number_.size()));
  }

  void place_inputs() {
    for (EndPlace& end : out_.ends) end.jacobian = take(plan_.jacobian_size(end.constraint, end.body));
    program_.jacobians = program_.places;
    std::vector<std::uint32_t> bodies(number_.size());
    for (const auto& [body, number] : number_) bodies[number] = body;
    for (const std::uint32_t body : bodies) {
      if (plan_.domain_of_body[body] != domain_) {
        out_.border_hubs.push_back({body, 0, 0});
      } else if (plan_.is_hub(body)) {
        out_.bodies.push_back({body, 0, 0});
      } else {
        mass_[body] = take(plan_.bodies[body].rigid ? 7 : plan_.bodies[body].freedoms);
        out_.bodies.push_back({body, mass_[body], 0});
      }
    }
    program_.given = program_.places;
    uses_.resize(number_.size());
    for (const EndPlace& end : out_.ends)
      if (!plan_.is_hub(end.body)) uses_[number_[end.body]].push_back(&end);
    for (EndPlace& end : out_.ends)
      if (!plan_.is_hub(end.body) && !are_few_arms(uses_[number_[end.body]]))
        end.response = take(plan_.response_size(end.constraint, end.body));
  }

  std::uint32_t block(std::uint32_t row, std::uint32_t column) {
    const auto [at, fresh] = out_.blocks.try_emplace({row, column}, program_.places);
    if (fresh) take(std::size_t{size(row)} * size(column));
    return at->second;
  }

  void place_blocks() {
    const auto own = static_cast<std::uint32_t>(own_.size());
    below_.resize(own);
    for (std::uint32_t u = 0; u < own; ++u) {
      for (const std::uint32_t v : order_.below[own_[u]]) below_[u].push_back(local_.at(v));
      std::sort(below_[u].begin(), below_[u].end());
      block(u, u);
      for (const std::uint32_t v : below_[u]) block(v, u);
    }
    for (std::uint32_t u = 0; u < own; ++u)
      for (const std::uint32_t p : below_[u])
        for (const std::uint32_t q : below_[u])
          if (q >= own && q <= p) block(p, q);
    for_pairs(
        [&](const EndPlace& a, const EndPlace& b) { block(local_[a.constraint], local_[b.constraint]); });
    for (BodyPlace& body : out_.bodies)
      if (plan_.is_hub(body.body)) body.mass = block(hub(body.body), hub(body.body));
    std::uint32_t most = 0;
    for (std::uint32_t u = 0; u < own; ++u) {
      std::uint32_t rows = 0;
      for (const std::uint32_t v : below_[u]) rows += size(v);
      most = std::max(most, rows * size(u));
    }
    scratch_ = take(std::max<std::uint32_t>(most, 6));
  }

  void place_rows() {
    program_.first_row = take(row_sections * program_.all_rows);
    program_.most = take(2);
    for (auto* list : {&out_.bodies, &out_.border_hubs})
      for (BodyPlace& body : *list) {
        body.alpha = take(plan_.bodies[body.body].freedoms);
        alpha_[body.body] = body.alpha;
      }
  }

  std::uint32_t hub(std::uint32_t body) const {
    return local_.at(static_cast<std::uint32_t>(order_.hub_of[body]));
  }
  std::uint32_t row(RowSection section, std::uint32_t local) const {
    return program_.row(section, out_.first_row[local]);
  }

  /// Pairs of ends on the same light body, the constraint of `a` not before that of `b`.
  template <class Function>
  void for_pairs(const Function& f) {
    for (const auto& list : uses_)
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) f(*list[i], *list[j]);
  }
  using Ends = std::vector<const EndPlace*>;
  /// One or two arms, which have operations of their own.
  bool are_few_arms(const Ends& ends) const {
    return !ends.empty() && ends.size() <= 2 &&
           std::all_of(ends.begin(), ends.end(), [&](const auto* end) { return plan_.has_arms[end->body]; });
  }

  template <class Fill>
  BlockOp prepare_arms(const Ends& ends, const Fill& fill) {
    const EndPlace &first = *ends.front(), &second = *ends.back();
    const std::uint32_t u = local_[first.constraint], v = local_[second.constraint];
    BlockOp op{BlockKind::prepare_arms,
               small(plan_.bodies[first.body].freedoms),
               0,
               small(ends.size()),
               first.jacobian,
               mass_[first.body],
               block(u, u),
               {}};
    op.m = fill(op.target) ? 1 : 0;
    if (ends.size() == 1) return op;
    op.more = {second.jacobian, block(v, u), block(v, v)};
    if (fill(op.more[1])) op.m |= 2U;
    if (fill(op.more[2])) op.m |= 4U;
    return op;
  }

  void write_prepare() {
    auto& ops = program_.prepare;
    std::map<std::uint32_t, bool> filled;  // places of blocks
    for (const auto& [pair, place] : out_.blocks) filled[place] = false;
    for (const EndPlace& end : out_.ends) {
      const TreeBody& body = plan_.bodies[end.body];
      const std::uint8_t rows = small(plan_.constraints[end.constraint].rows), f = small(body.freedoms);
      if (!plan_.is_hub(end.body)) {
        if (are_few_arms(uses_[number_[end.body]])) continue;
        const BlockKind kind = plan_.has_arms[end.body] ? BlockKind::divide_arm
                               : body.rigid             ? BlockKind::divide_rigid
                                                        : BlockKind::divide_diagonal;
        ops.push_back({kind, f, rows, 0, end.jacobian, mass_[end.body], end.response});
        continue;
      }
      const std::uint32_t c = local_[end.constraint], h = hub(end.body);
      const std::uint32_t place = c > h ? block(c, h) : block(h, c);
      filled[place] = true;
      ops.push_back({c > h ? BlockKind::set_negative : BlockKind::set_negative_transpose, f, rows, 0,
                     end.jacobian, 0, place});
    }
    for (const BodyPlace& body : out_.bodies)
      if (plan_.is_hub(body.body)) filled[body.mass] = true;  // given
    const auto fill = [&](std::uint32_t place) { return std::exchange(filled[place], true); };
    for (const Ends& ends : uses_)
      if (are_few_arms(ends)) ops.push_back(prepare_arms(ends, fill));
    for_pairs([&](const EndPlace& a, const EndPlace& b) {
      if (are_few_arms(uses_[number_[a.body]])) return;
      const std::uint32_t target = block(local_[a.constraint], local_[b.constraint]);
      const bool lower = &a == &b, first = !std::exchange(filled[target], true);
      BlockKind kind = lower ? (first ? BlockKind::set_lower : BlockKind::add_lower)
                             : (first ? BlockKind::set_product : BlockKind::add_product);
      if (plan_.has_arms[a.body])
        kind = lower ? (first ? BlockKind::set_arms_lower : BlockKind::add_arms_lower)
                     : (first ? BlockKind::set_arms : BlockKind::add_arms);
      ops.push_back({kind, small(plan_.bodies[a.body].freedoms), small(plan_.constraints[a.constraint].rows),
                     small(plan_.constraints[b.constraint].rows), a.response, b.jacobian, target});
    });
    for (const auto& [pair, place] : out_.blocks)
      if (!filled[place])
        ops.push_back({BlockKind::set_zero, 0, 0, 0, 0, size(pair.first) * size(pair.second), place});
    for (std::uint32_t u = 0; u < out_.unknowns.size(); ++u) {
      if (!is_constraint(out_.unknowns[u])) continue;
      const auto at = out_.blocks.find({u, u});
      const std::uint32_t target = row(RowSection::threshold, u);
      if (at != out_.blocks.end())
        ops.push_back({BlockKind::set_noise, small(size(u)), 0, 0, at->second, 0, target});
      else
        ops.push_back({BlockKind::set_zero, 0, 0, 0, 0, size(u), target});
    }
  }

  /// One or two blocks of its own size, which have operations of their own.
  bool has_few_below(std::uint32_t u) const {
    const auto alike = [&](std::uint32_t p) { return size(p) == size(u); };
    return is_constraint(out_.unknowns[u]) && (size(u) == 2 || size(u) == 3) && !below_[u].empty() &&
           below_[u].size() <= 2 && std::all_of(below_[u].begin(), below_[u].end(), alike);
  }
  template <class Rest>
  BlockOp with_rest(BlockKind kind, std::uint32_t u, const Rest& x) {
    const std::uint32_t p = below_[u].front(), q = below_[u].back();
    const std::uint8_t k = small(size(u));
    return {kind,        k, k,    small(below_[u].size()),
            block(u, u), 0, x(u), {block(p, u), x(p), block(q, u), x(q)}};
  }

  void write_factor() {
    auto& ops = program_.factor;
    for (std::uint32_t u = 0; u < own_.size(); ++u) {
      const std::uint8_t k = small(size(u));
      const std::uint32_t pivot = block(u, u);
      if (has_few_below(u)) {
        BlockOp op{BlockKind::eliminate,      k,     k,
                   small(below_[u].size()),   pivot, row(RowSection::threshold, u),
                   row(RowSection::share, u), {}};
        const std::uint32_t p = below_[u].front(), q = below_[u].back();
        op.more = {block(p, u), block(p, p), block(q, u), block(q, p), block(q, q)};
        ops.push_back(op);
        continue;
      }
      ops.push_back({is_constraint(own_[u]) ? BlockKind::invert : BlockKind::invert_hub, k, 0, 0, pivot,
                     row(RowSection::threshold, u), row(RowSection::share, u)});
      std::vector<std::uint32_t> scaled;
      std::uint32_t next = scratch_;
      for (const std::uint32_t q : below_[u]) {
        ops.push_back({BlockKind::set_product, k, small(size(q)), k, block(q, u), pivot, next});
        scaled.push_back(next);
        next += size(q) * k;
      }
      for (std::size_t j = 0; j < below_[u].size(); ++j) {
        const std::uint32_t q = below_[u][j];
        for (std::size_t i = j; i < below_[u].size(); ++i) {
          const std::uint32_t p = below_[u][i];
          ops.push_back({i == j ? BlockKind::subtract_lower : BlockKind::subtract_product, k, small(size(p)),
                         small(size(q)), block(p, u), scaled[j], block(p, q)});
        }
      }
    }
  }

  void write_solve() {
    auto &forward = program_.forward, &backward = program_.backward;
    const auto x = [&](std::uint32_t local) { return row(RowSection::rest, local); };
    zero_border(RowSection::rest, forward);
    for (std::uint32_t u = 0; u < own_.size(); ++u) {
      const std::uint8_t k = small(size(u));
      if (has_few_below(u)) {
        forward.push_back(with_rest(BlockKind::eliminate_rest, u, x));
        continue;
      }
      forward.push_back({BlockKind::apply, k, 0, 0, block(u, u), 0, x(u)});
      for (const std::uint32_t p : below_[u])
        forward.push_back({BlockKind::subtract_product, k, small(size(p)), 1, block(p, u), x(u), x(p)});
    }
    for (auto u = static_cast<std::uint32_t>(own_.size()); u-- > 0;) {
      const std::uint8_t k = small(size(u));
      if (has_few_below(u)) {
        backward.push_back(with_rest(BlockKind::take_back, u, x));
        continue;
      }
      bool first = true;
      for (const std::uint32_t p : below_[u]) {
        backward.push_back(
            {std::exchange(first, false) ? BlockKind::set_transposed : BlockKind::add_transposed, k,
             small(size(p)), 0, block(p, u), x(p), scratch_});
      }
      if (!first) backward.push_back({BlockKind::subtract_product, k, k, 1, block(u, u), scratch_, x(u)});
    }
  }

  void zero_border(RowSection section, std::vector<BlockOp>& ops) const {
    if (program_.all_rows == program_.own_rows) return;
    ops.push_back({BlockKind::set_zero, 0, 0, 0, 0, program_.all_rows - program_.own_rows,
                   program_.row(section, program_.own_rows)});
  }

  BlockOp respond_arms(const Ends& ends) {
    const EndPlace &first = *ends.front(), &second = *ends.back();
    const auto x = [&](const EndPlace& end) { return row(RowSection::rest, local_[end.constraint]); };
    return {BlockKind::respond_arms,
            small(plan_.bodies[first.body].freedoms),
            small(plan_.constraints[first.constraint].rows),
            small(ends.size()),
            first.jacobian,
            x(first),
            alpha_[first.body],
            {second.jacobian, x(second), mass_[first.body]}};
  }

  void write_motion() {
    auto &respond = program_.respond, &rows = program_.rows;
    zero_border(RowSection::curvature, rows);
    rows.push_back({BlockKind::set_zero, 0, 0, 0, 0, 2, program_.most});
    std::vector<Ends> ends_of(out_.unknowns.size());
    for (const EndPlace& end : out_.ends) ends_of[local_[end.constraint]].push_back(&end);
    for (std::uint32_t u = 0; u < own_.size(); ++u) {
      const std::uint32_t rest = row(RowSection::rest, u), curvature = row(RowSection::curvature, u);
      respond.push_back({BlockKind::add_copy, 0, 0, 0, rest, size(u), row(RowSection::lambda, u)});
      if (are_few_arms(ends_of[u])) {
        const EndPlace &first = *ends_of[u].front(), &second = *ends_of[u].back();
        rows.push_back({BlockKind::find_row,
                        small(plan_.bodies[first.body].freedoms),
                        small(size(u)),
                        small(ends_of[u].size()),
                        first.jacobian,
                        alpha_[first.body],
                        rest,
                        {second.jacobian, alpha_[second.body], curvature, program_.most, program_.all_rows}});
      } else {
        rows.push_back({BlockKind::set_copy, 0, 0, 0, curvature, size(u), rest});
      }
    }
    for (const Ends& ends : uses_)
      if (are_few_arms(ends)) respond.push_back(respond_arms(ends));
    for (const EndPlace& end : out_.ends) {
      const std::uint8_t f = small(plan_.bodies[end.body].freedoms);
      const std::uint8_t m = small(plan_.constraints[end.constraint].rows);
      const std::uint32_t c = local_[end.constraint], alpha = alpha_[end.body];
      const std::uint32_t x = row(RowSection::rest, c);
      const std::uint32_t target = c < own_.size() ? x : row(RowSection::curvature, c);
      const bool arm = plan_.has_arms[end.body];
      if (!plan_.is_hub(end.body) && !are_few_arms(uses_[number_[end.body]]))
        respond.push_back({arm ? BlockKind::subtract_arm_response : BlockKind::subtract_transposed, f, m, 0,
                           end.response, x, alpha});
      if (c >= own_.size() || !are_few_arms(ends_of[c]))
        rows.push_back(
            {arm ? BlockKind::add_arm_motion : BlockKind::add_product, f, m, 1, end.jacobian, alpha, target});
    }
    for (const BodyPlace& body : out_.bodies)
      if (plan_.is_hub(body.body))
        respond.push_back({BlockKind::add_copy, 0, 0, 0, row(RowSection::rest, hub(body.body)),
                           plan_.bodies[body.body].freedoms, body.alpha});
    for (std::uint32_t u = 0; u < own_.size(); ++u)
      if (!are_few_arms(ends_of[u]))
        rows.push_back({BlockKind::keep_largest, small(size(u)), 0, 0, row(RowSection::rest, u),
                        program_.all_rows, program_.most});
  }

  const TreePlan& plan_;
  const EliminationOrder& order_;
  std::int32_t domain_;
  const std::vector<std::uint32_t>&own_, &border_;
  DomainProgram out_;
  BlockProgram& program_ = out_.program;
  std::unordered_map<std::uint32_t, std::uint32_t> local_;         ///< unknown: place in out_.unknowns
  std::unordered_map<std::uint32_t, std::uint32_t> number_;        ///< body: in the order of this domain
  std::unordered_map<std::uint32_t, std::uint32_t> mass_, alpha_;  ///< body: place
  std::vector<std::vector<const EndPlace*>> uses_;                 ///< of light bodies, in that order
  std::vector<std::vector<std::uint32_t>> below_;
  std::uint32_t scratch_ = 0;
};

}  // namespace

std::int32_t TreePlan::domain_of_end(std::uint32_t c, std::uint32_t body) const {
  if (!is_hub(body) || !comes_before(order.leaf_of[c], domain_of_body[body])) return domain_of_body[body];
  return order.leaf_of[c];
}

TreePlan make_tree_plan(std::span<const TreeBody> bodies, std::span<const TreeConstraint> constraints) {
  std::vector<std::uint32_t> freedoms;
  for (const TreeBody& body : bodies) freedoms.push_back(body.freedoms);
  TreePlan plan{bodies, constraints, find_elimination_order(freedoms, constraints), {}, {}};
  plan.domain_of_body.assign(bodies.size(), -1);
  for (std::size_t k = 0; k < plan.order.hubs.size(); ++k)
    plan.domain_of_body[plan.order.hubs[k]] = plan.order.leaf_of[constraints.size() + k];
  for (std::size_t c = 0; c < constraints.size(); ++c)
    for (const std::uint32_t body : constraints[c].bodies)
      if (!plan.is_hub(body) && comes_before(plan.order.leaf_of[c], plan.domain_of_body[body]))
        plan.domain_of_body[body] = plan.order.leaf_of[c];
  for (std::uint32_t b = 0; b < bodies.size(); ++b) plan.has_arms.push_back(!plan.is_hub(b));
  for (const TreeConstraint& constraint : constraints)
    for (const std::uint32_t body : constraint.bodies)
      plan.has_arms[body] = plan.has_arms[body] && constraint.joins_points;
  return plan;
}

DomainProgram make_domain_program(const TreePlan& plan, std::int32_t domain) {
  return Builder(plan, domain).run();
}

}  // namespace cosimo
