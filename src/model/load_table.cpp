#include "model/load_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "model/load_shapes.hpp"

namespace cosimo {

namespace {

/// A contact's exponent above this is an overflow: exp(600) is 1e260, far from any force of a
/// useful state and near enough to the largest number for products to leave the range.
constexpr double largest_exponent = 600;

/// Those of the model's loads that act on the part, by coordinate.
template <class Load>
std::vector<std::pair<std::int32_t, Load>> select(const std::vector<Load>& loads, const DofMap& dof_of) {
  const auto before = [](const Load& load, BodyId body) { return load.body < body; };
  const auto first = std::lower_bound(loads.begin(), loads.end(), dof_of.low(), before);
  const auto last = std::lower_bound(first, loads.end(), BodyId(dof_of.high().value + 1), before);
  std::vector<std::pair<std::int32_t, Load>> selected;
  for (auto load = first; load != last; ++load) {
    COSIMO_CHECK(load == first || !((load - 1)->body > load->body), "loads must be sorted by body");
    const std::int32_t dof = dof_of(load->body);
    if (dof >= 0) selected.push_back({dof, *load});
  }
  std::stable_sort(selected.begin(), selected.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return selected;
}

template <class Load>
std::vector<std::int32_t> dofs_of(const std::vector<std::pair<std::int32_t, Load>>& selected) {
  std::vector<std::int32_t> dofs;
  dofs.reserve(selected.size());
  for (const auto& entry : selected) dofs.push_back(entry.first);
  return dofs;
}

/// One column of the table, reduced to a single number when all are equal.
template <class Load>
Field column(const std::vector<std::pair<std::int32_t, Load>>& selected, double Load::*member) {
  if (selected.empty()) return Field(0.0);
  const double first = selected.front().second.*member;
  if (std::all_of(selected.begin(), selected.end(), [&](const auto& e) { return e.second.*member == first; }))
    return Field(first);
  std::vector<double> values;
  values.reserve(selected.size());
  for (const auto& entry : selected) values.push_back(entry.second.*member);
  return Field(std::move(values));
}

/// Calls f(row, coordinate) for the rows of the block, in order.
template <class F>
void for_rows(const std::vector<std::int32_t>& dof, Range dofs, F f) {
  const auto less = [](std::int32_t value, std::size_t wanted) {
    return static_cast<std::size_t>(value) < wanted;
  };
  auto row =
      static_cast<std::size_t>(std::lower_bound(dof.begin(), dof.end(), dofs.first, less) - dof.begin());
  for (; row < dof.size() && static_cast<std::size_t>(dof[row]) < dofs.last; ++row)
    f(row, static_cast<std::size_t>(dof[row]));
}

/// out[i] += amplitude * shape(row) / mass, with one call of shape where all rows share it.
template <class Rows, class Shape>
void add(const Rows& rows, bool common, Range dofs, const Masses& masses, double* out, Shape shape) {
  if (rows.dof.empty()) return;
  const double shared = common ? shape(std::size_t{0}) : 0.0;
  for_rows(rows.dof, dofs, [&](std::size_t row, std::size_t i) {
    const double value = rows.amplitude[row] * (common ? shared : shape(row));
    out[i] += value * masses.inverse(i);
  });
}

}  // namespace

LoadTable::LoadTable(const Loads& loads, const DofMap& dof_of) {
  const auto harmonic = select(loads.harmonic, dof_of);
  harmonic_ = {dofs_of(harmonic), column(harmonic, &Harmonic::amplitude), column(harmonic, &Harmonic::omega),
               column(harmonic, &Harmonic::phase)};
  const auto contact = select(loads.contact, dof_of);
  contact_ = {dofs_of(contact), column(contact, &Contact::A), column(contact, &Contact::B)};
  const auto powersine = select(loads.powersine, dof_of);
  powersine_ = {dofs_of(powersine), column(powersine, &PowerSine::amplitude),
                column(powersine, &PowerSine::omega), column(powersine, &PowerSine::phase),
                column(powersine, &PowerSine::exponent)};
  const auto impulse = select(loads.impulse, dof_of);
  impulse_ = {dofs_of(impulse), column(impulse, &Impulse::amplitude), column(impulse, &Impulse::start),
              column(impulse, &Impulse::duration), column(impulse, &Impulse::steepness)};

  Loads own;
  std::vector<Window> windows;
  for (const auto& [dof, load] : impulse) {
    own.impulse.push_back(load);
    // A little wider than the saturated edges, so that rounding cannot cut a non-zero value off.
    const double margin = (saturation + 1) * std::fabs(load.steepness);
    const double end = load.start + load.duration;
    const auto [early, late] = std::minmax(load.start, end);
    windows.push_back({early - margin, late + margin});
  }
  breakpoints_ = breakpoints(own);
  std::sort(windows.begin(), windows.end(),
            [](const Window& a, const Window& b) { return a.first < b.first; });
  for (const Window& window : windows) {
    if (windows_.empty() || window.first > windows_.back().last)
      windows_.push_back(window);
    else
      windows_.back().last = std::max(windows_.back().last, window.last);
  }
}

bool LoadTable::impulse_acts(double t) const {
  const auto after =
      std::upper_bound(windows_.begin(), windows_.end(), t,
                       [](double value, const Window& window) { return value < window.first; });
  return after != windows_.begin() && t <= (after - 1)->last;
}

bool LoadTable::add_accelerations(double t, const double* q, double* a, Range dofs,
                                  const Masses& masses) const {
  add(harmonic_, harmonic_.omega.uniform() && harmonic_.phase.uniform(), dofs, masses, a,
      [&](std::size_t row) { return sine(harmonic_.omega[row], harmonic_.phase[row], t); });
  bool ok = true;
  if (!contact_.dof.empty())
    for_rows(contact_.dof, dofs, [&](std::size_t row, std::size_t i) {
      const double exponent = contact_.B[row] * q[i];
      if (!(exponent <= largest_exponent)) {
        ok = false;
        return;
      }
      a[i] += contact_.A[row] * std::exp(exponent) * masses.inverse(i);
    });
  if (impulse_acts(t))
    add(impulse_, impulse_.start.uniform() && impulse_.duration.uniform() && impulse_.steepness.uniform(),
        dofs, masses, a, [&](std::size_t row) {
          return pulse(impulse_.start[row], impulse_.duration[row], impulse_.steepness[row], t);
        });
  add(powersine_, powersine_.omega.uniform() && powersine_.phase.uniform() && powersine_.exponent.uniform(),
      dofs, masses, a, [&](std::size_t row) {
        return power_sine(powersine_.omega[row], powersine_.phase[row], powersine_.exponent[row], t);
      });
  return ok;
}

void LoadTable::add_rates(double t, double* a_t, const Masses& masses) const {
  const Range all{0, std::numeric_limits<std::size_t>::max()};
  add(harmonic_, harmonic_.omega.uniform() && harmonic_.phase.uniform(), all, masses, a_t,
      [&](std::size_t row) { return sine_rate(harmonic_.omega[row], harmonic_.phase[row], t); });
  if (impulse_acts(t))
    add(impulse_, impulse_.start.uniform() && impulse_.duration.uniform() && impulse_.steepness.uniform(),
        all, masses, a_t, [&](std::size_t row) {
          return pulse_rate(impulse_.start[row], impulse_.duration[row], impulse_.steepness[row], t);
        });
  add(powersine_, powersine_.omega.uniform() && powersine_.phase.uniform() && powersine_.exponent.uniform(),
      all, masses, a_t, [&](std::size_t row) {
        return power_sine_rate(powersine_.omega[row], powersine_.phase[row], powersine_.exponent[row], t);
      });
}

void LoadTable::add_stiffness(const double* q, double* k_diag, Range dofs) const {
  for_rows(contact_.dof, dofs, [&](std::size_t row, std::size_t i) {
    k_diag[i] -= contact_.A[row] * contact_.B[row] * std::exp(contact_.B[row] * q[i]);
  });
}

double LoadTable::next_breakpoint(double t) const {
  const auto next = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), t);
  return next == breakpoints_.end() ? std::numeric_limits<double>::infinity() : *next;
}

}  // namespace cosimo
