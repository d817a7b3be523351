#include "results/stability_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "results/plot_axis.hpp"
#include "results/svg.hpp"

namespace cosimo {

namespace {

constexpr double page_width = 900, page_height = 690;
constexpr double left = 78, right = 640, top = 100, bottom = 620;
constexpr double legend_left = 676;

// Blue is stable, the darker the stronger what the step damps; sand to red is unstable.
constexpr std::string_view style = R"(<style>
text{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Helvetica,"Liberation Sans",Arial,sans-serif;fill:#24292f}
.bg{fill:#fff}.frame{fill:none;stroke:#8c96a0;stroke-width:1}
.title{font-size:20px;font-weight:600}.subtitle{font-size:14px;fill:#57606a}
.head{font-size:14px;font-weight:600}.note{font-size:13px;fill:#57606a}.tick{font-size:12.5px;fill:#57606a}
.mark{stroke:#8c96a0;stroke-width:1}.swatch{stroke:#8c96a0;stroke-width:.5}
.cells path{shape-rendering:crispEdges;stroke:none}
path.border{fill:none;stroke:#0b2e4f;stroke-width:18;stroke-linecap:round}
.b0{fill:#1f6fb2}.b1{fill:#4a93cc}.b2{fill:#7cb4de}.b3{fill:#a9cfeb}.b4{fill:#d3e7f5}
.b5{fill:#fbf3e6}.b6{fill:#f7e3cb}.b7{fill:#f2cdb0}.b8{fill:#e9b49b}
</style>
)";

struct Band {
  double below;  ///< rho of the band, exclusive but for the border
  std::string_view words;
};

/// The first five are stable. `below` of the fifth is the picture's border.
constexpr std::array<Band, 9> bands{{{0.5, "below 0.5"},
                                     {0.7, "0.5 to 0.7"},
                                     {0.85, "0.7 to 0.85"},
                                     {0.95, "0.85 to 0.95"},
                                     {1.0, "0.95 to 1"},
                                     {1.1, "1 to 1.1"},
                                     {1.5, "1.1 to 1.5"},
                                     {3.0, "1.5 to 3"},
                                     {INFINITY, "above 3"}}};
constexpr std::size_t stable_bands = 5;

std::size_t band_of(double rho, double border) {
  std::size_t b = 0;
  if (!(rho <= border)) b = stable_bands;
  const std::size_t last = b == 0 ? stable_bands - 1 : bands.size() - 1;
  while (b < last && !(rho < bands[b].below)) ++b;
  return b;
}

std::string name_of(std::size_t band) {
  return "b" + std::to_string(band);
}

/// One path per band: stretches of equal colour in every row, each cell around its point.
void draw_cells(SvgText& svg, const StabilityPicture& p, const Scale& x, const Scale& y) {
  const std::size_t columns = p.re.size(), rows = p.im.size();
  const auto edge = [](std::span<const double> at, std::size_t i, const Scale& scale) {
    const double value = i == 0 ? at[0] : i == at.size() ? at[i - 1] : 0.5 * (at[i - 1] + at[i]);
    return scale(value);
  };
  std::array<std::string, bands.size()> paths;
  for (std::size_t j = 0; j < rows; ++j) {
    const double low = edge(p.im, j, y), high = edge(p.im, j + 1, y);
    for (std::size_t i = 0; i < columns;) {
      const std::size_t band = band_of(p.rho[j * columns + i], p.border);
      std::size_t end = i + 1;
      while (end < columns && band_of(p.rho[j * columns + end], p.border) == band) ++end;
      const double from = edge(p.re, i, x), to = edge(p.re, end, x);
      paths[band] += "M" + svg_number(from) + " " + svg_number(high) + "H" + svg_number(to) + "V" +
                     svg_number(low) + "H" + svg_number(from) + "z";
      i = end;
    }
  }
  svg.raw("<g class=\"cells\">\n");
  for (std::size_t b = 0; b < paths.size(); ++b)
    if (!paths[b].empty()) svg.raw("<path class=\"" + name_of(b) + "\" d=\"" + paths[b] + "\"/>\n");
  svg.raw("</g>\n");
}

/// Where rho crosses the border between the points: marching squares, linear in log rho.
void draw_border(SvgText& svg, const StabilityPicture& p, const Scale& x, const Scale& y) {
  const std::size_t columns = p.re.size();
  const auto level = [&](std::size_t i, std::size_t j) {
    const double f = std::log(p.rho[j * columns + i] / p.border);
    return std::isnan(f) ? 1.0 : std::clamp(f, -1.0, 1.0);
  };
  std::vector<CurvePoint> line;
  for (std::size_t j = 0; j + 1 < p.im.size(); ++j)
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      const std::array<std::array<std::size_t, 2>, 4> corner{
          {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}};
      std::vector<CurvePoint> found;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto& a = corner[k];
        const auto& b = corner[(k + 1) % 4];
        const double fa = level(a[0], a[1]), fb = level(b[0], b[1]);
        if ((fa > 0) == (fb > 0)) continue;
        const double s = fa / (fa - fb);
        found.push_back(
            {x(p.re[a[0]] + s * (p.re[b[0]] - p.re[a[0]])), y(p.im[a[1]] + s * (p.im[b[1]] - p.im[a[1]]))});
      }
      for (std::size_t k = 0; k + 1 < found.size(); k += 2) {
        line.push_back(found[k]);
        line.push_back(found[k + 1]);
        line.push_back({0, std::nan("")});
      }
    }
  svg.curve("border", line);
}

void draw_axes(SvgText& svg, const StabilityPicture& p, const Scale& x, const Scale& y) {
  svg.rectangle("frame", left, top, right - left, bottom - top);
  for (const Tick& tick : linear_ticks(p.re.front(), p.re.back(), 7).ticks) {
    svg.line("mark", x(tick.value), bottom, x(tick.value), bottom + 5);
    svg.words("tick", x(tick.value), bottom + 20, Anchor::middle, tick.label);
  }
  for (const Tick& tick : linear_ticks(p.im.front(), p.im.back(), 7).ticks) {
    svg.line("mark", left - 5, y(tick.value), left, y(tick.value));
    svg.words("tick", left - 9, y(tick.value) + 4, Anchor::end, tick.label);
  }
  svg.words("head", 0.5 * (left + right), bottom + 46, Anchor::middle, "Re(H λ)  (← more damping)");
  svg.words("head", left - 48, 0.5 * (top + bottom), Anchor::middle, "Im(H λ)  (more stiffness →)", -90);
}

void draw_legend(SvgText& svg) {
  double y = top + 12;
  const auto entry = [&](std::size_t band) {
    svg.rectangle("swatch " + name_of(band), legend_left, y - 12, 22, 16);
    svg.words("note", legend_left + 32, y, Anchor::start, bands[band].words);
    y += 22;
  };
  svg.words("head", legend_left, y, Anchor::start, "stable: ρ up to 1");
  y += 26;
  for (std::size_t b = 0; b < stable_bands; ++b) entry(b);
  y += 16;
  svg.words("head", legend_left, y, Anchor::start, "unstable: ρ above 1");
  y += 26;
  for (std::size_t b = stable_bands; b < bands.size(); ++b) entry(b);
  y += 16;
  for (const std::string_view words :
       {"ρ: growth per macro step H", "λ: eigenvalue of mass 1 on its", "own spring and damper",
        "right edge: undamped", "lower edge: damping ratio 1"}) {
    svg.words("note", legend_left, y, Anchor::start, words);
    y += 20;
  }
}

}  // namespace

std::string stability_svg(const StabilityPicture& p) {
  COSIMO_CHECK(p.re.size() >= 2 && p.im.size() >= 2 && p.rho.size() == p.re.size() * p.im.size(),
               "a grid of at least two points along each axis");
  const Scale x{p.re.front(), p.re.back(), left, right};
  const Scale y{p.im.front(), p.im.back(), bottom, top};
  SvgText svg;
  const std::string width = svg_number(page_width), height = svg_number(page_height);
  svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
          "\" viewBox=\"0 0 " + width + " " + height +
          "\" role=\"img\">\n<title>Stability: " + xml_escaped(p.title) + "</title>\n");
  svg.raw(style);
  svg.rectangle("bg", 0, 0, page_width, page_height);
  svg.words("title", left, 42, Anchor::start, "Stability of the coupling: spectral radius ρ");
  svg.words("subtitle", left, 65, Anchor::start, p.title);
  svg.words("subtitle", left, 85, Anchor::start, p.subtitle);
  draw_cells(svg, p, x, y);
  draw_border(svg, p, x, y);
  draw_axes(svg, p, x, y);
  draw_legend(svg);
  svg.raw("</svg>\n");
  return svg.text();
}

}  // namespace cosimo
