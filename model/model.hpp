// The immutable mechanical model: bodies, force elements, loads, constraints.
//
// Structure of arrays throughout: one array per parameter, one table per kind of
// element. Nothing here knows what a chain is; generators (model/chain.hpp) fill it.
// Every body has one coordinate today; what needs more goes through coordinates().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "model/field.hpp"
#include "model/loads.hpp"
#include "model/spring_damper.hpp"

namespace cosimo {

struct Bodies {
  std::size_t count = 0;
  Field mass;
  std::vector<double> x;  ///< initial position, one per coordinate
  std::vector<double> v;  ///< initial velocity
};

/// A condition between coordinates that holds exactly. The table is part of the model so that
/// partitioning and equations can ask for it; no kind is implemented yet.
struct Constraints {
  std::size_t count = 0;
};

class Model {
 public:
  Bodies bodies;
  SpringDampers elements;
  Loads loads;
  Constraints constraints;

  std::size_t coordinate_count() const { return bodies.count; }
  Range coordinates(BodyId body) const { return {body.index(), body.index() + 1}; }
};

/// Digest of everything physical, equal exactly when two models are equal; recorded with the results.
std::uint64_t hash(const Model& model);

}  // namespace cosimo
