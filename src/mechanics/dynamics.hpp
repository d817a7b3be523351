// The equations of motion of some bodies of a mechanism, with everything that implicit methods need:
//
//   M(q) dw/dt = f(t, q, w) - J(q)^T lambda,     0 = g(t, q),     w the twists of the freedoms.
//
// Explicit form: constraints are differentiated twice, and the accelerations follow from
//
//   S lambda = J M^-1 f + c,    S = J M^-1 J^T,    M dw/dt = f - J^T lambda,
//
// S sparse and factorised without pivoting in an order found once (elimination_tree.hpp), in time
// proportional to the number of bodies for chains, trees and stars. Constraints may be redundant (a closed
// spatial loop): a row that others imply gets no multiplier (elimination_tree.hpp, dynamics_data.hpp), other
// rows are not touched, and refinement takes rounding away wherever the constraints do not contradict each
// other. Drift is not hidden in terms of the force: project() brings a state back onto both levels.
//
// Elements may have states z, memory s and root functions (mechanics/element_memory.hpp), which are numbered
// one after the other, in the order of the elements; the memory of laws over many bodies
// (mechanics/force_group.hpp) comes behind. Where a Remembered is asked for and none is given, they act as
// they do without memory.
//
// The object is immutable; what an evaluation needs to remember is in a Workspace of its own, one per lane.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/fellow.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/mechanism.hpp"
#include "numerics/constrained_tangent.hpp"
#include "numerics/state_tangent.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

/// A wrench from outside on one of the bodies (its place among the bodies of the Dynamics).
struct ExternalWrench {
  std::size_t body = 0;
  Wrench wrench;
};

/// Parts that carry copies of bodies keep only what elements cannot do without (ElementMemory::essential()).
enum class Memory { kept, essential };

class Dynamics {
 public:
  /// `bodies` in the order of their coordinates; `elements` join them to each other or to the ground. All
  /// constraints and groups that touch these bodies are taken; each must have all its bodies among them.
  /// Copies what it needs except elements and constraints: the mechanism must outlive it.
  Dynamics(const Mechanism& mechanism, std::span<const BodyId> bodies, std::span<const ElementId> elements,
           Memory memory = Memory::kept);
  ~Dynamics();

  std::size_t size() const;         ///< coordinates
  std::size_t freedoms() const;     ///< of the twists
  std::size_t constraints() const;  ///< rows
  std::size_t bodies() const;
  BodyKind kind(std::size_t body) const;
  std::size_t first_coordinate(std::size_t body) const;
  std::size_t first_freedom(std::size_t body) const;
  /// The constraints taken, by their place in the mechanism, and the first row of each.
  std::span<const std::size_t> constraint_ids() const;
  std::span<const std::size_t> first_rows() const;

  class Workspace;
  struct DeleteWorkspace {
    void operator()(Workspace* work) const;
  };
  using WorkspacePtr = std::unique_ptr<Workspace, DeleteWorkspace>;
  WorkspacePtr make_workspace() const;

  /// Coordinate accelerations a (size() numbers) and multipliers (constraints() numbers, may be null). False
  /// when a force is not finite or the bodies cannot be accelerated consistently.
  [[nodiscard]] bool acceleration(double t, const double* q, const double* v,
                                  std::span<const ExternalWrench> external, double* a, double* lambda,
                                  Workspace& work, const Remembered& y = {}, double* z_rate = nullptr) const;
  /// acceleration() by several threads, where elements have no memory. Each has a share of the bodies, and
  /// the coordinates of these are its own. In this order, where all of them meet at `|`:
  ///
  ///   place | load_others | load | move | judge              load_others: where there are any
  ///                                       judge: again:   load | move | judge
  ///
  /// Between move() and judge() a share may use the accelerations of its own coordinates, and place() them
  /// for the next evaluation; to load() again, it places them as before. Same bits for any number of shares.
  struct Evaluation {
    double t = 0;
    const double* q = nullptr;
    const double* v = nullptr;
    std::span<const ExternalWrench> external;
    double* a = nullptr;
    Workspace* work = nullptr;
  };
  int most_shares() const;  ///< that are worth it, by the work of this model; one: ask acceleration()
  /// Before the first of them with so many shares.
  void expect(int shares, Workspace& work) const;
  std::span<const Range> owned_by(int share, int shares) const;
  void place(const Evaluation& at, int share, int shares) const;
  bool has_others() const;  ///< or external wrenches
  /// All of them call it, and meet in it. `driven`: the leader knows the external wrenches.
  void load_others(const Evaluation& at, bool driven, const Fellow& me) const;
  void load(const Evaluation& at, int share, int shares, bool again) const;
  void move(const Evaluation& at, int share, int shares, bool again) const;
  /// The same for all shares. `unclear`: ask acceleration(), which mostly will not know either.
  enum class Verdict : std::uint8_t { fine, again, unclear };
  Verdict judge(const Evaluation& at, int share, int shares, int times) const;

  /// The same of some coordinates alone, without wrenches from outside, where that is possible: of point
  /// masses without constraints, whose elements remember nothing and call no library. Several threads may ask
  /// for different coordinates at the same time; the bits are those of acceleration().
  bool divisible() const;
  /// Of an evaluation (ForceEntries::in_tables).
  double cost_in_tables() const;
  double row_cost() const;  ///< of an acceleration there, in those of a chain; fitted to networks
  [[nodiscard]] bool acceleration_of(double t, const double* q, const double* v, double* a,
                                     Range coordinates) const;
  /// Springs that are evaluated in vectors, and their entries in C and K (linearise()); all of these, and
  /// those of J and its transpose.
  std::size_t springs_in_packs() const;
  std::size_t entries_in_packs() const;
  std::size_t entries() const;
  /// Accelerations of the freedoms caused by unit wrenches alone: column j of M^-1 (f_j - J^T lambda_j).
  /// For the response of the outputs to inputs. Uses the state of the last acceleration() with this
  /// workspace.
  void response_to(const ExternalWrench& wrench, double* alpha, Workspace& work) const;

  /// Which rows others imply at this position, at all times or in this position alone: 1, the rest 0. They
  /// are the ones that acceleration() gives no multiplier of their own, or a reduced one. `sine` is that of
  /// the angle at which rows count as parallel; the default is the one of acceleration().
  void dependent_rows(double t, const double* q, Workspace& work, std::span<std::uint8_t> out,
                      double sine = 1e-3) const;
  /// The constraint that a row belongs to.
  const Constraint& constraint_of(std::size_t row) const;

  /// Brings q and v back onto the constraints (and quaternions to length one) by the shortest way in the
  /// metric of M. Does nothing where the residuals are below a tenth of the tolerances. `worst` names the
  /// constraint (its place in the mechanism) with the largest residual when it returns false; q and v are
  /// then as they were, but for the lengths of quaternions.
  struct Projection {
    bool ok = true;
    bool moved = false;
    std::size_t worst = 0;
    double residual = 0;  ///< of an angle times what a length may be off for an angle
  };
  Projection project(double t, double* q, double* v, const MotionSizes& tolerances, Workspace& work) const;
  /// The beginning of it by several threads, which meet between the two: settle() gives quaternions the
  /// length one, measure() finds the residuals. Then one thread asks finish_projection(): mostly there is
  /// nothing to do.
  void settle(double* q, double* v, Workspace& work, int share, int shares) const;
  void measure(double t, const MotionSizes& tolerances, Workspace& work, int share, int shares) const;
  Projection finish_projection(double t, double* q, double* v, const MotionSizes& tolerances, Workspace& work,
                               int shares) const;
  Projection project(double t, double* q, double* v, double atol_pos, double atol_vel,
                     Workspace& work) const {
    return project(t, q, v, same_for_both(atol_pos, atol_vel), work);
  }
  /// Largest absolute residuals of both levels.
  struct Residuals {
    double position = 0, velocity = 0;
  };
  Residuals residuals(double t, const double* q, const double* v) const;
  void position_residual(double t, const double* q, double* g) const;
  void velocity_residual(double t, const double* q, const double* v, double* g) const;

  /// r = M alpha + gyroscopic terms - f + J^T lambda in freedoms, alpha the accelerations of the freedoms.
  [[nodiscard]] bool residual(double t, const double* q, const double* v, const double* alpha,
                              const double* lambda, std::span<const ExternalWrench> external, double* r,
                              const Remembered& y = {}, double* z_rate = nullptr) const;
  /// Fills `out` (allocated on first use): M, C = -df/dw, K = d(M alpha + gyroscopic - f + J^T lambda)/dx, J,
  /// and rate = d(J w + g_t)/dx. External wrenches count as constant; the caller may append entries of its
  /// own.
  void linearise(double t, const double* q, const double* v, const double* alpha, const double* lambda,
                 ConstrainedTangent& out, const Remembered& y = {}, StateBlocks* states = nullptr) const;

  // The same by threads that call together (core/fellow.hpp), with velocity_residual() in `rows` where that
  // is not null. They have met before and meet when it is done. Only the leader need have found the external
  // wrenches; `fine`: it could, or is not the leader.
  class SharedWork;
  struct DeleteSharedWork {
    void operator()(SharedWork* work) const;
  };
  using SharedWorkPtr = std::unique_ptr<SharedWork, DeleteSharedWork>;
  SharedWorkPtr make_shared_work() const;
  struct Instant {
    double t = 0;
    const double *q = nullptr, *v = nullptr, *alpha = nullptr, *lambda = nullptr;
    std::span<const ExternalWrench> external;
    Remembered y;
  };
  struct Residual {
    double *r = nullptr, *z_rate = nullptr, *rows = nullptr;
  };
  [[nodiscard]] bool residual(const Instant& at, bool fine, const Residual& out, SharedWork& work,
                              const Fellow& me) const;
  void linearise(const Instant& at, ConstrainedTangent& out, StateBlocks* states, SharedWork& work,
                 const Fellow& me) const;
  int most_fellows() const;  ///< that are worth it, by counted work

  /// df/dt of elements and d(J w + g_t)/dt of constraints at fixed q, v, in freedoms and rows; may be null.
  void time_derivative(double t, const double* q, const double* v, double* f_t, double* rate_t) const;
  double next_breakpoint(double t) const;
  double longest_step(double t) const;  ///< until then
  /// Where laws switch: the law of each switch (the place of its element among those of the Dynamics, groups
  /// behind them), the coordinates they depend on, and their values.
  std::span<const std::int32_t> switch_laws() const;
  struct Law {
    const ForceElement* element = nullptr;
    const ForceGroup* group = nullptr;  ///< where it is no element
  };
  Law law(std::size_t place) const;
  std::span<const std::int32_t> switch_coordinates() const;
  void switches(double t, const double* q, const double* v, Switch* out, Workspace& work) const;

  /// What the elements remember, all of them: how much, and at the start of a run.
  const Extent& extent() const;
  std::span<const double> nominals() const;  ///< of z
  void begin(const double* q, const double* v, double* z, double* s) const;
  /// As System (integrator/system.hpp) has them; `roots` depend on these coordinates.
  void commit(double t, const double* q, const double* v, const Remembered& y, double* s,
              Workspace* work = nullptr) const;
  void roots(double t, const double* q, const double* v, const Remembered& y, double* g) const;
  std::span<const std::int32_t> root_coordinates() const;
  Fired fire(double t, std::span<const std::int8_t> crossed, const double* q, const double* v, double* z,
             double* s) const;
  /// Of an element, by its place: its own part of what all remember; none where it has no memory.
  Remembered of_element(std::size_t place, const Remembered& y) const;

  double kinetic_energy(const double* q, const double* v) const;
  /// What all laws over many bodies tell, one after the other (ForceGroup::read).
  void read_groups(double t, const double* q, const double* v, const Remembered& y,
                   std::span<double> out) const;
  double potential_energy(double t, const double* q,
                          const Remembered& y = {}) const;  ///< gravity and elements
  Frame frame(std::size_t body, const double* q, const double* v) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
