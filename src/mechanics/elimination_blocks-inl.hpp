// Operations of elimination programs on dense blocks of any rows (mechanics/elimination_program.hpp):
// products, pivots and what blocks take away from each other. Each reads and writes the places of one pack of
// lanes. Only products and sums, never fused: a lane gets the same bits whatever pack it is in. Included once
// per target, behind <hwy/highway.h>.
#if defined(COSIMO_MECHANICS_ELIMINATION_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_MECHANICS_ELIMINATION_BLOCKS_INL_HPP
#undef COSIMO_MECHANICS_ELIMINATION_BLOCKS_INL_HPP
#else
#define COSIMO_MECHANICS_ELIMINATION_BLOCKS_INL_HPP
#endif

#include "mechanics/elimination_program.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Places of one pack of lanes in the values of a group of W.
template <std::size_t W>
struct Pack {
  using D = hn::CappedTag<double, W>;
  using V = hn::Vec<D>;
  double* values;

  HWY_INLINE V get(std::size_t place) const { return hn::LoadU(D(), values + place * W); }
  HWY_INLINE void put(V x, std::size_t place) const { hn::StoreU(x, D(), values + place * W); }
  HWY_INLINE V number(double x) const { return hn::Set(D(), x); }
};

enum class Into { set, add, subtract };

template <Into I, class P, class V>
HWY_INLINE void store(const P& p, V x, std::size_t place) {
  if constexpr (I == Into::set) p.put(x, place);
  if constexpr (I == Into::add) p.put(hn::Add(p.get(place), x), place);
  if constexpr (I == Into::subtract) p.put(hn::Sub(p.get(place), x), place);
}

/// Of sizes that the compiler knows: all numbers stay in registers.
template <std::size_t K, std::size_t M, std::size_t N, Into I, bool Lower, class P>
HWY_INLINE void sized_product(const P& p, const BlockOp& op) {
  using V = typename P::V;
  V b[N * K];
  for (std::size_t l = 0; l < N * K; ++l) b[l] = p.get(op.b + l);
  for (std::size_t i = 0; i < M; ++i) {
    V row[K];
    for (std::size_t l = 0; l < K; ++l) row[l] = p.get(op.a + i * K + l);
    for (std::size_t j = 0; j < (Lower ? i + 1 : N); ++j) {
      V sum = hn::Mul(row[0], b[j * K]);
      for (std::size_t l = 1; l < K; ++l) sum = hn::Add(sum, hn::Mul(row[l], b[j * K + l]));
      store<I>(p, sum, op.target + i * N + j);
    }
  }
}

template <std::size_t K, Into I, bool Lower, class P>
HWY_INLINE void product(const P& p, const BlockOp& op) {
  using V = typename P::V;
  if constexpr (K == 2) {  // pins in the plane
    if (op.m == 2 && op.n == 2) return sized_product<2, 2, 2, I, Lower>(p, op);
    if (op.m == 2 && op.n == 1) return sized_product<2, 2, 1, I, Lower>(p, op);
  }
  if constexpr (K == 3) {  // ball joints
    if (op.m == 3 && op.n == 3) return sized_product<3, 3, 3, I, Lower>(p, op);
    if (op.m == 3 && op.n == 1) return sized_product<3, 3, 1, I, Lower>(p, op);
  }
  for (std::size_t i = 0; i < op.m; ++i) {
    V row[K];
    for (std::size_t l = 0; l < K; ++l) row[l] = p.get(op.a + i * K + l);
    const std::size_t columns = Lower ? i + 1 : op.n;
    for (std::size_t j = 0; j < columns; ++j) {
      V sum = hn::Mul(row[0], p.get(op.b + j * K));
      for (std::size_t l = 1; l < K; ++l) sum = hn::Add(sum, hn::Mul(row[l], p.get(op.b + j * K + l)));
      store<I>(p, sum, op.target + i * op.n + j);
    }
  }
}

/// M: the rows, where the compiler knows them.
template <std::size_t K, Into I, std::size_t M = 0, class P>
HWY_INLINE void transposed(const P& p, const BlockOp& op) {
  using V = typename P::V;
  if constexpr ((K == 2 || K == 3) && M == 0)
    if (op.m == K) return transposed<K, I, K>(p, op);
  V sum[K];
  const V first = p.get(op.b);
  for (std::size_t l = 0; l < K; ++l) sum[l] = hn::Mul(p.get(op.a + l), first);
  for (std::size_t i = 1; i < (M > 0 ? M : op.m); ++i) {
    const V x = p.get(op.b + i);
    for (std::size_t l = 0; l < K; ++l) sum[l] = hn::Add(sum[l], hn::Mul(p.get(op.a + i * K + l), x));
  }
  for (std::size_t l = 0; l < K; ++l) store<I>(p, sum[l], op.target + l);
}

template <std::size_t K, class P>
HWY_INLINE void apply(const P& p, const BlockOp& op) {
  using V = typename P::V;
  V x[K];
  for (std::size_t l = 0; l < K; ++l) x[l] = p.get(op.target + l);
  for (std::size_t i = 0; i < K; ++i) {
    V sum = hn::Mul(p.get(op.a + i * K), x[0]);
    for (std::size_t l = 1; l < K; ++l) sum = hn::Add(sum, hn::Mul(p.get(op.a + i * K + l), x[l]));
    p.put(sum, op.target + i);
  }
}

/// x (3 - 2 x) / tau, smooth between 1 / tau and 0.
template <class P, class V>
HWY_INLINE V reduced_inverse(const P& p, V x, V tau) {
  return hn::Div(hn::Mul(x, hn::Sub(p.number(3), hn::Add(x, x))), tau);
}

/// The inverse of the pivot d of a row (mechanics/elimination_tree.hpp).
template <class P, class V>
HWY_INLINE V inverse_pivot(const P& p, V d, std::size_t threshold, std::size_t share, Shares shares) {
  const V zero = p.number(0), one = p.number(1), tau = p.get(threshold);
  const auto fine = hn::And(hn::Ge(d, tau), hn::Gt(d, zero));
  V inverse = hn::Div(one, d);
  const bool all_fine = hn::AllTrue(typename P::D(), fine);  // mostly
  if (all_fine && shares == Shares::found) {
    p.put(one, share);
    return inverse;
  }
  if (!all_fine) {
    const V part = hn::Div(d, tau);
    const auto has_threshold = hn::Gt(tau, zero);
    const V reduced = hn::IfThenElseZero(has_threshold, reduced_inverse(p, hn::Max(part, zero), tau));
    inverse = hn::IfThenElse(fine, inverse, reduced);
    if (shares == Shares::found) {
      p.put(hn::IfThenElse(hn::AndNot(fine, has_threshold), part, one), share);
      return inverse;
    }
  }
  const V known = p.get(share), x = hn::Max(known, zero), size = hn::Max(d, tau);
  const V dependent = hn::IfThenElseZero(hn::Gt(size, zero), hn::Mul(x, reduced_inverse(p, x, size)));
  return hn::IfThenElse(hn::Lt(known, one), dependent, inverse);
}

template <std::size_t K, bool Hub, class P>
HWY_INLINE void invert(const P& p, const BlockOp& op, Shares shares) {
  using V = typename P::V;
  V A[K][K], L[K][K], inverse[K];  // A: L D; L: the unit lower triangle, then its inverse
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j; i < K; ++i) {
      V s = p.get(op.a + i * K + j);
      for (std::size_t m = 0; m < j; ++m) s = hn::Sub(s, hn::Mul(L[i][m], A[j][m]));
      A[i][j] = s;
    }
    if constexpr (Hub)
      inverse[j] = hn::Div(p.number(1), A[j][j]);
    else
      inverse[j] = inverse_pivot(p, A[j][j], op.b + j, op.target + j, shares);
    for (std::size_t i = j + 1; i < K; ++i) L[i][j] = hn::Mul(A[i][j], inverse[j]);
  }
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j + 1; i < K; ++i) {
      V s = hn::Neg(L[i][j]);
      for (std::size_t m = j + 1; m < i; ++m) s = hn::Sub(s, hn::Mul(L[i][m], L[m][j]));
      L[i][j] = s;
    }
  }
  for (std::size_t j = 0; j < K; ++j) {
    for (std::size_t i = j; i < K; ++i) {
      V s = inverse[i];
      if (i != j) s = hn::Mul(s, L[i][j]);
      for (std::size_t m = i + 1; m < K; ++m) s = hn::Add(s, hn::Mul(hn::Mul(L[m][i], inverse[m]), L[m][j]));
      p.put(s, op.a + i * K + j);
      if (i != j) p.put(s, op.a + j * K + i);
    }
  }
}

template <std::size_t K, class P>
HWY_INLINE void eliminate(const P& p, const BlockOp& op, Shares shares) {
  using V = typename P::V;
  invert<K, false>(p, op, shares);
  const std::uint32_t* const at = op.more.data();
  const auto scaled = [&](V* out, std::size_t block) HWY_ATTR {
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = 0; j < K; ++j) {
        V sum = hn::Mul(p.get(block + i * K), p.get(op.a + j * K));
        for (std::size_t l = 1; l < K; ++l)
          sum = hn::Add(sum, hn::Mul(p.get(block + i * K + l), p.get(op.a + j * K + l)));
        out[i * K + j] = sum;
      }
  };
  const auto take_away = [&](std::size_t block, const V* w, std::size_t target, bool lower) HWY_ATTR {
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = 0; j < (lower ? i + 1 : K); ++j) {
        V sum = hn::Mul(p.get(block + i * K), w[j * K]);
        for (std::size_t l = 1; l < K; ++l)
          sum = hn::Add(sum, hn::Mul(p.get(block + i * K + l), w[j * K + l]));
        store<Into::subtract>(p, sum, target + i * K + j);
      }
  };
  V w[K * K];
  scaled(w, at[0]);
  take_away(at[0], w, at[1], true);
  if (op.n == 1) return;
  take_away(at[2], w, at[3], false);
  scaled(w, at[2]);
  take_away(at[2], w, at[4], true);
}

template <std::size_t K, class P>
HWY_INLINE void eliminate_rest(const P& p, const BlockOp& op) {
  apply<K>(p, op);
  for (std::size_t k = 0; k < op.n; ++k)
    sized_product<K, K, 1, Into::subtract, false>(
        p, {.m = K, .n = 1, .a = op.more[2 * k], .b = op.target, .target = op.more[2 * k + 1]});
}

template <std::size_t K, class P>
HWY_INLINE void take_back(const P& p, const BlockOp& op) {
  using V = typename P::V;
  V sum[K];
  for (std::size_t k = 0; k < op.n; ++k) {
    const std::size_t block = op.more[2 * k], rest = op.more[2 * k + 1];
    for (std::size_t l = 0; l < K; ++l) {
      V part = hn::Mul(p.get(block + l), p.get(rest));
      for (std::size_t i = 1; i < K; ++i)
        part = hn::Add(part, hn::Mul(p.get(block + i * K + l), p.get(rest + i)));
      sum[l] = k == 0 ? part : hn::Add(sum[l], part);
    }
  }
  for (std::size_t i = 0; i < K; ++i) {
    V part = hn::Mul(p.get(op.a + i * K), sum[0]);
    for (std::size_t l = 1; l < K; ++l) part = hn::Add(part, hn::Mul(p.get(op.a + i * K + l), sum[l]));
    store<Into::subtract>(p, part, op.target + i);
  }
}

/// What is not a number is not larger.
template <class P, class V>
HWY_INLINE void keep_size(const P&, V x, V& most) {
  const V size = hn::Abs(x);
  most = hn::IfThenElse(hn::Gt(size, most), size, most);
}

}  // namespace
}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
