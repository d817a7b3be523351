#include "mechanics/body_table.hpp"

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/body_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mechanics/spatial_packs-inl.hpp"
#include "numerics/pack_angles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

using Number = PoseNumber;

// mechanics/body.cpp has the formulas.

/// The bodies of a pack.
struct Bodies {
  const BodyTable& table;
  std::size_t place, lane;  ///< of the first

  HWY_INLINE HWY_ATTR Bodies(const BodyTable& all, std::size_t first)
      : table(all), place(first), lane(first % group) {}
  std::size_t group_of() const { return place / group; }
  const std::int32_t* coordinates() const { return table.q.data() + place; }
  const double* constants() const {
    return table.constant.data() + group_of() * BodyTable::constants * group + lane;
  }
  std::size_t pose() const { return table.pose_of(place); }
  std::size_t force() const { return table.force_of(place).at; }
};

/// Calls in_space or in_plane with the packs of bodies of some groups.
template <class InSpace, class InPlane>
HWY_INLINE HWY_ATTR void for_bodies(const BodyTable& table, Range groups, const InSpace& in_space,
                                    const InPlane& in_plane) {
  for (std::size_t g = groups.first; g < groups.last; ++g)
    for (std::size_t lane = 0; lane < group; lane += pack_width())
      table.planar[g] != 0 ? in_plane(Bodies(table, g * group + lane))
                           : in_space(Bodies(table, g * group + lane));
}

HWY_INLINE HWY_ATTR Quaternion gather_quaternion(const double* x, const std::int32_t* at) {
  return {gather(x + 3, at), {gather(x + 4, at), gather(x + 5, at), gather(x + 6, at)}};
}
/// Vector part of a conj(p).
HWY_INLINE HWY_ATTR Vector vector_part(const Quaternion& a, const Quaternion& p) {
  return sub(sub(scale(p.w, a.v), scale(a.w, p.v)), cross(a.v, p.v));
}

HWY_INLINE HWY_ATTR Matrix orientation(const Quaternion& p, Pack s) {
  const Pack one = number(1);
  const Vector sp = scale(s, p.v);
  const Pack xx = mul(sp.x, p.v.x), yy = mul(sp.y, p.v.y), zz = mul(sp.z, p.v.z);
  const Pack xy = mul(sp.x, p.v.y), xz = mul(sp.x, p.v.z), yz = mul(sp.y, p.v.z);
  const Pack wx = mul(sp.x, p.w), wy = mul(sp.y, p.w), wz = mul(sp.z, p.w);
  return {{hn::Sub(one, hn::Add(yy, zz)), hn::Sub(xy, wz), hn::Add(xz, wy)},
          {hn::Add(xy, wz), hn::Sub(one, hn::Add(xx, zz)), hn::Sub(yz, wx)},
          {hn::Sub(xz, wy), hn::Add(yz, wx), hn::Sub(one, hn::Add(xx, yy))}};
}

/// R A R^T, A the symmetric matrix of constants that begins at `first`.
template <bool diagonal>
HWY_INLINE HWY_ATTR Symmetric turn(const Matrix& R, const double* constant, std::size_t first) {
  Matrix h;
  if constexpr (diagonal) {
    const Vector d{load(constant, first), load(constant, first + 3), load(constant, first + 5)};
    const auto scaled = [&](const Vector& row) HWY_ATTR {
      return Vector{mul(row.x, d.x), mul(row.y, d.y), mul(row.z, d.z)};
    };
    h = {scaled(R.x), scaled(R.y), scaled(R.z)};
  } else {
    const Symmetric A = load_symmetric(constant, first);
    h = {times(A, R.x), times(A, R.y), times(A, R.z)};
  }
  return {dot(h.x, R.x), dot(h.x, R.y), dot(h.x, R.z), dot(h.y, R.y), dot(h.y, R.z), dot(h.z, R.z)};
}

template <bool diagonal>
HWY_INLINE HWY_ATTR void pose_in_space(const Bodies& bodies, const double* q, const double* v, double* out) {
  const std::int32_t* const at = bodies.coordinates();
  const Quaternion p = gather_quaternion(q, at), rate = gather_quaternion(v, at);
  const Pack inverse_square = hn::Div(number(1), dot(p, p)), s = hn::Add(inverse_square, inverse_square);
  const Matrix R = orientation(p, s);
  store(Vector{gather(q, at), gather(q + 1, at), gather(q + 2, at)}, out, Number::r);
  store(R.x, out, Number::R);
  store(R.y, out, Number::R + 3);
  store(R.z, out, Number::R + 6);
  store(Vector{gather(v, at), gather(v + 1, at), gather(v + 2, at)}, out, Number::v);
  store(scale(s, vector_part(rate, p)), out, Number::w);
  store(p.w, out, Number::p);
  store(p.v, out, Number::p + 1);
  store(mul(dot(p, rate), inverse_square), out, Number::stretch);
  store(hn::Sub(number(1), inverse_square), out, Number::short_by);
  const Symmetric inverse = turn<diagonal>(R, bodies.constants(), BodyTable::inverse_inertia);
  store(Vector{inverse.xx, inverse.xy, inverse.xz}, out, Number::inverse_inertia);
  store(Vector{inverse.yy, inverse.yz, inverse.zz}, out, Number::inverse_inertia + 3);
}

/// From the quaternion, which bushings want as well.
HWY_INLINE HWY_ATTR void pose_in_plane(const Bodies& bodies, const double* q, const double* v, double* out) {
  const std::int32_t* const at = bodies.coordinates();
  const Pack angle = gather(q + 2, at);
  const auto [z, w] = sine_cosine(mul(number(0.5), angle));
  const Pack cosine = hn::Sub(number(1), mul(hn::Add(z, z), z)), sine = mul(hn::Add(z, z), w);
  store(gather(q, at), out, Number::r);
  store(gather(q + 1, at), out, Number::r + 1);
  store(cosine, out, Number::R);
  store(hn::Neg(sine), out, Number::R + 1);
  store(sine, out, Number::R + 3);
  store(cosine, out, Number::R + 4);
  store(gather(v, at), out, Number::v);
  store(gather(v + 1, at), out, Number::v + 1);
  store(gather(v + 2, at), out, Number::w + 2);
  store(w, out, Number::p);
  store(z, out, Number::p + 3);
  store(angle, out, Number::turned);
}

HWY_ATTR void poses(const BodyTable& table, Range groups, const double* q, const double* v, double* pose) {
  for_bodies(
      table, groups,
      [&](const Bodies& bodies) HWY_ATTR {
        table.diagonal ? pose_in_space<true>(bodies, q, v, pose + bodies.pose())
                       : pose_in_space<false>(bodies, q, v, pose + bodies.pose());
      },
      [&](const Bodies& bodies) HWY_ATTR { pose_in_plane(bodies, q, v, pose + bodies.pose()); });
}

HWY_ATTR void weights(const BodyTable& table, Range groups, const double* pose, const double* gravity,
                      double* force) {
  const Vector g{number(gravity[0]), number(gravity[1]), number(gravity[2])};
  for_bodies(
      table, groups,
      [&](const Bodies& bodies) HWY_ATTR {
        const Matrix R = load_matrix(pose + bodies.pose(), Number::R);
        const Vector w = load_vector(pose + bodies.pose(), Number::w);
        const Symmetric inertia = load_symmetric(bodies.constants(), BodyTable::inertia);
        store(scale(load(bodies.constants(), BodyTable::mass), g), force + bodies.force(), 0);
        store(cross(times(R, times(inertia, transposed_times(R, w))), w), force + bodies.force(), 3);
      },
      [&](const Bodies& bodies) HWY_ATTR {
        const Pack mass = load(bodies.constants(), BodyTable::mass);
        store(Vector{mul(mass, g.x), mul(mass, g.y), number(0)}, force + bodies.force(), 0);
      });
}

/// 1/m and the inverse inertia, or the inverse diagonal.
HWY_INLINE HWY_ATTR void put_mass_in_space(const Bodies& bodies, Pack inverse, const Symmetric& turning,
                                           double* values) {
  const PackSlots& slots = bodies.table.masses[bodies.group_of()];
  put(inverse, values, slots, bodies.lane, 0);
  put(Vector{turning.xx, turning.xy, turning.xz}, values, slots, bodies.lane, 1);
  put(Vector{turning.yy, turning.yz, turning.zz}, values, slots, bodies.lane, 4);
}
HWY_INLINE HWY_ATTR void put_mass_in_plane(const Bodies& bodies, Pack inverse, Pack turning, double* values) {
  put(Vector{inverse, inverse, turning}, values, bodies.table.masses[bodies.group_of()], bodies.lane, 0);
}

HWY_ATTR void inverse_masses(const BodyTable& table, Range groups, const double* pose, double* values) {
  for_bodies(
      table, groups,
      [&](const Bodies& bodies) HWY_ATTR {
        put_mass_in_space(bodies, load(bodies.constants(), BodyTable::inverse_mass),
                          load_symmetric(pose + bodies.pose(), Number::inverse_inertia), values);
      },
      [&](const Bodies& bodies) HWY_ATTR {
        put_mass_in_plane(bodies, load(bodies.constants(), BodyTable::inverse_mass),
                          load(bodies.constants(), BodyTable::inverse_inertia + 5), values);
      });
}

HWY_INLINE HWY_ATTR Pack largest(const Vector& a) {
  return hn::Max(hn::Max(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z));
}

HWY_ATTR double divided_forces(const BodyTable& table, Range groups, const double* pose, const double* force,
                               double* values) {
  Pack most = number(0);
  for_bodies(
      table, groups,
      [&](const Bodies& bodies) HWY_ATTR {
        const double* const f = force + bodies.force();
        const Pack inverse = load(bodies.constants(), BodyTable::inverse_mass);
        const Symmetric turning = load_symmetric(pose + bodies.pose(), Number::inverse_inertia);
        const Vector along = scale(inverse, load_vector(f, 0)), about = times(turning, load_vector(f, 3));
        put_mass_in_space(bodies, inverse, turning, values);
        put(along, values, table.alpha[bodies.group_of()], bodies.lane, 0);
        put(about, values, table.alpha[bodies.group_of()], bodies.lane, 3);
        most = hn::Max(most, hn::Max(largest(along), largest(about)));
      },
      [&](const Bodies& bodies) HWY_ATTR {
        const Vector f = load_vector(force + bodies.force(), 0);
        const Pack inverse = load(bodies.constants(), BodyTable::inverse_mass);
        const Pack turning = load(bodies.constants(), BodyTable::inverse_inertia + 5);
        const Vector motion{mul(inverse, f.x), mul(inverse, f.y), mul(turning, f.z)};
        put_mass_in_plane(bodies, inverse, turning, values);
        put(motion, values, table.alpha[bodies.group_of()], bodies.lane, 0);
        most = hn::Max(most, largest(motion));
      });
  HWY_ALIGN double list[group];
  hn::Store(most, PackTag(), list);
  double out = 0;
  for (std::size_t k = 0; k < pack_width(); ++k) out = list[k] > out ? list[k] : out;
  return out;
}

/// x - x of all numbers: zero where they are finite, otherwise not a number.
HWY_INLINE HWY_ATTR Pack badness(const Vector& x) {
  return hn::Add(hn::Add(hn::Sub(x.x, x.x), hn::Sub(x.y, x.y)), hn::Sub(x.z, x.z));
}

HWY_ATTR bool accelerations(const BodyTable& table, Range groups, const double* pose, const double* values,
                            double* a) {
  Pack bad = number(0);
  for_bodies(
      table, groups,
      [&](const Bodies& bodies) HWY_ATTR {
        const std::size_t lane = bodies.lane;
        const PackSlots &from = table.alpha[bodies.group_of()], &to = table.coordinates[bodies.group_of()];
        const double* const own = pose + bodies.pose();
        const Quaternion p = load_quaternion(own, Number::p);
        const Vector w = load_vector(own, Number::w);
        const Vector along = get_vector(values, from, lane, 0), about = get_vector(values, from, lane, 3);
        bad = hn::Add(hn::Add(bad, badness(along)), badness(about));
        put(along, a, to, lane, 0);
        const Pack s = load(own, Number::stretch), speed_square = dot(w, w);
        const Pack lead = hn::Sub(mul(mul(number(-2), hn::Sqrt(speed_square)), s),
                                  mul(mul(number(0.5), speed_square), load(own, Number::short_by)));
        const Pack m = hn::Sub(hn::Sub(lead, mul(number(0.25), speed_square)), mul(s, s));
        const Vector turning = add(scale(number(0.5), about), scale(s, w));
        put(hn::Sub(mul(m, p.w), dot(turning, p.v)), a, to, lane, 3);
        put(add(add(scale(p.w, turning), cross(turning, p.v)), scale(m, p.v)), a, to, lane, 4);
      },
      [&](const Bodies& bodies) HWY_ATTR {
        const Vector motion = get_vector(values, table.alpha[bodies.group_of()], bodies.lane, 0);
        bad = hn::Add(bad, badness(motion));
        put(motion, a, table.coordinates[bodies.group_of()], bodies.lane, 0);
      });
  return hn::AllTrue(PackTag(), hn::Eq(bad, number(0)));
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(poses);
HWY_EXPORT(weights);
HWY_EXPORT(inverse_masses);
HWY_EXPORT(divided_forces);
HWY_EXPORT(accelerations);

void find_poses(const BodyTable& table, Range groups, const double* q, const double* v, double* pose) {
  HWY_DYNAMIC_DISPATCH(poses)(table, groups, q, v, pose);
}
void find_weights(const BodyTable& table, Range groups, const double* pose, const double* gravity,
                  double* force) {
  HWY_DYNAMIC_DISPATCH(weights)(table, groups, pose, gravity, force);
}
void write_inverse_masses(const BodyTable& table, Range groups, const double* pose, double* values) {
  HWY_DYNAMIC_DISPATCH(inverse_masses)(table, groups, pose, values);
}
double divide_forces(const BodyTable& table, Range groups, const double* pose, const double* force,
                     double* values) {
  return HWY_DYNAMIC_DISPATCH(divided_forces)(table, groups, pose, force, values);
}
bool find_accelerations(const BodyTable& table, Range groups, const double* pose, const double* values,
                        double* a) {
  return HWY_DYNAMIC_DISPATCH(accelerations)(table, groups, pose, values, a);
}

}  // namespace cosimo
#endif
