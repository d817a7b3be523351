// What every part of a cut model is expected to cost, for placing parts on ranks.
//
// Bodies times the rate of the fastest, as micro steps follow it: max over the elements of the part of
// sqrt(k/m) + d/m (partition/element_rates.hpp). Every rank looks at the parts whose bodies it has been
// given.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "model/part.hpp"
#include "parallel/exchange.hpp"

namespace cosimo {

/// The same on all ranks. Collective.
std::vector<double> expected_costs(const Model& model, const Partition& partition, Exchange& exchange);

}  // namespace cosimo
