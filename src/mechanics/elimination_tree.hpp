// Solves S lambda = r, S = J M^-1 J^T, for the constraints of a mechanism, and carries the answer to its
// bodies. Leaves (mechanics/elimination_order.hpp) are independent of each other; after them comes the top.
// Leaves that do the same run side by side in vector lanes (mechanics/elimination_program.hpp).
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
//   AlignedVector values(tree.storage());          // zeros
//   write J at tree.jacobian(c, e), masses at tree.mass(b);
//   tree.prepare(values);                          // thresholds: noise; raise them at tree.rows(c) where
//   needed
//   tree.factorise(values);
//   write alpha at tree.alpha(b), curvature at tree.rows(c);
//   tree.descend(values, Factor::made);            // rest = curvature + J alpha, eliminated
//   tree.ascend(values);                           // rest = S^-1 rest, lambda += rest, alpha -= M^-1 J^T
//   rest;
//                                                  // rest = curvature + J alpha
//
// Where no thresholds are to be raised, descend(values, Factor::missing) prepares and factorises on the way.
// For a right-hand side of the caller's own, written at tree.rows(c): solve(values), respond(values).
//
// Sums are taken in an order that the model fixes: leaves may be shared between threads, and bits stay.
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
  TreeSlot jacobian(std::size_t constraint, std::size_t end) const {
    return jacobian_[first_end_[constraint] + end];
  }
  /// A light body's 1/m and inverse inertia (xx xy xz yy yz zz) or inverse diagonal; a hub's -M, all of it.
  TreeSlot mass(std::size_t body) const { return mass_[body]; }
  TreeSlot alpha(std::size_t body) const { return alpha_[body]; }
  const TreeRows& rows(std::size_t constraint) const { return rows_[constraint]; }
  bool is_hub(std::size_t body) const { return hub_[body]; }
  /// Whether the pivots of a constraint feel that this end can move: not when it is on a hub that comes
  /// later.
  bool feels(std::size_t constraint, std::size_t end) const { return feels_[first_end_[constraint] + end]; }

  void prepare(AlignedVector& values) const;
  void factorise(AlignedVector& values, Shares shares) const;
  /// The largest numbers of rows, before they are eliminated.
  struct Largest {
    double rest = 0, curvature = 0;
  };
  Largest descend(AlignedVector& values, Factor factor) const;
  /// Returns the largest rest that is left.
  double ascend(AlignedVector& values) const;
  // The parts of these, in this order: leaves that run side by side, some of their groups or all of them, may
  // be left to several threads.
  std::size_t leaf_groups() const { return groups_.size(); }
  void descend_leaves(AlignedVector& values, Factor factor, Range groups) const;
  Largest descend_top(AlignedVector& values, Factor factor) const;
  void ascend_top(AlignedVector& values) const;
  void ascend_leaves(AlignedVector& values, Range groups) const;
  double find_left(AlignedVector& values) const { return find_rest_of_top(values).rest; }
  void solve(AlignedVector& values) const;
  void respond(AlignedVector& values) const;
  /// Copies J, or a section of all rows, from other values of this tree.
  void copy_jacobians(const AlignedVector& from, AlignedVector& to) const;
  void copy(RowSection section, const AlignedVector& from, AlignedVector& to) const;
  void clear(RowSection section, AlignedVector& values) const;

  struct Facts {
    std::size_t leaves = 0, programs = 0, in_lanes = 0;  ///< in_lanes: leaves that have company
    std::size_t factor_products = 0;                     ///< multiplications of a factorisation
    std::size_t top_products = 0;                        ///< of these in the top
  };
  const Facts& facts() const { return facts_; }

 private:
  /// Leaves with the same program, side by side; the top is a group of one.
  struct Group {
    std::size_t program = 0, base = 0, width = 1;
  };
  /// Numbers of the border of a leaf and where the top has them.
  struct Transfer {
    std::size_t leaf = 0, top = 0;
    std::uint32_t stride = 1, rows = 1, columns = 1;
    bool transposed = false;
  };
  using List = std::vector<BlockOp> BlockProgram::*;

  void add_groups(const TreePlan& plan, std::vector<DomainProgram>& leaves, const DomainProgram& top);
  void add_slots(const TreePlan& plan, const DomainProgram& domain, const Group& group, std::size_t lane);
  void add_transfers(const TreePlan& plan, const DomainProgram& leaf, const Group& group, std::size_t lane,
                     const DomainProgram& top);
  void run(const Group& group, List list, AlignedVector& values, Shares shares = Shares::found) const;
  void run_leaves(List list, AlignedVector& values, Shares shares = Shares::found) const;
  void factorise_top(AlignedVector& values, Shares shares) const;
  Largest find_rest_of_top(AlignedVector& values) const;
  static void add_to_top(const std::vector<Transfer>& list, AlignedVector& values);
  static void copy_to_leaves(const std::vector<Transfer>& list, AlignedVector& values);
  template <class Function>
  void for_section(RowSection section, const Function& f) const;

  std::vector<BlockProgram> programs_;
  std::vector<Group> groups_;  ///< the leaves
  Group top_;
  std::vector<Transfer> block_transfers_, row_transfers_, drift_transfers_, threshold_transfers_,
      hub_transfers_;
  std::vector<std::size_t> first_end_;
  std::vector<TreeSlot> jacobian_, mass_, alpha_;
  std::vector<bool> feels_, hub_;
  std::vector<TreeRows> rows_;
  std::size_t storage_ = 0;
  Facts facts_;
};

}  // namespace cosimo
