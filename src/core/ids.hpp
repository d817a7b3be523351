// Strong indices: a body cannot be passed where an element is meant.
//
// Inside the program ids count from 0. Files and messages count bodies and
// elements from 1, as the documents do: use label() there.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace cosimo {

template <class Tag>
struct Id {
  std::int32_t value = -1;
  constexpr Id() = default;
  constexpr explicit Id(std::int32_t v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<std::int32_t>(v)) {}
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr std::int32_t label() const { return value + 1; }
  constexpr bool valid() const { return value >= 0; }
  // NOLINTNEXTLINE(modernize-use-nullptr): it sees a null pointer in the defaulted comparison
  constexpr auto operator<=>(const Id&) const = default;
};

using BodyId = Id<struct BodyTag>;
using ElementId = Id<struct ElementTag>;
using PartId = Id<struct PartTag>;          ///< a part, and the subsystem made of it
using CouplingId = Id<struct CouplingTag>;  ///< one cut element

/// The other end of an element that is fixed to the ground.
inline constexpr BodyId ground{};

/// Half-open range of degrees of freedom.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
  constexpr std::size_t size() const { return last - first; }
};

}  // namespace cosimo
