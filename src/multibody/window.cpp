#include "multibody/window.hpp"

#include <algorithm>
#include <utility>

#include "core/archive.hpp"
#include "model/graphs.hpp"

namespace cosimo {

namespace {

/// What a cut is judged by lies within this many bodies of it: rates at the cut (1), cuts nearby that would
/// be better (simulation/cut_facts.hpp).
constexpr std::size_t around_cuts = 7;

}  // namespace

ChainWindow::ChainWindow(ChainGenerator generator, const PartitionRequest& request)
    : generator_(std::move(generator)),
      division_(divide_chain(generator_.spec(), request)),
      mine_(division_.parts()),
      model_(generator_.make({0, 0})),
      graph_(make_scalar_graph(model_, generator_.breakpoints())) {}

std::vector<double> ChainWindow::sizes() const {
  std::vector<double> result;
  for (std::size_t p = 0; p < division_.parts(); ++p)
    result.push_back(static_cast<double>(division_.bodies(p).size()));
  return result;
}

void ChainWindow::unite() {
  division_ = divide_chain(generator_.spec(), {});
  mine_.assign(1, 0);
}

void ChainWindow::open(std::span<const int> rank_of_part, int rank, std::size_t margin) {
  for (std::size_t p = 0; p < mine_.size(); ++p) mine_[p] = rank_of_part[p] == rank ? 1 : 0;
  margin_ = margin;
  if (!model_.bodies.filled) return;
  model_ = Model();  // the old one goes before the new one comes
  model_ = generator_.make({0, 0});
  const auto mine = [&](std::size_t part) { return mine_[part] != 0; };
  generator_.extend(model_, division_.around_parts(mine, margin_));
  generator_.extend(model_, division_.around_cuts(around_cuts));
  graph_->renew();
}

Partition ChainWindow::partition() const {
  return make_partition(division_, [&](std::size_t part) { return mine_[part] != 0; });
}

void ChainWindow::reach(std::size_t margin) {
  if (margin <= margin_ || !model_.bodies.filled) return;
  margin_ = margin;
  generator_.extend(model_,
                    division_.around_parts([&](std::size_t part) { return mine_[part] != 0; }, margin_));
  graph_->renew();
  if (!number_of_part_.empty()) number_filled();
}

void ChainWindow::number(std::vector<std::int32_t> number_of_part) {
  number_of_part_ = std::move(number_of_part);
  number_of_body_ = LazyArray<std::int32_t>(model_.bodies.count);
  number_filled();
}

void ChainWindow::number_filled() {
  const Range all{0, model_.bodies.count};
  const auto& filled = model_.bodies.filled;
  for (const Range range : filled ? filled->ranges() : std::span(&all, 1)) {
    std::size_t part = division_.part_of(BodyId(range.first)).index();
    for (std::size_t first = range.first; first < range.last; ++part) {
      const std::size_t last = std::min(range.last, division_.bodies(part).last);
      std::fill(number_of_body_.begin() + first, number_of_body_.begin() + last, number_of_part_[part]);
      first = last;
    }
  }
}

std::uint64_t ChainWindow::hash(Exchange& exchange) const {
  const auto ranks = static_cast<std::size_t>(exchange.ranks());
  std::vector<std::uint64_t> blocks =
      generator_.hash_share(static_cast<std::size_t>(exchange.rank()), ranks, model_);
  if (!exchange.leads()) {
    Archive out;
    out(blocks);
    exchange.send(0, out.take());
    return 0;
  }
  for (int rank = 1; rank < exchange.ranks(); ++rank) {
    const Bytes bytes = exchange.receive(rank);
    Archive in(bytes);
    std::vector<std::uint64_t> theirs;
    in(theirs);
    blocks.insert(blocks.end(), theirs.begin(), theirs.end());
  }
  return generator_.hash(blocks);
}

}  // namespace cosimo
