// Loads and contacts, seen by cutting: how exposed every body is to them, and how fast contacts are.
// The formulas stand in partition/cut_cost.hpp.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace cosimo {

/// One entry per body: 1 with a load, 2 with a contact, halved with every element away, 0 beyond six.
std::vector<double> exposure(const Model& model);

/// Whether the force of an element may set in at any moment: a contact, a formula with switches. A cut
/// through it sees that at macro points only.
bool sets_in(const Model& model, ElementId element);

/// One entry per body: the rate (1/time) of its contacts A exp(B x), 0 without. Contacts of a mechanism are
/// elements; their rates are in the elements'.
std::vector<double> contact_rates(const Model& model);

}  // namespace cosimo
