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

template <class P>
HWY_INLINE void divide_rigid(const P& p, const BlockOp& op) {
  constexpr std::size_t entry[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
  for (std::size_t i = 0; i < op.m; ++i) {
    const std::size_t from = op.a + 6 * i, to = op.target + 6 * i;
    for (std::size_t k = 0; k < 3; ++k) p.put(hn::Mul(p.get(from + k), p.get(op.b)), to + k);
    for (std::size_t k = 0; k < 3; ++k) {
      auto sum = hn::Mul(p.get(op.b + entry[k][0]), p.get(from + 3));
      for (std::size_t l = 1; l < 3; ++l)
        sum = hn::Add(sum, hn::Mul(p.get(op.b + entry[k][l]), p.get(from + 3 + l)));
      p.put(sum, to + 3 + k);
    }
  }
}

/// Rows of the inverse inertia of a mass.
template <class P>
struct InverseInertia {
  typename P::V row[3][3];
  HWY_INLINE InverseInertia(const P& p, std::size_t mass) {
    constexpr std::size_t entry[3][3] = {{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) row[i][j] = p.get(mass + entry[i][j]);
  }
};

/// Component k of u x v.
template <class V>
HWY_INLINE V across(const V* u, const V* v, std::size_t k) {
  const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
  return hn::Sub(hn::Mul(u[i], v[j]), hn::Mul(u[j], v[i]));
}

template <class P>
HWY_INLINE void divide_arm(const P& p, const BlockOp& op) {
  const InverseInertia<P> inverse(p, op.b);
  p.put(hn::Mul(p.get(op.a), p.get(op.b)), op.target);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;  // a x e_k = a_j e_i - a_i e_j
    const auto ai = p.get(op.a + 1 + i), aj = p.get(op.a + 1 + j);
    for (std::size_t l = 0; l < 3; ++l)
      p.put(hn::Sub(hn::Mul(aj, inverse.row[i][l]), hn::Mul(ai, inverse.row[j][l])),
            op.target + 1 + 3 * k + l);
  }
}

/// (Z P^T)_ij = z_i . (a x e_j) = (z_i x a)_j.
template <Into I, bool Lower, class P>
HWY_INLINE void arms(const P& p, const BlockOp& op) {
  using V = typename P::V;
  const V along = hn::Mul(p.get(op.a), p.get(op.b));
  V a[3];
  for (std::size_t l = 0; l < 3; ++l) a[l] = p.get(op.b + 1 + l);
  for (std::size_t i = 0; i < 3; ++i) {
    V z[3];
    for (std::size_t l = 0; l < 3; ++l) z[l] = p.get(op.a + 1 + 3 * i + l);
    for (std::size_t j = 0; j < (Lower ? i + 1 : 3); ++j) {
      const V turning = across(z, a, j);
      store<I>(p, i == j ? hn::Add(along, turning) : turning, op.target + 3 * i + j);
    }
  }
}

template <class P>
HWY_INLINE void add_arm_motion(const P& p, const BlockOp& op) {
  typename P::V a[3], w[3];
  for (std::size_t l = 0; l < 3; ++l) {
    a[l] = p.get(op.a + 1 + l);
    w[l] = p.get(op.b + 3 + l);
  }
  for (std::size_t k = 0; k < 3; ++k)
    store<Into::add>(p, hn::Add(hn::Mul(p.get(op.a), p.get(op.b + k)), across(w, a, k)), op.target + k);
}

template <class P>
HWY_INLINE void subtract_arm_response(const P& p, const BlockOp& op) {
  typename P::V x[3];
  for (std::size_t l = 0; l < 3; ++l) x[l] = p.get(op.b + l);
  for (std::size_t k = 0; k < 3; ++k) {
    store<Into::subtract>(p, hn::Mul(p.get(op.a), x[k]), op.target + k);
    auto sum = hn::Mul(p.get(op.a + 1 + k), x[0]);
    for (std::size_t i = 1; i < 3; ++i) sum = hn::Add(sum, hn::Mul(p.get(op.a + 1 + 3 * i + k), x[i]));
    store<Into::subtract>(p, sum, op.target + 3 + k);
  }
}

// The same in the plane: a x e_k is (0, 0, -a_y) and (0, 0, a_x).

template <class P>
HWY_INLINE void divide_planar_arm(const P& p, const BlockOp& op) {
  p.put(hn::Mul(p.get(op.a), p.get(op.b)), op.target);
  p.put(hn::Neg(hn::Mul(p.get(op.a + 2), p.get(op.b + 2))), op.target + 1);
  p.put(hn::Mul(p.get(op.a + 1), p.get(op.b + 2)), op.target + 2);
}

template <Into I, bool Lower, class P>
HWY_INLINE void planar_arms(const P& p, const BlockOp& op) {
  const auto along = hn::Mul(p.get(op.a), p.get(op.b)), zx = p.get(op.a + 1), zy = p.get(op.a + 2),
             ax = p.get(op.b + 1), ay = p.get(op.b + 2);
  store<I>(p, hn::Sub(along, hn::Mul(zx, ay)), op.target);
  if (!Lower) store<I>(p, hn::Mul(zx, ax), op.target + 1);
  store<I>(p, hn::Neg(hn::Mul(zy, ay)), op.target + 2);
  store<I>(p, hn::Add(along, hn::Mul(zy, ax)), op.target + 3);
}

template <class P>
HWY_INLINE void add_planar_arm_motion(const P& p, const BlockOp& op) {
  const auto c = p.get(op.a), ax = p.get(op.a + 1), ay = p.get(op.a + 2), w = p.get(op.b + 2);
  store<Into::add>(p, hn::Sub(hn::Mul(c, p.get(op.b)), hn::Mul(w, ay)), op.target);
  store<Into::add>(p, hn::Add(hn::Mul(c, p.get(op.b + 1)), hn::Mul(w, ax)), op.target + 1);
}

template <class P>
HWY_INLINE void subtract_planar_arm_response(const P& p, const BlockOp& op) {
  const auto x = p.get(op.b), y = p.get(op.b + 1), c = p.get(op.a);
  store<Into::subtract>(p, hn::Mul(c, x), op.target);
  store<Into::subtract>(p, hn::Mul(c, y), op.target + 1);
  store<Into::subtract>(p, hn::Add(hn::Mul(p.get(op.a + 1), x), hn::Mul(p.get(op.a + 2), y)), op.target + 2);
}

/// A body with one or two arms.
template <class P>
struct ArmsInSpace {
  using V = typename P::V;
  const P& p;
  V inverse_mass, inertia[3][3];

  HWY_INLINE ArmsInSpace(const P& places, std::size_t mass) : p(places), inverse_mass(p.get(mass)) {
    const InverseInertia<P> inverse(p, mass);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) inertia[i][j] = inverse.row[i][j];
  }

  /// J M^-1 J^T of two arms, the first as rows.
  HWY_INLINE void put_product(std::size_t rows, std::size_t columns, std::size_t target, bool lower,
                              bool sum) const {
    V a[3], b[3];
    for (std::size_t l = 0; l < 3; ++l) {
      a[l] = p.get(rows + 1 + l);
      b[l] = p.get(columns + 1 + l);
    }
    const V along = hn::Mul(hn::Mul(p.get(rows), inverse_mass), p.get(columns));
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t next = (i + 1) % 3, last = (i + 2) % 3;  // a x e_i = a_last e_next - a_next e_last
      V z[3];
      for (std::size_t l = 0; l < 3; ++l)
        z[l] = hn::Sub(hn::Mul(a[last], inertia[next][l]), hn::Mul(a[next], inertia[last][l]));
      for (std::size_t j = 0; j < (lower ? i + 1 : 3); ++j) {
        V x = across(z, b, j);
        if (i == j) x = hn::Add(along, x);
        const std::size_t place = target + 3 * i + j;
        sum ? store<Into::add>(p, x, place) : p.put(x, place);
      }
    }
  }

  HWY_INLINE void respond(const BlockOp& op) const {
    V force[3], torque[3];
    for (std::size_t end = 0; end < op.n; ++end) {
      const std::size_t arm = end == 0 ? op.a : op.more[0], from = end == 0 ? op.b : op.more[1];
      V a[3], x[3];
      for (std::size_t l = 0; l < 3; ++l) {
        a[l] = p.get(arm + 1 + l);
        x[l] = p.get(from + l);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const V along = hn::Mul(p.get(arm), x[k]), about = across(a, x, k);
        force[k] = end == 0 ? along : hn::Add(force[k], along);
        torque[k] = end == 0 ? about : hn::Add(torque[k], about);
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      store<Into::subtract>(p, hn::Mul(inverse_mass, force[k]), op.target + k);
      V turning = hn::Mul(inertia[k][0], torque[0]);
      for (std::size_t l = 1; l < 3; ++l) turning = hn::Add(turning, hn::Mul(inertia[k][l], torque[l]));
      store<Into::subtract>(p, turning, op.target + 3 + k);
    }
  }
};

/// The same in the plane: a x x is a_x x_y - a_y x_x.
template <class P>
struct ArmsInPlane {
  using V = typename P::V;
  const P& p;
  V inverse_mass, inertia;

  HWY_INLINE ArmsInPlane(const P& places, std::size_t mass)
      : p(places), inverse_mass(p.get(mass)), inertia(p.get(mass + 2)) {}

  HWY_INLINE void put_product(std::size_t rows, std::size_t columns, std::size_t target, bool lower,
                              bool sum) const {
    const V along = hn::Mul(hn::Mul(p.get(rows), inverse_mass), p.get(columns));
    const V zx = hn::Neg(hn::Mul(inertia, p.get(rows + 2))), zy = hn::Mul(inertia, p.get(rows + 1));
    const V bx = p.get(columns + 1), by = hn::Neg(p.get(columns + 2));
    const auto put = [&](V x, std::size_t place) HWY_ATTR {
      sum ? store<Into::add>(p, x, target + place) : p.put(x, target + place);
    };
    put(hn::Add(along, hn::Mul(zx, by)), 0);
    if (!lower) put(hn::Mul(zx, bx), 1);
    put(hn::Mul(zy, by), 2);
    put(hn::Add(along, hn::Mul(zy, bx)), 3);
  }

  HWY_INLINE void respond(const BlockOp& op) const {
    V force[2], torque;
    for (std::size_t end = 0; end < op.n; ++end) {
      const std::size_t arm = end == 0 ? op.a : op.more[0], from = end == 0 ? op.b : op.more[1];
      const V x = p.get(from), y = p.get(from + 1), c = p.get(arm);
      const V about = hn::Sub(hn::Mul(p.get(arm + 1), y), hn::Mul(p.get(arm + 2), x));
      force[0] = end == 0 ? hn::Mul(c, x) : hn::Add(force[0], hn::Mul(c, x));
      force[1] = end == 0 ? hn::Mul(c, y) : hn::Add(force[1], hn::Mul(c, y));
      torque = end == 0 ? about : hn::Add(torque, about);
    }
    for (std::size_t k = 0; k < 2; ++k)
      store<Into::subtract>(p, hn::Mul(inverse_mass, force[k]), op.target + k);
    store<Into::subtract>(p, hn::Mul(inertia, torque), op.target + 2);
  }
};

template <class Arms, class P>
HWY_INLINE void prepare_arms(const P& p, const BlockOp& op) {
  const Arms arms(p, op.b);
  arms.put_product(op.a, op.a, op.target, true, (op.m & 1U) != 0);
  if (op.n == 1) return;
  arms.put_product(op.more[0], op.a, op.more[1], false, (op.m & 2U) != 0);
  arms.put_product(op.more[0], op.more[0], op.more[2], true, (op.m & 4U) != 0);
}

/// What is not a number is not larger.
template <class P, class V>
HWY_INLINE void keep_size(const P&, V x, V& most) {
  const V size = hn::Abs(x);
  most = hn::IfThenElse(hn::Gt(size, most), size, most);
}

template <bool Plane, class P>
HWY_INLINE void find_row(const P& p, const BlockOp& op) {
  using V = typename P::V;
  constexpr std::size_t rows = Plane ? 2 : 3;
  V out[rows], drift = p.get(op.more[3] + 1), most = p.get(op.more[3]);
  for (std::size_t k = 0; k < rows; ++k) {
    out[k] = p.get(op.more[2] + k);
    keep_size(p, out[k], drift);
  }
  for (std::size_t end = 0; end < op.n; ++end) {
    const std::size_t J = end == 0 ? op.a : op.more[0], alpha = end == 0 ? op.b : op.more[1];
    if constexpr (Plane) {
      const V c = p.get(J), w = p.get(alpha + 2);
      out[0] = hn::Add(out[0], hn::Sub(hn::Mul(c, p.get(alpha)), hn::Mul(w, p.get(J + 2))));
      out[1] = hn::Add(out[1], hn::Add(hn::Mul(c, p.get(alpha + 1)), hn::Mul(w, p.get(J + 1))));
    } else {
      V a[3], w[3];
      for (std::size_t l = 0; l < 3; ++l) {
        a[l] = p.get(J + 1 + l);
        w[l] = p.get(alpha + 3 + l);
      }
      for (std::size_t k = 0; k < 3; ++k)
        out[k] = hn::Add(out[k], hn::Add(hn::Mul(p.get(J), p.get(alpha + k)), across(w, a, k)));
    }
  }
  for (std::size_t k = 0; k < rows; ++k) {
    p.put(out[k], op.target + k);
    keep_size(p, out[k], most);
  }
  p.put(most, op.more[3]);
  if (op.more[4] > 0) p.put(drift, op.more[3] + 1);
}

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
