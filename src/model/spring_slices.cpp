#include "model/spring_slices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "core/check.hpp"
#include "model/spring_kernels.hpp"

namespace cosimo {

namespace {

/// Fewer rows of a slice than this gather what lies at a distance instead of loading it side by side.
constexpr int side_by_side = 3;
/// A distance is worth columns of its own when one row in so many has it.
constexpr std::size_t rows_per_popular = 8;
constexpr std::size_t most_distances = 32;

struct Remaining {
  std::int32_t other = 0;
  ElementId element;
};

/// The entries of one slice, before it is known which slices are alike.
struct Slice {
  struct Entry {
    SliceEntry::Way way = SliceEntry::Way::offset;
    std::uint8_t rows = 0xff;
    std::int32_t distance = 0;
    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries;
  /// Of the entries that are not offsets, in their order.
  std::vector<std::array<Remaining, slice_rows>> rest;
};

bool equal(const SpringLaw& a, const SpringLaw& b) {
  return a.c == b.c && a.d == b.d && a.C == b.C && a.D == b.D;
}

class Builder {
 public:
  Builder(const SpringDampers& elements, std::size_t size, std::span<const SpringEnd> ends)
      : elements_(elements), first_(size + 1), end_(ends.size()) {
    out.size = size;
    out.ex = elements.ex;
    out.ev = elements.ev;
    sort_by_row(ends);
    find_distances();
    find_laws();
    for (std::size_t row = size / slice_rows * slice_rows;
         size % slice_rows != 0 && out.last_rows.size() < slice_rows; ++row)
      out.last_rows.push_back(static_cast<std::int32_t>(std::min(row, size - 1)));
    out.ends.resize((size + slice_rows - 1) / slice_rows);
    std::vector<Slice> alike;
    std::size_t begin = 0;
    for (std::size_t s = 0; s * slice_rows < size; ++s) {
      Slice slice = slice_of(s);
      if (!alike.empty() && !continues(alike.front(), slice)) {
        emit(begin, alike);
        alike.clear();
        begin = s;
      }
      alike.push_back(std::move(slice));
    }
    if (!alike.empty()) emit(begin, alike);
    keep_columns();
  }

  SpringTable out;

 private:
  /// Where the columns of the elements at a distance begin.
  struct Distance {
    std::int32_t rows = 0;
    std::size_t column = 0;
  };

  void sort_by_row(std::span<const SpringEnd> ends) {
    for (const SpringEnd& end : ends) ++first_[static_cast<std::size_t>(end.row) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::size_t> place(first_.begin(), first_.end() - 1);
    for (const SpringEnd& end : ends)
      end_[place[static_cast<std::size_t>(end.row)]++] = {end.other, end.element};
  }

  std::span<Remaining> row(std::size_t i) { return {end_.data() + first_[i], end_.data() + first_[i + 1]}; }

  void find_distances() {
    std::map<std::int32_t, std::size_t> count;
    for (std::size_t i = 0; i < out.size; ++i)
      for (const Remaining& end : row(i)) {
        const std::int32_t distance = end.other - static_cast<std::int32_t>(i);
        if (end.other < 0 || distance <= 0) continue;
        ++count[distance];
        out.reach = std::max(out.reach, static_cast<std::size_t>(distance));
      }
    std::vector<std::pair<std::size_t, std::int32_t>> popular;
    for (const auto& [distance, rows] : count)
      if (rows * rows_per_popular >= out.size) popular.emplace_back(rows, -distance);
    std::ranges::sort(popular, std::greater<>{});
    if (popular.size() > most_distances) popular.resize(most_distances);
    for (const auto& [rows, distance] : popular) distances_.push_back({-distance, 0});
    std::ranges::sort(distances_, {}, &Distance::rows);
  }

  /// The element of a row at a distance; the first of several. It is not valid where there is none.
  ElementId at(std::size_t i, std::int32_t distance) {
    for (const Remaining& end : row(i))
      if (end.other >= 0 && end.other - static_cast<std::int32_t>(i) == distance) return end.element;
    return {};
  }

  void find_laws() {
    const SpringLaw* first = nullptr;
    SpringLaw known;
    const bool uniform =
        elements_.c.uniform() && elements_.d.uniform() && elements_.C.uniform() && elements_.D.uniform();
    for (std::size_t i = 0; i < out.size; ++i)
      for (const Remaining& end : row(i)) {
        const SpringLaw law = elements_.law(end.element);
        out.cubic |= law.C != 0;
        out.resisting |= law.D != 0;
        if (end.other < 0 || !popular(end.other - static_cast<std::int32_t>(i))) continue;
        if (first == nullptr) first = &(known = law);
        out.shared = out.shared && (uniform || equal(*first, law));
      }
    if (out.shared) {
      out.common = known;
      return;
    }
    for (Distance& distance : distances_) {
      distance.column = laws_.size();
      laws_.resize(laws_.size() + out.size + slice_rows);
      for (std::size_t i = 0; i < out.size; ++i)
        if (const ElementId e = at(i, distance.rows); e.valid())
          laws_[distance.column + i] = elements_.law(e);
    }
  }

  const Distance* popular(std::int32_t distance) const {
    const auto found = std::ranges::lower_bound(distances_, std::abs(distance), {}, &Distance::rows);
    return found != distances_.end() && found->rows == std::abs(distance) ? &*found : nullptr;
  }

  /// Takes the elements at a distance out of the rows of a slice, if enough of them have one.
  std::uint8_t take(std::size_t first, std::int32_t distance) {
    const auto begin = static_cast<std::ptrdiff_t>(first) + distance;
    if (begin < 0 || begin + static_cast<std::ptrdiff_t>(slice_rows) > static_cast<std::ptrdiff_t>(out.size))
      return 0;
    unsigned rows = 0;
    for (std::size_t k = 0; k < slice_rows; ++k)
      if (at(first + k, distance).valid()) rows |= 1U << k;
    if (std::popcount(rows) < side_by_side) return 0;
    for (std::size_t k = 0; k < slice_rows; ++k) {
      if ((rows >> k & 1U) == 0) continue;
      const ElementId element = at(first + k, distance);
      for (Remaining& end : row(first + k))
        if (end.element == element) end.element = {};
    }
    return static_cast<std::uint8_t>(rows);
  }

  Slice slice_of(std::size_t s) {
    Slice slice;
    const std::size_t first = s * slice_rows, last = std::min(first + slice_rows, out.size);
    if (last - first == slice_rows) {
      const auto count = static_cast<std::ptrdiff_t>(distances_.size());
      for (std::ptrdiff_t k = -count; k < count; ++k) {
        const std::int32_t distance = k < 0 ? -distances_[static_cast<std::size_t>(-k - 1)].rows
                                            : distances_[static_cast<std::size_t>(k)].rows;
        if (const std::uint8_t rows = take(first, distance); rows != 0)
          slice.entries.push_back(
              {SliceEntry::Way::offset, out.shared ? rows : std::uint8_t{0xff}, distance});
      }
    }
    add_rest(slice, first, last, SliceEntry::Way::gathered);
    add_rest(slice, first, last, SliceEntry::Way::fixed);
    return slice;
  }

  /// What is left of the rows, one element of each after the other.
  void add_rest(Slice& slice, std::size_t first, std::size_t last, SliceEntry::Way way) {
    std::array<std::size_t, slice_rows> next{};
    for (std::size_t i = first; i < last; ++i) next[i - first] = first_[i];
    for (;;) {
      std::array<Remaining, slice_rows> found;
      bool any = false;
      for (std::size_t k = 0; k < slice_rows; ++k) {
        const std::size_t i = std::min(first + k, last - 1);
        found[k] = {static_cast<std::int32_t>(i), {}};
        if (first + k >= last) continue;
        for (std::size_t& j = next[k]; j < first_[i + 1];) {
          const Remaining& end = end_[j++];
          if (!end.element.valid() || (end.other < 0) != (way == SliceEntry::Way::fixed)) continue;
          found[k] = {std::max(end.other, std::int32_t{0}), end.element};
          any = true;
          break;
        }
      }
      if (!any) return;
      slice.entries.push_back({way, 0xff, 0});
      slice.rest.push_back(found);
    }
  }

  /// How many distances a slice in the midst of a lattice has: pairs -d, d with a law that all share, of
  /// which rows may lack -1 and 1 alone; some have an element to the ground with the same law as well. None:
  /// it is no such slice.
  std::size_t in_lattice(const Slice& slice) const {
    const auto& entries = slice.entries;
    const std::size_t count = entries.size() - slice.rest.size();
    if (!out.shared || (count != 2 && count != 4 && count != 6)) return 0;
    for (std::size_t e = 0; e < count; ++e) {
      const bool beside = std::abs(entries[e].distance) == 1;
      if ((!beside && entries[e].rows != 0xff) || entries[e].distance != -entries[count - 1 - e].distance)
        return 0;
    }
    const bool plain =
        slice.rest.empty() || (slice.rest.size() == 1 && entries.back().way == SliceEntry::Way::fixed &&
                               std::ranges::all_of(slice.rest.front(), [&](const Remaining& end) {
                                 return !end.element.valid() || equal(elements_.law(end.element), out.common);
                               }));
    return plain && entries[count / 2].distance == 1 ? count : 0;
  }

  bool continues(const Slice& first, const Slice& next) const {
    const std::size_t count = in_lattice(first);
    if (count == 0 || in_lattice(next) != count) return first.entries == next.entries;
    return std::equal(first.entries.begin(), first.entries.begin() + static_cast<std::ptrdiff_t>(count),
                      next.entries.begin(),
                      [](const auto& a, const auto& b) { return a.distance == b.distance; });
  }

  /// Of slices in a lattice, `count` distances.
  void emit_broken(std::size_t begin, const std::vector<Slice>& slices, std::size_t count) {
    out.stretches.push_back({begin, begin + slices.size(), out.entries.size(), count, true, true});
    const auto& entries = slices.front().entries;
    for (std::size_t e = 0; e < count; ++e)
      out.entries.push_back({SliceEntry::Way::offset, 0xff, entries[e].distance, 0, 0});
    if ((entries[count / 2 - 1].rows & 1U) == 0) out.ends[begin - 1].next &= 0x7f;
    for (std::size_t k = 0; k < slices.size(); ++k) {
      RowEnds& ends = out.ends[begin + k];
      ends.next = slices[k].entries[count / 2].rows;
      if (slices[k].rest.empty()) continue;
      for (std::size_t i = 0; i < slice_rows; ++i)
        if (slices[k].rest.front()[i].element.valid()) ends.ground |= static_cast<std::uint8_t>(1U << i);
    }
  }

  /// One stretch of slices that are alike.
  void emit(std::size_t begin, const std::vector<Slice>& slices) {
    const std::vector<Slice::Entry>& entries = slices.front().entries;
    const auto full = [](const Slice::Entry& entry) {
      return entry.way == SliceEntry::Way::offset && entry.rows == 0xff;
    };
    const bool regular = out.shared && std::ranges::all_of(slices, [&](const Slice& slice) {
                           return std::ranges::all_of(slice.entries, full);
                         });
    if (const std::size_t count = in_lattice(slices.front()); count > 0 && !regular)
      return emit_broken(begin, slices, count);
    out.stretches.push_back({begin, begin + slices.size(), out.entries.size(), entries.size(), regular});
    std::size_t rest = 0;
    for (const Slice::Entry& entry : entries) {
      SliceEntry next{entry.way, entry.rows, entry.distance, 0, 0};
      if (entry.way == SliceEntry::Way::offset) {
        if (!out.shared)
          next.law = popular(entry.distance)->column + begin * slice_rows -
                     static_cast<std::size_t>(std::max(-entry.distance, 0));
      } else {
        next.other = out.other.size();
        next.law = laws_.size();
        for (const Slice& slice : slices)
          for (const Remaining& end : slice.rest[rest]) {
            if (entry.way == SliceEntry::Way::gathered) out.other.push_back(end.other);
            laws_.push_back(end.element.valid() ? elements_.law(end.element) : SpringLaw{0, 0, 0, 0});
          }
        ++rest;
      }
      out.entries.push_back(next);
    }
  }

  void keep_columns() {
    const auto column = [&](bool wanted, auto member) {
      AlignedVector values(wanted ? laws_.size() : 0);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = laws_[i].*member;
      return values;
    };
    out.law = {column(true, &SpringLaw::c), column(true, &SpringLaw::d), column(out.cubic, &SpringLaw::C),
               column(out.resisting, &SpringLaw::D)};
  }

  const SpringDampers& elements_;
  std::vector<std::size_t> first_;   ///< of every row, among the ends
  std::vector<Remaining> end_;       ///< an element that is not valid has been taken
  std::vector<Distance> distances_;  ///< those that many rows have, ascending
  std::vector<SpringLaw> laws_;
};

}  // namespace

const Stretch* SpringTable::stretch_of(std::size_t slice) const {
  return &*std::ranges::upper_bound(stretches, slice, {}, &Stretch::last);
}

SpringSlices::SpringSlices(const SpringDampers& elements, std::size_t size, std::span<const SpringEnd> ends)
    : table_(Builder(elements, size, ends).out) {}

bool SpringSlices::accelerate(const double* q, const double* v, double* a, Range dofs,
                              const Masses& masses) const {
  // Slices that are not asked for as a whole go through a buffer.
  const auto part = [&](std::size_t slice) {
    alignas(64) double buffer[slice_rows];
    static_cast<void>(accelerate_slices(table_, q, v, buffer, {slice, slice + 1}, masses));
    const std::size_t begin = slice * slice_rows;
    const std::size_t first = std::max(begin, dofs.first), last = std::min(begin + slice_rows, dofs.last);
    std::copy(buffer + (first - begin), buffer + (last - begin), a + first);
    return std::all_of(a + first, a + last, [](double x) { return std::isfinite(x); });
  };
  if (dofs.first >= dofs.last) return true;
  const std::size_t first = (dofs.first + slice_rows - 1) / slice_rows, last = dofs.last / slice_rows;
  bool finite = true;
  if (dofs.first % slice_rows != 0) finite = part(dofs.first / slice_rows);
  if (first < last) finite &= accelerate_slices(table_, q, v, a + first * slice_rows, {first, last}, masses);
  if (last >= first && dofs.last % slice_rows != 0) finite &= part(last);
  return finite;
}

}  // namespace cosimo
