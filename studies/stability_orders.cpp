#include "studies/stability_orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "studies/stability_cells.hpp"

namespace cosimo::studies {
namespace {

const std::vector<OrderRow>& order_rows() {
  static const std::vector<OrderRow> rows = [] {
    std::vector<OrderRow> all;
    for (const int k : {0, 1, 2})
      all.push_back(
          {fmt::format("classic, kappa_lambda = {}", k), "extrapolation", k, 3.0 + k, 2.0 + k, 1.0 + k});
    for (const int k : {0, 1})
      all.push_back({fmt::format("acc, kappa_a = {}", k),
                     fmt::format("{{acc: {{degree: {}, update: UPDATE}}}}", k), k, 3.0 + k, 2.0 + k,
                     1.0 + k});
    for (const int ka : {0, 1})
      for (const int k : {0, 1})
        for (const int divisor : {6, 2}) {
          const bool gains = (k == 0 && divisor == 2) || (k == 1 && divisor == 6 && ka == 1);
          all.push_back(
              {fmt::format("accRel, kappa_a = {}, kappa_lambda = {}, omega = 1/{}", ka, k, divisor),
               fmt::format("{{accrel: {{degree: {}, omega: {}, update: UPDATE}}}}", ka, 1.0 / divisor), k,
               3.0 + k, 2.0 + k + gains, 1.0 + k + gains});
        }
    for (const int k : {0, 1})
      all.push_back({fmt::format("acc, kappa_a = {}, whole course", k),
                     fmt::format("{{acc: {{degree: {}, course: whole, update: UPDATE}}}}", k), k, 3.0 + k,
                     2.0 + k, 1.0 + k, false});
    return all;
  }();
  return rows;
}

double off(const Orders& o, const OrderRow& row) {
  return std::max(
      {std::fabs(o.pos() - row.pos), std::fabs(o.vel() - row.vel), std::fabs(o.glob() - row.global)});
}

MeasuredRow measure(OscillatorBench& bench, const OrderRow& row, std::span<const double> steps,
                    bool thorough) {
  MeasuredRow m{.row = &row, .least_global = 100};
  const auto orders = [&](const StabilityFigure& coupling, const std::string& update) {
    std::string predictor = row.predictor;
    const std::size_t at = predictor.find("UPDATE");
    if (at != std::string::npos) predictor.replace(at, 6, update);
    const Orders o = bench.measure(
        coupling.id, fmt::format("scheme: explicit, predictor: {}, {}", predictor, coupling.couple),
        row.kappa, steps);
    ++m.couplings;
    m.off = std::max(m.off, off(o, row));
    m.least_global = std::min(m.least_global, o.glob());
    return o;
  };
  for (const StabilityFigure& coupling : stability_figures) {
    const Orders with = orders(coupling, "consistent");
    if (m.couplings == 1) m.plain = with;
    if (!thorough) break;
    if (row.predictor.find("UPDATE") == std::string::npos) continue;
    const Orders without = orders(coupling, "none");
    m.update_matters =
        std::max({m.update_matters, std::fabs(with.pos() - without.pos()),
                  std::fabs(with.vel() - without.vel()), std::fabs(with.glob() - without.glob())});
  }
  return m;
}

std::string text(const Orders& o) {
  return fmt::format("{:.2f}, {:.2f}, {:.2f}", o.pos(), o.vel(), o.glob());
}

Table order_table(const std::vector<MeasuredRow>& rows) {
  Table table{.id = "orders",
              .title = "Orders, as Figure C.2",
              .columns = {"method", "published loc x", "loc v", "glob", "ours loc x", "loc v", "glob",
                          "largest deviation", "couplings"}};
  for (const MeasuredRow& m : rows)
    table.rows.push_back({m.row->name, m.row->pos, m.row->vel, m.row->global, m.plain.pos(), m.plain.vel(),
                          m.plain.glob(), m.off, static_cast<std::int64_t>(m.couplings)});
  table.note =
      "Ours: force/force, Jacobi, with update. Largest deviation from the published orders over all "
      "couplings "
      "of Figures C.3 to C.6, with and without update.";
  return table;
}

const MeasuredRow& find(const std::vector<MeasuredRow>& rows, std::string_view name) {
  return *std::find_if(rows.begin(), rows.end(), [&](const MeasuredRow& m) { return m.row->name == name; });
}

void report_whole_course(const std::vector<MeasuredRow>& rows, Finding& finding) {
  const MeasuredRow &k0 = find(rows, "acc, kappa_a = 0, whole course"),
                    &k1 = find(rows, "acc, kappa_a = 1, whole course");
  finding.statements.push_back(judged(
      "acc: the integrated accelerations are directly used as approximation polynomials, and have the orders "
      "3, 2, 1 and 4, 3, 2",
      "C, Figure C.2", fmt::format("{} for kappa_a = 0, {} for kappa_a = 1", text(k0.plain), text(k1.plain)),
      k0.agrees() && k1.agrees(),
      "One order better: accelerations that are off by H^(kappa_a+1) give velocities off by H^(kappa_a+2), "
      "and "
      "so is a damped coupling force within the step. The figure's orders come out when only the end value "
      "of "
      "the integrated course is used, with the polynomial (2.24) to it (rows acc above). The stability "
      "figures "
      "C.3 to C.6 on the other hand are those of the whole course."));
}

void report_optimal_omega(const std::vector<MeasuredRow>& rows, bool thorough, Finding& finding) {
  const auto gain = [&](int ka, int k, int good, int other) {
    const auto name = [&](int divisor) {
      return fmt::format("accRel, kappa_a = {}, kappa_lambda = {}, omega = 1/{}", ka, k, divisor);
    };
    return find(rows, name(good)).plain.glob() - find(rows, name(other)).plain.glob();
  };
  const std::array gains{gain(0, 0, 2, 6), gain(1, 0, 2, 6), gain(1, 1, 6, 2)};
  finding.statements.push_back(judged(
      "accRel: the order is increased by omega = 1/2 for kappa_lambda = 0 and by omega = 1/6 for "
      "kappa_lambda = 1",
      "C.2",
      fmt::format("global order higher by {:.2f} and {:.2f} (kappa_lambda = 0), {:.2f} (kappa_lambda = 1)",
                  gains[0], gains[1], gains[2]),
      std::all_of(gains.begin(), gains.end(), [](double g) { return is_order(g, 1); })));
  const double none = gain(0, 1, 6, 2);
  finding.statements.push_back(judged("This holds only if kappa_a >= kappa_lambda", "C.2",
                                      fmt::format("kappa_a = 0, kappa_lambda = 1: higher by {:.2f}", none),
                                      std::fabs(none) <= 0.25));
  const auto third = [](const MeasuredRow& m) { return m.row->in_figure && m.plain.glob() > 2.75; };
  std::string names;
  for (const MeasuredRow& m : rows)
    if (third(m)) names += (names.empty() ? "" : "; ") + m.row->name;
  finding.statements.push_back(
      judged("Only classic with kappa_lambda = 2 and accRel with kappa_a = kappa_lambda = 1, omega = 1/6 "
             "converge globally with H^3",
             "C.2", "global order above 2.75: " + names,
             names == "classic, kappa_lambda = 2; accRel, kappa_a = 1, kappa_lambda = 1, omega = 1/6"));
  const auto best =
      std::max_element(rows.begin(), rows.end(), [](const MeasuredRow& a, const MeasuredRow& b) {
        return (a.row->in_figure ? a.plain.pos() : 0) < (b.row->in_figure ? b.plain.pos() : 0);
      });
  finding.statements.push_back(
      judged("The highest rate on position level is that of classic, kappa_lambda = 2", "C.2",
             fmt::format("{} with {:.2f}", best->row->name, best->plain.pos()),
             best->row->name == "classic, kappa_lambda = 2"));
  const std::string update = "The convergence order is not influenced by the update of the accelerations";
  if (!thorough) {
    finding.statements.push_back(not_shown(update, "C", "this scale measures with update only"));
    return;
  }
  double matters = 0;
  for (const MeasuredRow& m : rows) matters = std::max(matters, m.update_matters);
  finding.statements.push_back(
      judged(update, "C", fmt::format("orders with and without update differ by at most {:.2f}", matters),
             matters <= 0.25));
}

}  // namespace

std::vector<MeasuredRow> measure_order_rows(OscillatorBench& bench, std::span<const double> steps,
                                            bool thorough) {
  std::vector<MeasuredRow> rows;
  for (const OrderRow& row : order_rows()) rows.push_back(measure(bench, row, steps, thorough));
  return rows;
}

void report_order_rows(const std::vector<MeasuredRow>& rows, bool thorough, Finding& finding) {
  for (const MeasuredRow& m : rows) {
    if (!m.row->in_figure) continue;
    finding.statements.push_back(
        judged(fmt::format("{}: orders {:.0f}, {:.0f}, {:.0f} (local position, local velocity, global)",
                           m.row->name, m.row->pos, m.row->vel, m.row->global),
               "Figure C.2",
               fmt::format("{}; at most {:.2f} off, {} coupling{}", text(m.plain), m.off, m.couplings,
                           m.couplings == 1 ? "" : "s"),
               m.agrees(), "an observed order is more than 0.25 away"));
  }
  report_whole_course(rows, finding);
  report_optimal_omega(rows, thorough, finding);
  finding.tables.push_back(order_table(rows));
}

}  // namespace cosimo::studies
