#include "results/svg.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cosimo {

namespace {

/// Path data: relative integer moves in tenths of a pixel, level stretches joined to one.
class PathText {
 public:
  void add(CurvePoint point) {
    if (!std::isfinite(point.y) || !std::isfinite(point.x)) return end_piece();
    const std::int64_t x = tenths(point.x), y = tenths(point.y);
    if (!open_) {
      text_ += 'M';
      number(x);
      number(y);
      text_ += 'l';
      open_ = true;
      moved_ = false;
    } else if (y != y_) {
      level();
      move(x - x_, y - y_);
    } else {
      ahead_ += x - x_;
    }
    x_ = x;
    y_ = y;
  }

  const std::string& finish() {
    end_piece();
    return text_;
  }

 private:
  static std::int64_t tenths(double pixels) { return std::llround(10 * std::clamp(pixels, -9999.0, 9999.0)); }

  void number(std::int64_t value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    const bool separated = value < 0 || text_.empty() || text_.back() == 'M' || text_.back() == 'l';
    if (!separated) text_ += ' ';
    text_.append(digits, end.ptr);
  }
  void move(std::int64_t dx, std::int64_t dy) {
    number(dx);
    number(dy);
    moved_ = true;
  }
  void level() {
    if (ahead_ != 0) move(ahead_, 0);
    ahead_ = 0;
  }
  void end_piece() {
    if (!open_) return;
    level();
    if (!moved_) move(0, 0);  // with round ends a dot
    open_ = false;
  }

  std::string text_;
  bool open_ = false, moved_ = false;
  std::int64_t x_ = 0, y_ = 0, ahead_ = 0;
};

}  // namespace

std::string svg_number(double value) {
  char digits[40];
  const double rounded = std::round(100 * value) / 100 + 0.0;  // no negative zero
  const auto end = std::to_chars(digits, digits + sizeof digits, rounded);
  return {digits, end.ptr};
}

std::string xml_escaped(std::string_view words) {
  std::string result;
  for (const char c : words) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += ' ';  // control characters are not allowed in XML
    } else {
      result += c;
    }
  }
  return result;
}

void SvgText::begin(std::string_view element, std::string_view style) {
  text_.append("<").append(element).append(" class=\"").append(style).append("\"");
}

void SvgText::attribute(std::string_view name, double value) {
  text_.append(" ").append(name).append("=\"").append(svg_number(value)).append("\"");
}

void SvgText::line(std::string_view style, double x1, double y1, double x2, double y2) {
  begin("line", style);
  attribute("x1", x1);
  attribute("y1", y1);
  attribute("x2", x2);
  attribute("y2", y2);
  text_ += "/>\n";
}

void SvgText::rectangle(std::string_view style, double x, double y, double width, double height) {
  begin("rect", style);
  attribute("x", x);
  attribute("y", y);
  attribute("width", width);
  attribute("height", height);
  text_ += "/>\n";
}

void SvgText::words(std::string_view style, double x, double y, Anchor anchor, std::string_view words,
                    double rotation) {
  begin("text", style);
  attribute("x", x);
  attribute("y", y);
  if (anchor != Anchor::start)
    text_.append(" text-anchor=\"").append(anchor == Anchor::middle ? "middle" : "end").append("\"");
  if (rotation != 0)
    text_.append(" transform=\"rotate(")
        .append(svg_number(rotation))
        .append(" ")
        .append(svg_number(x))
        .append(" ")
        .append(svg_number(y))
        .append(")\"");
  text_.append(">").append(xml_escaped(words)).append("</text>\n");
}

void SvgText::curve(std::string_view style, std::span<const CurvePoint> points) {
  PathText path;
  for (const CurvePoint& point : points) path.add(point);
  const std::string& data = path.finish();
  if (data.empty()) return;
  begin("path", style);
  text_.append(" transform=\"scale(.1)\" d=\"").append(data).append("\"/>\n");
}

void SvgText::crosses(std::string_view style, std::span<const CurvePoint> points, double radius) {
  PathText path;
  for (const auto& [x, y] : points) {
    for (const double side : {-1.0, 1.0}) {
      path.add({x - radius, y - side * radius});
      path.add({x + radius, y + side * radius});
      path.add({x, std::nan("")});
    }
  }
  const std::string& data = path.finish();
  if (data.empty()) return;
  begin("path", style);
  text_.append(" transform=\"scale(.1)\" d=\"").append(data).append("\"/>\n");
}

}  // namespace cosimo
