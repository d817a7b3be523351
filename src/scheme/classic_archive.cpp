// What a classic scheme leaves in a checkpoint: histories of coupling variables, and of states and
// accelerations of the coupling bodies where they are used.
#include <algorithm>
#include <vector>

#include "scheme/classic.hpp"

namespace cosimo {

namespace {

std::vector<std::size_t> variables_of(const CouplingVariables& variables, std::size_t coupling) {
  // They stand side by side.
  const CouplingId id{coupling};
  std::vector<std::size_t> result;
  for (std::size_t i = std::min(variables.driving(id, CutSide::from), variables.driving(id, CutSide::to));
       i < variables.size() && variables[i].coupling == id; ++i)
    result.push_back(i);
  return result;
}

/// Places of a coupling in an array of both sides (LaneSet::accelerations()).
std::vector<std::size_t> joint_places(const CutLayout& layout, std::size_t coupling) {
  std::vector<std::size_t> places;
  for (const CutSide side : {CutSide::from, CutSide::to})
    for (std::size_t k = 0; k < layout.coordinates(coupling, side).size(); ++k)
      places.push_back(layout.joint_first(coupling, side) + k);
  return places;
}

/// Places of a coupling in an array of positions and velocities of `from`, then of `to`
/// (ClassicScheme::flat()).
std::vector<std::size_t> flat_places(const CutLayout& layout, std::size_t coupling) {
  std::vector<std::size_t> places;
  std::size_t offset = 0;
  for (const CutSide side : {CutSide::from, CutSide::to})
    for (int level = 0; level < 2; ++level) {
      for (std::size_t k = layout.first(coupling, side); k < layout.coordinates(coupling, side).last; ++k)
        places.push_back(offset + k);
      offset += layout.count(side);
    }
  return places;
}

}  // namespace

void ClassicScheme::archive(Archive& a) {
  a.section("classic scheme");
  history_.archive_times(a);
  if (accelerations_) accelerations_->archive_times(a);
  if (states_) states_->archive_times(a);
  a(norms_);
  if (outer_) outer_->archive(a);
}

void ClassicScheme::archive_coupling(Archive& a, std::size_t coupling) {
  a.section("coupling");
  const CutLayout& layout = conditions_.layout();
  history_.archive_variables(a, variables_of(conditions_.variables(), coupling));
  if (accelerations_) accelerations_->archive_variables(a, joint_places(layout, coupling));
  if (states_) states_->archive_variables(a, flat_places(layout, coupling));
  for (const CutSide side : {CutSide::from, CutSide::to})
    for (std::size_t k = layout.first(coupling, side); k < layout.coordinates(coupling, side).last; ++k)
      a(y_start_.x(side)[k], y_start_.v(side)[k]);
}

void ClassicScheme::archive_variables(Archive& a, std::size_t coupling, std::span<double> values) const {
  for (const std::size_t i : variables_of(conditions_.variables(), coupling)) a(values[i]);
}

void ClassicScheme::resume() {
  lanes_.adopt(history_.time(0));
  y_ = y_start_;
  const auto newest = history_.values(0);
  u_.assign(newest.begin(), newest.end());
}

}  // namespace cosimo
