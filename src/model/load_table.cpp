#include "model/load_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

namespace {

/// A contact's exponent above this is an overflow: exp(600) is 1e260, far from any force of a
/// useful state and near enough to the largest number for products to leave the range.
constexpr double largest_exponent = 600;

/// The first row of the block.
std::size_t first_row(const std::vector<std::int32_t>& dof, Range dofs) {
  const auto less = [](std::int32_t value, std::size_t wanted) {
    return static_cast<std::size_t>(value) < wanted;
  };
  return static_cast<std::size_t>(std::lower_bound(dof.begin(), dof.end(), dofs.first, less) - dof.begin());
}

/// Calls f(row, coordinate) for the rows of the block, in order.
template <class F>
void for_rows(const std::vector<std::int32_t>& dof, Range dofs, F f) {
  std::size_t row = first_row(dof, dofs);
  for (; row < dof.size() && static_cast<std::size_t>(dof[row]) < dofs.last; ++row)
    f(row, static_cast<std::size_t>(dof[row]));
}

}  // namespace

/// Those of the model's loads that act on the part.
template <class Load>
LoadTable::Rows<Load>::Rows(const std::vector<Load>& loads, const DofMap& dof_of) {
  std::vector<std::pair<std::int32_t, const Load*>> chosen;
  BodyId before = dof_of.low();
  for (const Load& load : on(loads, dof_of.low(), BodyId(dof_of.high().value + 1))) {
    COSIMO_CHECK(!(load.body < before), "loads must be sorted by body");
    before = load.body;
    if (const std::int32_t i = dof_of(load.body); i >= 0) chosen.push_back({i, &load});
  }
  if (chosen.empty()) return;
  std::ranges::stable_sort(chosen, {}, [](const auto& entry) { return entry.first; });
  const auto amplitude_of = [](const Load& load) { return std::get<0>(load.numbers()); };
  const auto shape_of = [](const Load& load) {
    auto numbers = load.numbers();
    std::get<0>(numbers) = 0;
    return numbers;
  };
  const auto equal = [&](auto part) {
    return std::ranges::all_of(
        chosen, [&](const auto& entry) { return part(*entry.second) == part(*chosen[0].second); });
  };
  const bool one_shape = equal(shape_of), one_amplitude = equal(amplitude_of);
  std::vector<double> amplitudes;
  for (const auto& [i, load] : chosen) {
    dof.push_back(i);
    if (shapes.empty() || !one_shape) shapes.push_back(*load);
    if (amplitudes.empty() || !one_amplitude) amplitudes.push_back(amplitude_of(*load));
  }
  amplitude = Field(amplitudes);
}

/// out[i] += amplitude * course(shape) / mass, with one call of course where all rows share the shape. False
/// when a sum is not finite.
template <class Load, class Course>
bool LoadTable::add(const Rows<Load>& rows, Range dofs, const Masses& masses, double* out, Course course) {
  const std::size_t first = first_row(rows.dof, dofs);
  if (first == rows.dof.size() || static_cast<std::size_t>(rows.dof[first]) >= dofs.last) return true;
  double bad = 0;  // x - x is zero for every finite x and not a number otherwise
  const auto take = [&](std::size_t i, double force) {
    out[i] += force * masses.inverse(i);
    bad += out[i] - out[i];
  };
  const double shared = rows.common() ? course(rows.shapes[0]) : 0.0;
  if (rows.common())
    for_rows(rows.dof, dofs, [&](std::size_t row, std::size_t i) { take(i, rows.amplitude[row] * shared); });
  else
    for_rows(rows.dof, dofs, [&](std::size_t row, std::size_t i) {
      take(i, rows.amplitude[row] * course(rows.shapes[row]));
    });
  return bad == 0;
}

LoadTable::LoadTable(const Loads& loads, const DofMap& dof_of)
    : harmonic_(loads.harmonic, dof_of),
      contact_(loads.contact, dof_of),
      impulse_(loads.impulse, dof_of),
      powersine_(loads.powersine, dof_of),
      curve_(loads.curve, dof_of) {
  Loads own;
  own.impulse = impulse_.shapes;
  breakpoints_ = Timetable(cosimo::breakpoints(own));
  std::set<const Curve*> known;
  for (const CurveLoad& load : curve_.shapes)
    if (known.insert(load.curve.get()).second) breakpoints_.merge(load.curve->breaks(Breaks::slope));
  std::vector<std::array<double, 2>> windows;
  for (const Impulse& load : impulse_.shapes) windows.push_back(load.acting());
  std::ranges::sort(windows, {}, [](const auto& window) { return window[0]; });
  for (const auto& window : windows) {
    if (windows_.empty() || window[0] > windows_.back()[1])
      windows_.push_back(window);
    else
      windows_.back()[1] = std::max(windows_.back()[1], window[1]);
  }
}

bool LoadTable::impulse_acts(double t) const {
  const auto after = std::ranges::upper_bound(windows_, t, {}, [](const auto& window) { return window[0]; });
  return after != windows_.begin() && t <= (*(after - 1))[1];
}

bool LoadTable::add_accelerations(double t, const double* q, double* a, Range dofs,
                                  const Masses& masses) const {
  const auto value = [t](const auto& load) { return load.value(t); };
  bool ok = add(harmonic_, dofs, masses, a, value);
  if (!contact_.dof.empty())
    for_rows(
        contact_.dof, dofs,
        [&, shapes = contact_.shapes.data(), stride = contact_.stride()](std::size_t row, std::size_t i) {
          const double exponent = shapes[row * stride].B * q[i];
          if (!(exponent <= largest_exponent)) {
            ok = false;
            return;
          }
          a[i] += contact_.amplitude[row] * std::exp(exponent) * masses.inverse(i);
          ok &= std::isfinite(a[i]);
        });
  if (impulse_acts(t)) ok &= add(impulse_, dofs, masses, a, value);
  ok &= add(powersine_, dofs, masses, a, value);
  return add(curve_, dofs, masses, a, value) && ok;
}

void LoadTable::add_rates(double t, double* a_t, const Masses& masses) const {
  const Range all{0, std::numeric_limits<std::size_t>::max()};
  const auto rate = [t](const auto& load) { return load.rate(t); };
  // A rate that is not finite ends in a step that fails.
  static_cast<void>(add(harmonic_, all, masses, a_t, rate));
  if (impulse_acts(t)) static_cast<void>(add(impulse_, all, masses, a_t, rate));
  static_cast<void>(add(powersine_, all, masses, a_t, rate));
  static_cast<void>(add(curve_, all, masses, a_t, rate));
}

void LoadTable::add_stiffness(const double* q, double* k_diag, Range dofs) const {
  for_rows(contact_.dof, dofs,
           [&, shapes = contact_.shapes.data(), stride = contact_.stride()](std::size_t row, std::size_t i) {
             const double A = contact_.amplitude[row], B = shapes[row * stride].B;
             k_diag[i] -= A * B * std::exp(B * q[i]);
           });
}

}  // namespace cosimo
