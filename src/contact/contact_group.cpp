#include "contact/contact_group.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "contact/round_touch-inl.hpp"
#include "contact/touch-inl.hpp"
#include "core/checked_cast.hpp"

namespace cosimo::contact {

namespace {

constexpr std::size_t few = 32;  ///< bodies: all may depend on all, and each has a switch of its own
constexpr std::size_t slots_of_ball = 12;    ///< spheres that a sphere of its size can touch
constexpr std::size_t slots_of_others = 24;  ///< at least: all of its own balls may touch at once
constexpr std::size_t slot_size = 7;
constexpr std::size_t worth_a_fellow = 100;  ///< bodies

Vec3 vec(const Vector<double>& a) {
  return {a.x, a.y, a.z};
}

/// A ball of one shape against the core of another, by their numbers.
struct Side {
  std::uint32_t ball_of = 0, core = 0;
};

class Contacts final : public ForceGroup {
 public:
  Contacts(std::string group_name, Scene scene, const Spec& spec)
      : ForceGroup(std::move(group_name), scene.bodies),
        spec_(spec),
        shapes_(std::move(scene.shapes)),
        names_(std::move(scene.names)),
        allowed_(std::move(scene.allowed)),
        count_(static_cast<std::uint32_t>(scene.bodies.size())),
        near_(shapes_, count_, allowed_) {
    for (const Outline& shape : shapes_) most_balls_ = std::max(most_balls_, shape.balls.size());
    first_slot_.push_back(0);
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::size_t own = shapes_[i].balls.size();
      first_slot_.push_back(first_slot_.back() + (!keeps()   ? 0
                                                  : own == 1 ? slots_of_ball
                                                             : std::max(own, slots_of_others)));
    }
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Room>(near_); }

  bool wrenches(const At& at, std::span<Wrench> out) const override { return wrenches(at, out, Fellow{}); }
  bool wrenches(const At& at, std::span<Wrench> out, const Fellow& me) const override;
  std::size_t most_fellows() const override {
    return std::clamp<std::size_t>(count_ / worth_a_fellow, 1, contact::most_fellows);
  }

  double potential(const At& at) const override {
    double energy = 0;
    for_touches(
        at, [&](const Side& side, std::uint32_t ball, const Meeting<double>& m, const Touch<double>& touch) {
          const double N = spec_.stiffness * power_of(touch.p, spec_.exponent);
          energy += N * touch.p / (spec_.exponent + 1);
          const auto stuck = stuck_at(at.s, side, ball);
          if (!stuck) return;
          const double K = spec_.sticking->stiffness;
          const double u = std::min(length(strain(m, touch, &*stuck)), spec_.friction * N / K);
          energy += 0.5 * K * u * u;
        });
    return energy;
  }

  bool has_gradient() const override { return count_ <= few; }
  void gradient(const At& at, GroupGradient& out) const override;

  std::size_t remembers() const override { return slot_size * first_slot_.back(); }
  void begin(const At& /*at*/, double* s) const override { std::fill_n(s, remembers(), 0.0); }
  void commit(const At& at, double* s) const override;

  std::size_t switch_count() const override { return count_ <= few ? count_ : 1; }
  void switches(const At& at, Switch* out) const override;
  bool strikes() const override { return true; }
  std::string_view kind() const override { return "contacts"; }
  std::vector<std::string> readings() const override;
  void read(const At& at, std::span<double> out) const override;
  std::vector<double> parameters() const override;

 private:
  bool keeps() const { return spec_.sticking.has_value() && spec_.friction > 0; }

  static void push(Wrench& on, const Vec3& arm, const Vec3& force) {
    on.force += force;
    on.torque += arm.cross(force);
  }

  /// f(side) for the ways in which a pair may touch: a sphere knows all of it. The smaller of two spheres
  /// keeps what sticks: it has room for all of its size that can touch it.
  template <class F>
  void for_sides(const Pair& pair, const F& f) const {
    const bool first = shapes_[pair.a].kind == Outline::Kind::sphere;
    const bool second = shapes_[pair.b].kind == Outline::Kind::sphere;
    if (first && second && shapes_[pair.b].round < shapes_[pair.a].round) return f(Side{pair.b, pair.a});
    if (first || !second) f(Side{pair.a, pair.b});
    if (!first) f(Side{pair.b, pair.a});
  }

  Motion<double> motion(const At& at, std::uint32_t shape) const {
    return shape < count_ ? motion_of(at.frames[shape]) : Motion<double>{};
  }

  /// f(ball) for those within reach of the other shape.
  template <class F>
  void for_balls(const Side& side, const Motion<double>& a, const Motion<double>& b, const F& f) const {
    const Outline &balls = shapes_[side.ball_of], &core = shapes_[side.core];
    const Vec3 middle = vec(b.place(core.middle));
    const double far = core.reach + balls.round;
    for (std::uint32_t k = 0; k < balls.balls.size(); ++k)
      if (balls.balls.size() < 3 || !((vec(a.place(balls.balls[k])) - middle).squaredNorm() > far * far))
        f(k);
  }

  /// What both bodies of a pair feel, where they touch.
  struct PairForces {
    bool touch = false;
    Wrench on_a, on_b;
  };
  struct Room final : Scratch {
    explicit Room(const NearPairs& pairs) : near(pairs.make_scratch()) {}
    NearPairs::Scratch near;
    std::vector<PairForces> forces;
  };
  /// The lane's room, or one of its own.
  class RoomAt {
   public:
    RoomAt(const At& at, const NearPairs& pairs)
        : own_(at.scratch == nullptr ? std::make_unique<Room>(pairs) : nullptr),
          room_(own_ ? own_.get() : &checked_cast<Room>(*at.scratch)) {}
    Room& operator*() const { return *room_; }
    Room* operator->() const { return room_; }

   private:
    std::unique_ptr<Room> own_;
    Room* room_;
  };

  /// f(side, ball, meeting, touch) for all that touches, in an order of its own.
  template <class F>
  void for_touches(const At& at, const F& f) const {
    const RoomAt room(at, near_);
    near_.look(at.frames, room->near, Fellow{});
    near_.renew(room->near);
    for (const Pair& pair : room->near.pairs())
      if (!apart(pair, room->near.middles())) for_touches_of(pair, at, f);
  }
  template <class F>
  void for_touches_of(const Pair& pair, const At& at, const F& f) const {
    for_sides(pair, [&](const Side& side) {
      const Motion<double> a = motion(at, side.ball_of), b = motion(at, side.core);
      for_balls(side, a, b, [&](std::uint32_t k) {
        const Meeting<double> m{shapes_[side.ball_of], shapes_[side.ball_of].balls[k], a, shapes_[side.core],
                                b};
        const Touch<double> touch = meet(m);
        if (touch.p > 0) f(side, k, m, touch);
      });
    });
  }

  /// The balls around two bodies do not meet.
  bool apart(const Pair& pair, std::span<const Vec3> middles) const {
    if (pair.b >= count_) return false;
    const double reach = shapes_[pair.a].reach + shapes_[pair.b].reach;
    return (middles[pair.a] - middles[pair.b]).squaredNorm() > reach * reach;
  }

  /// A sphere that touches another one, or a plane, and remembers nothing.
  bool is_round(const Pair& pair) const {
    using Kind = Outline::Kind;
    const Kind other = shapes_[pair.b].kind;
    return !keeps() && shapes_[pair.a].kind == Kind::sphere &&
           (other == Kind::sphere || other == Kind::plane);
  }
  Round round_at(const At& at, std::uint32_t shape, std::span<const Vec3> middles) const {
    if (shape >= count_) return {shapes_[shape], shapes_[shape].middle};
    return {shapes_[shape], middles[shape], &at.frames[shape]};
  }
  void find_round(const Pair& pair, const At& at, std::span<const Vec3> middles, PairForces& out) const;
  void find_forces(const Pair& pair, const At& at, std::span<const Vec3> middles, PairForces& out) const;

  // What sticks: the slots of the ball's body, or of the other one where the ball is fixed to the ground.
  std::uint32_t keeper(const Side& side) const { return side.ball_of < count_ ? side.ball_of : side.core; }
  double key_of(const Side& side, std::uint32_t ball) const {
    const bool own = side.ball_of < count_;
    const std::size_t partner = own ? side.core : side.ball_of;
    return static_cast<double>(1 + 2 * (partner * most_balls_ + ball) + (own ? 0 : 1));
  }
  std::optional<Stuck> stuck_at(const double* s, const Side& side, std::uint32_t ball) const {
    if (s == nullptr || !keeps()) return std::nullopt;
    const std::uint32_t body = keeper(side);
    const double key = key_of(side, ball);
    for (std::size_t k = first_slot_[body]; k < first_slot_[body + 1]; ++k) {
      const double* const slot = s + slot_size * k;
      if (slot[0] == 0) break;
      if (slot[0] == key) return Stuck{{slot[1], slot[2], slot[3]}, {slot[4], slot[5], slot[6]}};
    }
    return std::nullopt;
  }

  Switch gap_of(const At& at, std::uint32_t body) const;
  void add_gradient(const At& at, const Side& side, std::uint32_t ball, GroupGradient& out) const;

  Spec spec_;
  std::vector<Outline> shapes_;
  std::vector<std::string> names_;
  Allowed allowed_;
  std::uint32_t count_;  ///< bodies
  NearPairs near_;
  std::size_t most_balls_ = 1;
  std::vector<std::size_t> first_slot_;
};

void Contacts::find_round(const Pair& pair, const At& at, std::span<const Vec3> middles,
                          PairForces& out) const {
  const Round a = round_at(at, pair.a, middles), b = round_at(at, pair.b, middles);
  const Touch<double> touch = touch_of(a, b);
  if (!(touch.p > 0)) return;
  const double N = press(spec_, touch);
  if (!(N > 0)) return;
  out.touch = true;
  Vector<double> f = N * touch.n;
  if (spec_.friction > 0) f = f + sliding(spec_, touch, N);
  const Vec3 force = vec(f), place = vec(touch.at);
  out.on_a = {force, (place - a.frame->r).cross(force)};
  if (b.frame != nullptr) out.on_b = {-force, -(place - b.frame->r).cross(force)};
}

void Contacts::find_forces(const Pair& pair, const At& at, std::span<const Vec3> middles,
                           PairForces& out) const {
  out.touch = false;
  if (is_round(pair)) return find_round(pair, at, middles, out);
  if (apart(pair, middles)) return;
  for_touches_of(
      pair, at,
      [&](const Side& side, std::uint32_t ball, const Meeting<double>& m, const Touch<double>& touch) {
        const double N = press(spec_, touch);
        if (!(N > 0)) return;
        if (!out.touch) out.on_a = out.on_b = {};
        out.touch = true;
        const auto stuck = stuck_at(at.s, side, ball);
        const Vec3 force = vec(force_of(spec_, m, touch, N, stuck ? &*stuck : nullptr)),
                   place = vec(touch.at);
        const bool own = side.ball_of == pair.a;
        push(out.on_a, place - at.frames[pair.a].r, own ? force : Vec3(-force));
        if (pair.b < count_) push(out.on_b, place - at.frames[pair.b].r, own ? Vec3(-force) : force);
      });
}

/// Pairs are found by anyone; bodies add up theirs in the order of the pairs, so that bits are those of one
/// thread.
bool Contacts::wrenches(const At& at, std::span<Wrench> out, const Fellow& me) const {
  const RoomAt room(at, near_);
  near_.look(at.frames, room->near, me);
  if (me.leads()) {
    near_.renew(room->near);
    room->forces.resize(room->near.pairs().size());
  }
  me.meet();
  const auto pairs = room->near.pairs();
  const Range own_pairs = me.share(pairs.size());
  for (std::size_t k = own_pairs.first; k < own_pairs.last; ++k)
    find_forces(pairs[k], at, room->near.middles(), room->forces[k]);
  me.meet();
  double sum = 0;
  const Range own = me.share(count_);
  for (std::size_t b = own.first; b < own.last; ++b) {
    for (const std::uint32_t k : room->near.of(b)) {
      const PairForces& forces = room->forces[k];
      if (!forces.touch) continue;
      const Wrench& wrench = pairs[k].a == b ? forces.on_a : forces.on_b;
      out[b].force += wrench.force;
      out[b].torque += wrench.torque;
    }
    sum += (out[b].force - out[b].force).sum() + (out[b].torque - out[b].torque).sum();
  }
  me.meet();
  return sum == 0;
}

void Contacts::commit(const At& at, double* s) const {
  std::vector<std::size_t> used(count_, 0);
  for (std::size_t k = 0; k < first_slot_.back(); ++k) s[slot_size * k] = 0;
  for_touches(
      at, [&](const Side& side, std::uint32_t ball, const Meeting<double>& m, const Touch<double>& touch) {
        const std::uint32_t body = keeper(side);
        const std::size_t place = first_slot_[body] + used[body];
        if (place == first_slot_[body + 1]) return;
        ++used[body];
        const auto stuck = stuck_at(at.s, side, ball);
        Vector<double> u = strain(m, touch, stuck ? &*stuck : nullptr);
        const double stretched = length(u),
                     most = spec_.friction * press(spec_, touch) / spec_.sticking->stiffness;
        if (stretched > most) u = (most / stretched) * u;
        const Vector<double> a = m.a.R.in(touch.at - m.a.r), b = m.b.R.in(touch.at - u - m.b.r);
        const std::array<double, slot_size> slot{key_of(side, ball), a.x, a.y, a.z, b.x, b.y, b.z};
        std::ranges::copy(slot, s + slot_size * place);
      });
}

void Contacts::add_gradient(const At& at, const Side& side, std::uint32_t ball, GroupGradient& out) const {
  using T = Dual<24>;
  const auto moved = [&](std::uint32_t shape, std::size_t first) {
    return shape < count_ ? motion_of<24>(at.frames[shape], first) : Motion<T>{};
  };
  const Motion<T> a = moved(side.ball_of, 0), b = moved(side.core, 12);
  const Meeting<T> m{shapes_[side.ball_of], shapes_[side.ball_of].balls[ball], a, shapes_[side.core], b};
  const Touch<T> touch = meet(m);
  if (!(touch.p.value > 0)) return;
  const T N = press(spec_, touch);
  if (!(N.value > 0)) return;
  const auto stuck = stuck_at(at.s, side, ball);
  const Vector<T> force = force_of(spec_, m, touch, N, stuck ? &*stuck : nullptr);
  for (const bool on_ball : {true, false}) {
    const std::uint32_t acted = on_ball ? side.ball_of : side.core;
    if (acted >= count_) continue;
    const Vector<T> f = T(on_ball ? 1.0 : -1.0) * force;
    const Vector<T> torque = cross(touch.at - (on_ball ? a : b).r, f);
    const std::array<const T*, 6> rows{&f.x, &f.y, &f.z, &torque.x, &torque.y, &torque.z};
    for (const bool by_ball : {true, false}) {
      const std::uint32_t by = by_ball ? side.ball_of : side.core;
      if (by >= count_) continue;
      auto x = out.by_displacement(acted, by);
      auto v = out.by_velocity(acted, by);
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
          const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
          x(row, column) += rows[i]->by[j + (by_ball ? 0 : 12)];
          v(row, column) += rows[i]->by[6 + j + (by_ball ? 0 : 12)];
        }
    }
  }
}

void Contacts::gradient(const At& at, GroupGradient& out) const {
  for_touches(at, [&](const Side& side, std::uint32_t ball, const Meeting<double>&, const Touch<double>&) {
    add_gradient(at, side, ball, out);
  });
}

/// The number of touches, then what acts on each shape: about the centre of mass of a body, about the place
/// of what is fixed to the ground.
std::vector<std::string> Contacts::readings() const {
  std::vector<std::string> out{"touches"};
  for (const std::string& shape : names_)
    for (const char* const component : {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"})
      out.push_back(shape + "." + component);
  return out;
}

void Contacts::read(const At& at, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  const auto push_on = [&](std::uint32_t shape, const Vec3& place, const Vec3& force) {
    const Vec3 torque = (place - (shape < count_ ? at.frames[shape].r : shapes_[shape].at)).cross(force);
    for (std::size_t i = 0; i < 3; ++i) {
      out[1 + 6 * shape + i] += force[static_cast<Eigen::Index>(i)];
      out[4 + 6 * shape + i] += torque[static_cast<Eigen::Index>(i)];
    }
  };
  for_touches(at, [&](const Side& side, std::uint32_t ball, const Meeting<double>& m,
                      const Touch<double>& touch) {
    out[0] += 1;
    const double N = press(spec_, touch);
    if (!(N > 0)) return;
    const auto stuck = stuck_at(at.s, side, ball);
    const Vec3 force = vec(force_of(spec_, m, touch, N, stuck ? &*stuck : nullptr)), place = vec(touch.at);
    push_on(side.ball_of, place, force);
    push_on(side.core, place, -force);
  });
}

/// The deepest penetration of a body; below zero the smallest gap, or less than that.
Switch Contacts::gap_of(const At& at, std::uint32_t body) const {
  Switch out;
  out.value = -std::numeric_limits<double>::infinity();
  const Frame& own = at.frames[body];
  const double own_speed = own.v.norm() + own.w.norm() * shapes_[body].reach;
  double fastest = 0;
  for (std::uint32_t other = 0; other < shapes_.size(); ++other) {
    const Pair pair{std::min(body, other), std::max(body, other)};
    if (other == body || !allowed_(pair.a, pair.b)) continue;
    if (other < count_) {
      const Frame& frame = at.frames[other];
      fastest = std::max(fastest, frame.v.norm() + frame.w.norm() * shapes_[other].reach);
      const Vec3 way = frame.r + frame.R * shapes_[other].middle - own.r - own.R * shapes_[body].middle;
      const double apart = way.norm(), gap = apart - shapes_[other].reach - shapes_[body].reach;
      if (gap > 0) {
        if (-gap > out.value) {
          out.value = -gap;
          out.rate = -way.dot(frame.v - own.v) / apart;
        }
        continue;
      }
    }
    for_sides(pair, [&](const Side& side) {
      const Motion<double> a = motion(at, side.ball_of), b = motion(at, side.core);
      for (const Vec3& ball : shapes_[side.ball_of].balls) {
        const Meeting<double> m{shapes_[side.ball_of], ball, a, shapes_[side.core], b};
        Vector<double> x, n;
        const double p = penetration(m, &x, &n);
        if (!(p > out.value)) continue;
        out.value = p;
        const Vector<double> at_core = x - (shapes_[side.ball_of].round - p) * n;
        const Vector<double> v = (a.v + cross(a.w, at_core - a.r)) - (b.v + cross(b.w, at_core - b.r));
        out.rate = -dot(n, v);
      }
    });
  }
  out.bound = own_speed + fastest;
  const double size = std::min(shapes_[body].thinnest, 1e300);
  out.span = out.bound > 0 ? size / (8 * out.bound) : std::numeric_limits<double>::infinity();
  return out;
}

/// Of many bodies there is one switch, which tells until the first of them touch something: from then on
/// steps are as short as touching asks for.
void Contacts::switches(const At& at, Switch* out) const {
  constexpr double touches = 1e6;  // skins
  if (count_ <= few) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      out[i] = gap_of(at, i);
      if (!std::isfinite(out[i].value)) out[i] = {-1, 0, 0, std::numeric_limits<double>::infinity(), false};
    }
    return;
  }
  const RoomAt room(at, near_);
  near_.look(at.frames, room->near, Fellow{});
  near_.renew(room->near);
  double deepest = -near_.skin(), rate = 0, fastest = 0;
  for (std::uint32_t i = 0; i < count_; ++i)
    fastest = std::max(fastest, at.frames[i].v.norm() + at.frames[i].w.norm() * shapes_[i].reach);
  for (const Pair& pair : room->near.pairs()) {
    for_sides(pair, [&](const Side& side) {
      const Motion<double> a = motion(at, side.ball_of), b = motion(at, side.core);
      for (const Vec3& ball : shapes_[side.ball_of].balls) {
        Vector<double> x, n;
        const double p =
            penetration(Meeting<double>{shapes_[side.ball_of], ball, a, shapes_[side.core], b}, &x, &n);
        if (p <= deepest) continue;
        deepest = p;
        rate = -dot(n, a.v + cross(a.w, x - a.r) - b.v - cross(b.w, x - b.r));
      }
    });
    if (deepest > 0) break;
  }
  if (deepest > 0)
    *out = {touches * near_.skin(), 1e-300, 0, std::numeric_limits<double>::infinity(), false};
  else
    *out = {deepest, rate, 2 * fastest, fastest > 0 ? near_.skin() / (8 * fastest) : 1e300, false};
}

std::vector<double> Contacts::parameters() const {
  std::vector<double> all{spec_.stiffness, spec_.exponent, spec_.damping, spec_.friction, spec_.slip};
  if (spec_.sticking) all.insert(all.end(), {spec_.sticking->stiffness, spec_.sticking->damping});
  for (const Outline& shape : shapes_) {
    all.insert(all.end(), {static_cast<double>(shape.kind), shape.round});
    const auto add = [&](const auto& numbers) {
      all.insert(all.end(), numbers.data(), numbers.data() + numbers.size());
    };
    add(shape.at);
    add(shape.turn);
    add(shape.half);
    for (const Vec3& ball : shape.balls) add(ball);
  }
  for (const std::uint8_t side : allowed_.sides) all.push_back(side);
  for (const Pair& pair : allowed_.never) all.insert(all.end(), {double(pair.a), double(pair.b)});
  return all;
}

}  // namespace

std::unique_ptr<ForceGroup> make_contacts(std::string name, Scene scene, const Spec& spec) {
  return std::make_unique<Contacts>(std::move(name), std::move(scene), spec);
}

}  // namespace cosimo::contact
