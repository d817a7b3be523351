// Operations of elimination programs that know what a body is (mechanics/elimination_program.hpp): its mass,
// and the arms of joints that hold points, in space and in the plane. They make J M^-1 J^T and J alpha of a
// few numbers, where dense blocks need all of them. Included once per target, behind <hwy/highway.h>.
#if defined(COSIMO_MECHANICS_ELIMINATION_ARMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_MECHANICS_ELIMINATION_ARMS_INL_HPP
#undef COSIMO_MECHANICS_ELIMINATION_ARMS_INL_HPP
#else
#define COSIMO_MECHANICS_ELIMINATION_ARMS_INL_HPP
#endif

#include "mechanics/elimination_blocks-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {
namespace {

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

}  // namespace
}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
