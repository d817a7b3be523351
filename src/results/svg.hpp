// The few pieces of SVG the overview needs, as text: private to results/.
//
// Curves are paths in tenths of a pixel with relative integer coordinates: exact, and a third of
// the text of decimal ones. Colours come from classes, so that one file serves light and dark.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cosimo {

/// A finite point of a curve, or with a non-finite y the end of one piece.
struct CurvePoint {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

class SvgText {
 public:
  /// `markup` is put inside as it is: nested groups, a style sheet.
  void raw(std::string_view markup) { text_ += markup; }
  void line(std::string_view style, double x1, double y1, double x2, double y2);
  void rectangle(std::string_view style, double x, double y, double width, double height);
  /// `words` are plain text; characters with a meaning in XML are escaped.
  void words(std::string_view style, double x, double y, Anchor anchor, std::string_view words,
             double rotation = 0);
  /// A line through the points, in pixels; a point on its own becomes a dot.
  void curve(std::string_view style, std::span<const CurvePoint> points);
  /// A diagonal cross at every point, as one path.
  void crosses(std::string_view style, std::span<const CurvePoint> points, double radius);

  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view element, std::string_view style);
  void attribute(std::string_view name, double value);

  std::string text_;
};

/// A pixel coordinate or size: at most two decimals.
std::string svg_number(double value);
std::string xml_escaped(std::string_view words);

}  // namespace cosimo
