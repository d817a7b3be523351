// Vectors of space in packs, and numbers of tables (mechanics/pack_slots.hpp). Included once per target,
// behind <hwy/highway.h>, as numerics/packs-inl.hpp is.
#if defined(COSIMO_MECHANICS_SPATIAL_PACKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef COSIMO_MECHANICS_SPATIAL_PACKS_INL_HPP
#undef COSIMO_MECHANICS_SPATIAL_PACKS_INL_HPP
#else
#define COSIMO_MECHANICS_SPATIAL_PACKS_INL_HPP
#endif

#include "mechanics/body_table.hpp"
#include "mechanics/pack_slots.hpp"
#include "numerics/packs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cosimo::HWY_NAMESPACE {

struct Vector {
  Pack x, y, z;
};

HWY_INLINE HWY_ATTR Pack number(double x) {
  return hn::Set(PackTag(), x);
}
HWY_INLINE HWY_ATTR Pack mul(Pack a, Pack b) {
  return hn::Mul(a, b);
}
HWY_INLINE HWY_ATTR Vector add(const Vector& a, const Vector& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE HWY_ATTR Vector sub(const Vector& a, const Vector& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE HWY_ATTR Vector scale(Pack s, const Vector& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
HWY_INLINE HWY_ATTR Vector negative(const Vector& a) {
  return {hn::Neg(a.x), hn::Neg(a.y), hn::Neg(a.z)};
}
HWY_INLINE HWY_ATTR Pack dot(const Vector& a, const Vector& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE HWY_ATTR Vector cross(const Vector& a, const Vector& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
/// a x (a x b).
HWY_INLINE HWY_ATTR Vector twice_across(const Vector& a, const Vector& b) {
  return sub(scale(dot(a, b), a), scale(dot(a, a), b));
}

/// Rows.
struct Matrix {
  Vector x, y, z;
};
HWY_INLINE HWY_ATTR Vector times(const Matrix& A, const Vector& b) {
  return {dot(A.x, b), dot(A.y, b), dot(A.z, b)};
}
HWY_INLINE HWY_ATTR Vector transposed_times(const Matrix& A, const Vector& b) {
  return add(add(scale(b.x, A.x), scale(b.y, A.y)), scale(b.z, A.z));
}

/// A symmetric one: its upper triangle, row after row.
struct Symmetric {
  Pack xx, xy, xz, yy, yz, zz;
};
HWY_INLINE HWY_ATTR Vector times(const Symmetric& A, const Vector& b) {
  return {dot({A.xx, A.xy, A.xz}, b), dot({A.xy, A.yy, A.yz}, b), dot({A.xz, A.yz, A.zz}, b)};
}

struct Quaternion {
  Pack w;
  Vector v;
};
HWY_INLINE HWY_ATTR Pack dot(const Quaternion& a, const Quaternion& b) {
  return hn::Add(hn::Mul(a.w, b.w), dot(a.v, b.v));
}
HWY_INLINE HWY_ATTR Quaternion times(const Quaternion& a, const Quaternion& b) {
  return {hn::Sub(hn::Mul(a.w, b.w), dot(a.v, b.v)),
          add(add(scale(a.w, b.v), scale(b.w, a.v)), cross(a.v, b.v))};
}
/// conj(a) b.
HWY_INLINE HWY_ATTR Quaternion conjugate_times(const Quaternion& a, const Quaternion& b) {
  return {dot(a, b), sub(sub(scale(a.w, b.v), scale(b.w, a.v)), cross(a.v, b.v))};
}

/// Numbers of eight things, one array after the other; `p` is that of the first thing of the pack.
HWY_INLINE HWY_ATTR Pack load(const double* p, std::size_t k) {
  return hn::LoadU(PackTag(), p + k * pack_things);
}
HWY_INLINE HWY_ATTR Vector load_vector(const double* p, std::size_t k) {
  return {load(p, k), load(p, k + 1), load(p, k + 2)};
}
HWY_INLINE HWY_ATTR Matrix load_matrix(const double* p, std::size_t k) {
  return {load_vector(p, k), load_vector(p, k + 3), load_vector(p, k + 6)};
}
HWY_INLINE HWY_ATTR Symmetric load_symmetric(const double* p, std::size_t k) {
  return {load(p, k), load(p, k + 1), load(p, k + 2), load(p, k + 3), load(p, k + 4), load(p, k + 5)};
}
HWY_INLINE HWY_ATTR Quaternion load_quaternion(const double* p, std::size_t k) {
  return {load(p, k), load_vector(p, k + 1)};
}
HWY_INLINE HWY_ATTR void store(Pack x, double* p, std::size_t k) {
  hn::StoreU(x, PackTag(), p + k * pack_things);
}
HWY_INLINE HWY_ATTR void store(const Vector& a, double* p, std::size_t k) {
  store(a.x, p, k);
  store(a.y, p, k + 1);
  store(a.z, p, k + 2);
}

/// Number k of the things from `lane` on, where the slots say.
HWY_INLINE HWY_ATTR Pack get(const double* values, const PackSlots& slots, std::size_t lane, std::size_t k) {
  if (slots.side_by_side) return load(values + slots.at[0] + lane, k);
  HWY_ALIGN double x[pack_things];
  for (std::size_t i = 0; i < pack_width(); ++i)
    x[i] = values[slots.at[lane + i] + k * slots.stride[lane + i]];
  return hn::Load(PackTag(), x);
}
HWY_INLINE HWY_ATTR Vector get_vector(const double* values, const PackSlots& slots, std::size_t lane,
                                      std::size_t k) {
  return {get(values, slots, lane, k), get(values, slots, lane, k + 1), get(values, slots, lane, k + 2)};
}
HWY_INLINE HWY_ATTR void put(Pack value, double* values, const PackSlots& slots, std::size_t lane,
                             std::size_t k) {
  if (slots.side_by_side) return store(value, values + slots.at[0] + lane, k);
  HWY_ALIGN double x[pack_things];
  hn::Store(value, PackTag(), x);
  for (std::size_t i = 0; i < pack_width() && lane + i < slots.count; ++i)
    values[slots.at[lane + i] + k * slots.stride[lane + i]] = x[i];
}
HWY_INLINE HWY_ATTR void put(const Vector& a, double* values, const PackSlots& slots, std::size_t lane,
                             std::size_t k) {
  put(a.x, values, slots, lane, k);
  put(a.y, values, slots, lane, k + 1);
  put(a.z, values, slots, lane, k + 2);
}

/// Poses of the bodies on one side of joints or elements.
struct Poses {
  const double* pose;
  const PackPoses& places;
  std::size_t lane;

  HWY_INLINE HWY_ATTR Pack get(std::size_t k) const {
    if (places.side_by_side) return load(pose + places.at[0] + lane, k);
    return gather(pose + k * pack_things, places.at.data() + lane);
  }
  HWY_INLINE HWY_ATTR Vector vector(std::size_t k) const { return {get(k), get(k + 1), get(k + 2)}; }
  HWY_INLINE HWY_ATTR Matrix matrix(std::size_t k) const { return {vector(k), vector(k + 3), vector(k + 6)}; }
  HWY_INLINE HWY_ATTR Quaternion quaternion() const {
    return {get(PoseNumber::p), vector(PoseNumber::p + 1)};
  }
  HWY_INLINE HWY_ATTR Vector turned(const Vector& a) const { return times(matrix(PoseNumber::R), a); }
  /// By bodies that turn about z alone.
  HWY_INLINE HWY_ATTR Vector turned_in_plane(const Vector& a) const {
    const Pack cosine = get(PoseNumber::R), sine = get(PoseNumber::R + 3);
    return {hn::Sub(mul(cosine, a.x), mul(sine, a.y)), hn::Add(mul(sine, a.x), mul(cosine, a.y)), a.z};
  }
};

}  // namespace cosimo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
