#include "results/graph_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "results/graph_layout.hpp"
#include "results/overview_style.hpp"
#include "results/plot_axis.hpp"

namespace cosimo {

namespace {

constexpr double page_width = 1200, left = 40, top = 100, drawing_width = 850;
constexpr double legend_left = 922, legend_right = 1160;
constexpr std::size_t most_body_labels = 30, most_cut_labels = 18, most_part_numbers = 64;

// Lines and dots are paths in tenths of a pixel.
constexpr std::string_view style = R"(<style>
path.inner{stroke:#98a2ad;stroke-width:11}path.joint{stroke:#24292f;stroke-width:36}path.ground{stroke:#6b7683;stroke-width:13}
path.case{stroke:#fafbfc}path.cut{stroke:#d1242f;stroke-width:26}path.dashed{stroke-dasharray:58 46;stroke-linecap:butt}
.halo{opacity:.17}
.number{font-size:17px;font-weight:700}.name{font-size:12.5px}.cutname{font-size:12.5px;font-weight:600;fill:#a40e26}
.number,.name,.cutname{paint-order:stroke;stroke:#fafbfc;stroke-width:4px;stroke-linejoin:round}
.right{text-anchor:end}
@media (prefers-color-scheme:dark){
path.inner{stroke:#5c6773}path.joint{stroke:#e6edf3}path.ground{stroke:#8b96a3}path.case{stroke:#151a21}path.cut{stroke:#ff6a69}
.cutname{fill:#ff9a98}.number,.name,.cutname{stroke:#151a21}
}
</style>
)";

struct Drawing {
  const GraphPicture& picture;
  const GraphLayout& layout;
  double radius = 0;  ///< of a dot of mean weight

  CurvePoint at(std::size_t dot) const { return {left + layout.dots[dot].at.x, top + layout.dots[dot].at.y}; }
};

constexpr CurvePoint gap{0, NAN};

/// In tenths of a pixel.
std::string width_style(double pixels) {
  return "\" style=\"stroke-width:" + svg_number(std::round(10 * pixels));
}

std::string colour_class(int colour) {
  return "c" + std::to_string(colour);
}

std::vector<CurvePoint> lines_of(const Drawing& d, GraphEdgeKind kind) {
  std::vector<CurvePoint> path;
  for (const GraphLine& line : d.layout.lines)
    if (line.kind == kind) path.insert(path.end(), {d.at(line.from), d.at(line.to), gap});
  return path;
}

/// A soft shade of its colour around every subsystem.
void draw_halos(SvgText& svg, const Drawing& d) {
  std::map<int, std::vector<CurvePoint>> paths;
  const double longest = 3 * d.layout.spacing;
  for (std::size_t i = 0; i < d.layout.dots.size(); ++i) {
    auto& path = paths[d.layout.parts[d.layout.dots[i].part].colour];
    path.insert(path.end(), {d.at(i), gap});
  }
  for (const GraphLine& line : d.layout.lines) {
    const std::size_t part = d.layout.dots[line.from].part;
    if (line.kind == GraphEdgeKind::support || part != d.layout.dots[line.to].part || line.length > longest)
      continue;
    auto& path = paths[d.layout.parts[part].colour];
    path.insert(path.end(), {d.at(line.from), d.at(line.to), gap});
  }
  for (const auto& [colour, path] : paths) {
    svg.raw("<g class=\"halo\">\n");
    svg.curve(colour_class(colour) + width_style(std::clamp(d.layout.spacing, 10.0, 44.0)), path);
    svg.raw("</g>\n");
  }
}

/// A stalk downwards and a bar.
void draw_ground(SvgText& svg, const Drawing& d) {
  std::vector<CurvePoint> path;
  const double reach = d.radius + std::clamp(1.4 * d.radius, 5.0, 13.0), half = std::max(d.radius, 4.0);
  for (const GraphLine& line : d.layout.lines) {
    if (line.kind != GraphEdgeKind::support) continue;
    const CurvePoint a = d.at(line.from);
    path.insert(path.end(), {a, {a.x, a.y + reach}, gap});
    path.insert(path.end(), {{a.x - half, a.y + reach}, {a.x + half, a.y + reach}, gap});
  }
  svg.curve("ground", path);
}

/// Short edges leave no room for a dashed line: a bar across each shows where the cut runs.
bool bars_across(const Drawing& d) {
  return d.layout.spacing < 36;
}

std::vector<CurvePoint> cut_bars(const Drawing& d) {
  std::vector<CurvePoint> path;
  for (const GraphLine& line : d.layout.lines) {
    if (line.kind != GraphEdgeKind::cut || !(line.length > 0)) continue;
    const CurvePoint a = d.at(line.from), b = d.at(line.to);
    const double half = 0.46 * std::min(line.length, d.layout.spacing) / line.length;
    const CurvePoint middle{(a.x + b.x) / 2, (a.y + b.y) / 2}, across{half * (a.y - b.y), half * (b.x - a.x)};
    path.insert(
        path.end(),
        {{middle.x - across.x, middle.y - across.y}, {middle.x + across.x, middle.y + across.y}, gap});
  }
  return path;
}

void draw_lines(SvgText& svg, const Drawing& d) {
  svg.curve("inner", lines_of(d, GraphEdgeKind::uncut));
  draw_ground(svg, d);
  svg.curve("joint" + (d.radius < 4 ? width_style(2.2) : ""), lines_of(d, GraphEdgeKind::joint));
  const auto cuts = lines_of(d, GraphEdgeKind::cut);
  if (bars_across(d)) return svg.curve("inner", cuts);
  svg.curve("case" + width_style(5.5), cuts);  // keeps them apart from what they cross
  svg.curve("cut dashed", cuts);
}

/// Dots of one colour and about one size are one path.
void draw_dots(SvgText& svg, const Drawing& d) {
  double mean = 0;
  for (const GraphDot& dot : d.layout.dots) mean += std::max(dot.weight, 0.0);
  mean /= static_cast<double>(std::max<std::size_t>(d.layout.dots.size(), 1));
  constexpr std::array<double, 5> sizes{0.6, 0.8, 1, 1.3, 1.7};
  std::map<std::pair<int, std::size_t>, std::vector<CurvePoint>> paths;
  for (std::size_t i = 0; i < d.layout.dots.size(); ++i) {
    const bool weighed = mean > 0 && d.layout.dots.size() == d.picture.bodies.size();
    const double wanted = weighed ? std::sqrt(std::max(d.layout.dots[i].weight, 0.0) / mean) : 1;
    std::size_t size = 0;
    while (size + 1 < sizes.size() && wanted > 0.5 * (sizes[size] + sizes[size + 1])) ++size;
    auto& path = paths[{d.layout.parts[d.layout.dots[i].part].colour, size}];
    path.insert(path.end(), {d.at(i), gap});
  }
  for (const auto& [key, path] : paths)
    svg.curve("case" + width_style(2 * d.radius * sizes[key.second] + std::min(3.0, 0.7 * d.radius)), path);
  for (const auto& [key, path] : paths)
    svg.curve(colour_class(key.first) + width_style(2 * d.radius * sizes[key.second]), path);
}

/// The number of a subsystem, at its dot nearest to its middle.
void draw_part_numbers(SvgText& svg, const Drawing& d) {
  for (std::size_t p = 0; p < d.layout.parts.size(); ++p) {
    CurvePoint middle{0, 0};
    double count = 0;
    for (std::size_t i = 0; i < d.layout.dots.size(); ++i) {
      if (d.layout.dots[i].part != p) continue;
      ++count;
      middle.x += (d.at(i).x - middle.x) / count;
      middle.y += (d.at(i).y - middle.y) / count;
    }
    CurvePoint nearest = middle;
    double least = INFINITY;
    for (std::size_t i = 0; i < d.layout.dots.size(); ++i) {
      const double distance = std::hypot(d.at(i).x - middle.x, d.at(i).y - middle.y);
      if (d.layout.dots[i].part != p || distance >= least) continue;
      least = distance;
      nearest = d.at(i);
    }
    svg.words("number", nearest.x, nearest.y + 6, Anchor::middle,
              std::to_string(d.layout.parts[p].number + 1));
  }
}

void draw_names(SvgText& svg, const Drawing& d) {
  std::size_t cuts = 0;
  for (const GraphLine& line : d.layout.lines) cuts += line.kind == GraphEdgeKind::cut;
  for (const GraphLine& line : d.layout.lines) {
    if (line.kind != GraphEdgeKind::cut || cuts > most_cut_labels || line.label.empty()) continue;
    const CurvePoint a = d.at(line.from), b = d.at(line.to);
    svg.words("cutname", (a.x + b.x) / 2, (a.y + b.y) / 2 - 8, Anchor::middle, line.label);
  }
  if (d.layout.dots.size() <= most_body_labels && d.picture.bodies.size() == d.layout.dots.size()) {
    for (std::size_t i = 0; i < d.layout.dots.size(); ++i) {
      const bool at_edge = d.layout.dots[i].at.x > d.layout.width - 90;
      const double x = d.at(i).x + (at_edge ? -1 : 1) * (0.8 * d.radius + 4);
      svg.words("name", x, d.at(i).y - d.radius - 3, at_edge ? Anchor::end : Anchor::start,
                d.picture.bodies[i].label);
    }
  } else if (d.layout.parts.size() > 1 && d.layout.parts.size() <= most_part_numbers) {
    draw_part_numbers(svg, d);
  }
}

double draw_part_sizes(SvgText& svg, const Drawing& d, double y, std::size_t most_rows) {
  const auto& parts = d.layout.parts;
  svg.words("head", legend_left, y, Anchor::start, parts.size() == 1 ? "1 subsystem" : "Subsystems");
  svg.words("note", legend_right - 78, y, Anchor::end, "bodies");
  svg.words("note", legend_right, y, Anchor::end, d.picture.weight_name);
  double total = 0;
  for (const GraphPart& part : parts) total += part.weight;
  const std::size_t rows = parts.size() > most_rows ? most_rows - 1 : parts.size();
  for (std::size_t p = 0; p < rows; ++p) {
    y += 22;
    svg.rectangle(colour_class(parts[p].colour), legend_left, y - 11, 14, 14);
    svg.words("note", legend_left + 24, y, Anchor::start, std::to_string(parts[p].number + 1));
    svg.words("note", legend_right - 78, y, Anchor::end, std::to_string(parts[p].bodies));
    if (total > 0)
      svg.words("note", legend_right, y, Anchor::end, short_number(100 * parts[p].weight / total) + " %");
  }
  if (rows == parts.size()) return y;
  y += 22;
  svg.words("note", legend_left + 24, y, Anchor::start,
            "and " + std::to_string(parts.size() - rows) + " more");
  return y;
}

struct LineEntry {
  GraphEdgeKind kind;
  std::string_view style, one, many;
};
constexpr std::array<LineEntry, 4> line_entries{
    {{GraphEdgeKind::cut, "cut dashed", "cut element", "cut elements"},
     {GraphEdgeKind::joint, "joint", "joint, never cut", "joints, never cut"},
     {GraphEdgeKind::uncut, "inner", "element inside", "elements inside"},
     {GraphEdgeKind::support, "ground", "link to the ground", "links to the ground"}}};

double draw_line_kinds(SvgText& svg, const Drawing& d, double y) {
  y += 14;
  for (const LineEntry& entry : line_entries) {
    const auto count = std::count_if(d.picture.edges.begin(), d.picture.edges.end(),
                                     [&](const GraphEdge& edge) { return edge.kind == entry.kind; });
    if (count == 0) continue;
    y += 24;
    std::vector<CurvePoint> sample{{legend_left, y - 4.5}, {legend_left + 30, y - 4.5}};
    if (entry.kind == GraphEdgeKind::support)
      sample = {{legend_left + 15, y - 12},
                {legend_left + 15, y},
                gap,
                {legend_left + 8, y},
                {legend_left + 22, y}};
    const bool bar = entry.kind == GraphEdgeKind::cut && bars_across(d);
    svg.curve(bar ? "inner" : entry.style, sample);
    if (bar) svg.curve("cut", std::vector<CurvePoint>{{legend_left + 15, y - 12}, {legend_left + 15, y + 3}});
    svg.words("note", legend_left + 42, y, Anchor::start,
              std::to_string(count) + " " + std::string(count == 1 ? entry.one : entry.many));
  }
  if (d.layout.dots.size() == d.picture.bodies.size()) return y;
  y += 30;
  svg.words("note", legend_left, y, Anchor::start,
            std::to_string(d.picture.bodies.size()) + " bodies drawn as " +
                std::to_string(d.layout.dots.size()) + " dots");
  return y;
}

}  // namespace

std::string graph_svg(const GraphPicture& picture) {
  const GraphLayout layout = graph_layout(picture, drawing_width);
  const Drawing drawing{picture, layout, std::clamp(0.2 * layout.spacing, 1.6, 9.0)};

  SvgText content;
  content.rectangle("panel", left, top, layout.width, layout.height);
  draw_halos(content, drawing);
  draw_lines(content, drawing);
  draw_dots(content, drawing);
  if (bars_across(drawing))
    content.curve("cut" + width_style(layout.spacing < 20 ? 2 : 2.8), cut_bars(drawing));
  draw_names(content, drawing);
  const auto rows = static_cast<std::size_t>(std::max(layout.height - 170, 200.0) / 22);
  double bottom = draw_part_sizes(content, drawing, top + 14, rows);
  bottom = draw_line_kinds(content, drawing, bottom);
  const double page_height = std::max(bottom, top + layout.height) + 36;

  SvgText svg;
  const std::string width = svg_number(page_width), height = svg_number(page_height);
  svg.raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
          "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\">\n<title>" +
          xml_escaped(picture.title) + "</title>\n");
  svg.raw(overview_style);
  svg.raw(style);
  svg.rectangle("bg", 0, 0, page_width, page_height);
  svg.words("title", left, 46, Anchor::start, picture.title);
  svg.words("subtitle", left, 74, Anchor::start, picture.subtitle);
  svg.raw(content.text());
  svg.raw("</svg>\n");
  return svg.text();
}

}  // namespace cosimo
