#include "numerics/nested_dissection.hpp"

#include <metis.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "numerics/metis_turn.hpp"

namespace cosimo {
namespace {

constexpr std::size_t undivided = 2 * leaf_size;  ///< pieces up to this size are one leaf
constexpr std::size_t lanes = 8;
constexpr std::size_t shortest_top = 6;  ///< of a path

using Vertices = std::vector<std::uint32_t>;

class Dissector {
 public:
  Dissector(const NeighbourLists& graph, Between between)
      : graph_(graph), between_(between), piece_(graph.size(), 0) {}

  Dissection run() {
    Vertices all(graph_.size());
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<std::uint32_t>(v);
    divide_pieces(all);
    std::reverse(separators_.begin(), separators_.end());
    for (const Vertices& separator : separators_)
      out_.top.insert(out_.top.end(), separator.begin(), separator.end());
    return std::move(out_);
  }

 private:
  /// Divides each connected piece of what these vertices induce.
  void divide_pieces(const Vertices& vertices) {
    const std::uint32_t waiting = ++stamp_;
    for (const std::uint32_t v : vertices) piece_[v] = waiting;
    std::vector<Vertices> pieces;
    for (const std::uint32_t v : vertices) {
      if (piece_[v] != waiting) continue;
      const std::uint32_t mark = ++stamp_;
      Vertices piece{v};
      piece_[v] = mark;
      for (std::size_t k = 0; k < piece.size(); ++k) {
        for (const std::uint32_t next : graph_[piece[k]]) {
          if (piece_[next] != waiting) continue;
          piece_[next] = mark;
          piece.push_back(next);
        }
      }
      std::sort(piece.begin(), piece.end());
      pieces.push_back(std::move(piece));
    }
    for (Vertices& piece : pieces) divide(std::move(piece));
  }

  void divide(Vertices piece) {
    if (piece.size() <= undivided) {
      out_.leaves.push_back(std::move(piece));
      return;
    }
    if (const Vertices path = as_path(piece); !path.empty()) return cut_path(path, is_ring(path));
    const std::vector<idx_t> side = separate(piece);
    Vertices separator, rest;
    for (std::size_t k = 0; k < piece.size(); ++k) (side[k] == 2 ? separator : rest).push_back(piece[k]);
    if (rest.empty() || separator.empty()) {  // as dense as that
      out_.leaves.push_back(std::move(piece));
      return;
    }
    separators_.push_back(std::move(separator));
    divide_pieces(rest);
  }

  /// Neighbours inside the piece whose mark v has.
  Vertices inside(std::uint32_t v) const {
    Vertices out;
    for (const std::uint32_t next : graph_[v])
      if (piece_[next] == piece_[v]) out.push_back(next);
    return out;
  }

  /// The vertices along the path or around the ring that the piece is; empty when it is neither.
  Vertices as_path(const Vertices& piece) const {
    std::uint32_t first = piece.front();
    bool end = false;
    for (const std::uint32_t v : piece) {
      const std::size_t degree = inside(v).size();
      if (degree > 2) return {};
      if (degree < 2 && !end) {
        first = v;
        end = true;
      }
    }
    Vertices path{first};
    std::uint32_t before = first;
    while (path.size() < piece.size()) {
      const std::uint32_t here = path.back();
      const Vertices next = inside(here);
      path.push_back(next.front() != before || next.size() == 1 ? next.front() : next.back());
      before = here;
    }
    return path;
  }
  bool is_ring(const Vertices& path) const { return path.size() > 2 && inside(path.front()).size() == 2; }

  /// Every leaf has a separator on both sides, at the ends of the path as well, so that all are alike.
  void cut_path(const Vertices& path, bool ring) {
    const std::size_t ends = ring ? lanes : lanes + 1;
    const std::size_t stretch = (path.size() - ends) / lanes, count = leaves_in(stretch);
    const std::size_t length = (stretch - (count - 1)) / count, rest = (stretch - (count - 1)) % count;
    // What is left over makes a few leaves longer, the same in every stretch, or goes to the top.
    const bool once = between_ == Between::top;
    const std::size_t longer = once ? 0 : rest;
    std::size_t left_over = path.size() - ends - lanes * (stretch - (rest - longer));
    auto at = path.begin();
    Vertices top;
    const auto separate_here = [&] {
      top.push_back(*at++);
      if (left_over == 0) return;
      top.push_back(*at++);
      --left_over;
    };
    const std::size_t first = out_.leaves.size();
    out_.leaves.resize(first + lanes * count);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      separate_here();
      Vertices between;
      for (std::size_t k = 0; k < count; ++k) {
        const auto end = at + static_cast<std::ptrdiff_t>(k < longer ? length + 1 : length);
        out_.leaves[first + k * lanes + lane].assign(at, end);
        at = end;
        if (k + 1 == count) break;
        once ? separate_here() : between.push_back(*at++);
      }
      if (!between.empty()) out_.between.push_back(std::move(between));
    }
    if (!ring) separate_here();
    if (!once) thin_out(top, ring);
    separators_.push_back(std::move(top));
  }

  /// Every second vertex that has two neighbours leaves the path, as long as lanes are filled by them.
  void thin_out(Vertices& path, bool ring) {
    while (path.size() > shortest_top) {
      Vertices left;
      for (std::size_t k = 0; k < path.size(); ++k) {
        if (k % 2 == 1 && (ring || k + 1 < path.size()))
          out_.between.push_back({path[k]});
        else
          left.push_back(path[k]);
      }
      path = std::move(left);
    }
  }

  /// Leaves are what threads share, and what separates them is left to every thread. So the more leaves a
  /// stretch has the better, up to about the root of its length. Even numbers leave no thread without one.
  std::size_t leaves_in(std::size_t stretch) const {
    if (between_ == Between::top)
      return std::max<std::size_t>(1, (stretch + leaf_size / 2) / (leaf_size + 1));
    constexpr std::size_t shortest = 15;
    const double root = 1.2 * std::sqrt(static_cast<double>(stretch));
    const std::size_t most = std::min(stretch / shortest, static_cast<std::size_t>(root));
    return most < 16 ? std::bit_floor(std::max<std::size_t>(most, 1)) : most / 16 * 16;
  }

  /// 0 and 1: the sides; 2: the separator.
  std::vector<idx_t> separate(const Vertices& piece) const {
    std::vector<idx_t> first{0}, neighbour, side(piece.size(), 0);
    const auto place = [&](std::uint32_t v) {
      return static_cast<idx_t>(std::lower_bound(piece.begin(), piece.end(), v) - piece.begin());
    };
    for (const std::uint32_t v : piece) {
      for (const std::uint32_t next : inside(v)) neighbour.push_back(place(next));
      first.push_back(static_cast<idx_t>(neighbour.size()));
    }
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    auto vertices = static_cast<idx_t>(piece.size());
    idx_t size = 0;
    const MetisTurn turn;
    const int status = METIS_ComputeVertexSeparator(&vertices, first.data(), neighbour.data(), nullptr,
                                                    options, &size, side.data());
    COSIMO_CHECK(status == METIS_OK, "METIS returned " + std::to_string(status));
    return side;
  }

  const NeighbourLists& graph_;
  Between between_;
  std::vector<std::uint32_t>
      piece_;  ///< mark of the piece that a vertex belongs to; separators keep old ones
  std::uint32_t stamp_ = 0;
  std::vector<Vertices> separators_;  ///< outermost first
  Dissection out_;
};

}  // namespace

Dissection dissect(const NeighbourLists& graph, Between between) {
  return Dissector(graph, between).run();
}

}  // namespace cosimo
