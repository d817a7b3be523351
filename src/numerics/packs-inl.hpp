// Packs of numbers for vector kernels: what Google Highway leaves open. Included once per target, inside the
// sources of kernels, behind <hwy/highway.h> (numerics/pack_targets.hpp).
//
// Rules that make packs of any width give the same bits: tables and sums are laid out in groups of eight,
// whatever the width; products and sums are rounded one by one (Mul and Add, never MulAdd); no function of
// hwy/contrib, which differ from target to target.
#if defined(COSIMO_NUMERICS_PACKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_NUMERICS_PACKS_INL_HPP
#undef COSIMO_NUMERICS_PACKS_INL_HPP
#else
#define COSIMO_NUMERICS_PACKS_INL_HPP
#endif

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most the eight numbers of a group.
using PackTag = hn::CappedTag<double, 8>;
using Pack = hn::Vec<PackTag>;
inline constexpr std::size_t group = 8;

HWY_INLINE HWY_ATTR std::size_t pack_width() {
  return hn::Lanes(PackTag());
}

/// For the numbers that are left when packs are full.
using OneTag = hn::CappedTag<double, 1>;

/// Calls body(tag, i) for whole packs of [first, last), then number by number.
template <class Body>
HWY_INLINE HWY_ATTR void for_packs(std::size_t first, std::size_t last, const Body& body) {
  const PackTag d;
  std::size_t i = first;
  for (; i + pack_width() <= last; i += pack_width()) body(d, i);
  for (; i < last; ++i) body(OneTag(), i);
}

/// Adds term(tag, i) for all i of [first, last) to eight sums, that of the first to the first of them.
template <class Term>
HWY_INLINE HWY_ATTR void add_up(std::size_t first, std::size_t last, double* sums, const Term& term) {
  const PackTag d;
  constexpr std::size_t width = hn::MaxLanes(PackTag());
  Pack sum[group / width];
  for (std::size_t k = 0; k < group / width; ++k) sum[k] = hn::LoadU(d, sums + k * width);
  std::size_t i = first;
  for (; i + group <= last; i += group)
    for (std::size_t k = 0; k < group / width; ++k) sum[k] = hn::Add(sum[k], term(d, i + k * width));
  for (std::size_t k = 0; k < group / width; ++k) hn::StoreU(sum[k], d, sums + k * width);
  for (std::size_t k = 0; i < last; ++i, ++k) sums[k] += hn::GetLane(term(OneTag(), i));
}

/// p[j[0]], p[j[1]], ...: as many as a pack holds.
///
/// GCC 12 lets a gather instruction wait for the old value of its destination, which costs a factor of two;
/// a register that was cleared on purpose does not. Where the instruction brings nothing, loads and inserts.
HWY_INLINE HWY_ATTR Pack gather(const double* p, const std::int32_t* j) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  __m512d cleared = _mm512_setzero_pd();
  asm("" : "+v"(cleared));
  __mmask8 all = 0xff;
  asm("" : "+Yk"(all));
  return Pack{
      _mm512_mask_i32gather_pd(cleared, all, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(j)), p, 8)};
#elif HWY_TARGET == HWY_AVX2
  const __m128d low = _mm_loadh_pd(_mm_load_sd(p + j[0]), p + j[1]);
  const __m128d high = _mm_loadh_pd(_mm_load_sd(p + j[2]), p + j[3]);
  return Pack{_mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1)};
#elif HWY_TARGET == HWY_SSE4
  return Pack{_mm_loadh_pd(_mm_load_sd(p + j[0]), p + j[1])};
#else
  const PackTag d;
  return hn::GatherIndex(
      d, p,
      hn::PromoteTo(hn::Rebind<std::int64_t, PackTag>(), hn::LoadU(hn::Rebind<std::int32_t, PackTag>(), j)));
#endif
}

/// The last number of `before`, then all of `now` but its last.
HWY_INLINE HWY_ATTR Pack shift_in(Pack before, Pack now) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  return Pack{_mm512_castsi512_pd(
      _mm512_alignr_epi64(_mm512_castpd_si512(now.raw), _mm512_castpd_si512(before.raw), 7))};
#elif HWY_TARGET == HWY_AVX2
  const __m256d middle = _mm256_permute2f128_pd(before.raw, now.raw, 0x21);
  return Pack{_mm256_shuffle_pd(middle, now.raw, 0b0101)};
#elif HWY_TARGET == HWY_SSE4
  return Pack{_mm_shuffle_pd(before.raw, now.raw, 0b01)};
#else
  const PackTag d;
  HWY_ALIGN double numbers[2 * group];
  const std::size_t width = hn::Lanes(d);
  hn::Store(before, d, numbers);
  hn::StoreU(now, d, numbers + width);
  return hn::LoadU(d, numbers + width - 1);
#endif
}

/// The numbers whose bits are set, zero in the place of the others; `bits` begins with that of the first.
HWY_INLINE HWY_ATTR Pack keep(std::uint32_t bits, Pack numbers) {
  const PackTag d;
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits)};  // it may read eight
  return hn::IfThenElseZero(hn::LoadMaskBits(d, bytes), numbers);
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
