#include "model/spring_kernels.hpp"

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/spring_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "numerics/packs-inl.hpp"
// Behind it:
#include "model/power-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

enum class Power { none, cubic, other };

template <Power kind>
HWY_INLINE HWY_ATTR Pack term(Pack y, Pack linear, Pack nonlinear, double exponent) {
  if constexpr (kind == Power::none) return hn::Mul(y, linear);
  if constexpr (kind == Power::cubic) return hn::Mul(y, hn::Add(linear, hn::Mul(nonlinear, hn::Mul(y, y))));
  if constexpr (kind == Power::other)
    return hn::Mul(y, hn::Add(linear, hn::Mul(nonlinear, power(PackTag(), y, exponent))));
}

struct Law {
  Pack c, d, C, D;
};

/// One table, one state; rows come in packs.
template <Power spring, Power damper>
struct Rows {
  const SpringTable& table;
  const double* q;
  const double* v;

  HWY_INLINE HWY_ATTR Pack force(const Law& law, Pack y, Pack w) const {
    return hn::Add(term<spring>(y, law.c, law.C, table.ex), term<damper>(w, law.d, law.D, table.ev));
  }
  HWY_INLINE HWY_ATTR Law shared() const {
    const PackTag d;
    const SpringLaw& law = table.common;
    return {hn::Set(d, law.c), hn::Set(d, law.d), hn::Set(d, law.C), hn::Set(d, law.D)};
  }
  HWY_INLINE HWY_ATTR Law law_at(std::size_t k) const {
    const PackTag d;
    const SpringColumns& x = table.law;
    Law law{hn::LoadU(d, x.c.data() + k), hn::LoadU(d, x.d.data() + k), hn::Zero(d), hn::Zero(d)};
    if constexpr (spring != Power::none) law.C = hn::LoadU(d, x.C.data() + k);
    if constexpr (damper != Power::none) law.D = hn::LoadU(d, x.D.data() + k);
    return law;
  }
  /// Of the rows from `lane` on in the slice that lies `at` rows behind the stretch's first.
  HWY_INLINE HWY_ATTR Pack entry(const SliceEntry& e, const Law& common, bool shared, std::size_t at,
                                 std::size_t lane, const double* own_q, const double* own_v, Pack x,
                                 Pack u) const {
    const PackTag d;
    const std::size_t k = at + lane;
    if (e.way == SliceEntry::Way::offset) {
      const Pack y = hn::Sub(hn::LoadU(d, own_q + e.distance), x);
      const Pack w = hn::Sub(hn::LoadU(d, own_v + e.distance), u);
      if (!shared) return force(law_at(e.law + k), y, w);
      const Pack f = force(common, y, w);
      return e.rows == 0xff ? f : keep(static_cast<std::uint32_t>(e.rows) >> lane, f);
    }
    const Law law = law_at(e.law + k);
    if (e.way == SliceEntry::Way::fixed) return force(law, hn::Sub(hn::Zero(d), x), hn::Sub(hn::Zero(d), u));
    const std::int32_t* const other = table.other.data() + e.other + k;
    return force(law, hn::Sub(gather(q, other), x), hn::Sub(gather(v, other), u));
  }
};

/// The farthest neighbour whose forces are kept; its numbers stay in the first-level cache.
inline constexpr std::size_t farthest_echo = 1200;

/// What rows feel from those at a distance ahead of them, kept until these are to feel the opposite.
struct Echo {
  std::size_t distance = 0, period = 0, place = 0;
  HWY_ALIGN double force[farthest_echo + 2 * group];

  /// False where it is not worth it.
  HWY_INLINE HWY_ATTR bool begin(std::ptrdiff_t rows_ahead, std::size_t rows) {
    distance = static_cast<std::size_t>(rows_ahead);
    period = (distance + group - 1) / group * group;
    place = 0;
    return distance >= group && distance <= farthest_echo && distance < rows;
  }
  /// Of the rows so far back.
  HWY_INLINE HWY_ATTR Pack heard() const {
    const std::size_t from = place + period - distance;
    return hn::LoadU(PackTag(), force + (from >= period ? from - period : from));
  }
  HWY_INLINE HWY_ATTR void keep(Pack f) {
    const PackTag d;
    hn::Store(f, d, force + place);
    if (place == 0) hn::Store(f, d, force + period);  // what is heard may reach over the end
    place += pack_width();
    if (place == period) place = 0;
  }
};

/// Slices of one stretch whose rows all have the same `count` offsets and the law that all share, as in
/// chains and lattices. What a row feels from one before is the opposite of what that feels from it: each of
/// these forces is evaluated once. `chained`: the two offsets in the middle are -1 and 1, whose forces go
/// from lane to lane; `broken`: as in Stretch.
template <std::size_t count, bool chained, bool broken, Power spring, Power damper>
HWY_ATTR Pack run_regular(const Rows<spring, damper>& rows, const SliceEntry* entries, Range slices,
                          const Masses& masses, double* a) {
  constexpr std::size_t pairs = count / 2;
  const PackTag d;
  const Law law = rows.shared();
  const bool equal = masses.uniform();
  const Pack all = hn::Set(d, equal ? masses.inverse(0) : 0.0);
  const double* const own = masses.inverse_data() + (equal ? 0 : slices.first * group);
  std::ptrdiff_t distance[count];
  for (std::size_t e = 0; e < count; ++e) distance[e] = entries[e].distance;
  const double* const q = rows.q + slices.first * group;
  const double* const v = rows.v + slices.first * group;
  const RowEnds* const ends = rows.table.ends.data() + slices.first;
  const auto force = [&](std::ptrdiff_t i, std::ptrdiff_t far, Pack x, Pack u) HWY_ATTR {
    return rows.force(law, hn::Sub(hn::LoadU(d, q + i + far), x), hn::Sub(hn::LoadU(d, v + i + far), u));
  };
  const auto width = static_cast<std::ptrdiff_t>(pack_width());
  const auto last = static_cast<std::ptrdiff_t>(slices.size() * group);
  constexpr std::size_t outer = pairs - (chained ? 1 : 0);
  Echo echo[outer > 0 ? outer : 1];  // of the distance[count - 1 - p]
  std::ptrdiff_t heard_from[outer > 0 ? outer : 1];
  for (std::size_t p = 0; p < outer; ++p) {
    const std::ptrdiff_t far = distance[count - 1 - p];
    const bool kept = far == -distance[p] && echo[p].begin(far, static_cast<std::size_t>(last));
    heard_from[p] = kept ? far : last;
  }
  Pack before = hn::Zero(d), bad = hn::Zero(d);
  if (chained && !(broken && (ends[-1].next & 0x80U) == 0))
    before = force(-width, 1, hn::LoadU(d, q - width), hn::LoadU(d, v - width));
  for (std::ptrdiff_t i = 0; i < last; i += width) {
    const Pack x = hn::LoadU(d, q + i), u = hn::LoadU(d, v + i);
    Pack sum = hn::Zero(d);
    for (std::size_t p = 0; p < outer; ++p)
      sum = i >= heard_from[p] ? hn::Sub(sum, echo[p].heard()) : hn::Add(sum, force(i, distance[p], x, u));
    if (chained) {
      Pack ahead = force(i, 1, x, u);
      if (broken && ends[i / 8].next != 0xff)
        ahead = keep(static_cast<std::uint32_t>(ends[i / 8].next) >> (i % 8), ahead);
      sum = hn::Add(hn::Sub(sum, shift_in(before, ahead)), ahead);
      before = ahead;
    }
    for (std::size_t e = count - outer; e < count; ++e) {
      const Pack f = force(i, distance[e], x, u);
      sum = hn::Add(sum, f);
      if (heard_from[count - 1 - e] < last) echo[count - 1 - e].keep(f);
    }
    if (broken && ends[i / 8].ground != 0) {
      const Pack wall = rows.force(law, hn::Sub(hn::Zero(d), x), hn::Sub(hn::Zero(d), u));
      sum = hn::Add(sum, keep(static_cast<std::uint32_t>(ends[i / 8].ground) >> (i % 8), wall));
    }
    const Pack result = hn::Mul(sum, equal ? all : hn::LoadU(d, own + i));
    bad = hn::Add(bad, hn::Sub(result, result));
    hn::StoreU(result, d, a + i);
  }
  return bad;
}

template <std::size_t count, Power spring, Power damper>
HWY_ATTR Pack run_regular(const Rows<spring, damper>& rows, const Stretch& stretch, Range slices,
                          const Masses& masses, double* a) {
  const SliceEntry* const entries = rows.table.entries.data() + stretch.entry;
  if (stretch.broken) return run_regular<count, true, true>(rows, entries, slices, masses, a);
  const bool chained = entries[count / 2 - 1].distance == -1 && entries[count / 2].distance == 1;
  return chained ? run_regular<count, true, false>(rows, entries, slices, masses, a)
                 : run_regular<count, false, false>(rows, entries, slices, masses, a);
}

/// Any slices of one stretch.
template <Power spring, Power damper>
HWY_ATTR Pack run_any(const Rows<spring, damper>& rows, const Stretch& stretch, Range slices,
                      const Masses& masses, double* a) {
  const PackTag d;
  const SpringTable& table = rows.table;
  const SliceEntry* const entries = table.entries.data() + stretch.entry;
  const Law common = rows.shared();
  const bool shared = table.shared, equal = masses.uniform();
  const Pack inverse = hn::Set(d, equal ? masses.inverse(0) : 0.0);
  Pack bad = hn::Zero(d);
  for (std::size_t s = slices.first; s < slices.last; ++s) {
    const std::size_t at = (s - stretch.first) * group;
    const bool whole = s < table.size / group;
    for (std::size_t lane = 0; lane < group; lane += pack_width(), a += pack_width()) {
      const std::size_t i = s * group + lane;
      const std::int32_t* const own = whole ? nullptr : table.last_rows.data() + lane;
      const Pack x = whole ? hn::LoadU(d, rows.q + i) : gather(rows.q, own);
      const Pack u = whole ? hn::LoadU(d, rows.v + i) : gather(rows.v, own);
      Pack sum = hn::Zero(d);
      for (std::size_t e = 0; e < stretch.entries; ++e)
        sum = hn::Add(sum, rows.entry(entries[e], common, shared, at, lane, rows.q + i, rows.v + i, x, u));
      const double* const m = masses.inverse_data();
      const Pack result = hn::Mul(sum, equal ? inverse : whole ? hn::LoadU(d, m + i) : gather(m, own));
      bad = hn::Add(bad, hn::Sub(result, result));
      hn::StoreU(result, d, a);
    }
  }
  return bad;
}

template <Power spring, Power damper>
HWY_ATTR bool run(const SpringTable& table, const double* q, const double* v, double* a, Range slices,
                  const Masses& masses) {
  const PackTag d;
  const Rows<spring, damper> rows{table, q, v};
  Pack bad = hn::Zero(d);  // x - x is zero for every finite x and not a number otherwise
  const Stretch* stretch = table.stretch_of(slices.first);
  for (std::size_t s = slices.first; s < slices.last; ++stretch) {
    const Range part{s, stretch->last < slices.last ? stretch->last : slices.last};
    double* const out = a + (s - slices.first) * group;
    if (stretch->regular && stretch->entries == 2)
      bad = hn::Add(bad, run_regular<2>(rows, *stretch, part, masses, out));
    else if (stretch->regular && stretch->entries == 4)
      bad = hn::Add(bad, run_regular<4>(rows, *stretch, part, masses, out));
    else if (stretch->regular && stretch->entries == 6)
      bad = hn::Add(bad, run_regular<6>(rows, *stretch, part, masses, out));
    else
      bad = hn::Add(bad, run_any(rows, *stretch, part, masses, out));
    s = part.last;
  }
  return hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)));
}

template <Power spring>
HWY_ATTR bool choose(const SpringTable& table, const double* q, const double* v, double* a, Range slices,
                     const Masses& masses) {
  if (!table.resisting) return run<spring, Power::none>(table, q, v, a, slices, masses);
  if (table.ev == 3) return run<spring, Power::cubic>(table, q, v, a, slices, masses);
  return run<spring, Power::other>(table, q, v, a, slices, masses);
}

HWY_ATTR bool accelerate(const SpringTable& table, const double* q, const double* v, double* a, Range slices,
                         const Masses& masses) {
  if (!table.cubic) return choose<Power::none>(table, q, v, a, slices, masses);
  if (table.ex == 3) return choose<Power::cubic>(table, q, v, a, slices, masses);
  return choose<Power::other>(table, q, v, a, slices, masses);
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(accelerate);

bool accelerate_slices(const SpringTable& table, const double* q, const double* v, double* a, Range slices,
                       const Masses& masses) {
  return HWY_DYNAMIC_DISPATCH(accelerate)(table, q, v, a, slices, masses);
}

}  // namespace cosimo
#endif
