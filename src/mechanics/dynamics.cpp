#include "mechanics/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

namespace {

constexpr double solved = 1e-12;       ///< of the accelerations to be led: not worth a refinement
constexpr double contradiction = 0.1;  ///< of the same: the constraints cannot all be satisfied
constexpr double rounded = 1e-14;      ///< of accelerations that cancel each other
constexpr int refinements = 3;

double largest(const std::vector<double>& list) {
  double out = 0;
  for (const double x : list) out = std::max(out, std::abs(x));
  return out;
}

}  // namespace

Dynamics::Dynamics(const Mechanism& mechanism, std::span<const BodyId> bodies,
                   std::span<const ElementId> elements, Memory memory)
    : impl_(std::make_unique<Impl>(mechanism, bodies, elements, memory)) {}
Dynamics::~Dynamics() = default;

std::size_t Dynamics::size() const {
  return impl_->size;
}
std::size_t Dynamics::freedoms() const {
  return impl_->freedoms;
}
std::size_t Dynamics::constraints() const {
  return impl_->rows;
}
std::size_t Dynamics::bodies() const {
  return impl_->bodies.size();
}
BodyKind Dynamics::kind(std::size_t body) const {
  return impl_->bodies[body].kind;
}
std::size_t Dynamics::first_coordinate(std::size_t body) const {
  return impl_->bodies[body].q;
}
std::size_t Dynamics::first_freedom(std::size_t body) const {
  return impl_->bodies[body].w;
}
std::span<const std::size_t> Dynamics::constraint_ids() const {
  return impl_->ids;
}
std::span<const std::size_t> Dynamics::first_rows() const {
  return impl_->first_rows;
}

void Dynamics::DeleteWorkspace::operator()(Workspace* work) const {
  delete work;
}

Dynamics::WorkspacePtr Dynamics::make_workspace() const {
  const Impl& impl = *impl_;
  WorkspacePtr work(new Workspace);
  for (SchurState* state : {&work->motion, &work->projection}) {
    state->pose = impl.table.make_poses();
    state->frames.resize(impl.bodies.size());
    state->values.resize(impl.tree.storage());
    for (auto* notes : {&state->notes, &state->left}) notes->resize(impl.tree.note_storage());
    impl.joints.write_constants(state->values);
    if (impl.uneven) state->even.resize(impl.tree.storage());
    for (auto* list : {&state->arm, &state->gap, &state->noise, &state->share, &state->per_arm})
      list->resize(impl.groups.size());
    if (impl.loops) state->squares.resize(impl.joints.square_size());
  }
  work->projection.closed = true;
  for (auto* list : {&work->force, &work->alpha, &work->twist, &work->shift}) list->resize(impl.freedoms);
  work->pull.resize(impl.pull_size);
  for (auto* list : {&work->rest, &work->gap}) list->resize(impl.rows);
  for (auto* list : {&work->q, &work->v}) list->resize(impl.size);
  work->rooms = impl.make_rooms();
  return work;
}

BodyFrames Dynamics::Impl::frames_of(const ConstraintData& data, const std::vector<Frame>& all,
                                     std::array<Frame, most_ends>& store) const {
  if (data.adjacent) return {all.data() + data.end[0].body, data.ends};
  for (std::size_t e = 0; e < data.ends; ++e) store[e] = all[data.end[e].body];
  return {store.data(), data.ends};
}

Frame Dynamics::Impl::frame_at(std::size_t body, const double* q, const double* v) const {
  const BodyData& data = bodies[body];
  return frame_of(data.kind, q + data.q, v + data.q);
}

void Dynamics::Impl::find_frames(const double* q, const double* v, SchurState& state) const {
  find_poses(table, table.all(), q, v, state.pose.data());
  find_plain_frames(q, v, state);
  find_asked_frames(state, {0, framed_bodies.size()});
}

void Dynamics::Impl::find_plain_frames(const double* q, const double* v, SchurState& state) const {
  for (const std::uint32_t b : plain_bodies) state.frames[b] = frame_at(b, q, v);
}

void Dynamics::Impl::find_asked_frames(SchurState& state, Range asked) const {
  for (std::size_t k = asked.first; k < asked.last; ++k)
    state.frames[framed_bodies[k]] = frame_in(framed_bodies[k], state);
}

Frame Dynamics::Impl::frame_in(std::size_t body, const SchurState& state) const {
  const std::uint32_t place = table.place[body];
  if (place == BodyTable::none) return state.frames[body];
  const double* const own = state.pose.data() + table.pose_of(place);
  const auto number = [&](std::size_t first, Eigen::Index k) {
    return own[(first + static_cast<std::size_t>(k)) * pack_things];
  };
  Frame frame;
  for (Eigen::Index k = 0; k < 3; ++k) {
    frame.r[k] = number(PoseNumber::r, k);
    frame.v[k] = number(PoseNumber::v, k);
    frame.w[k] = number(PoseNumber::w, k);
    for (Eigen::Index j = 0; j < 3; ++j) frame.R(k, j) = number(PoseNumber::R, 3 * k + j);
  }
  frame.turned = number(PoseNumber::turned, 0);
  return frame;
}

Mat3 Dynamics::Impl::inverse_inertia_in(std::size_t body, const SchurState& state) const {
  const std::uint32_t place = table.place[body];
  if (place == BodyTable::none) return Mat3::Zero();
  const double* own = state.pose.data() + table.pose_of(place) + PoseNumber::inverse_inertia * pack_things;
  Mat3 out;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = i; j < 3; ++j, own += pack_things) out(i, j) = out(j, i) = *own;
  return out;
}

/// What the parts of the curvature are like that may cancel each other: of steady rotations all of them do.
double Dynamics::Impl::largest_curvature(const SchurState& state) const {
  double length = 1, out = 0;
  for (const double square : state.arm) length = std::max(length, std::sqrt(square));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Frame frame = frame_in(b, state);
    const double turning = frame.w.norm();
    out = std::max(out, turning * (turning * length + frame.v.norm()));
  }
  return out;
}

double Dynamics::Impl::accelerate_freely(SchurState& state, const Workspace& work) const {
  double most = divide_forces(table, table.all(), state.pose.data(), work.pull.data(), state.values.data());
  for (const std::uint32_t b : plain_bodies) most = std::max(most, accelerate_plain_body(b, state, work));
  return most;
}

double Dynamics::Impl::accelerate_plain_body(std::size_t b, SchurState& state, const Workspace& work) const {
  const BodyData& body = bodies[b];
  const TreeSlot alpha = tree.alpha(b);
  double most = 0;
  for (std::size_t k = 0; k < body.freedoms; ++k) {
    const bool turns = body.kind == BodyKind::planar && k == 2;
    const double x = force_slots[b](work.pull, k) * (turns ? body.inverse_turning : body.inverse_mass);
    alpha(state.values, k) = x;
    most = std::max(most, std::abs(x));
  }
  return most;
}

bool Dynamics::Impl::lead(SchurState& state, double largest, Factor factor) const {
  tree.clear(RowSection::lambda, state.values);
  const EliminationTree::Largest begin = tree.descend(state.values, state.notes, factor);
  return lead_on(state, largest, begin, tree.ascend(state.values, state.left));
}

bool Dynamics::Impl::lead_on(SchurState& state, double largest, const EliminationTree::Largest& begin,
                             double left, bool* refined) const {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; helps(left, before, largest, begin, i); ++i) {
    before = left;
    tree.descend(state.values, state.notes, Factor::made);
    left = tree.ascend(state.values, state.left);
    if (refined != nullptr) *refined = true;
  }
  return led(left, largest, begin) || left <= rounded * largest_curvature(state);
}

// Accelerations that agree already (bodies in free fall) leave nothing but rounding errors of themselves.
bool Dynamics::Impl::helps(double left, double before, double largest, const EliminationTree::Largest& begin,
                           int times) const {
  return times < refinements && left > rounded * largest && left > solved * (begin.rest + begin.curvature) &&
         left < 0.5 * before;
}
bool Dynamics::Impl::led(double left, double largest, const EliminationTree::Largest& begin) const {
  return left <= rounded * largest || left <= contradiction * (begin.rest + begin.curvature);
}

bool Dynamics::acceleration(double t, const double* q, const double* v,
                            std::span<const ExternalWrench> external, double* a, double* lambda,
                            Workspace& work, const Remembered& y, double* z_rate) const {
  const Impl& impl = *impl_;
  if (impl.only_points()) return impl.accelerate_points(t, q, v, external, a, y, z_rate);
  if (impl.in_units()) return impl.accelerate_in_units({t, q, v, external, a, &work}, lambda, y, z_rate);
  SchurState& state = work.motion;
  impl.find_frames(q, v, state);
  if (!impl.find_pull(t, state, external, work, y, z_rate)) return false;
  const double largest = impl.accelerate_freely(state, work);
  if (impl.rows > 0) {
    const Factor factor = impl.factor_wanted();
    impl.write_system(t, state, work, true);
    if (factor == Factor::made) impl.factorise_written(t, state, work);
    if (!impl.lead(state, largest, factor)) return false;
    impl.tell_multipliers(state, lambda);
  }
  return impl.tell_accelerations(q, v, state, a);
}

void Dynamics::Impl::tell_multipliers(const SchurState& state, double* lambda) const {
  for (std::size_t c = 0; lambda != nullptr && c < constraints.size(); ++c) {
    const TreeSlot found = tree.rows(c)[RowSection::lambda];
    const ConstraintData& data = constraints[c];
    for (std::size_t i = 0; i < data.rows; ++i) lambda[data.row + i] = found(state.values, i);
  }
}

bool Dynamics::Impl::find_pull(double t, const SchurState& state, std::span<const ExternalWrench> external,
                               Workspace& work, const Remembered& y, double* z_rate) const {
  find_weights(table, table.all(), state.pose.data(), gravity.data(), work.pull.data());
  for (const std::uint32_t b : plain_bodies) find_plain_weight(b, work);
  if (!add_other_forces(t, state, external, work, y, z_rate)) return false;
  add_bushing_forces(bushings, bushings.all(), state.pose.data(), work.pull.data());
  return true;
}

void Dynamics::Impl::find_plain_weight(std::size_t b, Workspace& work) const {
  const ForceOn pull{work.pull.data() + force_slots[b].at, force_slots[b].stride};
  for (std::size_t k = 0; k < bodies[b].freedoms; ++k) pull[k] = 0;
  add_wrench(bodies[b], {bodies[b].mass * gravity, Vec3::Zero()}, pull);
}

ForceOn Dynamics::Impl::pull_on(std::size_t b, Workspace& work) const {
  return {work.pull.data() + force_slots[b].at, force_slots[b].stride};
}

bool Dynamics::Impl::add_other_forces(double t, const SchurState& state,
                                      std::span<const ExternalWrench> external, Workspace& work,
                                      const Remembered& y, double* z_rate) const {
  if (!add_element_forces(t, state, work, y, z_rate)) return false;
  const auto frame = [&](std::size_t b) -> const Frame& { return state.frames[b]; };
  const auto take = [&](std::size_t b, const Wrench& wrench) {
    add_wrench(bodies[b], wrench, pull_on(b, work));
  };
  if (!find_group_wrenches(t, frame, y, work.rooms, take)) return false;
  add_external(external, work);
  return true;
}

bool Dynamics::Impl::add_element_forces(double t, const SchurState& state, Workspace& work,
                                        const Remembered& y, double* z_rate) const {
  const auto frame = [&](std::size_t b) -> const Frame& { return state.frames[b]; };
  const auto pull = [&](std::size_t b) { return pull_on(b, work); };
  for (const std::uint32_t e : bushings.others)
    if (!add_force(elements[e], t, frame, pull, y, z_rate)) return false;
  return true;
}

void Dynamics::Impl::add_external(std::span<const ExternalWrench> external, Workspace& work) const {
  for (const ExternalWrench& wrench : external)
    add_wrench(bodies[wrench.body], wrench.wrench, pull_on(wrench.body, work));
}

/// Of the coordinates, from those of the freedoms in the tree. False when one is not finite.
bool Dynamics::Impl::tell_accelerations(const double* q, const double* v, const SchurState& state,
                                        double* a) const {
  const bool fine = find_accelerations(table, table.all(), state.pose.data(), state.values.data(), a);
  return tell_plain_accelerations(plain_bodies, q, v, state.values.data(), a) && fine;
}

bool Dynamics::Impl::tell_plain_accelerations(std::span<const std::uint32_t> which, const double* q,
                                              const double* v, const double* values, double* a) const {
  double sum = 0;  // NaN and infinity survive in it
  std::array<double, 6> alpha{};
  for (const std::uint32_t b : which) {
    const BodyData& body = bodies[b];
    const TreeSlot found = tree.alpha(b);
    for (std::size_t k = 0; k < body.freedoms; ++k) {
      alpha[k] = values[found.at + k * found.stride];
      sum += alpha[k] - alpha[k];
    }
    accelerations_of(body.kind, q + body.q, v + body.q, alpha.data(), a + body.q);
  }
  return sum == 0;
}

void Dynamics::dependent_rows(double t, const double* q, Workspace& work, std::span<std::uint8_t> out,
                              double sine) const {
  const Impl& impl = *impl_;
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  if (!impl.loops) return;
  SchurState& state = work.motion;
  impl.find_frames(q, work.v.data(), state);
  state.dependent = sine * sine;
  impl.factorise(t, state, work);
  state.dependent = dependent_share;
  for (std::size_t c = 0; c < impl.constraints.size(); ++c) {
    const TreeSlot share = impl.tree.rows(c)[RowSection::share];
    const ConstraintData& data = impl.constraints[c];
    for (std::size_t i = 0; i < data.rows; ++i) out[data.row + i] = share(state.values, i) < 1;
  }
}

const Constraint& Dynamics::constraint_of(std::size_t row) const {
  const auto after = std::upper_bound(impl_->first_rows.begin(), impl_->first_rows.end(), row);
  return *impl_->constraints[static_cast<std::size_t>(after - impl_->first_rows.begin()) - 1].constraint;
}

void Dynamics::response_to(const ExternalWrench& wrench, double* alpha, Workspace& work) const {
  const Impl& impl = *impl_;
  std::fill(work.force.begin(), work.force.end(), 0.0);
  add_wrench(impl.bodies[wrench.body], wrench.wrench, work.force.data());
  impl.divide_by_mass(work.motion, work.force.data(), work.alpha.data());
  if (impl.rows > 0) {
    impl.tree.clear(RowSection::curvature, work.motion.values);
    impl.put_alpha(work.alpha, work.motion.values);
    static_cast<void>(impl.lead(work.motion, largest(work.alpha), Factor::made));
    impl.get_alpha(work.motion.values, work.alpha);
  }
  std::copy(work.alpha.begin(), work.alpha.end(), alpha);
}

double Dynamics::next_breakpoint(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const std::uint32_t e : impl_->others)
    next = std::min(next, impl_->elements[e].element->next_breakpoint(t));
  for (const GroupData& data : impl_->laws) next = std::min(next, data.group->next_breakpoint(t));
  for (const ConstraintData& data : impl_->constraints)
    next = std::min(next, data.constraint->next_breakpoint(t));
  return next;
}

double Dynamics::longest_step(double t) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const std::uint32_t e : impl_->others)
    longest = std::min(longest, impl_->elements[e].element->longest_step(t));
  for (const GroupData& data : impl_->laws) longest = std::min(longest, data.group->longest_step(t));
  return longest;
}

std::span<const std::int32_t> Dynamics::switch_laws() const {
  return impl_->switch_laws;
}
Dynamics::Law Dynamics::law(std::size_t place) const {
  const std::size_t elements = impl_->elements.size();
  if (place < elements) return {.element = impl_->elements[place].element};
  return {.group = impl_->laws[place - elements].group};
}
std::span<const std::int32_t> Dynamics::switch_coordinates() const {
  return impl_->switch_coordinates;
}

void Dynamics::switches(double t, const double* q, const double* v, Switch* out, Workspace& work) const {
  const auto& laws = impl_->switch_laws;
  for (std::size_t k = 0; k < laws.size();) {
    if (static_cast<std::size_t>(laws[k]) >= impl_->elements.size()) {
      const auto frame = [&](std::size_t b) { return impl_->frame_at(b, q, v); };
      const std::size_t g = static_cast<std::size_t>(laws[k]) - impl_->elements.size();
      const GroupData& data = impl_->laws[g];
      data.group->switches(Impl::look(data, t, frame, {}, work.rooms[g]), out + k);
      k += data.group->switch_count();
      continue;
    }
    const ElementData& data = impl_->elements[static_cast<std::size_t>(laws[k])];
    const auto frame = [&](std::int32_t body) {
      return body == no_body ? Frame{} : impl_->frame_at(static_cast<std::size_t>(body), q, v);
    };
    data.element->switches(t, marker_frame(frame(data.from), data.element->at_from),
                           marker_frame(frame(data.to), data.element->at_to), out + k);
    const std::size_t last = k + data.element->switch_count();
    // An element with memory counts its turns.
    for (; k < last; ++k)
      if (data.memory != nullptr && out[k].angle) out[k].value = 0;
  }
}

double Dynamics::kinetic_energy(const double* q, const double* v) const {
  double energy = 0;
  for (std::size_t b = 0; b < impl_->bodies.size(); ++b) {
    const BodyData& body = impl_->bodies[b];
    const Frame frame = impl_->frame_at(b, q, v);
    energy += 0.5 * body.mass * frame.v.squaredNorm();
    if (body.kind == BodyKind::planar) energy += 0.5 * body.turning * frame.w[2] * frame.w[2];
    if (body.kind == BodyKind::rigid) energy += 0.5 * frame.w.dot(inertia_times(body, frame, frame.w));
  }
  return energy;
}

double Dynamics::potential_energy(double t, const double* q, const Remembered& y) const {
  const auto frame = [&](std::int32_t body) {
    return body == no_body ? Frame{} : impl_->still_frame_at(static_cast<std::size_t>(body), q);
  };
  double energy = 0;
  for (std::size_t b = 0; b < impl_->bodies.size(); ++b)
    energy -= impl_->bodies[b].mass * impl_->gravity.dot(impl_->still_frame_at(b, q).r);
  for (const ElementData& data : impl_->elements) {
    const Frame from = marker_frame(frame(data.from), data.element->at_from);
    const Frame to = marker_frame(frame(data.to), data.element->at_to);
    energy += data.remembers(y) ? data.memory->potential(t, from, to, data.of(y))
                                : data.element->potential(t, from, to);
  }
  return energy + impl_->potential_of_groups(t, q, y);
}

Frame Dynamics::frame(std::size_t body, const double* q, const double* v) const {
  return impl_->frame_at(body, q, v);
}

}  // namespace cosimo
