// Residuals and tangents by several threads. Nothing is added to a number that another thread may want:
//
//   frames    of the own bodies
//   parts     efforts of the own elements, pulls and rows of the own constraints     | entries of the tangent
//   sums      of the own bodies, in the order of the elements and constraints
//
// They meet after each, so bits are those of one loop over everything (dynamics_residual.cpp). Elements that
// remember something or call a library are left to the leader.
#include <algorithm>
#include <numeric>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

namespace {

/// A thread with fewer freedoms waits longer at the meetings than it works.
constexpr std::size_t worth_a_fellow = 384;

/// What acts on each body, in order.
class Uses {
 public:
  template <class BodiesOf>
  Uses(std::size_t bodies, std::size_t parts, const BodiesOf& body_of) : firsts_(bodies + 1, 0) {
    for (std::size_t k = 0; k < parts; ++k)
      if (body_of(k) >= 0) ++firsts_[static_cast<std::size_t>(body_of(k)) + 1];
    std::partial_sum(firsts_.begin(), firsts_.end(), firsts_.begin());
    parts_.resize(firsts_.back());
    std::vector<std::uint32_t> next(firsts_.begin(), firsts_.end() - 1);
    for (std::size_t k = 0; k < parts; ++k)
      if (body_of(k) >= 0)
        parts_[next[static_cast<std::size_t>(body_of(k))]++] = static_cast<std::uint32_t>(k);
  }
  std::span<const std::uint32_t> of(std::size_t body) const {
    return std::span(parts_).subspan(firsts_[body], firsts_[body + 1] - firsts_[body]);
  }

 private:
  std::vector<std::uint32_t> firsts_, parts_;
};

struct alignas(64) Fine {
  bool yes = true;
};

}  // namespace

/// Ends of elements are numbered two by two, those of constraints `most_ends` by `most_ends`.
class Dynamics::SharedWork {
 public:
  explicit SharedWork(const Impl& impl)
      : frames(impl.bodies.size()),
        efforts(2 * impl.elements.size()),
        pulls(most_ends * impl.constraints.size()),
        element_ends(impl.bodies.size(), efforts.size(),
                     [&](std::size_t k) {
                       const ElementData& data = impl.elements[k / 2];
                       return k % 2 == 0 ? data.from : data.to;
                     }),
        constraint_ends(impl.bodies.size(), pulls.size(),
                        [&](std::size_t k) {
                          const ConstraintData& data = impl.constraints[k / most_ends];
                          return k % most_ends < data.ends
                                     ? static_cast<std::int32_t>(data.end[k % most_ends].body)
                                     : no_body;
                        }),
        rooms(impl.make_rooms()),
        group_ends(impl.bodies.size(), count_ends(impl), [&](std::size_t k) { return body_at(impl, k); }) {}

  std::vector<Frame> frames;
  std::vector<Wrench> efforts, pulls;
  Uses element_ends, constraint_ends;
  std::vector<GroupRoom> rooms;
  Uses group_ends;  ///< numbered through all groups
  std::vector<Fine> fine = std::vector<Fine>(1);

  /// Whether all were fine; they have met.
  bool all_fine(const Fellow& me) const {
    return std::all_of(fine.begin(), fine.begin() + static_cast<std::ptrdiff_t>(me.count),
                       [](const Fine& f) { return f.yes; });
  }
  const Wrench& of_group(const Impl& impl, std::size_t end) const {
    std::size_t g = impl.laws.size() - 1;
    while (impl.laws[g].first_end > end) --g;
    return rooms[g].wrenches[end - impl.laws[g].first_end];
  }

 private:
  static std::size_t count_ends(const Impl& impl) {
    return impl.laws.empty() ? 0 : impl.laws.back().first_end + impl.laws.back().bodies.size();
  }
  static std::int32_t body_at(const Impl& impl, std::size_t end) {
    std::size_t g = impl.laws.size() - 1;
    while (impl.laws[g].first_end > end) --g;
    return static_cast<std::int32_t>(impl.laws[g].bodies[end - impl.laws[g].first_end]);
  }
};

void Dynamics::DeleteSharedWork::operator()(SharedWork* work) const {
  delete work;
}

Dynamics::SharedWorkPtr Dynamics::make_shared_work() const {
  return SharedWorkPtr(new SharedWork(*impl_));
}

int Dynamics::most_fellows() const {
  return static_cast<int>(std::clamp<std::size_t>(impl_->freedoms / worth_a_fellow, 1, share_limit));
}

void Dynamics::Impl::find_frames(const Instant& at, SharedWork& work, const Fellow& me) const {
  if (me.leads() && work.fine.size() < me.count) work.fine.resize(me.count);
  const Range own = me.share(bodies.size());
  for (std::size_t b = own.first; b < own.last; ++b) work.frames[b] = frame_at(b, at.q, at.v);
  me.meet();
}

bool Dynamics::Impl::find_efforts(const Instant& at, double* z_rate, SharedWork& work,
                                  const Fellow& me) const {
  const auto frame = [&](std::size_t b) -> const Frame& { return work.frames[b]; };
  const auto find = [&](std::size_t e) {
    const ElementData& data = elements[e];
    Frame from, to;
    Effort effort;
    if (!find_effort(data, at.t, frame, from, to, effort, at.y, z_rate)) return false;
    if (data.from != no_body) work.efforts[2 * e] = wrench_on_from(effort, from, data.element->at_from);
    if (data.to != no_body) work.efforts[2 * e + 1] = wrench_on_to(effort, to, data.element->at_to);
    return true;
  };
  bool fine = true;
  if (only_points()) {
    for (std::size_t k = 0; me.leads() && k < others.size(); ++k) fine = find(others[k]) && fine;
    return fine;
  }
  const bool alone = foreign || !remembering.empty();
  const Range own = alone ? Range{0, me.leads() ? elements.size() : 0} : me.share(elements.size());
  for (std::size_t e = own.first; e < own.last; ++e) fine = find(e) && fine;
  const auto leave = [](std::size_t, const Wrench&) {};  // sum_up() takes them
  if (me.leads()) fine = find_group_wrenches(at.t, frame, at.y, work.rooms, leave) && fine;
  return fine;
}

void Dynamics::Impl::find_pulls(const Instant& at, double* rates_of_rows, SharedWork& work,
                                const Fellow& me) const {
  std::array<Frame, most_ends> store;
  ConstraintRows J;
  RowVector row;
  const Range own = me.share(constraints.size());
  for (std::size_t c = own.first; c < own.last; ++c) {
    const ConstraintData& data = constraints[c];
    const BodyFrames frames = frames_of(data, work.frames, store);
    data.constraint->jacobian(at.t, frames, J);
    for (std::size_t e = 0; e < data.ends; ++e) {
      Vec6 pull = Vec6::Zero();
      for (std::size_t i = 0; i < data.rows; ++i)
        pull += at.lambda[data.row + i] *
                J.block<1, 6>(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(6 * e)).transpose();
      work.pulls[most_ends * c + e] = {pull.head<3>(), pull.tail<3>()};
    }
    if (rates_of_rows == nullptr) continue;
    data.constraint->drift(at.t, frames, row);
    add_rates(J, frames, row);
    std::copy_n(row.data(), data.rows, rates_of_rows + data.row);
  }
}

/// M alpha - f + J^T lambda of a body; returns whether it is finite.
bool Dynamics::Impl::sum_up(std::size_t b, const Instant& at, double* r, const SharedWork& work) const {
  const BodyData& body = bodies[b];
  double* const part = r + body.w;
  const double* const a = at.alpha + body.w;
  if (!only_points()) {
    std::fill_n(part, body.freedoms, 0.0);
    Wrench weight;
    weight.force = body.mass * gravity;
    if (body.kind == BodyKind::rigid)
      weight.torque = inertia_times(body, work.frames[b], work.frames[b].w).cross(work.frames[b].w);
    add_wrench(body, weight, r);
  }
  for (const std::uint32_t end : work.element_ends.of(b))
    if (!only_points() || std::ranges::binary_search(others, end / 2)) add_wrench(body, work.efforts[end], r);
  for (const std::uint32_t end : work.group_ends.of(b)) add_wrench(body, work.of_group(*this, end), r);
  for (const ExternalWrench& wrench : at.external)
    if (wrench.body == b) add_wrench(body, wrench.wrench, r);
  for (std::size_t k = 0; k < std::min<std::size_t>(3, body.freedoms); ++k)
    part[k] = (body.kind == BodyKind::planar && k == 2 ? body.turning : body.mass) * a[k] - part[k];
  if (body.kind == BodyKind::rigid) {
    const Vec3 moment = inertia_times(body, work.frames[b], Eigen::Map<const Vec3>(a + 3));
    for (std::size_t k = 0; k < 3; ++k) part[3 + k] = moment[static_cast<Eigen::Index>(k)] - part[3 + k];
  }
  for (const std::uint32_t end : work.constraint_ends.of(b)) add_wrench(body, work.pulls[end], r);
  double sum = 0;
  for (std::size_t k = 0; k < body.freedoms; ++k) sum += part[k] - part[k];
  return sum == 0;
}

bool Dynamics::residual(const Instant& at, bool fine, const Residual& out, SharedWork& work,
                        const Fellow& me) const {
  const Impl& impl = *impl_;
  impl.find_frames(at, work, me);
  if (impl.only_points()) {
    constexpr std::size_t unit = 48;  // slices of eight bodies, whatever their number of coordinates
    const Range own = me.share(impl.size, unit);
    fine = impl.points.evaluate(at.q, at.v, PointSprings::Result::force, own, out.r) && fine;
  }
  fine = impl.find_efforts(at, out.z_rate, work, me) && fine;
  impl.find_pulls(at, out.rows, work, me);
  me.meet();
  const Range own = me.share(impl.bodies.size());
  for (std::size_t b = own.first; b < own.last; ++b) fine = impl.sum_up(b, at, out.r, work) && fine;
  work.fine[me.number].yes = fine;
  me.meet();
  return work.all_fine(me);
}

void Dynamics::linearise(const Instant& at, ConstrainedTangent& out, StateBlocks* states, SharedWork& work,
                         const Fellow& me) const {
  const Impl& impl = *impl_;
  if (me.leads()) impl.begin_tangent(out, states);
  impl.find_frames(at, work, me);
  const Range bodies = me.share(impl.bodies.size()), constraints = me.share(impl.constraints.size());
  const bool alone = impl.foreign || !impl.remembering.empty();
  const Range elements =
      alone ? Range{0, me.leads() ? impl.elements.size() : 0} : me.share(impl.elements.size());
  impl.linearise_parts({bodies, elements, constraints, me.leads()}, at, work.frames.data(), out, states);
  me.meet();
}

}  // namespace cosimo
