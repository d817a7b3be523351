#include "model/links.hpp"

#include <algorithm>
#include <cstring>

#include "model/link_kernels.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

namespace {

/// Coordinates per block: the buffers of a block stay in the innermost cache.
constexpr std::size_t block_size = 512;

/// Values of the links left and right of a block's coordinates: entry j belongs to link first - 1 + j,
/// and a link beyond the end of the run counts as zero.
struct Buffer {
  alignas(64) double value[block_size + 8];
};

/// The links that a block of a run needs.
struct LinkSpan {
  std::size_t first;   ///< number of the first existing link
  std::size_t count;   ///< how many exist
  std::size_t offset;  ///< place of the first in the buffer
};

template <class Run>
LinkSpan links_around(Range block, const Run& run, Buffer& buffer) {
  const bool left = block.first > run.first;
  const bool right = block.last < run.last;
  if (!left) buffer.value[0] = 0.0;
  if (!right) buffer.value[block.size()] = 0.0;
  const std::size_t first = left ? block.first - 1 : block.first;
  const std::size_t last = right ? block.last : block.last - 1;
  return {first, last - first, left ? std::size_t{0} : std::size_t{1}};
}

/// The values of one coefficient for all links; a single one when the table says so.
AlignedVector gather(const Field& field, const std::vector<ElementId>& link, bool single) {
  AlignedVector values(single ? 1 : link.size());
  if (single) {
    values[0] = field[0];
    return values;
  }
  // A gap takes the value of its neighbour: it is never evaluated and must not spoil uniformity.
  double last = 0;
  const auto known = std::find_if(link.begin(), link.end(), [](ElementId e) { return e.valid(); });
  if (known != link.end()) last = field[known->index()];
  for (std::size_t i = 0; i < link.size(); ++i) {
    if (link[i].valid()) last = field[link[i].index()];
    values[i] = last;
  }
  return values;
}

Term make_term(const Field& linear, const Field& nonlinear, double exponent,
               const std::vector<ElementId>& link) {
  const bool single = linear.uniform() && nonlinear.uniform();
  return Term(gather(linear, link, single), gather(nonlinear, link, single), exponent);
}

}  // namespace

Links::Links(const SpringDampers& table, std::size_t size, const std::vector<ElementId>& link)
    : spring_(make_term(table.c, table.C, table.ex, link)),
      damper_(make_term(table.d, table.D, table.ev, link)) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (i + 1 < size && link[i].valid()) continue;
    runs_.push_back({first, i + 1});
    first = i + 1;
  }
}

void Links::number_edges(const TangentPattern& pattern) {
  edge_.clear();
  if (pattern.is_path()) return;
  edge_.assign(pattern.size(), -1);
  // That to the next coordinate is the first of its own: edges are sorted.
  for (std::size_t e = pattern.edges().size(); e-- > 0;)
    if (const Edge& edge = pattern.edges()[e]; edge.b == edge.a + 1)
      edge_[static_cast<std::size_t>(edge.a)] = static_cast<std::int32_t>(e);
}

const Links::Run* Links::find_run(std::size_t dof) const {
  if (runs_.size() == 1) return runs_.data();
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), dof,
                                      [](std::size_t value, const Run& run) { return value < run.first; });
  return &*(after - 1);
}

SpringLaw Links::law(std::size_t link) const {
  return {spring_.linear(link),    damper_.linear(link), spring_.nonlinear(link),
          damper_.nonlinear(link), spring_.exponent(),   damper_.exponent()};
}

void Links::tangent(const double* q, const double* v, Tangent& out, Range dofs, Range edges) const {
  if (dofs.first >= dofs.last) return;
  for (AlignedVector* const values : {&out.c_edge, &out.k_edge})
    std::fill(values->data() + edges.first, values->data() + edges.last, 0.0);
  const Run* run = find_run(dofs.first);
  for (std::size_t first = dofs.first; first < dofs.last;) {
    const std::size_t last = std::min({first + block_size, run->last, dofs.last});
    tangent_block(q, v, out, {first, last}, *run);
    if (last == run->last) ++run;
    first = last;
  }
}

void Links::tangent_block(const double* q, const double* v, Tangent& out, Range block, const Run& run) const {
  Buffer stiffness, damping;
  const LinkSpan links = links_around(block, run, stiffness);
  links_around(block, run, damping);
  spring_.slope(links.first, links.count, q, stiffness.value + links.offset);
  damper_.slope(links.first, links.count, v, damping.value + links.offset);

  const double *const k = stiffness.value, *const c = damping.value;
  add_neighbours(k, out.k_diag.data() + block.first, block.size());
  add_neighbours(c, out.c_diag.data() + block.first, block.size());
  // The block owns the links to the right of its coordinates.
  const std::size_t owned = std::min(block.last, run.last - 1) - block.first;
  if (edge_.empty()) {
    negate(k + 1, out.k_edge.data() + block.first, owned);
    negate(c + 1, out.c_edge.data() + block.first, owned);
    return;
  }
  for (std::size_t j = 0; j < owned; ++j) {
    const auto edge = static_cast<std::size_t>(edge_[block.first + j]);
    out.k_edge[edge] = -k[j + 1];
    out.c_edge[edge] = -c[j + 1];
  }
}

double Links::potential(const double* q) const {
  double total = 0;
  for (const Run& run : runs_)
    total += reproducible_sum(run.last - run.first - 1, [&](std::size_t j) {
      const std::size_t i = run.first + j;
      return law(i).potential(q[i + 1] - q[i]);
    });
  return total;
}

}  // namespace cosimo
