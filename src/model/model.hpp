// The immutable mechanical model.
//
// Two kinds share everything behind it. In a *scalar* model every body has one coordinate and elements are
// rows of tables, structure of arrays throughout: chains and networks of millions of bodies. A *mechanism*
// has bodies of any kind in space, joints and elements of any kind (mechanics/mechanism.hpp). Nothing here
// knows what a chain is; generators (model/chain.hpp) fill it.
//
// A scalar model may be *windowed*: numbers and lengths of arrays are those of the whole, but only some
// ranges of bodies, the elements that touch them and the loads on them are filled, as a rank of a distributed
// run needs them. The rest of the arrays takes no memory (core/lazy_array.hpp) and must not be used: it reads
// as bodies without mass and elements from body 0 to itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/lazy_array.hpp"
#include "core/range_set.hpp"
#include "mechanics/effort_mask.hpp"
#include "model/field.hpp"
#include "model/loads.hpp"
#include "model/spring_damper.hpp"
#include "numerics/extent.hpp"
#include "partition/part.hpp"

namespace cosimo {

class MinimalPendulum;
struct Mechanism;

struct Bodies {
  std::size_t count = 0;
  Field mass;
  LazyArray<double> x;  ///< initial position, one per coordinate
  LazyArray<double> v;  ///< initial velocity
  /// Where the coordinates of each body begin, and how many there are in all; empty: one each.
  std::vector<std::size_t> first;
  std::optional<RangeSet> filled;  ///< of a windowed model; otherwise all bodies are
};

class Model {
 public:
  Bodies bodies;
  SpringDampers elements;                      ///< of a scalar model
  Loads loads;                                 ///< of a scalar model
  std::shared_ptr<const Mechanism> mechanism;  ///< null: a scalar model
  /// Not null: the coordinates are angles of this pendulum, which cannot be cut; no elements, no loads.
  std::shared_ptr<const MinimalPendulum> pendulum;

  std::size_t coordinate_count() const { return bodies.first.empty() ? bodies.count : bodies.first.back(); }
  Range coordinates(BodyId body) const {
    const std::size_t i = body.index();
    return bodies.first.empty() ? Range{i, i + 1} : Range{bodies.first[i], bodies.first[i + 1]};
  }
  /// Whether everything about the body is known: itself, the elements that touch it, the loads on it.
  bool knows(BodyId body) const { return !bodies.filled || bodies.filled->contains(body.index()); }
};

/// Per coordinate of these bodies, not zero where it is an angle or part of a quaternion; empty: all are
/// lengths.
std::vector<std::uint8_t> angles_of(const Model& model, std::span<const BodyId> bodies);

/// Where the coordinates of bodies are among the model's.
std::vector<std::size_t> places_of(const Model& model, std::span<const BodyId> bodies);

// Of either kind; model/graphs.hpp has more.

std::size_t element_count(const Model& model);
ElementEnds ends_of(const Model& model, ElementId element);

/// The components of an element's effort that matter between its bodies (mechanics/force_element.hpp): the
/// coupling forces when it is cut. A scalar model's elements have one.
EffortMask coupling_components(const Model& model, ElementId element);

/// What elements remember (mechanics/element_memory.hpp): how much the whole model does; and where that of
/// some elements and of the laws over these bodies is, first all their states, then all their memory, which
/// come behind all states of the model.
Extent remembered_extent(const Model& model);
std::vector<std::size_t> remembered_places(const Model& model, std::span<const ElementId> elements,
                                           std::span<const BodyId> bodies = {});
/// The body to whose part it belongs what an element remembers.
BodyId keeper_of(const Model& model, ElementId element);

/// A model made of a mechanism, with initial coordinates and rates of all bodies.
Model make_model(std::shared_ptr<const Mechanism> mechanism, const std::vector<double>& x,
                 const std::vector<double>& v);

/// Digest of everything physical, equal exactly when two models are equal; recorded with the results. Of a
/// windowed model see model/model_hash.hpp.
std::uint64_t hash(const Model& model);

}  // namespace cosimo
