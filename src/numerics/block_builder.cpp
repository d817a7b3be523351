#include "numerics/block_builder.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/check.hpp"

namespace cosimo {
namespace {

class Builder {
 public:
  Builder(const BlockLayout& layout, const EliminationOrder::Domain& domain) : layout_(layout) {
    out_.blocks = layout.blocks_of(domain.own);
    out_.own = out_.blocks.size();
    const std::vector<std::uint32_t> border = layout.blocks_of(domain.border);
    out_.blocks.insert(out_.blocks.end(), border.begin(), border.end());
  }

  BlockDomain run() {
    number_rows();
    place_blocks();
    write_factor();
    write_solve();
    return std::move(out_);
  }

 private:
  std::uint8_t size(std::uint32_t local) const {
    return static_cast<std::uint8_t>(layout_.size(out_.blocks[local]));
  }
  std::uint32_t take(std::uint32_t row, std::uint32_t column) {
    const std::uint32_t place = program_.places;
    program_.places += std::uint32_t{size(row)} * size(column);
    return place;
  }

  void number_rows() {
    for (std::uint32_t k = 0; k < out_.blocks.size(); ++k) {
      out_.local[out_.blocks[k]] = k;
      out_.first_row.push_back(program_.all_rows);
      program_.all_rows += size(k);
      if (k < out_.own) program_.own_rows += size(k);
    }
  }

  void place_blocks() {
    const std::size_t border = out_.blocks.size() - out_.own;
    out_.corner.assign(border * border, BlockDomain::nowhere);
    out_.lower.resize(out_.own);
    out_.upper.resize(out_.own);
    for (std::uint32_t u = 0; u < out_.own; ++u) {
      out_.below.push_back(find_below(u));
      out_.diagonal.push_back(take(u, u));
      for (const std::uint32_t p : out_.below[u]) {
        out_.lower[u].push_back(take(p, u));
        out_.upper[u].push_back(take(u, p));
      }
    }
    for (const auto& list : out_.below)
      for (const std::uint32_t p : list)
        for (const std::uint32_t q : list) {
          if (p < out_.own || q < out_.own) continue;
          std::uint32_t& place = out_.corner[(p - out_.own) * border + (q - out_.own)];
          if (place == BlockDomain::nowhere) place = take(p, q);
        }
  }

  std::vector<std::uint32_t> find_below(std::uint32_t u) const {
    const std::uint32_t vertex = layout_.vertex(out_.blocks[u]);
    std::vector<std::uint32_t> out;
    for (const std::uint32_t block : layout_.blocks_of(layout_.order().below[vertex]))
      out.push_back(out_.local.at(block));
    for (const std::uint32_t block : layout_.blocks_of(std::span(&vertex, 1)))
      if (out_.local.at(block) > u) out.push_back(out_.local.at(block));
    std::sort(out.begin(), out.end());
    return out;
  }

  void write_factor() {
    auto& ops = program_.factor;
    for (std::uint32_t u = 0; u < out_.own; ++u) {
      const auto& below = out_.below[u];
      ops.push_back({LuKind::invert, size(u), 0, 0, out_.diagonal[u], 0, 0});
      for (std::size_t i = 0; i < below.size(); ++i)
        ops.push_back({LuKind::scale, size(u), size(below[i]), 0, out_.diagonal[u], 0, out_.lower[u][i]});
      for (std::size_t i = 0; i < below.size(); ++i)
        for (std::size_t j = 0; j < below.size(); ++j)
          ops.push_back({LuKind::subtract, size(u), size(below[i]), size(below[j]), out_.lower[u][i],
                         out_.upper[u][j], out_.place(below[i], below[j])});
    }
  }

  void write_solve() {
    const auto& x = out_.first_row;
    for (std::uint32_t u = 0; u < out_.own; ++u)
      for (std::size_t i = 0; i < out_.below[u].size(); ++i)
        program_.forward.push_back({LuKind::subtract, size(u), size(out_.below[u][i]), 1, out_.lower[u][i],
                                    x[u], x[out_.below[u][i]]});
    for (auto u = static_cast<std::uint32_t>(out_.own); u-- > 0;) {
      for (std::size_t i = 0; i < out_.below[u].size(); ++i)
        program_.backward.push_back({LuKind::subtract, size(out_.below[u][i]), size(u), 1, out_.upper[u][i],
                                     x[out_.below[u][i]], x[u]});
      program_.backward.push_back({LuKind::apply, size(u), 0, 0, out_.diagonal[u], 0, x[u]});
    }
  }

  const BlockLayout& layout_;
  BlockDomain out_;
  LuProgram& program_ = out_.program;
};

/// The wave of each column.
std::vector<std::uint32_t> waves_of(const BlockDomain& domain) {
  std::vector<std::uint32_t> out(domain.own, 0);
  for (std::uint32_t u = 0; u < domain.own; ++u)
    for (const std::uint32_t p : domain.below[u])
      if (p < domain.own) out[p] = std::max(out[p], out[u] + 1);
  return out;
}

}  // namespace

std::uint64_t products(const LuOp& op) {
  const std::uint64_t k = op.k;
  switch (op.kind) {
    case LuKind::subtract:
      return k * op.m * op.n;
    case LuKind::scale:
      return k * k * op.m;
    default:
      return k * k * k;
  }
}

LuWaves divide_into_waves(const BlockLayout& layout, BlockDomain& domain) {
  const std::vector<std::uint32_t> wave_of = waves_of(domain);
  const auto size = [&](std::uint32_t p) { return static_cast<std::uint8_t>(layout.size(domain.blocks[p])); };
  std::vector<LuOp>& ops = domain.program.factor;
  ops.clear();
  LuWaves out{{0}, {0}, {0}};
  const auto end_task = [&] {
    std::uint64_t cost = out.costs.back();
    for (std::size_t k = out.ops.back(); k < ops.size(); ++k) cost += products(ops[k]);
    out.costs.push_back(cost);
    out.ops.push_back(static_cast<std::uint32_t>(ops.size()));
  };
  const auto end_wave = [&] { out.tasks.push_back(static_cast<std::uint32_t>(out.ops.size() - 1)); };
  const auto invert = [&](std::uint32_t u) {
    ops.push_back({LuKind::invert, size(u), 0, 0, domain.diagonal[u], 0, 0});
  };
  for (std::uint32_t u = 0; u < domain.own; ++u) {
    if (wave_of[u] > 0) continue;
    invert(u);
    end_task();
  }
  end_wave();
  std::vector<std::vector<std::uint32_t>> columns(
      domain.own == 0 ? 0 : 1 + *std::max_element(wave_of.begin(), wave_of.end()));
  for (std::uint32_t u = 0; u < domain.own; ++u) columns[wave_of[u]].push_back(u);
  for (std::uint32_t wave = 0; wave < columns.size(); ++wave) {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::size_t>>>
        rows;  // columns, places in them
    for (const std::uint32_t u : columns[wave])
      for (std::size_t i = 0; i < domain.below[u].size(); ++i) rows[domain.below[u][i]].emplace_back(u, i);
    for (const auto& [p, list] : rows) {
      for (const auto& [u, i] : list) {
        const auto& below = domain.below[u];
        ops.push_back({LuKind::scale, size(u), size(p), 0, domain.diagonal[u], 0, domain.lower[u][i]});
        for (std::size_t j = 0; j < below.size(); ++j)
          ops.push_back({LuKind::subtract, size(u), size(p), size(below[j]), domain.lower[u][i],
                         domain.upper[u][j], domain.place(p, below[j])});
      }
      if (p < domain.own && wave_of[p] == wave + 1) invert(p);
      end_task();
    }
    end_wave();
  }
  return out;
}

std::uint32_t BlockDomain::place(std::uint32_t row, std::uint32_t column) const {
  const std::uint32_t first = std::min(row, column), second = std::max(row, column);
  if (first >= own) return corner[(row - own) * (blocks.size() - own) + (column - own)];
  if (first == second) return diagonal[first];
  const auto& list = below[first];
  const auto at = std::lower_bound(list.begin(), list.end(), second);
  COSIMO_CHECK(at != list.end() && *at == second, "a block that elimination did not foresee");
  return (row > column ? lower : upper)[first][static_cast<std::size_t>(at - list.begin())];
}

BlockDomain make_block_domain(const BlockLayout& layout, const EliminationOrder::Domain& domain) {
  return Builder(layout, domain).run();
}

}  // namespace cosimo
