#include "mechanics/bushing_table.hpp"

#include <algorithm>

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/bushing_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mechanics/spatial_packs-inl.hpp"
#include "numerics/pack_angles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

using Table = BushingTable;

/// The rotation of mechanics/rotation_measure.hpp (vector), by a quaternion.
struct Rotation {
  Vector phi;
  Pack b, square;  ///< |phi|^2

  /// With the sine and cosine of half the angle, (angle / 2) / sine is found from the tangent of a sixteenth
  /// of the angle, which is below 0.2, and no sine is divided by.
  HWY_INLINE HWY_ATTR explicit Rotation(const Quaternion& p) {
    constexpr double arctangent[13] = {1.0,       -1.0 / 3,  1.0 / 5,   -1.0 / 7, 1.0 / 9,
                                       -1.0 / 11, 1.0 / 13,  -1.0 / 15, 1.0 / 17, -1.0 / 19,
                                       1.0 / 21,  -1.0 / 23, 1.0 / 25};
    // |B_2n| / (2n)!, Bernoulli's numbers.
    constexpr double small[7] = {1.0 / 12,         1.0 / 720,      1.0 / 30240,
                                 1.0 / 1209600,    1.0 / 47900160, 691.0 / 1307674368000,
                                 1.0 / 74724249600};
    const Pack one = number(1), inverse = hn::Div(one, hn::Sqrt(dot(p, p)));
    const Vector vector = scale(inverse, turned_if(hn::Lt(p.w, number(0)), p.v));
    const Pack cosine = hn::Abs(mul(inverse, p.w)), sine_square = dot(vector, vector);
    const auto halved = [&](Pack factor) HWY_ATTR {
      const Pack tangent_square = mul(sine_square, mul(factor, factor));
      return hn::Div(factor, hn::Add(one, hn::Sqrt(hn::Add(one, tangent_square))));
    };
    const Pack factor = halved(halved(hn::Div(one, hn::Add(one, cosine))));
    const Pack ratio =
        mul(mul(number(8), factor), polynomial(arctangent, mul(sine_square, mul(factor, factor))));
    phi = scale(hn::Add(ratio, ratio), vector);
    square = dot(phi, phi);
    const auto is_small = hn::Lt(square, number(0.25));
    const Pack large = hn::Div(hn::Sub(one, mul(ratio, cosine)), hn::IfThenElse(is_small, one, square));
    b = hn::IfThenElse(is_small, polynomial(small, square), large);
  }
  template <class Mask>
  static HWY_INLINE HWY_ATTR Vector turned_if(Mask turn, const Vector& a) {
    const Vector b = negative(a);
    return {hn::IfThenElse(turn, b.x, a.x), hn::IfThenElse(turn, b.y, a.y), hn::IfThenElse(turn, b.z, a.z)};
  }

  /// b S^2 x.
  HWY_INLINE HWY_ATTR Vector bent(const Vector& x) const {
    return scale(b, sub(scale(dot(phi, x), phi), scale(square, x)));
  }
  HWY_INLINE HWY_ATTR Vector times_g(const Vector& x) const {
    return add(sub(x, scale(number(0.5), cross(phi, x))), bent(x));
  }
  HWY_INLINE HWY_ATTR Vector times_transposed_g(const Vector& x) const {
    return add(add(x, scale(number(0.5), cross(phi, x))), bent(x));
  }
};

template <bool cubic>
HWY_INLINE HWY_ATTR Pack force_of(const double* law, Pack s, Pack rate) {
  Pack c = load(law, 0), d = load(law, 1);
  if constexpr (cubic) {
    c = hn::Add(c, mul(load(law, 2), mul(s, s)));
    d = hn::Add(d, mul(load(law, 3), mul(rate, rate)));
  }
  return hn::Add(mul(s, c), mul(rate, d));
}
template <bool cubic>
HWY_INLINE HWY_ATTR Vector forces_of(const double* law, const Vector& s, const Vector& rate) {
  return {force_of<cubic>(law, s.x, rate.x), force_of<cubic>(law + 4 * group, s.y, rate.y),
          force_of<cubic>(law + 8 * group, s.z, rate.z)};
}

template <bool cubic>
HWY_INLINE HWY_ATTR void effort(const BushingTable& table, std::size_t g, std::size_t lane,
                                const double* pose, double* out) {
  const BushingGroup& own = table.groups[g];
  const double* const number_at = table.numbers.data() + g * Table::constants * group + lane;
  const Poses from{pose, own.side[0], lane}, to{pose, own.side[1], lane};
  const Matrix R = from.matrix(PoseNumber::R);
  const Matrix columns = load_matrix(number_at, Table::axes);
  const auto local = [&](const Vector& a) HWY_ATTR { return times(columns, transposed_times(R, a)); };
  const auto global = [&](const Vector& a) HWY_ATTR { return times(R, transposed_times(columns, a)); };
  const Vector w_from = from.vector(PoseNumber::w), w_to = to.vector(PoseNumber::w);
  Vector force{number(0), number(0), number(0)}, torque_from = force, torque_to = force;
  if (own.rotates) {
    const Rotation turned(
        conjugate_times(times(from.quaternion(), load_quaternion(number_at, Table::turn_from)),
                        times(to.quaternion(), load_quaternion(number_at, Table::turn_to))));
    const Vector rate = turned.times_g(local(sub(w_to, w_from)));
    torque_from = global(
        turned.times_transposed_g(forces_of<cubic>(number_at + (Table::law + 12) * group, turned.phi, rate)));
    torque_to = negative(torque_from);
  }
  if (own.translates) {
    const Vector s_from = times(R, load_vector(number_at, Table::from));
    const Vector s_to = to.turned(load_vector(number_at, Table::to));
    const Vector delta = sub(add(to.vector(PoseNumber::r), s_to), add(from.vector(PoseNumber::r), s_from));
    const Vector slip = sub(sub(add(to.vector(PoseNumber::v), cross(w_to, s_to)),
                                add(from.vector(PoseNumber::v), cross(w_from, s_from))),
                            cross(w_from, delta));
    force = global(forces_of<cubic>(number_at + Table::law * group, local(delta), local(slip)));
    torque_from = add(torque_from, cross(add(delta, s_from), force));
    torque_to = sub(torque_to, cross(s_to, force));
  }
  out += lane;
  store(force, out, 0);
  store(torque_from, out, 3);
  store(negative(force), out, 6);
  store(torque_to, out, 9);
}

/// All of one side before the other, whatever the packs: bodies may be on both.
HWY_ATTR void bushing_forces(const BushingTable& table, Range groups, const double* pose, double* force) {
  constexpr std::size_t wrench = 6 * group;
  HWY_ALIGN double efforts[2 * wrench];
  for (std::size_t g = groups.first; g < groups.last; ++g) {
    const BushingGroup& own = table.groups[g];
    for (std::size_t lane = 0; lane < group; lane += pack_width())
      own.cubic ? effort<true>(table, g, lane, pose, efforts) : effort<false>(table, g, lane, pose, efforts);
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& at = own.force[side];
      double* const from = efforts + side * wrench;
      if (own.planar[side]) std::copy_n(from + 5 * group, group, from + 2 * group);
      const std::size_t felt = own.planar[side] ? 3 : 6;
      if (own.side[side].side_by_side && at[0] % wrench == 0 && at[group - 1] == at[0] + group - 1) {
        for_packs(0, felt * group, [&](auto d, std::size_t k) HWY_ATTR {
          double* const to = force + at[0] + k;
          hn::StoreU(hn::Add(hn::LoadU(d, to), hn::LoadU(d, from + k)), d, to);
        });
        continue;
      }
      for (std::size_t i = 0; i < group; ++i)
        for (std::size_t k = 0; k < felt && at[i] != BushingGroup::nowhere; ++k)
          force[at[i] + k * group] += from[k * group + i];
    }
  }
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(bushing_forces);

void add_bushing_forces(const BushingTable& table, Range groups, const double* pose, double* force) {
  HWY_DYNAMIC_DISPATCH(bushing_forces)(table, groups, pose, force);
}

}  // namespace cosimo
#endif
