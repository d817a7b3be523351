// The spring and damper elements of a part, as its coordinates see them: eight rows side by side.
//
// The law (2.9) is odd, so the force on a coordinate is F(x_other - x_own, v_other - v_own) whatever the
// element's direction, and each of its two coordinates evaluates it for itself: no row waits for another, and
// every row adds up its own elements in an order that the table fixes. So neither the width of the machine's
// vectors nor the division of rows among threads changes a bit.
//
// A *slice* is eight rows. It has *entries*: an element of each of its rows, found in one of three ways.
//
//   offset    the other ends lie side by side as well, a fixed distance away: chains, the rows and columns of
//             lattices. One load. Laws that differ are stored once per element, not per end.
//   gathered  eight places
//   fixed     none: they are on the ground
//
// Slices behind each other with like entries form a *stretch*, which a kernel runs through without looking up
// anything but where a lattice's rows end. A row's sum takes offsets first, from the smallest to the largest,
// then gathered entries, then the ground.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"
#include "model/masses.hpp"
#include "model/spring_damper.hpp"

namespace cosimo {

inline constexpr std::size_t slice_rows = 8;

struct SliceEntry {
  enum class Way : std::uint8_t { offset, gathered, fixed };
  Way way = Way::offset;
  std::uint8_t rows = 0xff;   ///< bit i: row i has one. Only laws that all elements share need to know
  std::int32_t distance = 0;  ///< offset: from the own row to the other
  std::size_t other = 0;      ///< gathered: where the eight places of the stretch's first slice are
  std::size_t law = 0;        ///< where the eight laws of the first slice are
};

struct Stretch {
  std::size_t first = 0, last = 0;  ///< slices
  std::size_t entry = 0, entries = 0;
  bool regular = false;  ///< offsets alone, with the law that all share, in every row
  bool broken = false;   ///< regular but for the ends of a lattice's rows: SpringTable::ends
};

/// Of the rows of a slice in a lattice; bit i belongs to row i.
struct RowEnds {
  std::uint8_t next = 0xff;  ///< it has an element to the next row
  std::uint8_t ground = 0;   ///< it has one to the ground
};

struct SpringColumns {
  AlignedVector c, d, C, D;  ///< C and D are empty where no element has them
};

/// Read by the kernels (model/spring_kernels.hpp).
struct SpringTable {
  std::size_t size = 0;            ///< rows
  std::vector<Stretch> stretches;  ///< ascending; they cover all slices
  std::vector<SliceEntry> entries;
  std::vector<std::int32_t> other;
  std::vector<RowEnds> ends;  ///< of every slice; true for broken stretches and the row before them
  std::vector<std::int32_t>
      last_rows;       ///< of the last slice where it is not full: its own places, each a row
  bool shared = true;  ///< all offset entries have the law `common`
  SpringLaw common;
  SpringColumns law;
  bool cubic = false, resisting = false;  ///< some element has C, some has D
  double ex = 3, ev = 3;
  std::size_t reach = 0;  ///< the largest distance between two rows that an element joins

  const Stretch* stretch_of(std::size_t slice) const;
};

/// An element as one of its coordinates sees it; `other` is -1 for the ground.
struct SpringEnd {
  std::int32_t row = 0, other = -1;
  ElementId element;
};

class SpringSlices {
 public:
  SpringSlices() = default;
  /// `ends`: both of every element that joins two rows, in the order in which a row adds up what it has to
  /// gather.
  SpringSlices(const SpringDampers& elements, std::size_t size, std::span<const SpringEnd> ends);

  /// a[i] = acceleration by springs and dampers, for i in dofs. False when one is not finite.
  [[nodiscard]] bool accelerate(const double* q, const double* v, double* a, Range dofs,
                                const Masses& masses) const;
  std::size_t reach() const { return table_.reach; }
  const SpringTable& table() const { return table_; }

 private:
  SpringTable table_;
};

}  // namespace cosimo
