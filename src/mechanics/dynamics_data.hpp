// What a Dynamics knows of its bodies, elements and constraints, flat and in the order of evaluation, and
// what an evaluation remembers. Private to dynamics*.cpp.
//
// Systems with the Schur complement S = J M^-1 J^T are solved by an elimination tree, whose values hold J in
// blocks, one for each constraint and body, row-major, with a column for each freedom of the body.
//
// Rows of constraints in closed loops may depend on each other, at all times or nearly so in the intermediate
// states of a step, where a loop that has a redundant row does not close exactly. Whether they do is a matter
// of geometry, not of masses: with M0 >= M, all bodies as heavy as the heaviest and with the largest radius
// of gyration or lever arm, the pivots of J M0^-1 J^T are below those of S, so that a pivot of S that is
// small against the diagonal of J M0^-1 J^T means dependent rows, however different the masses are. Where a
// body is much lighter about one axis than the others (a slender rod), pivots of S are large although rows
// depend on each other nearly enough; then J M0^-1 J^T is factorised beside S and tells which do.
// Constraints outside loops are independent; only rounding counts there.
//
// In a singular position, such as a parallelogram that lies flat, rows depend on each other at this instant
// alone. Accelerations then do without one of them, for as short a time as sines of 1e-3 last, and the
// projection afterwards must lead back onto the branch that the motion was on: it takes rows for dependent
// only as far as the gaps in the loops explain it. Errors across the branch grow with the inverse square of
// the distance from the singular position, so that mechanisms with loops are projected as exactly as rounding
// allows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "mechanics/body_table.hpp"
#include "mechanics/bushing_table.hpp"
#include "mechanics/dynamics.hpp"
#include "mechanics/elimination_tree.hpp"
#include "mechanics/joint_table.hpp"
#include "mechanics/point_springs.hpp"

namespace cosimo {

struct BodyData {
  BodyKind kind = BodyKind::rigid;
  std::uint32_t freedoms = 0;
  std::size_t q = 0, w = 0;  ///< first coordinate, first freedom
  std::uint32_t group = 0;   ///< of constraints that hang together
  double mass = 1, inverse_mass = 1;
  double turning = 0, inverse_turning = 0;  ///< inertia of planar bodies
  Mat3 inertia = Mat3::Zero(), inverse_inertia = Mat3::Zero();
};

struct GroupData {
  const ForceGroup* group = nullptr;
  std::vector<std::uint32_t> bodies;  ///< in the order of the group's own
  std::size_t first_s = 0;            ///< of its memory
  std::size_t first_end = 0;          ///< of its bodies among those of all groups, one after the other

  const double* memory(const Remembered& all) const {
    return all.s == nullptr || group->remembers() == 0 ? nullptr : all.s + first_s;
  }
};

/// The force on one body, a number for each freedom.
struct ForceOn {
  double* at;
  std::size_t stride = 1;
  double& operator[](std::size_t k) const { return at[k * stride]; }
};

/// What an evaluation of a group needs.
struct GroupRoom {
  std::vector<Frame> frames;
  std::vector<Wrench> wrenches;
  std::unique_ptr<ForceGroup::Scratch> scratch;
};

inline constexpr std::int32_t no_body = -1;  ///< the end is on the ground

struct ElementData {
  const ForceElement* element = nullptr;
  std::int32_t from = no_body, to = no_body;
  const ElementMemory* memory = nullptr;  ///< null: it has none, or does without
  Extent first{};                         ///< of its own states, memory and roots

  Remembered of(const Remembered& all) const {
    return {all.z == nullptr ? nullptr : all.z + first.z, all.s == nullptr ? nullptr : all.s + first.s};
  }
  bool remembers(const Remembered& y) const { return memory != nullptr && y.any(); }
};

struct ConstraintEnd {
  std::uint32_t body = 0;
  TreeSlot J;  ///< its block
};

struct ConstraintData {
  const Constraint* constraint = nullptr;
  std::uint32_t row = 0, rows = 0, ends = 0;
  std::uint32_t group = 0;  ///< of constraints that hang together
  bool adjacent = false;    ///< the bodies' frames lie side by side
  std::array<ConstraintEnd, most_ends> end{};
};

/// Constraints that hang together through bodies.
struct ConstraintGroup {
  bool loops = false;
  double largest_mass = 0, largest_inertia = 0;
  double smallest_mass = 0, smallest_inertia = 0;  ///< of any body about any axis
};

inline constexpr double dependent_share = 1e-6;  ///< sines of 1e-3

/// The constraints linearised at one state, with their factor.
struct SchurState {
  AlignedVector pose;                  ///< of rigid bodies
  std::vector<Frame> frames;           ///< of the others, and of those that are asked one by one
  AlignedVector values;                ///< of the tree
  AlignedVector notes, left;           ///< its notes, before and after rows are led
  AlignedVector even;                  ///< the same with M0; only where bodies are uneven
  std::vector<double> arm, gap;        ///< per group: squares of the largest lever arm, and relative gap
  std::vector<double> noise;           ///< per group: the largest of its thresholds
  std::vector<double> share, per_arm;  ///< per group: what its thresholds are raised to
  AlignedVector squares;               ///< of the rows of joints
  bool closed = false;                 ///< all loops are nearly closed: it serves a projection
  double dependent = dependent_share;  ///< pivots below this part of what geometry lets expect are none
};

/// out += J (v, w) of the frames.
inline void add_rates(const ConstraintRows& J, BodyFrames frames, RowVector& out) {
  for (std::size_t e = 0; e < frames.size(); ++e) {
    const auto column = static_cast<Eigen::Index>(6 * e);
    for (Eigen::Index i = 0; i < J.rows(); ++i)
      for (Eigen::Index k = 0; k < 3; ++k)
        out[i] += J(i, column + k) * frames[e].v[k] + J(i, column + 3 + k) * frames[e].w[k];
  }
}

/// Of one of the threads that evaluate together.
struct alignas(64) ShareResult {
  double largest = 0;  ///< acceleration of a freedom
  bool fine = true;
  JointResiduals residuals;  ///< before a projection
};
inline constexpr int share_limit = 32;

class Dynamics::Workspace {
 public:
  /// What a share keeps to itself.
  struct alignas(64) Share {
    AlignedVector crown;
    double largest = 0, before = 0;
    bool others_fine = true;
    EliminationTree::Largest begin;  // of the rows, before they are led
  };
  std::vector<Share> shares;
  std::array<ShareResult, share_limit> results;
  SchurState motion, projection;
  AlignedVector pull;                // on all bodies, where force_slots says
  std::vector<double> force, alpha;  // freedoms
  std::vector<double> rest, gap;     // rows, for the projection
  std::vector<double> twist, shift;  // freedoms, for the projection
  std::vector<double> q;             // the positions before a projection
  std::vector<double> v;             // no velocities
  ConstraintRows rows;
  RowVector row;
  std::vector<GroupRoom> rooms;  // of all force groups
};

/// A unit of the tree, and what of the tables is in it; the last one has the crown's.
struct Unit {
  Range leaves, bodies, joints, bushings;  ///< groups
  Range coordinates;                       ///< in Impl::unit_coordinates
  std::vector<std::uint32_t> members;      ///< bodies
  std::vector<std::uint32_t> plain;        ///< of these, that are in no table
};

struct Dynamics::Impl {
  Impl(const Mechanism& mechanism, std::span<const BodyId> members, std::span<const ElementId> joining,
       Memory memory);

  // dynamics.cpp
  BodyFrames frames_of(const ConstraintData& data, const std::vector<Frame>& all,
                       std::array<Frame, most_ends>& store) const;
  Frame frame_at(std::size_t body, const double* q, const double* v) const;
  void find_frames(const double* q, const double* v, SchurState& state) const;
  /// As find_frames() has found it.
  Frame frame_in(std::size_t body, const SchurState& state) const;
  Mat3 inverse_inertia_in(std::size_t body, const SchurState& state) const;
  double largest_curvature(const SchurState& state) const;
  /// The forces on all bodies, work.pull: gravity and gyroscopic terms first, then what has no table, then
  /// bushings.
  bool find_pull(double t, const SchurState& state, std::span<const ExternalWrench> external, Workspace& work,
                 const Remembered& y, double* z_rate) const;
  void find_plain_weight(std::size_t body, Workspace& work) const;
  ForceOn pull_on(std::size_t body, Workspace& work) const;
  bool add_other_forces(double t, const SchurState& state, std::span<const ExternalWrench> external,
                        Workspace& work, const Remembered& y, double* z_rate) const;
  // Its parts.
  bool add_element_forces(double t, const SchurState& state, Workspace& work, const Remembered& y,
                          double* z_rate) const;
  void add_external(std::span<const ExternalWrench> external, Workspace& work) const;
  bool tell_accelerations(const double* q, const double* v, const SchurState& state, double* a) const;
  bool tell_plain_accelerations(std::span<const std::uint32_t> which, const double* q, const double* v,
                                const double* values, double* a) const;
  void tell_multipliers(const SchurState& state, double* lambda) const;
  void find_plain_frames(const double* q, const double* v, SchurState& state) const;
  /// Of some of those that are asked.
  void find_asked_frames(SchurState& state, Range asked) const;
  /// alpha = M^-1 f of free bodies, to the tree; returns the largest of it.
  double accelerate_freely(SchurState& state, const Workspace& work) const;
  double accelerate_plain_body(std::size_t body, SchurState& state, const Workspace& work) const;
  /// Leads the accelerations alpha along the constraints, given the curvature c, all in the tree: takes away
  /// J alpha + c, and again what is left after that, as long as it helps. False when a large part stays, and
  /// more than rounding. `largest`: that of alpha.
  bool lead(SchurState& state, double largest, Factor factor) const;
  /// After the first time; `left` is what that has left. `refined`: there was a second time.
  bool lead_on(SchurState& state, double largest, const EliminationTree::Largest& begin, double left,
               bool* refined = nullptr) const;
  /// Whether leading accelerations again may help, of which so much is left; and whether they are led.
  bool helps(double left, double before, double largest, const EliminationTree::Largest& begin,
             int times) const;
  bool led(double left, double largest, const EliminationTree::Largest& begin) const;
  Factor factor_wanted() const { return loops || !felt_hubs.empty() ? Factor::made : Factor::missing; }

  // dynamics_units.cpp
  bool in_units() const { return rows > 0 && hubs.empty() && factor_wanted() == Factor::missing; }
  /// Nothing but laws over many bodies, and what the leader evaluates, joins them: units are stretches of the
  /// table, and have nothing to eliminate.
  bool is_heap() const { return rows == 0 && !laws.empty() && bushings.groups.empty(); }
  void make_heap_units();
  void place(const Unit& unit, const double* q, const double* v, SchurState& state, Workspace& work) const;
  /// Masses and rows of joints that are in no table.
  void load_others(double t, SchurState& state, Workspace& work) const;
  double load(std::size_t unit, SchurState& state, Workspace& work) const;
  [[nodiscard]] bool tell(std::size_t unit, const double* q, const double* v, const SchurState& state,
                          const double* crown, double* a) const;
  [[nodiscard]] bool accelerate_in_units(const Evaluation& at, double* lambda, const Remembered& y,
                                         double* z_rate) const;
  Range units_of(int share, int shares) const;

  // dynamics_residual.cpp
  /// Frames computed here and now, for evaluations that have no workspace.
  BodyFrames frames_at(const ConstraintData& data, const double* q, const double* v,
                       std::array<Frame, most_ends>& store) const;
  Frame still_frame_at(std::size_t body, const double* q) const;

  // dynamics_schur.cpp
  /// J, S and its factor at the frames of the state.
  void factorise(double t, SchurState& state, Workspace& work) const;
  /// The parts of it but for the masses in the table: all other masses and J, with the curvature where it is
  /// wanted; S, thresholds and factor.
  void write_system(double t, SchurState& state, Workspace& work, bool curvature) const;
  void factorise_written(double t, SchurState& state, Workspace& work) const;
  /// x -= M^-1 J^T S^-1 rest, x of all freedoms, rest of all rows.
  void take_away(const std::vector<double>& rest, SchurState& state, std::vector<double>& x) const;
  /// Motions of all freedoms to the tree and back.
  void put_alpha(const std::vector<double>& x, AlignedVector& values) const;
  void get_alpha(const AlignedVector& values, std::vector<double>& x) const;
  /// x = M^-1 force, both of all freedoms.
  void divide_by_mass(const SchurState& state, const double* force, double* x) const;

  // dynamics_forces.hpp
  /// force = gravity, elements, external wrenches and gyroscopic terms; frame(body) gives the frame of a
  /// body.
  template <class FrameOf>
  [[nodiscard]] bool forces(double t, const FrameOf& frame, std::span<const ExternalWrench> external,
                            double* force, const Remembered& y, double* z_rate) const;
  /// Adds those of an element; force(body) says where.
  template <class FrameOf, class ForceOf>
  [[nodiscard]] bool add_force(const ElementData& data, double t, const FrameOf& frame, const ForceOf& force,
                               const Remembered& y, double* z_rate) const;

  // dynamics_groups.cpp
  /// Takes the frames of a group into its room, with frame(body).
  template <class FrameOf>
  static ForceGroup::At look(const GroupData& data, double t, const FrameOf& frame, const Remembered& y,
                             GroupRoom& room);
  /// Finds the wrenches of all groups; no rooms: it makes some.
  template <class FrameOf, class Take>
  [[nodiscard]] bool find_group_wrenches(double t, const FrameOf& frame, const Remembered& y,
                                         std::span<GroupRoom> rooms, const Take& take) const;
  std::vector<GroupRoom> make_rooms() const;
  /// The same by several threads, which have met; each adds those of some bodies. They meet before it is
  /// done.
  [[nodiscard]] bool add_group_forces(double t, const SchurState& state, Workspace& work,
                                      const Fellow& me) const;
  double potential_of_groups(double t, const double* q, const Remembered& y) const;
  void linearise_groups(const Instant& at, const Frame* frames, ConstrainedTangent& out) const;

  // dynamics_points.cpp
  /// Point masses, and nothing holds them together but forces: coordinates are freedoms.
  bool only_points() const { return points.bodies() > 0; }
  /// The same forces, where there are only points.
  [[nodiscard]] bool forces_on_points(double t, const double* q, const double* v,
                                      std::span<const ExternalWrench> external, double* force,
                                      const Remembered& y, double* z_rate) const;
  /// Accelerations where there are only points: all of them, or those of some coordinates.
  [[nodiscard]] bool accelerate_points(double t, const double* q, const double* v,
                                       std::span<const ExternalWrench> external, double* a,
                                       const Remembered& y, double* z_rate) const;
  [[nodiscard]] bool accelerate_points(double t, const double* q, const double* v, double* a,
                                       Range coordinates) const;

  // dynamics_fellows.cpp
  void find_frames(const Instant& at, SharedWork& work, const Fellow& me) const;
  [[nodiscard]] bool find_efforts(const Instant& at, double* z_rate, SharedWork& work,
                                  const Fellow& me) const;
  void find_pulls(const Instant& at, double* rates_of_rows, SharedWork& work, const Fellow& me) const;
  [[nodiscard]] bool sum_up(std::size_t body, const Instant& at, double* r, const SharedWork& work) const;

  // dynamics_linearise.cpp
  struct Parts {
    Range bodies, elements, constraints;
    bool groups = true;
  };
  /// Gives the lists their lengths.
  void begin_tangent(ConstrainedTangent& out, StateBlocks* states) const;
  /// Frames of all bodies; null: they are found when needed.
  void linearise_parts(const Parts& parts, const Instant& at, const Frame* frames, ConstrainedTangent& out,
                       StateBlocks* states) const;
  void count_entries();

  // dynamics_memory.cpp
  /// The frames of an element's markers, computed here and now.
  struct Markers {
    Frame from, to;
  };
  Markers markers(const ElementData& data, const double* q, const double* v) const;

  // dynamics_projection.cpp
  struct RowTolerances {
    double length, angle;
  };
  Projection project_positions(double t, double* q, const double* v, const RowTolerances& atol,
                               Workspace& work) const;
  /// Corrects work.twist, which the frames of work.projection have.
  Projection project_velocities(double t, const RowTolerances& atol, bool factorised, Workspace& work) const;
  /// g, or J w + g_t, of all rows at the frames of the state.
  void find_position_rest(double t, const SchurState& state, Workspace& work, std::vector<double>& out) const;
  void find_velocity_rest(double t, const SchurState& state, Workspace& work, std::vector<double>& out) const;
  void find_others_position_rest(double t, const SchurState& state, Workspace& work,
                                 std::vector<double>& out) const;
  void find_others_velocity_rest(double t, const SchurState& state, Workspace& work,
                                 std::vector<double>& out) const;
  JointResiduals largest_of_others(double t, const JointResiduals& weight, Workspace& work) const;
  /// The largest of the residuals, with its constraint; those of angles as lengths that are as far off.
  Projection judge(const std::vector<double>& rest, const RowTolerances& atol) const;
  void displace(const std::vector<double>& x, double* q) const;
  void set_velocities(const std::vector<double>& twist, SchurState& state) const;

  std::vector<BodyData> bodies;
  std::vector<ElementData> elements;
  std::vector<GroupData> laws;        ///< over many bodies
  PointSprings points;                ///< the springs of point masses; of no bodies where others are there
  std::vector<std::uint32_t> others;  ///< all elements that are not among them
  bool foreign = false;               ///< one of them calls a library
  /// Point masses that have some, ascending, and where theirs begin among `others_of`; one more.
  std::vector<std::uint32_t> loaded, first_other, others_of;
  std::vector<double> inverse_masses;  ///< of all coordinates of points
  std::size_t entries_in_packs = 0;    ///< of C and K
  std::vector<std::int32_t> switch_laws, switch_coordinates;
  Extent extent;
  std::vector<double> nominals;
  std::vector<std::uint32_t> remembering;  ///< elements with memory
  std::vector<std::int32_t> root_coordinates;
  std::vector<ConstraintData> constraints;
  std::vector<std::size_t> ids, first_rows;
  std::vector<ConstraintGroup> groups;
  EliminationTree tree;
  BodyTable table;    ///< rigid bodies
  JointTable joints;  ///< constraints between them
  BushingTable bushings;
  std::vector<Unit> units;
  std::vector<Range> unit_coordinates;  ///< of the units, one after the other
  /// Where the entries of a tangent begin, and the end: of bodies, elements and constraints in turn.
  struct FirstEntries {
    std::size_t M = 0, C = 0, K = 0, J = 0;
  };
  std::vector<FirstEntries> of_bodies, of_elements, of_groups, of_constraints;
  std::vector<std::uint32_t> plain_bodies;   ///< that are not in the table
  std::vector<std::uint32_t> framed_bodies;  ///< that are, but are asked for their frames as well
  std::vector<std::uint32_t> hubs;           ///< of the tree
  std::vector<TreeSlot> force_slots;         ///< of each body, in Workspace::pull
  std::size_t pull_size = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      felt_hubs;  ///< constraint and end (EliminationTree::feels)
  std::size_t size = 0, freedoms = 0, rows = 0;
  Vec3 gravity = Vec3::Zero();
  bool loops = false;   ///< some group has one
  bool uneven = false;  ///< and bodies that differ much in mass or inertia

  /// Of bodies and constraints that are in no table.
  void write_plain_masses(SchurState& state) const;
  void write_other_jacobians(double t, SchurState& state, Workspace& work, bool curvature) const;

 private:
  void add_bodies(const Mechanism& mechanism, std::span<const BodyId> members,
                  std::vector<std::int32_t>& place);
  void add_elements(const Mechanism& mechanism, std::span<const ElementId> joining,
                    const std::vector<std::int32_t>& place, Memory memory);
  void add_memory(ElementData& data);
  void add_groups(const Mechanism& mechanism, const std::vector<std::int32_t>& place);
  // dynamics_points.cpp
  void find_points();
  void find_loaded();
  bool joins_points(const ElementData& data) const;
  [[nodiscard]] bool add_others_of(std::size_t place, double t, const double* q, const double* v,
                                   double* force) const;
  [[nodiscard]] bool divide_by_masses(Range coordinates, double* a) const;
  /// The coordinates of the bodies of some elements, ascending.
  template <class Which>
  std::vector<std::int32_t> coordinates_of_bodies(Which which) const;
  std::vector<std::int32_t> coordinates_taken(const std::vector<bool>& taken) const;
  void find_switches();
  void add_constraints(const Mechanism& mechanism, const std::vector<std::int32_t>& place);
  void find_groups();
  bool joins_points(const ConstraintData& data) const;
  void grow_tree();
  void fill_tables();
  void make_units();
  void write_masses(SchurState& state) const;
  void write_even_masses(SchurState& state) const;
  /// Rounding of rows whose hubs come before them.
  void add_noise_of_hubs(const SchurState& state, AlignedVector& values) const;
  /// Largest lever arms of the groups with loops, and by how much these are open in proportion.
  void find_arms(SchurState& state) const;
  void find_gaps(double t, SchurState& state, Workspace& work) const;
  /// Raises the thresholds of constraints in loops.
  void raise_thresholds(SchurState& state, AlignedVector& values) const;
  /// Factorises J M0^-1 J^T, for the shares.
  void factorise_even(SchurState& state) const;
  /// A dependent row is a sum of others, and its pivot has their rounding errors, however small it is itself.
  void raise_noise(SchurState& state) const;
};

}  // namespace cosimo
