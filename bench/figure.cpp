#include "bench/figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace cosimo::bench {

namespace {

constexpr std::string_view common_style = R"(
text{font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Helvetica,"Liberation Sans",Arial,sans-serif;fill:#24292f}
.bg{fill:#fff}.panel{fill:#fafbfc;stroke:#c9d0d8;stroke-width:1}.rim{fill:none;stroke:#c9d0d8;stroke-width:1}
.title{font-size:24px;font-weight:600}.subtitle{font-size:14.5px;fill:#57606a}
.head{font-size:15px;font-weight:600}.note{font-size:13px;fill:#57606a}.tick{font-size:12.5px;fill:#57606a}
.grid{stroke:#e4e8ec;stroke-width:1}.mark{stroke:#8c96a0;stroke-width:1}
path{fill:none;stroke-linejoin:round;stroke-linecap:round}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.bg{fill:#0f1318}.panel{fill:#151a21;stroke:#39424e}.rim{stroke:#39424e}
.subtitle,.note,.tick{fill:#9da7b3}.grid{stroke:#232a33}.mark{stroke:#6b7683}
}
)";

}  // namespace

Figure::Figure(double width, double height, std::string_view title, std::string_view subtitle,
               std::string_view style) {
  svg_.raw(fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">)"
      "\n<title>{2}</title>\n<style>{3}{4}</style>\n",
      width, height, xml_escaped(title), common_style, style));
  svg_.rectangle("bg", 0, 0, width, height);
  svg_.words("title", 76, 44, Anchor::start, title);
  svg_.words("subtitle", 76, 69, Anchor::start, subtitle);
}

void Figure::frame(const Panel& p, std::string_view head, std::string_view note) {
  svg_.rectangle("panel", p.x, p.y, p.width, p.height);
  svg_.words("head", p.x, p.y - 32, Anchor::start, head);
  svg_.words("note", p.x, p.y - 13, Anchor::start, note);
}

void Figure::ticks_below(const Panel& p, const std::vector<Tick>& ticks, std::string_view label, bool grid) {
  const double bottom = p.y + p.height;
  for (const Tick& tick : ticks) {
    const double x = p.across(tick.value);
    if (grid && x > p.x + 1 && x < p.x + p.width - 1) svg_.line("grid", x, p.y + 1, x, bottom - 1);
    svg_.line("mark", x, bottom, x, bottom + 5);
    svg_.words("tick", x, bottom + 19, Anchor::middle, tick.label);
  }
  svg_.words("note", p.x + p.width / 2, bottom + 40, Anchor::middle, label);
}

void Figure::ticks_left(const Panel& p, const std::vector<Tick>& ticks, std::string_view label, bool grid) {
  for (const Tick& tick : ticks) {
    const double y = p.up(tick.value);
    if (grid && y > p.y + 1 && y < p.y + p.height - 1) svg_.line("grid", p.x + 1, y, p.x + p.width - 1, y);
    svg_.line("mark", p.x - 5, y, p.x, y);
    svg_.words("tick", p.x - 9, y + 4.5, Anchor::end, tick.label);
  }
  if (!label.empty()) svg_.words("note", p.x - 52, p.y + p.height / 2, Anchor::middle, label, -90);
}

void Figure::clipped(const Panel& p, std::string_view style, std::span<const CurvePoint> points) {
  const std::string name = fmt::format("clip{}", ++clips_);
  svg_.raw(
      fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
                  name, p.x, p.y, p.width, p.height));
  svg_.raw(fmt::format("<g clip-path=\"url(#{})\">\n", name));
  svg_.curve(style, points);
  svg_.raw("</g>\n");
}

void Figure::dot(std::string_view style, CurvePoint centre, double radius) {
  svg_.raw(fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", style, svg_number(centre.x),
                       svg_number(centre.y), svg_number(radius)));
}

void Figure::write(const std::string& file) {
  svg_.raw("</svg>\n");
  std::ofstream out(file);
  out << svg_.text() << std::flush;
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", file));
  fmt::print("written to {}\n", file);
}

std::vector<Tick> decades(int low, int high, int every) {
  std::vector<Tick> ticks;
  for (int i = low; i <= high; ++i)
    if (i % every == 0) ticks.push_back({static_cast<double>(i), i == 0 ? "1" : power_of_ten(i)});
  return ticks;
}

std::string colour_between(const std::vector<unsigned>& colours, double share) {
  const double place = share * static_cast<double>(colours.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  const double rest = place - static_cast<double>(first);
  unsigned mixed = 0;
  for (const unsigned shift : {16U, 8U, 0U}) {
    const double a = (colours[first] >> shift) & 255U, b = (colours[first + 1] >> shift) & 255U;
    mixed |= static_cast<unsigned>(std::lround(a + rest * (b - a))) << shift;
  }
  return fmt::format("#{:06x}", mixed);
}

}  // namespace cosimo::bench
