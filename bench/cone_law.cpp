// Picture: error of owned bodies after one macro step against the number of layers, measured and by the
// law (docs/overlap.md): waves, damping, jumps of mass, a lattice. Prints the numbers, and how many
// layers the law asks for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>

#include "bench/benchmarks.hpp"
#include "bench/far_edge.hpp"
#include "bench/figure.hpp"

namespace cosimo::bench {

namespace {

constexpr double rounding = 3e-15;  ///< smaller errors are not shown
constexpr int lowest = -16, highest = 2;
constexpr double foot = -15.2;  ///< labels at the lower end of a curve

struct Series {
  std::string label;
  std::function<Experiment(int layers)> make;
  std::vector<int> layers;
  CurvePoint label_at;  ///< layers and log10 of the error where the label begins
};

struct Plot {
  std::string head, note;
  double most_layers = 0;
  std::vector<Series> series;
};

std::vector<int> widths(int last, int step) {
  std::vector<int> result;
  for (int w = 1; w <= last; w += step) result.push_back(w);
  return result;
}

/// Bodies of mass 1 up to that layer, of another mass from the next one on.
struct Jump {
  int after = 0;
  double mass = 1;
};

Experiment chain(int layers, double H, double d, Jump jump) {
  constexpr std::size_t owned = 10;
  const auto beside = static_cast<std::size_t>(layers) + 40;
  const auto mass = [&](std::size_t i) {
    const std::size_t layer = i < beside ? beside - i : i < beside + owned ? 0 : i + 1 - beside - owned;
    return static_cast<int>(layer) > jump.after ? jump.mass : 1.0;
  };
  Experiment e;
  e.model = spring_grid(1, owned + 2 * beside, mass, d);
  for (std::size_t i = 0; i < owned; ++i) e.owned.emplace_back(beside + i);
  e.layers = layers;
  e.H = H;
  const double lightest = std::min(1.0, jump.mass);
  e.steps = static_cast<int>(std::ceil(H * (20 / std::sqrt(lightest) + 8 * d)));
  e.samples = 32;
  return e;
}

Experiment lattice(int layers, double tau) {
  const auto beside = static_cast<std::size_t>(layers) + 4;
  const std::size_t side = 6, all = side + 2 * beside;
  Experiment e;
  e.model = spring_grid(
      all, all, [](std::size_t) { return 1.0; }, 0.0);
  for (std::size_t row = 0; row < side; ++row)
    for (std::size_t i = 0; i < side; ++i) e.owned.emplace_back((beside + row) * all + beside + i);
  e.layers = layers;
  e.H = 2 * tau / std::sqrt(8.0);
  e.steps = static_cast<int>(std::ceil(20 * tau));
  e.samples = 4;
  return e;
}

std::vector<Plot> plots() {
  std::vector<Plot> all;
  Plot waves{"Waves", "uniform chain without damping, τ = H √(c/m)", 48, {}};
  for (const auto& [tau, step, label_at] :
       {std::tuple{1.0, 1, 8.7}, {4.0, 1, 15.7}, {10.0, 2, 25.8}, {20.0, 3, 38.9}})
    waves.series.push_back({fmt::format("τ = {}", tau),
                            [tau = tau](int w) { return chain(w, tau, 0.0, {}); },
                            widths(47, step),
                            {label_at, foot}});
  all.push_back(waves);

  Plot damping{"Damping", "uniform chain, τ = 4, damping ratio ζ = d / (2 √(c m))", 72, {}};
  for (const auto& [zeta, step, label_at] : {std::tuple{0.0, 2, CurvePoint{16, foot}},
                                             {0.3, 2, {26, foot}},
                                             {3.0, 3, {62, foot}},
                                             {10.0, 4, {58, -3}}})
    damping.series.push_back({fmt::format("ζ = {}", zeta),
                              [zeta = zeta](int w) { return chain(w, 4.0, 2 * zeta, {}); }, widths(71, step),
                              label_at});
  all.push_back(damping);

  Plot jumps{"Mass jumps", "τ = 4 for mass m; from layer 7 on the bodies have the mass m′", 32, {}};
  for (const auto& [mass, label, label_at] : {std::tuple{1.0, "m′ = m", CurvePoint{15.6, foot}},
                                              {0.01, "m′ = m / 100", {22, -2.4}},
                                              {100.0, "m′ = 100 m", {3, foot}}})
    jumps.series.push_back({label,
                            [mass = mass](int w) {
                              return chain(w, 4.0, 0.0, {6, mass});
                            },
                            widths(31, 1), label_at});
  all.push_back(jumps);

  Plot square{"Lattice", "square lattice, 6 × 6 bodies owned, τ = H √(2 c/m)", 24, {}};
  for (const auto& [tau, label_at] : {std::pair{1.0, 8.4}, {4.0, 15.4}, {10.0, 21.5}})
    square.series.push_back({fmt::format("τ = {}", tau),
                             [tau = tau](int w) { return lattice(w, tau); },
                             widths(23, 1),
                             {label_at, tau > 4 ? -9.0 : foot}});
  all.push_back(square);
  return all;
}

struct Point {
  double layers = 0, law = 0, measured = 0;
};

std::vector<Point> measure(const Series& series) {
  std::vector<Point> points;
  for (const int w : series.layers) {
    const Experiment e = series.make(w);
    points.push_back({static_cast<double>(w), std::exp(exponent(e)), 0});
    if (points.back().law < 1e-17) break;
    points.back().measured = spread(e, 1).on_owned;
  }
  return points;
}

/// Layers for which the law promises what was measured with fewer; 0 where the points do not tell.
double layers_by_law(std::span<const Point> points, double error) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double above = std::log(points[i - 1].law), below = std::log(points[i].law), at = std::log(error);
    if (at <= above && at >= below && above > below)
      return points[i - 1].layers +
             (above - at) / (above - below) * (points[i].layers - points[i - 1].layers);
  }
  return 0;
}

void print(const Plot& plot, const Series& series, std::span<const Point> points) {
  double low = 1e300, high = 0, spare = 0;
  for (const Point& p : points)
    if (p.measured > rounding && p.law < 0.1) {
      low = std::min(low, p.measured / p.law);
      high = std::max(high, p.measured / p.law);
      spare = std::max(spare, layers_by_law(points, p.measured) - p.layers);
    }
  fmt::print("{:<11} {:<16} measured / law from {:.2g} to {:.2g}, up to {:.1f} layers too many\n", plot.head,
             series.label, low, high, spare);
}

void draw(Figure& figure, const Plot& plot, double x, double y) {
  const Panel p(x, y, 488, 300, 0, plot.most_layers, lowest, highest);
  figure.frame(p, plot.head, plot.note);
  figure.ticks_below(p, linear_ticks(0, plot.most_layers, 6).ticks, "layers", true);
  figure.ticks_left(p, decades(lowest, 0, 4), "error on owned bodies", true);
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    const std::vector<Point> points = measure(series);
    print(plot, series, points);
    std::vector<CurvePoint> curve;
    curve.reserve(points.size());
    for (const Point& point : points) curve.push_back(p.at(point.layers, std::log10(point.law)));
    figure.clipped(p, fmt::format("law s{}", i), curve);
    for (const Point& point : points)
      if (point.measured > rounding)
        figure.dot(fmt::format("s{}", i), p.at(point.layers, std::log10(point.measured)), 3.2);
    const CurvePoint label = p.at(series.label_at.x, series.label_at.y);
    figure.svg().words(fmt::format("label t{}", i), label.x, label.y, Anchor::start, series.label);
  }
}

std::string style() {
  constexpr unsigned light[] = {0x0072b2, 0xc94f00, 0x00936a, 0xa8458f};
  constexpr unsigned dark[] = {0x5db2f0, 0xf58a4b, 0x2fcf9c, 0xe79ad4};
  const auto colours = [](const auto& set) {
    std::string text;
    for (int i = 0; i < 4; ++i)
      text += fmt::format("path.s{0}{{stroke:#{1:06x}}}circle.s{0},text.t{0}{{fill:#{1:06x}}}", i, set[i]);
    return text;
  };
  return "path.law{stroke-width:18}.label{font-size:13px;font-weight:600}\n" + colours(light) +
         "\n@media (prefers-color-scheme:dark){" + colours(dark) + "}\n";
}

void print_layers() {
  fmt::print(
      "\nlayers by the law, uniform chain without damping\n| tau | A/tol 1e2 | 1e4 | 1e6 | 1e8 | 1e12 |\n");
  for (const double tau : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}) {
    fmt::print("| {} |", tau);
    for (const double level : {1e2, 1e4, 1e6, 1e8, 1e12})
      fmt::print(" {:.0f} |", std::ceil(cone_layers({.omega2 = 4, .mu = 0}, tau, std::log(level))));
    fmt::print("\n");
  }
  fmt::print("\nlayers by the law for A/tol = 1e6, with damping\n| tau | zeta 0 | 0.1 | 1 | 10 | 100 |\n");
  for (const double tau : {1.0, 5.0, 20.0, 100.0}) {
    fmt::print("| {} |", tau);
    for (const double zeta : {0.0, 0.1, 1.0, 10.0, 100.0})
      fmt::print(" {:.0f} |", std::ceil(cone_layers({.omega2 = 4, .mu = 8 * zeta}, tau, std::log(1e6))));
    fmt::print("\n");
  }
}

}  // namespace

void cone_law(const std::string& file) {
  Figure figure(
      1200, 960, "How much of an error comes through",
      "error of owned bodies after one macro step, in units of the motion: dots measured, lines the "
      "law exp(min over s of s H − φ), nothing fitted",
      style());
  const std::vector<Plot> all = plots();
  draw(figure, all[0], 96, 148);
  draw(figure, all[1], 684, 148);
  draw(figure, all[2], 96, 588);
  draw(figure, all[3], 684, 588);
  figure.write(file);
  print_layers();
}

}  // namespace cosimo::bench
