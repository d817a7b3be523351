#include "coupling/condition_gradients.hpp"

namespace cosimo {

ConditionGradients::ConditionGradients(const CouplingVariables& variables) {
  const CutLayout& layout = variables.layout();
  std::size_t count = 0;
  const auto take = [&](std::size_t slopes) {
    const std::size_t first = count;
    count += slopes;
    return first;
  };
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const CouplingVariable& variable = variables[i];
    const std::size_t c = variable.coupling.index();
    Row row;
    if (is_effort(variable.quantity)) {
      row.from = take(layout.coordinates(c, CutSide::from).size());
      row.to = take(layout.coordinates(c, CutSide::to).size());
      row.motion = count;
      for (const CutSide side : {CutSide::from, CutSide::to}) {
        if (!variables.driven_by_motion(variable.coupling, side)) continue;
        row.fed = variables.driving(variable.coupling, side);
        take(variables.driving_count(variable.coupling, side) / 2);
      }
    } else {
      row.coordinate = variable.component;
      row.from = take(variable.of == CutSide::from ? 1 : 0);
      row.to = take(variable.of == CutSide::to ? 1 : 0);
      row.motion = count;
    }
    row.end = count;
    rows_.push_back(row);
  }
  all_.resize(count);
}

}  // namespace cosimo
