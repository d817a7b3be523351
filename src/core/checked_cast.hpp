// The one cast to a derived class in Cosimo.
//
// Some objects are made by one class, carried by code that must not know which, and handed back: snapshots of
// solvers and lanes, factors of a matrix, the lanes of overlapping parts. What comes back must be of the
// class that made it: anything else would be read as what it is not. So the cast checks, and fails as a bug
// does. Nobody asks an object for its kind to decide what to do with it: that is what virtual functions are
// for.
#pragma once

#include <type_traits>
#include <typeinfo>

#include "core/check.hpp"

namespace cosimo {

/// The object as the final class that it must be of. Cheaper than a dynamic_cast: it is done once per macro
/// step and lane.
template <class Own, class Base>
auto& checked_cast(Base& object) {
  static_assert(std::is_final_v<Own>, "the class itself is compared, not its bases");
  COSIMO_CHECK(typeid(object) == typeid(Own), "an object of another class");
  return static_cast<std::conditional_t<std::is_const_v<Base>, const Own, Own>&>(object);
}

}  // namespace cosimo
