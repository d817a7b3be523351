// The states at both ends of every coupling, one entry per coordinate (network/cut_layout.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "network/cut_layout.hpp"
#include "network/interface.hpp"

namespace cosimo {

struct CutStates {
  std::vector<double> from_x, from_v, to_x, to_v;
  /// Of couplings with one coordinate at either end.
  explicit CutStates(std::size_t couplings = 0)
      : from_x(couplings), from_v(couplings), to_x(couplings), to_v(couplings) {}
  explicit CutStates(const CutLayout& layout)
      : from_x(layout.count(CutSide::from)),
        from_v(from_x.size()),
        to_x(layout.count(CutSide::to)),
        to_v(to_x.size()) {}

  std::vector<double>& x(CutSide side) { return side == CutSide::from ? from_x : to_x; }
  std::vector<double>& v(CutSide side) { return side == CutSide::from ? from_v : to_v; }
  const std::vector<double>& x(CutSide side) const { return side == CutSide::from ? from_x : to_x; }
  const std::vector<double>& v(CutSide side) const { return side == CutSide::from ? from_v : to_v; }
};

}  // namespace cosimo
