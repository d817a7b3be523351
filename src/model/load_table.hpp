// The loads on one part's coordinates, one table per kind, sorted by coordinate so
// that a block finds its own by binary search.
//
// A history that all rows of a table share is evaluated once per call. Impulses are
// skipped outside the few time windows in which one of them acts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "model/dof_map.hpp"
#include "model/field.hpp"
#include "model/loads.hpp"
#include "model/masses.hpp"

namespace cosimo {

class LoadTable {
 public:
  LoadTable() = default;
  LoadTable(const Loads& loads, const DofMap& dof_of);

  /// a += forces / mass for the loads on `dofs`. False when a contact overflows or an acceleration is not
  /// finite.
  [[nodiscard]] bool add_accelerations(double t, const double* q, double* a, Range dofs,
                                       const Masses& masses) const;
  /// a_t += (d force / dt) / mass.
  void add_rates(double t, double* a_t, const Masses& masses) const;
  /// k_diag -= d force / dq for i in dofs: contacts.
  void add_stiffness(const double* q, double* k_diag, Range dofs) const;

  /// What its integrator must know.
  const Timetable& breakpoints() const { return breakpoints_; }

  /// Coordinates with a contact, each as often as it has one. A contact is felt from zero on.
  std::span<const std::int32_t> contacts() const { return contact_.dof; }

 private:
  template <class Load>
  struct Rows {
    std::vector<std::int32_t> dof;
    Field amplitude;
    std::vector<Load> shapes;  ///< a single one where all differ in the amplitude alone

    Rows() = default;
    Rows(const std::vector<Load>& loads, const DofMap& dof_of);
    bool common() const { return shapes.size() == 1; }
    std::size_t stride() const { return common() ? 0 : 1; }  ///< from row to row among the shapes
  };
  template <class Load, class Course>
  static bool add(const Rows<Load>& rows, Range dofs, const Masses& masses, double* out, Course course);

  bool impulse_acts(double t) const;

  Rows<Harmonic> harmonic_;
  Rows<Contact> contact_;
  Rows<Impulse> impulse_;
  Rows<PowerSine> powersine_;
  Rows<CurveLoad> curve_;
  /// Disjoint and ascending; outside them every impulse is exactly zero.
  std::vector<std::array<double, 2>> windows_;
  Timetable breakpoints_;
};

}  // namespace cosimo
