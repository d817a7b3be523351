// The derivatives of the equations of motion. With I = R I_b R^T and dR = skew(dtheta) R,
//
//   d(I a) = (dtheta x I a) - I (dtheta x a) = (I skew(a) - skew(I a)) dtheta,
//   d(w x I w) = skew(w) (I skew(w) - skew(I w)) dtheta + (skew(w) I - skew(I w)) dw,
//
// and the torque s x F of a force at a marker, s = R point, also changes with its arm:
// d(s x F) = skew(s) dF + skew(F) skew(s) dtheta.
//
// Which entries there are depends on the bodies, elements and constraints alone, never on numbers.
#include <Eigen/Geometry>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/dynamics_forces.hpp"

namespace cosimo {

namespace {

using Entries = std::vector<SparseEntry>;

void add_entry(Entries& out, std::size_t row, std::size_t column, double value) {
  out.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), value});
}
/// A part of a list, from the beginning.
using Part = SparseEntry*;

void add_entry(Part& out, std::size_t row, std::size_t column, double value) {
  *out++ = {static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), value};
}

struct TangentParts {
  Part M, C, K, J, rate;

  template <class First>
  TangentParts(ConstrainedTangent& out, const First& first)
      : M(out.M.data() + first.M),
        C(out.C.data() + first.C),
        K(out.K.data() + first.K),
        J(out.J.data() + first.J),
        rate(out.rate.data() + first.J) {}
};

/// The part of a 6 x 6 block that the two bodies are free for.
template <class Block>
void add_block(Part& out, const BodyData& row, const BodyData& column, const Block& block) {
  const auto rows = freedom_components(row.kind), columns = freedom_components(column.kind);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      add_entry(out, row.w + i, column.w + j, block(rows[i], columns[j]));
}

template <class Block>
void add_rows_of(Part& out, const ConstraintData& data, std::size_t end, const BodyData& body,
                 const Block& block) {
  const auto columns = freedom_components(body.kind);
  for (std::size_t i = 0; i < data.rows; ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      add_entry(out, data.row + i, body.w + j,
                block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(6 * end + columns[j])));
}

void add_inertia(const BodyData& body, const Frame& frame, const double* alpha, TangentParts out) {
  if (body.kind != BodyKind::rigid) {
    for (std::size_t k = 0; k < body.freedoms; ++k)
      add_entry(out.M, body.w + k, body.w + k,
                body.kind == BodyKind::planar && k == 2 ? body.turning : body.mass);
    return;
  }
  const Mat3 inertia = frame.R * body.inertia * frame.R.transpose();
  const Vec3 a = Eigen::Map<const Vec3>(alpha + body.w + 3);
  const Vec3 spin = inertia * frame.w;
  const Mat3 W = skew(frame.w);
  const Mat3 of_spin = inertia * W - skew(spin);
  const Mat3 stiffness = inertia * skew(a) - skew(inertia * a) + W * of_spin;
  const Mat3 damping = W * inertia - skew(spin);
  for (std::size_t k = 0; k < 3; ++k) add_entry(out.M, body.w + k, body.w + k, body.mass);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      add_entry(out.M, body.w + 3 + i, body.w + 3 + j, inertia(row, column));
      add_entry(out.C, body.w + 3 + i, body.w + 3 + j, damping(row, column));
      add_entry(out.K, body.w + 3 + i, body.w + 3 + j, stiffness(row, column));
    }
  }
}

/// One end of an element: the effort's part in the wrench on its body.
struct ElementEnd {
  const BodyData* body = nullptr;
  Frame frame;
  const Marker* marker = nullptr;
  Eigen::Index torque = 3;  ///< row of its torque in an effort
  double sign = 1;          ///< of the force
  Eigen::Matrix<double, 9, 12> gradient = Eigen::Matrix<double, 9, 12>::Zero();  ///< of the effort, by body
};

void add_element_rows(const ElementEnd& acted, const ElementEnd& moved, const Effort& effort,
                      TangentParts& out) {
  if (acted.body == nullptr || moved.body == nullptr) return;
  const Mat3 arm = skew(acted.frame.R * acted.marker->point);
  Eigen::Matrix<double, 6, 12> wrench;
  wrench.topRows<3>() = acted.sign * moved.gradient.topRows<3>();
  wrench.bottomRows<3>() = moved.gradient.middleRows<3>(acted.torque) + arm * wrench.topRows<3>();
  if (&acted == &moved) wrench.block<3, 3>(3, 3) += acted.sign * skew(effort.force) * arm;
  add_block(out.K, *acted.body, *moved.body, -wrench.leftCols<6>());
  add_block(out.C, *acted.body, *moved.body, -wrench.rightCols<6>());
}

/// What the states of an element do to its bodies, and these to them.
void add_states(const std::array<ElementEnd, 2>& ends, const ElementData& data, const StateGradient& gradient,
                StateBlocks& out) {
  const auto count = static_cast<std::size_t>(gradient.own.rows());
  for (const ElementEnd& end : ends) {
    if (end.body == nullptr) continue;
    const auto components = freedom_components(end.body->kind);
    const Mat3 arm = skew(end.frame.R * end.marker->point);
    const Eigen::Matrix<double, 12, 12> by_body = marker_jacobian(end.frame, *end.marker);
    const auto& rates = &end == &ends[0] ? gradient.from : gradient.to;
    for (std::size_t k = 0; k < count; ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      Vec6 wrench;
      wrench.head<3>() = end.sign * gradient.effort.col(column).head<3>();
      wrench.tail<3>() = gradient.effort.col(column).segment<3>(end.torque) + arm * wrench.head<3>();
      const Eigen::Matrix<double, 1, 12> rate = rates.row(column) * by_body;
      for (std::size_t i = 0; i < components.size(); ++i) {
        add_entry(out.f_z, end.body->w + i, data.first.z + k, wrench[components[i]]);
        add_entry(out.z_x, data.first.z + k, end.body->w + i, rate[components[i]]);
        add_entry(out.z_w, data.first.z + k, end.body->w + i, rate[6 + components[i]]);
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      add_entry(out.z_z, data.first.z + i, data.first.z + j,
                gradient.own(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
}

void add_element(const ElementData& data, const std::vector<BodyData>& bodies, double t, const Frame& from,
                 const Frame& to, TangentParts out, const Remembered& y, StateBlocks* states) {
  const ForceElement& element = *data.element;
  std::array<ElementEnd, 2> ends;
  ends[0].frame = from;
  ends[0].marker = &element.at_from;
  ends[1].frame = to;
  ends[1].marker = &element.at_to;
  ends[1].torque = 6;
  ends[1].sign = -1;
  if (data.from != no_body) ends[0].body = &bodies[static_cast<std::size_t>(data.from)];
  if (data.to != no_body) ends[1].body = &bodies[static_cast<std::size_t>(data.to)];

  const Frame at_from = marker_frame(from, element.at_from), at_to = marker_frame(to, element.at_to);
  Effort effort;
  // An effort that overflows was refused where it mattered; its derivatives are refused by whoever uses them.
  EffortGradient gradient;
  StateGradient by_states;
  if (data.remembers(y)) {
    const std::size_t count = data.memory->extent().z;
    std::vector<double> rates(count);
    by_states.reset(count);
    static_cast<void>(data.memory->effort(t, at_from, at_to, data.of(y), effort, rates.data()));
    data.memory->gradient(t, at_from, at_to, data.of(y), gradient, by_states);
  } else {
    static_cast<void>(element.effort(t, at_from, at_to, effort));
    element.gradient(t, at_from, at_to, gradient);
  }
  ends[0].gradient = gradient.from * marker_jacobian(from, element.at_from);
  ends[1].gradient = gradient.to * marker_jacobian(to, element.at_to);
  for (const ElementEnd& acted : ends)
    for (const ElementEnd& moved : ends) add_element_rows(acted, moved, effort, out);
  if (states != nullptr && data.remembers(y)) add_states(ends, data, by_states, *states);
}

}  // namespace

void Dynamics::Impl::count_entries() {
  FirstEntries next;
  const auto begin = [&](std::vector<FirstEntries>& list) { list.push_back(next); };
  for (const BodyData& body : bodies) {
    begin(of_bodies);
    const bool rigid = body.kind == BodyKind::rigid;
    next.M += rigid ? 12 : body.freedoms;
    next.C += rigid ? 9 : 0;
    next.K += rigid ? 9 : 0;
  }
  const auto freedoms_of = [&](std::int32_t body) -> std::size_t {
    return body == no_body ? 0 : bodies[static_cast<std::size_t>(body)].freedoms;
  };
  for (const ElementData& data : elements) {
    foreign = foreign || data.element->foreign();
    begin(of_elements);
    const std::size_t both = freedoms_of(data.from) + freedoms_of(data.to);
    next.C += both * both;
    next.K += both * both;
  }
  for (const GroupData& data : laws) {
    begin(of_groups);
    std::size_t all = 0;
    for (const std::uint32_t body : data.bodies) all += bodies[body].freedoms;
    if (!data.group->has_gradient()) all = 0;
    next.C += all * all;
    next.K += all * all;
  }
  for (const ConstraintData& data : constraints) {
    begin(of_constraints);
    std::size_t all = 0;
    for (std::size_t e = 0; e < data.ends; ++e) all += bodies[data.end[e].body].freedoms;
    next.J += data.rows * all;
    next.K += all * all;
  }
  begin(of_constraints);
}

void Dynamics::Impl::begin_tangent(ConstrainedTangent& out, StateBlocks* states) const {
  if (states != nullptr)
    for (Entries* list : {&states->f_z, &states->z_x, &states->z_w, &states->z_z}) list->clear();
  const FirstEntries& all = of_constraints.back();
  out.M.resize(all.M);
  out.C.resize(all.C);
  out.K.resize(all.K);
  out.J.resize(all.J);
  out.rate.resize(all.J);
}

void Dynamics::Impl::linearise_parts(const Parts& parts, const Instant& at, const Frame* known,
                                     ConstrainedTangent& out, StateBlocks* states) const {
  const auto frame = [&](std::size_t b) { return known != nullptr ? known[b] : frame_at(b, at.q, at.v); };
  for (std::size_t b = parts.bodies.first; b < parts.bodies.last; ++b)
    add_inertia(bodies[b], frame(b), at.alpha, {out, of_bodies[b]});
  const auto end = [&](std::int32_t body) {
    return body == no_body ? Frame{} : frame(static_cast<std::size_t>(body));
  };
  for (std::size_t e = parts.elements.first; e < parts.elements.last; ++e)
    add_element(elements[e], bodies, at.t, end(elements[e].from), end(elements[e].to), {out, of_elements[e]},
                at.y, states);
  if (parts.groups && !laws.empty()) linearise_groups(at, known, out);
  std::array<Frame, most_ends> store;
  ConstraintRows J, rate;
  ConstraintBlock stiffness;
  for (std::size_t c = parts.constraints.first; c < parts.constraints.last; ++c) {
    const ConstraintData& data = constraints[c];
    TangentParts own(out, of_constraints[c]);
    for (std::size_t e = 0; e < data.ends; ++e) store[e] = frame(data.end[e].body);
    const BodyFrames frames{store.data(), data.ends};
    const RowVector multipliers =
        Eigen::Map<const Eigen::VectorXd>(at.lambda + data.row, static_cast<Eigen::Index>(data.rows));
    data.constraint->jacobian(at.t, frames, J);
    data.constraint->rate_gradient(at.t, frames, rate);
    data.constraint->force_gradient(at.t, frames, multipliers, stiffness);
    for (std::size_t e = 0; e < data.ends; ++e) {
      const BodyData& body = bodies[data.end[e].body];
      add_rows_of(own.J, data, e, body, J);
      add_rows_of(own.rate, data, e, body, rate);
      for (std::size_t f = 0; f < data.ends; ++f)
        add_block(own.K, body, bodies[data.end[f].body],
                  stiffness.block<6, 6>(static_cast<Eigen::Index>(6 * e), static_cast<Eigen::Index>(6 * f)));
    }
  }
}

void Dynamics::Impl::linearise_groups(const Instant& at, const Frame* known, ConstrainedTangent& out) const {
  const auto frame = [&](std::size_t b) { return known != nullptr ? known[b] : frame_at(b, at.q, at.v); };
  std::vector<GroupRoom> rooms = make_rooms();
  for (std::size_t g = 0; g < laws.size(); ++g) {
    const GroupData& data = laws[g];
    if (!data.group->has_gradient()) continue;
    GroupGradient gradient(data.bodies.size());
    data.group->gradient(look(data, at.t, frame, at.y, rooms[g]), gradient);
    TangentParts own(out, of_groups[g]);
    for (std::size_t i = 0; i < data.bodies.size(); ++i)
      for (std::size_t j = 0; j < data.bodies.size(); ++j) {
        const BodyData &acted = bodies[data.bodies[i]], &moved = bodies[data.bodies[j]];
        add_block(own.K, acted, moved, Mat6(-gradient.by_displacement(i, j)));
        add_block(own.C, acted, moved, Mat6(-gradient.by_velocity(i, j)));
      }
  }
}

void Dynamics::linearise(double t, const double* q, const double* v, const double* alpha,
                         const double* lambda, ConstrainedTangent& out, const Remembered& y,
                         StateBlocks* states) const {
  const Impl& impl = *impl_;
  impl.begin_tangent(out, states);
  impl.linearise_parts(
      {{0, impl.bodies.size()}, {0, impl.elements.size()}, {0, impl.constraints.size()}, true},
      {t, q, v, alpha, lambda, {}, y}, nullptr, out, states);
}

}  // namespace cosimo
