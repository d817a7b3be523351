// The operations of elimination programs in vector lanes, compiled for every instruction set and chosen when
// the program runs (Google Highway). Only products and sums, never fused: a lane gets the same bits whatever
// pack it is in.
#include "mechanics/elimination_program.hpp"

// AVX3, AVX2, SSE4 and the baseline are enough; arrays of packs need a size that the compiler knows.
#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/elimination_kernels.cpp"
#include <hwy/foreach_target.h>
// After it:
#include <hwy/highway.h>

#include "mechanics/elimination_arms-inl.hpp"
#include "mechanics/elimination_blocks-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {
namespace {

template <class P>
HWY_INLINE void keep_largest(const P& p, const BlockOp& op) {
  for (std::size_t section = 0; section < (op.b > 0 ? 2 : 1); ++section) {
    auto most = p.get(op.target + section);
    for (std::size_t i = 0; i < op.k; ++i) keep_size(p, p.get(op.a + section * op.b + i), most);
    p.put(most, op.target + section);
  }
}

/// Operations whose block size the compiler need not know.
template <class P>
HWY_INLINE void run_plain(const P& p, const BlockOp& op) {
  const std::size_t k = op.k, m = op.m;
  const bool in_plane = k == 3;  // of arms
  switch (op.kind) {
    case BlockKind::divide_rigid:
      return divide_rigid(p, op);
    case BlockKind::divide_arm:
      return in_plane ? divide_planar_arm(p, op) : divide_arm(p, op);
    case BlockKind::set_arms:
      return in_plane ? planar_arms<Into::set, false>(p, op) : arms<Into::set, false>(p, op);
    case BlockKind::add_arms:
      return in_plane ? planar_arms<Into::add, false>(p, op) : arms<Into::add, false>(p, op);
    case BlockKind::set_arms_lower:
      return in_plane ? planar_arms<Into::set, true>(p, op) : arms<Into::set, true>(p, op);
    case BlockKind::add_arms_lower:
      return in_plane ? planar_arms<Into::add, true>(p, op) : arms<Into::add, true>(p, op);
    case BlockKind::add_arm_motion:
      return in_plane ? add_planar_arm_motion(p, op) : add_arm_motion(p, op);
    case BlockKind::subtract_arm_response:
      return in_plane ? subtract_planar_arm_response(p, op) : subtract_arm_response(p, op);
    case BlockKind::prepare_arms:
      return in_plane ? prepare_arms<ArmsInPlane<P>>(p, op) : prepare_arms<ArmsInSpace<P>>(p, op);
    case BlockKind::respond_arms:
      return in_plane ? ArmsInPlane<P>(p, op.more[2]).respond(op) : ArmsInSpace<P>(p, op.more[2]).respond(op);
    case BlockKind::find_row:
      return in_plane ? find_row<true>(p, op) : find_row<false>(p, op);
    case BlockKind::divide_diagonal:
      for (std::size_t i = 0; i < m * k; ++i)
        p.put(hn::Mul(p.get(op.a + i), p.get(op.b + i % k)), op.target + i);
      return;
    case BlockKind::set_negative:
      for (std::size_t i = 0; i < m * k; ++i) p.put(hn::Neg(p.get(op.a + i)), op.target + i);
      return;
    case BlockKind::set_negative_transpose:
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < k; ++j) p.put(hn::Neg(p.get(op.a + i * k + j)), op.target + j * m + i);
      return;
    case BlockKind::set_noise:
      for (std::size_t i = 0; i < k; ++i)
        p.put(hn::Mul(p.number(pivot_noise), p.get(op.a + i * (k + 1))), op.target + i);
      return;
    case BlockKind::set_zero:
      for (std::size_t i = 0; i < op.b; ++i) p.put(p.number(0), op.target + i);
      return;
    case BlockKind::set_copy:
      for (std::size_t i = 0; i < op.b; ++i) p.put(p.get(op.a + i), op.target + i);
      return;
    case BlockKind::add_copy:
      for (std::size_t i = 0; i < op.b; ++i) store<Into::add>(p, p.get(op.a + i), op.target + i);
      return;
    case BlockKind::keep_largest:
      return keep_largest(p, op);
    default:
      return;
  }
}

template <std::size_t K, class P>
HWY_INLINE void run_sized(const P& p, const BlockOp& op, Shares shares) {
  if constexpr (K == 2 || K == 3) {
    if (op.kind == BlockKind::eliminate) return eliminate<K>(p, op, shares);
    if (op.kind == BlockKind::eliminate_rest) return eliminate_rest<K>(p, op);
    if (op.kind == BlockKind::take_back) return take_back<K>(p, op);
  }
  switch (op.kind) {
    case BlockKind::set_product:
      return product<K, Into::set, false>(p, op);
    case BlockKind::add_product:
      return product<K, Into::add, false>(p, op);
    case BlockKind::subtract_product:
      return product<K, Into::subtract, false>(p, op);
    case BlockKind::set_lower:
      return product<K, Into::set, true>(p, op);
    case BlockKind::add_lower:
      return product<K, Into::add, true>(p, op);
    case BlockKind::subtract_lower:
      return product<K, Into::subtract, true>(p, op);
    case BlockKind::set_transposed:
      return transposed<K, Into::set>(p, op);
    case BlockKind::add_transposed:
      return transposed<K, Into::add>(p, op);
    case BlockKind::subtract_transposed:
      return transposed<K, Into::subtract>(p, op);
    case BlockKind::apply:
      return apply<K>(p, op);
    case BlockKind::invert:
      return invert<K, false>(p, op, shares);
    case BlockKind::invert_hub:
      return invert<K, true>(p, op, shares);
    default:
      return;
  }
}

template <std::size_t W>
void run_lanes(const BlockOp* op, std::size_t count, double* values, Shares shares) {
  const std::size_t lanes = hn::Lanes(typename Pack<W>::D());
  for (std::size_t lane = 0; lane < W; lane += lanes) {
    const Pack<W> p{values + lane};
    for (const BlockOp* next = op; next != op + count; ++next) {
      if (next->kind >= BlockKind::divide_rigid) {
        run_plain(p, *next);
        continue;
      }
      switch (next->k) {
        case 1:
          run_sized<1>(p, *next, shares);
          break;
        case 2:
          run_sized<2>(p, *next, shares);
          break;
        case 3:
          run_sized<3>(p, *next, shares);
          break;
        case 4:
          run_sized<4>(p, *next, shares);
          break;
        case 5:
          run_sized<5>(p, *next, shares);
          break;
        case 6:
          run_sized<6>(p, *next, shares);
          break;
        default:
          break;
      }
    }
  }
}

void run(const BlockOp* ops, std::size_t count, double* values, std::size_t width, Shares shares) {
  switch (width) {
    case 8:
      return run_lanes<8>(ops, count, values, shares);
    case 4:
      return run_lanes<4>(ops, count, values, shares);
    case 2:
      return run_lanes<2>(ops, count, values, shares);
    default:
      return run_lanes<1>(ops, count, values, shares);
  }
}

}  // namespace
}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(run);

void run_block_ops(const std::vector<BlockOp>& ops, double* values, std::size_t width, Shares shares) {
  HWY_DYNAMIC_DISPATCH(run)(ops.data(), ops.size(), values, width, shares);
}

}  // namespace cosimo
#endif
