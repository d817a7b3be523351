#include "mechanics/joint_table.hpp"

#include <limits>

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/joint_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mechanics/spatial_packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

/// mechanics/joint_rows.cpp has the formulas.
struct Joints {
  const JointShape& shape;
  const double* number;  ///< constants
  Poses side[2];
  bool flat[2];                         ///< it turns about z alone, or not at all
  Vector s[2], w[2], axis[6], d, rate;  ///< rate: of d

  HWY_INLINE HWY_ATTR Joints(const JointTable& table, std::size_t g, const double* pose, std::size_t lane)
      : shape(table.shapes[table.groups[g].shape]),
        number(table.numbers.data() + g * JointTable::constants * group + lane),
        side{{pose, table.groups[g].side[0], lane}, {pose, table.groups[g].side[1], lane}} {
    for (std::size_t k = 0; k < 2; ++k) {
      flat[k] = shape.planar[k] || !shape.moves[k];
      s[k] = turned(k, load_vector(number, k * JointTable::of_to + JointTable::point));
    }
  }

  HWY_INLINE HWY_ATTR Vector turned(std::size_t k, const Vector& a) const {
    return flat[k] ? side[k].turned_in_plane(a) : side[k].turned(a);
  }
  /// w x a, w x (w x a)
  HWY_INLINE HWY_ATTR Vector spun(std::size_t k, const Vector& a) const {
    if (!flat[k]) return cross(w[k], a);
    return {hn::Neg(mul(w[k].z, a.y)), mul(w[k].z, a.x), number_if(false)};
  }
  HWY_INLINE HWY_ATTR Vector spun_twice(std::size_t k, const Vector& a) const {
    if (!flat[k]) return twice_across(w[k], a);
    const Pack square = hn::Neg(mul(w[k].z, w[k].z));
    return {mul(square, a.x), mul(square, a.y), number_if(false)};
  }

  HWY_INLINE HWY_ATTR void find_axes() {
    for (std::size_t k = 0; k < 6; ++k)
      if (shape.needed[k])
        axis[k] =
            turned(k / 3, load_vector(number, k / 3 * JointTable::of_to + JointTable::axes + k % 3 * 3));
  }
  HWY_INLINE HWY_ATTR void find_way() {
    d = sub(add(sub(side[1].vector(PoseNumber::r), side[0].vector(PoseNumber::r)), s[1]), s[0]);
  }
  HWY_INLINE HWY_ATTR void find_spins() {
    for (std::size_t k = 0; k < 2; ++k)
      w[k] = flat[k] ? Vector{number_if(false), number_if(false), side[k].get(PoseNumber::w + 2)}
                     : side[k].vector(PoseNumber::w);
  }
  HWY_INLINE HWY_ATTR void find_rates() {
    find_spins();
    rate = sub(add(sub(side[1].vector(PoseNumber::v), side[0].vector(PoseNumber::v)), spun(1, s[1])),
               spun(0, s[0]));
  }
  HWY_INLINE HWY_ATTR Vector centripetal_way() const { return sub(spun_twice(1, s[1]), spun_twice(0, s[0])); }

  static HWY_INLINE HWY_ATTR Pack component(const Vector& a, std::size_t k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
  }
  HWY_INLINE HWY_ATTR Vector factor(std::uint8_t code) const {
    if (code == JointFactor::difference) return d;
    if (code >= JointFactor::from) return axis[code - JointFactor::from];
    return {number_if(code == 0), number_if(code == 1), number_if(code == 2)};
  }
  static HWY_INLINE HWY_ATTR Pack number_if(bool one) { return HWY_NAMESPACE::number(one ? 1 : 0); }
  static HWY_INLINE HWY_ATTR Vector zero() { return {number_if(false), number_if(false), number_if(false)}; }
  HWY_INLINE HWY_ATTR Vector rate_of(std::uint8_t code) const {
    if (code == JointFactor::difference) return rate;
    if (code >= JointFactor::from) return spun(code >= JointFactor::to ? 1 : 0, factor(code));
    return zero();
  }
  HWY_INLINE HWY_ATTR Vector centripetal_of(std::uint8_t code) const {
    if (code == JointFactor::difference) return centripetal_way();
    if (code >= JointFactor::from) return spun_twice(code >= JointFactor::to ? 1 : 0, factor(code));
    return zero();
  }
  HWY_INLINE HWY_ATTR Pack scale_of(std::size_t row) const { return load(number, JointTable::scale + row); }

  HWY_INLINE HWY_ATTR Pack residual(std::size_t row) const {
    const auto [u, v] = shape.rows[row];
    const Pack product = row < shape.points ? component(d, u) : dot(factor(u), factor(v));
    return mul(scale_of(row), hn::Sub(product, load(number, JointTable::constant + row)));
  }
  HWY_INLINE HWY_ATTR Pack rate_of_row(std::size_t row) const {
    const auto [u, v] = shape.rows[row];
    if (row < shape.points) return mul(scale_of(row), component(rate, u));
    return mul(scale_of(row), hn::Add(dot(rate_of(u), factor(v)), dot(factor(u), rate_of(v))));
  }
  HWY_INLINE HWY_ATTR Pack curvature(std::size_t row) const {
    const auto [u, v] = shape.rows[row];
    const Pack twice = dot(rate_of(u), rate_of(v));
    return mul(scale_of(row), hn::Add(hn::Add(dot(centripetal_of(u), factor(v)), hn::Add(twice, twice)),
                                      dot(factor(u), centripetal_of(v))));
  }

  /// Of a row, for both sides.
  struct Gradient {
    Vector move[2], turn[2];
  };
  /// += (du/dx)^T p.
  HWY_INLINE HWY_ATTR void add_gradient(std::uint8_t code, const Vector& p, Gradient& out) const {
    if (code == JointFactor::difference) {
      out.move[0] = sub(out.move[0], p);
      out.turn[0] = sub(out.turn[0], cross(s[0], p));
      out.move[1] = add(out.move[1], p);
      out.turn[1] = add(out.turn[1], cross(s[1], p));
    } else if (code >= JointFactor::from) {
      Vector& turn = out.turn[code >= JointFactor::to ? 1 : 0];
      turn = add(turn, cross(factor(code), p));
    }
  }
  HWY_INLINE HWY_ATTR Gradient gradient(std::size_t row) const {
    const auto [u, v] = shape.rows[row];
    Gradient out{{zero(), zero()}, {zero(), zero()}};
    add_gradient(u, scale(scale_of(row), factor(v)), out);
    add_gradient(v, scale(scale_of(row), factor(u)), out);
    return out;
  }
};

/// d(e_k . d) = e_k . dr + (s x e_k) . dtheta on the side of `to`, the opposite on that of `from`; what does
/// not change is there.
HWY_INLINE HWY_ATTR void put_points(const Joints& joints, std::size_t side, const JointGroup& own,
                                    std::size_t lane, double* values) {
  const PackSlots& slots = own.jacobian[side];
  const Vector s = side == 0 ? negative(joints.s[0]) : joints.s[1];
  const bool planar = joints.shape.planar[side];
  if (own.arm[side]) {
    const Vector a = scale(joints.scale_of(0), s);
    put(a.x, values, slots, lane, 1);
    put(a.y, values, slots, lane, 2);
    if (!planar) put(a.z, values, slots, lane, 3);
    return;
  }
  for (std::size_t i = 0; i < joints.shape.points; ++i) {
    const std::size_t k = joints.shape.rows[i].u, next = (k + 1) % 3, last = (k + 2) % 3;
    const Pack factor = joints.scale_of(i);
    if (planar) {
      if (k < 2) put(mul(factor, k == 0 ? hn::Neg(s.y) : s.x), values, slots, lane, 3 * i + 2);
      continue;
    }
    put(mul(factor, Joints::component(s, last)), values, slots, lane, 6 * i + 3 + next);
    put(hn::Neg(mul(factor, Joints::component(s, next))), values, slots, lane, 6 * i + 3 + last);
  }
}

template <bool curvature>
HWY_ATTR void jacobians_of(const JointTable& table, Range groups, const double* pose, double* values) {
  for (std::size_t g = groups.first; g < groups.last; ++g) {
    const JointGroup& own = table.groups[g];
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      Joints joints(table, g, pose, lane);
      const JointShape& shape = joints.shape;
      for (std::size_t side = 0; side < 2; ++side)
        if (own.writes[side]) put_points(joints, side, own, lane, values);
      const bool simple = shape.points == shape.rows.size();
      if (curvature && own.rows) {
        simple ? joints.find_spins() : joints.find_rates();
        const Vector centripetal = joints.centripetal_way();
        for (std::size_t i = 0; i < shape.points; ++i)
          put(mul(joints.scale_of(i), Joints::component(centripetal, shape.rows[i].u)), values, own.curvature,
              lane, i);
      }
      if (simple) continue;
      joints.find_axes();
      joints.find_way();
      for (std::size_t i = shape.points; i < shape.rows.size(); ++i) {
        const Joints::Gradient J = joints.gradient(i);
        const bool moving =
            shape.rows[i].u == JointFactor::difference || shape.rows[i].v == JointFactor::difference;
        for (std::size_t side = 0; side < 2; ++side) {
          if (!own.writes[side]) continue;
          const PackSlots& slots = own.jacobian[side];
          if (shape.planar[side]) {
            put(Vector{J.move[side].x, J.move[side].y, J.turn[side].z}, values, slots, lane, 3 * i);
            continue;
          }
          if (moving) put(J.move[side], values, slots, lane, 6 * i);
          put(J.turn[side], values, slots, lane, 6 * i + 3);
        }
        if (curvature && own.rows) put(joints.curvature(i), values, own.curvature, lane, i);
      }
    }
  }
}

HWY_ATTR void jacobians(const JointTable& table, Range groups, const double* pose, bool curvature,
                        double* values) {
  return curvature ? jacobians_of<true>(table, groups, pose, values)
                   : jacobians_of<false>(table, groups, pose, values);
}

HWY_ATTR void row_squares(const JointTable& table, const double* values, double* squares) {
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const JointGroup& own = table.groups[g];
    if (!own.rows) continue;
    const JointShape& shape = table.shapes[own.shape];
    const double* const numbers = table.numbers.data() + g * JointTable::constants * group;
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      double* const out = squares + g * JointTable::square_numbers * group + lane;
      Pack arm = number(0);
      for (std::size_t i = 0; i < shape.rows.size(); ++i) {
        Pack all_along = number(0), all_about = number(0);
        for (std::size_t side = 0; side < 2; ++side) {
          if (!shape.moves[side]) continue;
          const auto square = [&](std::size_t k) HWY_ATTR {
            const Pack x = get(values, own.jacobian[side], lane, k);
            return mul(x, x);
          };
          Pack along = square(own.arm[side] ? 0 : shape.freedoms(side) * i), about;
          if (own.arm[side]) {
            about = shape.planar[side] ? square(2 - i)
                                       : hn::Add(square(1 + (i + 1) % 3), square(1 + (i + 2) % 3));
          } else if (shape.planar[side]) {
            along = hn::Add(along, square(3 * i + 1));
            about = square(3 * i + 2);
          } else {
            along = hn::Add(hn::Add(along, square(6 * i + 1)), square(6 * i + 2));
            about = hn::Add(hn::Add(square(6 * i + 3), square(6 * i + 4)), square(6 * i + 5));
          }
          const Pack felt = load(numbers + lane, JointTable::felt + side);
          const auto moves = hn::Gt(along, number(0));
          arm = hn::Max(arm,
                        hn::IfThenElseZero(moves, hn::Div(about, hn::IfThenElse(moves, along, number(1)))));
          all_along = hn::Add(all_along, mul(felt, along));
          all_about = hn::Add(all_about, mul(felt, about));
        }
        store(all_along, out, 1 + 2 * i);
        store(all_about, out, 2 + 2 * i);
      }
      store(arm, out, 0);
    }
  }
}

HWY_ATTR void raised_thresholds(const JointTable& table, const double* squares, const double* share,
                                const double* per_arm, double* values) {
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const JointGroup& own = table.groups[g];
    if (!own.rows) continue;
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      const double* const in = squares + g * JointTable::square_numbers * group + lane;
      const Pack factor = gather(share, own.chain.data() + lane),
                 by_arm = gather(per_arm, own.chain.data() + lane);
      for (std::size_t i = 0; i < table.shapes[own.shape].rows.size(); ++i) {
        const Pack floor = mul(factor, hn::Add(load(in, 1 + 2 * i), mul(by_arm, load(in, 2 + 2 * i))));
        put(hn::Max(get(values, own.threshold, lane, i), floor), values, own.threshold, lane, i);
      }
    }
  }
}

HWY_ATTR void residuals(const JointTable& table, const double* pose, double* out) {
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    if (!table.groups[g].rows) continue;
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      Joints joints(table, g, pose, lane);
      joints.find_way();
      joints.find_axes();
      for (std::size_t i = 0; i < joints.shape.rows.size(); ++i)
        put(joints.residual(i), out, table.groups[g].row, lane, i);
    }
  }
}

/// The largest of a number of packs, and whether all of them are numbers.
struct Largest {
  Pack most, bad;  // x - x is zero for every finite x and not a number otherwise
  HWY_INLINE HWY_ATTR Largest() : most(number(0)), bad(number(0)) {}
  HWY_INLINE HWY_ATTR void take(Pack x) {
    bad = hn::Add(bad, hn::Sub(x, x));
    most = hn::Max(most, hn::Abs(x));
  }
  HWY_INLINE HWY_ATTR double value() const {
    if (!hn::AllTrue(PackTag(), hn::Eq(bad, number(0)))) return std::numeric_limits<double>::infinity();
    HWY_ALIGN double list[group];
    hn::Store(most, PackTag(), list);
    double out = 0;
    for (std::size_t k = 0; k < pack_width(); ++k) out = list[k] > out ? list[k] : out;
    return out;
  }
};

HWY_ATTR JointResiduals largest(const JointTable& table, Range groups, const double* pose,
                                const JointResiduals& angle_weight) {
  Largest position, velocity;
  for (std::size_t g = groups.first; g < groups.last; ++g) {
    if (!table.groups[g].rows) continue;
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      Joints joints(table, g, pose, lane);
      const JointShape& shape = joints.shape;
      joints.find_way();
      joints.find_axes();
      joints.find_rates();
      for (std::size_t i = 0; i < shape.rows.size(); ++i) {
        const bool length =
            shape.rows[i].u == JointFactor::difference || shape.rows[i].v == JointFactor::difference;
        position.take(mul(number(length ? 1 : angle_weight.position), joints.residual(i)));
        velocity.take(mul(number(length ? 1 : angle_weight.velocity), joints.rate_of_row(i)));
      }
    }
  }
  return {position.value(), velocity.value()};
}

HWY_ATTR void rates(const JointTable& table, const double* pose, double* out) {
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    if (!table.groups[g].rows) continue;
    for (std::size_t lane = 0; lane < group; lane += pack_width()) {
      Joints joints(table, g, pose, lane);
      joints.find_way();
      joints.find_axes();
      joints.find_rates();
      for (std::size_t i = 0; i < joints.shape.rows.size(); ++i)
        put(joints.rate_of_row(i), out, table.groups[g].row, lane, i);
    }
  }
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(jacobians);
HWY_EXPORT(row_squares);
HWY_EXPORT(raised_thresholds);
HWY_EXPORT(residuals);
HWY_EXPORT(rates);
HWY_EXPORT(largest);

void write_jacobians(const JointTable& table, Range groups, const double* pose, bool curvature,
                     double* values) {
  HWY_DYNAMIC_DISPATCH(jacobians)(table, groups, pose, curvature, values);
}
void find_row_squares(const JointTable& table, const double* values, double* squares) {
  HWY_DYNAMIC_DISPATCH(row_squares)(table, values, squares);
}
void raise_joint_thresholds(const JointTable& table, const double* squares, const ThresholdFloor& floor,
                            double* values) {
  HWY_DYNAMIC_DISPATCH(raised_thresholds)(table, squares, floor.share, floor.per_arm, values);
}
void find_joint_residuals(const JointTable& table, const double* pose, double* out) {
  HWY_DYNAMIC_DISPATCH(residuals)(table, pose, out);
}
JointResiduals largest_residuals(const JointTable& table, Range groups, const double* pose,
                                 const JointResiduals& angle_weight) {
  return HWY_DYNAMIC_DISPATCH(largest)(table, groups, pose, angle_weight);
}
void find_joint_rates(const JointTable& table, const double* pose, double* out) {
  HWY_DYNAMIC_DISPATCH(rates)(table, pose, out);
}

}  // namespace cosimo
#endif
