// Picture: the light cone of one macro step, measured and by the law (docs/overlap.md).
//
// A uniform chain in random motion; one part carries `layers` copies on both sides. What the held forces
// at the far edges get wrong is shown for every carried body at every instant.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/benchmarks.hpp"
#include "bench/far_edge.hpp"
#include "bench/figure.hpp"

namespace cosimo::bench {

namespace {

constexpr std::size_t owned = 20;
constexpr int layers = 24, instants = 160;
constexpr double tau = 12;  ///< H in units of sqrt(m / c)

constexpr int lowest = -16;          ///< log10 of the error where colours begin
constexpr int bands_per_decade = 2;  ///< and how fine they are
constexpr int bands = -lowest * bands_per_decade;

/// Error of every carried body at every instant.
using Map = std::vector<double>;

Experiment experiment() {
  Experiment e;
  const std::size_t all = owned + 2 * static_cast<std::size_t>(layers) + 80;
  e.model = spring_grid(
      1, all, [](std::size_t) { return 1.0; }, 0.0);
  for (std::size_t i = 0; i < owned; ++i) e.owned.emplace_back(all / 2 - owned / 2 + i);
  e.layers = layers;
  e.H = tau;
  e.steps = 240;
  e.samples = 64;
  return e;
}

/// The law for every body and instant: the nearer far edge counts, from the body beyond it.
Map law(std::size_t bodies) {
  const Medium chain{.omega2 = 4, .mu = 0};
  std::vector<double> by_distance;
  Map map;
  for (int row = 1; row <= instants; ++row) {
    by_distance.assign(1, 1.0);
    for (std::size_t d = 1; d <= bodies; ++d)
      by_distance.push_back(std::exp(exponent(chain, tau * row / instants, static_cast<double>(d))));
    for (std::size_t i = 0; i < bodies; ++i) map.push_back(by_distance[std::min(i + 1, bodies - i)]);
  }
  return map;
}

int band_of(double error) {
  const double decades = std::log10(std::max(error, 1e-300)) - lowest;
  return std::clamp(static_cast<int>(std::floor(decades * bands_per_decade)), -1, bands - 1);
}

std::string style() {
  const std::vector<unsigned> light{0xfdf3dc, 0xfbd08f, 0xf69a63, 0xdf5b5d, 0xa83279, 0x62227a, 0x241247};
  const std::vector<unsigned> dark{0x261a45, 0x4d2079, 0x8b2a83, 0xc94277, 0xf2725f, 0xfcb46f, 0xfdf0bb};
  std::string text, night;
  for (int i = 0; i < bands; ++i) {
    const double share = static_cast<double>(i) / (bands - 1);
    text += fmt::format(".b{}{{fill:{}}}", i, colour_between(light, share));
    night += fmt::format(".b{}{{fill:{}}}", i, colour_between(dark, share));
  }
  return text +
         "\n.cut{stroke:#24292f;stroke-width:1.6}path.front{stroke:#fff;stroke-width:16;stroke-dasharray:80 "
         "60}"
         "\n@media (prefers-color-scheme:dark){" +
         night + "\n.cut{stroke:#f0f4f8}path.front{stroke:#0f1318}}\n";
}

/// Cells of equal colour that follow each other in time are one rectangle, all of one colour one path.
void draw_map(Figure& figure, const Panel& p, const Map& map, std::size_t bodies) {
  std::vector<std::string> shapes(bands);
  const auto rows = map.size() / bodies;
  for (std::size_t body = 0; body < bodies; ++body)
    for (std::size_t row = 0, next = 0; row < rows; row = next) {
      const int band = band_of(map[row * bodies + body]);
      while (next < rows && band_of(map[next * bodies + body]) == band) ++next;
      if (band < 0) continue;
      const double left = p.across(static_cast<double>(body)),
                   right = p.across(static_cast<double>(body + 1));
      const double low = p.up(static_cast<double>(row) / static_cast<double>(rows)),
                   high = p.up(static_cast<double>(next) / static_cast<double>(rows));
      shapes[static_cast<std::size_t>(band)] +=
          fmt::format("M{} {}V{}H{}V{}z", svg_number(left), svg_number(low), svg_number(high),
                      svg_number(right), svg_number(low));
    }
  figure.svg().raw("<g shape-rendering=\"crispEdges\">\n");
  for (int i = 0; i < bands; ++i)
    if (const std::string& d = shapes[static_cast<std::size_t>(i)]; !d.empty())
      figure.svg().raw(fmt::format("<path class=\"b{}\" d=\"{}\"/>\n", i, d));
  figure.svg().raw("</g>\n");
}

void draw_panel(Figure& figure, const Panel& p, const Map& map, std::size_t bodies, std::string_view head,
                std::string_view note) {
  figure.frame(p, head, note);
  draw_map(figure, p, map, bodies);
  SvgText& svg = figure.svg();
  // The front of long waves: one body per sqrt(m / c).
  const auto n = static_cast<double>(bodies);
  const std::vector<CurvePoint> left{p.at(0, 0), p.at(tau, 1)}, right{p.at(n, 0), p.at(n - tau, 1)};
  svg.curve("front", left);
  svg.curve("front", right);
  const double from = layers, to = layers + static_cast<double>(owned);
  for (const double cut : {from, to}) svg.line("cut", p.across(cut), p.y, p.across(cut), p.y + p.height);
  svg.rectangle("rim", p.x, p.y, p.width, p.height);
  std::vector<Tick> ticks;
  for (const int layer : {24, 16, 8, 1}) {
    ticks.push_back({layers - layer + 0.5, std::to_string(layer)});
    ticks.push_back({to + layer - 0.5, std::to_string(layer)});
  }
  figure.ticks_below(p, ticks, "", false);
  const double below = p.y + p.height + 40;
  svg.words("note", p.across(from / 2), below, Anchor::middle, "copies, by layer");
  svg.words("note", p.across((from + to) / 2), below, Anchor::middle, "owned bodies");
  svg.words("note", p.across(to + from / 2), below, Anchor::middle, "copies, by layer");
}

void draw_colours(Figure& figure, double x, double y, double height) {
  const Panel bar(x, y, 16, height, 0, 1, lowest, 0);
  figure.svg().raw("<g shape-rendering=\"crispEdges\">\n");
  for (int i = 0; i < bands; ++i) {
    const double low = bar.up(lowest + static_cast<double>(i) / bands_per_decade),
                 high = bar.up(lowest + static_cast<double>(i + 1) / bands_per_decade);
    figure.svg().rectangle(fmt::format("b{}", i), x, high, 16, low - high);
  }
  figure.svg().raw("</g>\n");
  figure.svg().rectangle("rim", x, y, 16, height);
  for (const Tick& tick : decades(lowest, 0, 2)) {
    figure.svg().line("mark", x + 16, bar.up(tick.value), x + 21, bar.up(tick.value));
    figure.svg().words("tick", x + 25, bar.up(tick.value) + 4.5, Anchor::start, tick.label);
  }
  figure.svg().words("note", x + 74, y + height / 2, Anchor::middle, "error in units of the motion", 90);
}

}  // namespace

void light_cone(const std::string& file) {
  const Experiment e = experiment();
  const Spread measured = spread(e, instants);
  const std::size_t bodies = measured.bodies.size();
  Figure figure(
      1200, 640, "The light cone of one macro step",
      fmt::format("a part of {} bodies carries {} layers of copies on both sides; H = {} √(m/c), the "
                  "forces at the far edges are held",
                  owned, layers, tau),
      style());
  const auto n = static_cast<double>(bodies);
  const Panel left(76, 148, 486, 400, 0, n, 0, 1), right(592, 148, 486, 400, 0, n, 0, 1);
  draw_panel(figure, left, measured.error, bodies, "Measured",
             fmt::format("carried bodies against the uncut chain, rms of {} random motions", e.samples));
  draw_panel(figure, right, law(bodies), bodies, "Law", "exp(min over s of s t − φ), nothing fitted");
  figure.ticks_left(left, {{0, "0"}, {0.25, "¼"}, {0.5, "½"}, {0.75, "¾"}, {1, "1"}}, "time t / H", false);
  draw_colours(figure, 1098, 148, 400);
  figure.svg().words(
      "note", 76, 622, Anchor::start,
      "dashed: front of long waves, one body in √(m/c); without colour: below 10⁻¹⁶, rounding");
  figure.write(file);
  fmt::print("largest error on owned bodies {:.1e}, by the law {:.1e}\n", measured.on_owned,
             std::exp(exponent(e)));
}

}  // namespace cosimo::bench
