// [K] appendix C: orders and stability of explicit co-simulation methods.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/lab.hpp"
#include "studies/stability_cells.hpp"
#include "studies/stability_orders.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

using Cells = std::vector<StabilityCell>;

const std::string& name_of(const StabilityCell& cell) {
  return stability_methods()[cell.method].name;
}

Cells of_figure(const Cells& cells, std::size_t figure) {
  Cells some;
  for (const StabilityCell& cell : cells)
    if (cell.figure == figure) some.push_back(cell);
  return some;
}

/// Column d = 0 of one figure.
Statement undamped_statement(const Cells& cells, const StabilityFigure& figure) {
  std::string bears, differs;
  std::size_t same = 0;
  for (const StabilityCell& cell : cells) {
    if (cell.published_sign == '+' && cell.method < classic_methods + acceleration_methods)
      bears += (bears.empty() ? "" : "; ") + name_of(cell);
    if (cell.sign == cell.published_sign)
      ++same;
    else
      differs += fmt::format("; {}: {} here", name_of(cell), cell.sign);
  }
  return judged(
      fmt::format("{}: an undamped system can be simulated with: {}; and not with the other methods",
                  figure.name, bears),
      fmt::format("Figure {}, d = 0", figure.id),
      fmt::format("{} of {} signs as published (with and without update){}", same, cells.size(), differs),
      same == cells.size(),
      "Here the spectral radius is below 1, but hardly: without damping 1 - rho is 2.7e-12, 1.7e-10 and "
      "1.1e-8 at "
      "|H lambda| = 0.05, 0.1 and 0.2, with either order of the two subsystems and with the whole course as "
      "with "
      "its end value. Computed with a few digits less it cannot be told from 1.");
}

/// Column d > 0 of one figure: its pluses have no published scale, so pairs of methods are compared.
Statement damped_statement(const Cells& cells, const StabilityFigure& figure, bool fine) {
  const std::string published = fmt::format(
      "{}: stable regions by size, from + (classic kappa_lambda = 2 and methods without update) to +++++, {} "
      "marks "
      "in all",
      figure.name, cells.size());
  const std::string where = fmt::format("Figure {}, d > 0", figure.id);
  if (!fine) return not_shown(published, where, "the maps of this scale are too coarse to compare areas");
  std::size_t pairs = 0, alike = 0;
  std::string culprits;
  for (const StabilityCell& a : cells) {
    std::size_t wrong = 0;
    for (const StabilityCell& b : cells) {
      const int more = a.published_pluses - b.published_pluses;
      if (more == 0) continue;
      const bool in_order = (a.area > b.area) == (more > 0) && a.area != b.area;
      if (!in_order) ++wrong;
      if (more > 0) ++pairs, alike += in_order ? 1 : 0;
    }
    if (wrong > 1) culprits += fmt::format("; {} (area {:.2f}) is involved in {}", name_of(a), a.area, wrong);
  }
  return judged(
      published, where,
      fmt::format("areas are in the published order in {} of {} pairs with different marks{}", alike, pairs,
                  culprits),
      alike == pairs,
      std::string_view(figure.id) != "C.6"
          ? "the table of maps has the areas"
          : "The region of acc with kappa_a = 0 without update is larger here than its mark says: "
            "0.79, against 0.31 "
            "to 0.46 of the other methods with +++. The marks of the other three figures follow the order of "
            "our areas without exception, and simulations of this method at seven points of the plane "
            "decay and grow as "
            "its map says. The plots of the document are not in its text, so that we cannot tell "
            "what its mark "
            "stands for.");
}

/// Cells of the same method with and without update.
struct Pair {
  const StabilityCell *with, *without;
};
std::vector<Pair> update_pairs(const Cells& cells) {
  std::vector<Pair> pairs;
  for (const StabilityCell& cell : cells)
    if (stability_methods()[cell.method].accelerations && stability_methods()[cell.method].updated) {
      const auto other = std::find_if(cells.begin(), cells.end(), [&](const StabilityCell& c) {
        return c.figure == cell.figure && c.method == cell.method + acceleration_methods;
      });
      pairs.push_back({&cell, &*other});
    }
  return pairs;
}

void report_update(const Cells& cells, bool all, Finding& finding) {
  const char* larger =
      "acc and accRel: the stability region is significantly larger with update, for all polynomials, "
      "decompositions and sequences";
  const char* alike = "The ability to simulate an undamped system seems not to be influenced by the update";
  if (!all) {
    finding.statements.push_back(not_shown(larger, "C.2", "this scale has the maps of Figure C.3 only"));
    finding.statements.push_back(not_shown(alike, "C.2", "this scale has the maps of Figure C.3 only"));
    return;
  }
  std::vector<double> ratios;
  std::size_t same = 0, as_published = 0;
  std::string others;
  const std::vector<Pair> pairs = update_pairs(cells);
  for (const Pair& p : pairs) {
    ratios.push_back(p.with->area / p.without->area);
    const bool equal = p.with->sign == p.without->sign;
    same += equal ? 1 : 0;
    as_published += equal == (p.with->published_sign == p.without->published_sign) ? 1 : 0;
    if (!equal)
      others +=
          fmt::format("; not with {} of Figure {}", name_of(*p.with), stability_figures[p.with->figure].id);
  }
  std::sort(ratios.begin(), ratios.end());
  finding.statements.push_back(
      judged(larger, "C.2, Figures C.3 to C.6",
             fmt::format(
                 "{} pairs: the area with update is {:.2f} to {:.1f} times that without, {:.1f} times in the "
                 "median",
                 pairs.size(), ratios.front(), ratios.back(), ratios[ratios.size() / 2]),
             ratios.front() > 1));
  Statement undamped = judged(alike, "C.2, Figures C.3 to C.6",
                              fmt::format("same sign in {} of {} pairs{}", same, pairs.size(), others),
                              as_published == pairs.size());
  if (same < pairs.size() && as_published == pairs.size())
    undamped.reason = "The published figure has this exception as well.";
  finding.statements.push_back(std::move(undamped));
}

/// Largest stable macro step over the damping ratio, some methods of one figure.
Figure limit_figure(const Cells& cells, const StabilityFigure& figure, const char* part, const char* id,
                    std::size_t first, std::size_t count) {
  Figure f{.id = fmt::format("c{}-{}", figure.id[2], id),
           .title = fmt::format("{}: largest stable macro step, {}", figure.name, part),
           .where = fmt::format("Figures {} and C.7 to C.30", figure.id),
           .x = {"damping ratio d / (2 sqrt(c m))", false},
           .y = {"|H lambda| = H sqrt(c / m)", false}};
  for (std::size_t i = first; i < first + count; ++i)
    f.courses.push_back({.name = name_of(cells[i]), .x = limit_ratios(), .y = cells[i].limit});
  f.note = fmt::format(
      "Where rays from the origin of the map leave the stable region, interpolated between its "
      "points; {} is the end of the map. A method that bears no undamped system begins at 0.",
      MapExtent::reach);
  return f;
}

void draw(const Cells& cells, const StabilityFigure& figure, Finding& finding) {
  Cells plain(cells.begin(), cells.begin() + classic_methods + 2);
  constexpr std::size_t without = classic_methods + acceleration_methods;
  plain.insert(plain.end(), cells.begin() + without, cells.begin() + without + 2);
  finding.figures.push_back(limit_figure(plain, figure, "classic and acc", "classic-acc", 0, plain.size()));
  finding.figures.push_back(limit_figure(cells, figure, "accRel", "accrel", classic_methods + 2, 8));
  finding.figures.push_back(
      limit_figure(cells, figure, "accRel without update", "accrel-no-update", without + 2, 8));
}

Table cell_table(const Cells& cells) {
  Table table{.id = "maps",
              .title = "Stable regions, as Figures C.3 to C.6",
              .columns = {"figure", "method", "published d = 0", "ours", "published d > 0", "area",
                          "undamped up to", "damping ratio 1 up to"}};
  for (const StabilityCell& cell : cells)
    table.rows.push_back({std::string(stability_figures[cell.figure].id), name_of(cell),
                          std::string(1, cell.published_sign), std::string(1, cell.sign),
                          std::string(static_cast<std::size_t>(cell.published_pluses), '+'), cell.area,
                          cell.undamped.reached, cell.critical.reached});
  table.note = "Area of the stable region around the origin in the plane of H lambda; limits of |H lambda|.";
  return table;
}

MapExtent extent_of(double scale) {
  if (scale < 0.2) return {.figures = 1, .points = 31};
  const double points = std::round(90 * std::sqrt(scale)) + 1;
  return {.figures = 4, .points = static_cast<std::size_t>(std::clamp(points, 46.0, 601.0))};
}

Finding work(Lab& lab) {
  const MapExtent extent = extent_of(lab.scale());
  const bool all = extent.figures == stability_figures.size();
  const std::vector<double> steps =
      all ? std::vector<double>{5e-3, 2.5e-3, 1.25e-3} : std::vector<double>{2.5e-3, 1.25e-3};
  Finding finding;
  finding.settings = {
      "Orders (Figure C.2): " + DampedOscillator::described(),
      fmt::format(
          "Macro steps {} s down to {} s, {}; subsystems solved to 1e-13. Slopes of log error over log H, "
          "a quarter is allowed.",
          steps.front(), steps.back(),
          all ? "all four couplings of Figures C.3 to C.6, with and without update"
              : "force/force, Jacobi, with update"),
      fmt::format(
          "Maps: the symmetric linear two-mass oscillator of Figure C.1, exact subsystems, {0} x {0} points "
          "with -{1} <= Re(H lambda) <= 0 <= Im(H lambda) <= {1}; spectral radius of the scheme's own macro "
          "step. acc drives with the whole course. The document does not say how fine or how far its plots "
          "are; scale 1 shows every statement, larger scales finer maps.",
          extent.points, MapExtent::reach),
      "d = 0 is '+' when no step with |H lambda| <= 0.2 grows (rho <= 1 + 1e-10). The number of pluses for d "
      "> 0 has "
      "no published scale: we compare the order of the areas, pair by pair."};

  OscillatorBench bench(lab, {.end = all ? 2.0 : 1.0, .rows = all ? 20 : 10});
  report_order_rows(measure_order_rows(bench, steps, all), all, finding);
  const Cells cells = measure_stability(lab, extent);
  for (std::size_t i = 0; i < stability_figures.size(); ++i) {
    const StabilityFigure& figure = stability_figures[i];
    if (i >= extent.figures) {
      finding.statements.push_back(not_shown(fmt::format("{}: signs and marks", figure.name),
                                             fmt::format("Figure {}", figure.id),
                                             "this scale has the maps of Figure C.3 only"));
      continue;
    }
    const Cells mine = of_figure(cells, i);
    finding.statements.push_back(undamped_statement(mine, figure));
    finding.statements.push_back(damped_statement(mine, figure, extent.points >= 61));
    draw(mine, figure, finding);
  }
  report_update(cells, all, finding);
  finding.tables.push_back(cell_table(cells));
  return finding;
}

}  // namespace

Study stability_maps() {
  return {
      .name = "stability",
      .title = "Orders and stability of explicit methods",
      .source = "[K] C",
      .about =
          {"Which orders the explicit methods classic, acc and accRel have, and how large their macro step "
           "may be: 92 stability maps of the linear two-mass oscillator."},
      .seconds = 40,
      .work = work};
}

}  // namespace cosimo::studies
