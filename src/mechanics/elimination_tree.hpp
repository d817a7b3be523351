// Solves S lambda = r, S = J M^-1 J^T, for the constraints of a mechanism, and carries the answer to its
// bodies. Leaves (numerics/elimination_order.hpp) are independent of each other; after them come the domains
// between them and the top. Domains that do the same run side by side in vector lanes
// (mechanics/elimination_program.hpp).
//
// Rows may depend on each other. A pivot d below the threshold tau of its row says so; instead of 1/d
//
//   x (3 - 2 x) / tau,    x = max(d, 0) / tau,
//
// is used, which passes smoothly from 1/tau to 0 at d = 0: a row that the ones before it imply gets no
// multiplier of its own, and a row that is nearly implied no large one. Pivots above stay as they are. With
// Shares::known, x is what another matrix of the same rows has shown, and a row with x < 1 has
// x^2 (3 - 2 x) / max(d, tau), which is the same where that matrix is this one.
//
// The object is immutable. All numbers are in an array of the caller:
//
//   EliminationTree tree(bodies, constraints);
//   AlignedVector values(tree.storage()), notes(tree.note_storage());          // zeros
//   write J at tree.jacobian(c, e), masses at tree.mass(b);
//   tree.prepare(values);                          // thresholds: noise; raise them at tree.rows(c) where
//   needed
//   tree.factorise(values);
//   write alpha at tree.alpha(b), curvature at tree.rows(c);
//   tree.descend(values, notes, Factor::made);     // rest = curvature + J alpha, eliminated
//   tree.ascend(values, notes);                           // rest = S^-1 rest, lambda += rest, alpha -= M^-1
//   J^T rest;
//                                                  // rest = curvature + J alpha
//
// Where no thresholds are to be raised, descend(values, Factor::missing) prepares and factorises on the way.
// For a right-hand side of the caller's own, written at tree.rows(c): solve(values), respond(values).
//
// Sums are taken in an order that the model fixes: leaves may be shared between threads, and bits stay. What
// comes after the leaves, the *crown*, each of them computes for itself, in an array of its own: the first
// numbers of `values` are the crown's, and where a function takes both, `crown` has these in their place.
// What the crown must know of rows is left in `notes`, which stay while leaves go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"
#include "mechanics/elimination_builder.hpp"

namespace cosimo {

/// Numbers of a block: number k is at `at + k stride`.
struct TreeSlot {
  std::size_t at = 0;
  std::uint32_t stride = 1;

  double& operator()(AlignedVector& values, std::size_t k) const { return values[at + k * stride]; }
  double operator()(const AlignedVector& values, std::size_t k) const { return values[at + k * stride]; }
};

/// Those of the rows of a constraint in each of the sections.
struct TreeRows {
  std::size_t at = 0, section = 0;
  std::uint32_t stride = 1;

  TreeSlot operator[](RowSection s) const { return {at + static_cast<std::size_t>(s) * section, stride}; }
};

enum class Factor : std::uint8_t { made, missing };

class EliminationTree {
 public:
  EliminationTree() = default;
  EliminationTree(std::span<const TreeBody> bodies, std::span<const TreeConstraint> constraints);

  std::size_t storage() const { return storage_; }
  /// Row by row, a column for each freedom; or c and a of an arm (mechanics/elimination_program.hpp).
  TreeSlot jacobian(std::size_t constraint, std::size_t end) const {
    return jacobian_[first_end_[constraint] + end];
  }
  /// A light body's 1/m and inverse inertia (xx xy xz yy yz zz) or inverse diagonal; a hub's -M, all of it.
  TreeSlot mass(std::size_t body) const { return mass_[body]; }
  TreeSlot alpha(std::size_t body) const { return alpha_[body]; }
  const TreeRows& rows(std::size_t constraint) const { return rows_[constraint]; }
  bool is_hub(std::size_t body) const { return hub_[body]; }
  bool has_arms(std::size_t body) const { return arms_[body]; }
  /// Whether the pivots of a constraint feel that this end can move: not when it is on a hub that comes
  /// later.
  bool feels(std::size_t constraint, std::size_t end) const { return feels_[first_end_[constraint] + end]; }

  void prepare(AlignedVector& values) const;
  void factorise(AlignedVector& values, Shares shares) const;
  /// The largest numbers of rows, before they are eliminated.
  struct Largest {
    double rest = 0, curvature = 0;
  };
  Largest descend(AlignedVector& values, AlignedVector& notes, Factor factor) const;
  /// Returns the largest rest that is left.
  double ascend(AlignedVector& values, AlignedVector& notes) const;
  // The parts of these, in this order, without hubs: some groups of leaves, and the crown.
  std::size_t crown_storage() const { return crown_storage_; }
  std::size_t note_storage() const { return note_storage_; }
  void descend_leaves(double* values, double* notes, Factor factor, Range groups) const;
  Largest descend_crown(const double* values, const double* notes, double* crown, Factor factor) const;
  void ascend_crown(double* crown) const;
  void ascend_leaves(double* values, double* notes, const double* crown, Range groups) const;
  Largest find_left(const double* notes, double* crown) const;
  /// The given numbers of the crown alone: J, masses, motions and curvature.
  void copy_crown(const double* values, double* crown) const;
  /// Leaves in portions that are worth a thread's while, and, the last of them, everything in the crown.
  std::size_t units() const { return units_.size(); }
  Range leaves_of(std::size_t unit) const { return units_[unit]; }  ///< groups
  std::size_t unit_of(const TreeSlot& slot) const;
  void solve(AlignedVector& values, AlignedVector& notes) const;
  void respond(AlignedVector& values) const;
  /// Copies J, or a section of all rows, from other values of this tree.
  void copy_jacobians(const AlignedVector& from, AlignedVector& to) const;
  void copy(RowSection section, const AlignedVector& from, AlignedVector& to) const;
  void clear(RowSection section, AlignedVector& values) const;
  void clear(RowSection section, std::size_t unit, AlignedVector& values) const;

  struct Facts {
    std::size_t leaves = 0, programs = 0, in_lanes = 0;  ///< in_lanes: leaves that have company
    std::size_t factor_products = 0;                     ///< multiplications of a factorisation
    std::size_t top_products = 0;                        ///< of these in the top
  };
  const Facts& facts() const { return facts_; }

 private:
  /// Domains with the same program, side by side; the top is a group of one.
  struct Group {
    std::size_t program = 0, base = 0, width = 1;
    std::size_t notes = 0;  ///< of leaves: where theirs begin
  };
  /// Numbers side by side that go from one domain to another.
  struct Move {
    std::uint32_t from = 0, to = 0, count = 1;
  };
  using Moves = std::vector<Move>;
  struct Transfers {
    Moves blocks, rows, drift, thresholds;
  };
  /// A group of the crown, and what flows into it from the leaves (rows and drift from their notes) and from
  /// those before it.
  struct Upper {
    Group group;
    Transfers from_leaves, from_crown;
  };
  /// What flows back from the crown into a group.
  struct Returns {
    Moves rows, hubs;
  };
  using List = std::vector<BlockOp> BlockProgram::*;
  /// Where a domain is.
  struct Place {
    Group group;
    std::size_t lane = 0, upper = 0;  ///< upper: its group's place in the crown
  };
  /// Domains with the same program, which is the program of each of them from now on.
  struct Alike {
    std::size_t program = 0;
    std::vector<std::size_t> domains;
  };

  // elimination_layout.cpp
  std::vector<Alike> find_alike(std::vector<DomainProgram>& domains, Range which);
  void add_groups(const TreePlan& plan, std::vector<DomainProgram>& domains);
  Group add_group(std::size_t program, std::size_t width);
  void add_slots(const TreePlan& plan, const DomainProgram& domain, const Group& group, std::size_t lane);
  void add_transfers(const TreePlan& plan, const std::vector<DomainProgram>& domains,
                     const std::vector<Place>& places, std::size_t domain, Returns& returns);
  static void join(Moves& list);
  void add_given(const TreePlan& plan, const DomainProgram& domain, const Group& group);
  void count_work(const Group& group, bool top);
  void add_units();

  void run(const Group& group, List list, double* values, Shares shares = Shares::found) const;
  void run_all(List list, double* values, Shares shares = Shares::found) const;
  void find_rest(const Upper& upper, const double* notes, double* crown, Largest& most) const;
  Largest largest_of_leaves(const double* notes) const;
  void leave_notes(const Group& group, const double* values, double* notes) const;
  static void add(const Moves& list, const double* from, double* to);
  static void take(const Moves& list, double* to, const double* from);
  template <class Function>
  void for_section(RowSection section, const Function& f) const;

  std::vector<BlockProgram> programs_;
  std::vector<Group> groups_;                     ///< of leaves
  std::vector<Upper> crown_;                      ///< the last is the top
  std::vector<Returns> returns_, crown_returns_;  ///< of both
  std::vector<std::size_t> first_end_;
  std::vector<TreeSlot> jacobian_, mass_, alpha_;
  std::vector<bool> feels_, hub_, arms_;
  std::vector<TreeRows> rows_;
  std::size_t storage_ = 0, crown_storage_ = 0, note_storage_ = 0;
  std::vector<Range> given_;            ///< numbers of the crown that are given
  std::vector<Range> units_;            ///< groups of leaves; of the crown none
  std::vector<std::size_t> unit_ends_;  ///< in storage
  Facts facts_;
};

}  // namespace cosimo
