// Which side of every cut carries copies.
//
// A part that carries copies of much faster bodies than its own (a contact, a block of light masses) would
// have to take their micro steps. There only the faster side carries copies, of the slower side's
// bodies; the slower side is driven by the force that the faster one has recorded, and advances after
// it. Decided by the rates that cutting goes by (BodyGraph::body_rate()). In a mechanism both sides carry
// copies everywhere.
#pragma once

#include <string>
#include <vector>

#include "parallel/exchange.hpp"
#include "partition/body_graph.hpp"
#include "partition/part.hpp"
#include "scheme/overlap.hpp"

namespace cosimo {

struct CarrierChoice {
  std::vector<Carrier> carriers;  ///< per coupling; empty: both sides everywhere
  std::string reason;             ///< one line for the summary; empty when there is nothing to tell
};

/// `layers`: how far overlaps are expected to reach. Every rank looks at the parts whose bodies it has been
/// given; collective, and the same on all ranks.
CarrierChoice choose_carriers(const BodyGraph& graph, const Partition& partition, double layers,
                              Exchange& exchange);

}  // namespace cosimo
