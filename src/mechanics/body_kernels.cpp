#include "mechanics/body_table.hpp"

#include "numerics/pack_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mechanics/body_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "mechanics/spatial_packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

using Number = PoseNumber;

// mechanics/body.cpp has the formulas.

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
HWY_ATTR void poses(const BodyTable& table, Range groups, const double* q, const double* v, double* pose) {
  for (std::size_t i = groups.first * group; i < groups.last * group; i += pack_width()) {
    const std::int32_t* const at = table.q.data() + i;
    double* const out = pose + table.pose_of(i);
    const Quaternion p = gather_quaternion(q, at), rate = gather_quaternion(v, at);
    const Pack s = hn::Div(number(2), dot(p, p));
    const Matrix R = orientation(p, s);
    store(Vector{gather(q, at), gather(q + 1, at), gather(q + 2, at)}, out, Number::r);
    store(R.x, out, Number::R);
    store(R.y, out, Number::R + 3);
    store(R.z, out, Number::R + 6);
    store(Vector{gather(v, at), gather(v + 1, at), gather(v + 2, at)}, out, Number::v);
    store(scale(s, vector_part(rate, p)), out, Number::w);
    store(p.w, out, Number::p);
    store(p.v, out, Number::p + 1);
    const double* const constant =
        table.constant.data() + i / group * BodyTable::constants * group + i % group;
    const Symmetric inverse = turn<diagonal>(R, constant, BodyTable::inverse_inertia);
    store(Vector{inverse.xx, inverse.xy, inverse.xz}, out, Number::inverse_inertia);
    store(Vector{inverse.yy, inverse.yz, inverse.zz}, out, Number::inverse_inertia + 3);
  }
}

HWY_ATTR void poses_of(const BodyTable& table, Range groups, const double* q, const double* v, double* pose) {
  return table.diagonal ? poses<true>(table, groups, q, v, pose) : poses<false>(table, groups, q, v, pose);
}

HWY_ATTR void weights(const BodyTable& table, Range groups, const double* pose, const double* gravity,
                      double* force) {
  const Vector g{number(gravity[0]), number(gravity[1]), number(gravity[2])};
  for (std::size_t i = groups.first * group; i < groups.last * group; i += pack_width()) {
    const double* const own = pose + table.pose_of(i);
    const double* const constant =
        table.constant.data() + i / group * BodyTable::constants * group + i % group;
    double* const out = force + i / group * 6 * group + i % group;
    const Matrix R = load_matrix(own, Number::R);
    const Vector w = load_vector(own, Number::w);
    const Symmetric inertia = load_symmetric(constant, BodyTable::inertia);
    store(scale(load(constant, BodyTable::mass), g), out, 0);
    store(cross(times(R, times(inertia, transposed_times(R, w))), w), out, 3);
  }
}

HWY_ATTR void inverse_masses(const BodyTable& table, Range groups, const double* pose, double* values) {
  for (std::size_t i = groups.first * group; i < groups.last * group; i += pack_width()) {
    const double* const own = pose + table.pose_of(i);
    const PackSlots& slots = table.masses[i / group];
    put(load(table.constant.data() + i / group * BodyTable::constants * group + i % group,
             BodyTable::inverse_mass),
        values, slots, i % group, 0);
    for (std::size_t k = 0; k < 6; ++k)
      put(load(own, Number::inverse_inertia + k), values, slots, i % group, k + 1);
  }
}

HWY_INLINE HWY_ATTR Pack largest(const Vector& a) {
  return hn::Max(hn::Max(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z));
}

HWY_ATTR double divided_forces(const BodyTable& table, Range groups, const double* pose, const double* force,
                               double* values) {
  Pack most = number(0);
  for (std::size_t i = groups.first * group; i < groups.last * group; i += pack_width()) {
    const double* const own = pose + table.pose_of(i);
    const double* const f = force + i / group * 6 * group + i % group;
    const Pack inverse = load(table.constant.data() + i / group * BodyTable::constants * group + i % group,
                              BodyTable::inverse_mass);
    const Symmetric turning = load_symmetric(own, Number::inverse_inertia);
    const Vector along = scale(inverse, load_vector(f, 0)), about = times(turning, load_vector(f, 3));
    const PackSlots& slots = table.masses[i / group];
    put(inverse, values, slots, i % group, 0);
    put(Vector{turning.xx, turning.xy, turning.xz}, values, slots, i % group, 1);
    put(Vector{turning.yy, turning.yz, turning.zz}, values, slots, i % group, 4);
    put(along, values, table.alpha[i / group], i % group, 0);
    put(about, values, table.alpha[i / group], i % group, 3);
    most = hn::Max(most, hn::Max(largest(along), largest(about)));
  }
  HWY_ALIGN double list[group];
  hn::Store(most, PackTag(), list);
  double out = 0;
  for (std::size_t k = 0; k < pack_width(); ++k) out = list[k] > out ? list[k] : out;
  return out;
}

HWY_ATTR bool accelerations(const BodyTable& table, Range groups, const double* q, const double* v,
                            const double* pose, const double* values, double* a) {
  Pack bad = number(0);  // x - x is zero for every finite x and not a number otherwise
  const auto note = [&](const Vector& x) HWY_ATTR {
    bad = hn::Add(bad, hn::Add(hn::Add(hn::Sub(x.x, x.x), hn::Sub(x.y, x.y)), hn::Sub(x.z, x.z)));
  };
  for (std::size_t i = groups.first * group; i < groups.last * group; i += pack_width()) {
    const std::size_t lane = i % group;
    const PackSlots& from = table.alpha[i / group];
    const PackSlots& to = table.coordinates[i / group];
    const std::int32_t* const at = table.q.data() + i;
    const Quaternion p = gather_quaternion(q, at), rate = gather_quaternion(v, at);
    const Vector w = load_vector(pose + table.pose_of(i), Number::w);
    const Vector along{get(values, from, lane, 0), get(values, from, lane, 1), get(values, from, lane, 2)};
    const Vector about{get(values, from, lane, 3), get(values, from, lane, 4), get(values, from, lane, 5)};
    note(along);
    note(about);
    put(along, a, to, lane, 0);
    const Pack square = dot(p, p), speed_square = dot(w, w), s = hn::Div(dot(p, rate), square);
    const Pack lead =
        hn::Sub(mul(mul(number(-2), hn::Sqrt(speed_square)), s),
                hn::Div(mul(mul(number(0.5), speed_square), hn::Sub(square, number(1))), square));
    const Pack m = hn::Sub(hn::Sub(lead, mul(number(0.25), speed_square)), mul(s, s));
    const Vector turning = add(scale(number(0.5), about), scale(s, w));
    put(hn::Sub(mul(m, p.w), dot(turning, p.v)), a, to, lane, 3);
    put(add(add(scale(p.w, turning), cross(turning, p.v)), scale(m, p.v)), a, to, lane, 4);
  }
  return hn::AllTrue(PackTag(), hn::Eq(bad, number(0)));
}

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cosimo {

HWY_EXPORT(poses_of);
HWY_EXPORT(weights);
HWY_EXPORT(inverse_masses);
HWY_EXPORT(divided_forces);
HWY_EXPORT(accelerations);

void find_poses(const BodyTable& table, Range groups, const double* q, const double* v, double* pose) {
  HWY_DYNAMIC_DISPATCH(poses_of)(table, groups, q, v, pose);
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
bool find_accelerations(const BodyTable& table, Range groups, const double* q, const double* v,
                        const double* pose, const double* values, double* a) {
  return HWY_DYNAMIC_DISPATCH(accelerations)(table, groups, q, v, pose, values, a);
}

}  // namespace cosimo
#endif
