// A graph as it is drawn, before any text: dots in pixels, colours, few enough to be seen. Private to
// results/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/graph_picture.hpp"
#include "results/svg.hpp"

namespace cosimo {

/// One body, or neighbours of one subsystem.
struct GraphDot {
  CurvePoint at{};
  std::size_t part = 0;  ///< place in GraphLayout::parts
  double weight = 0;
  std::size_t bodies = 1;
};

struct GraphLine {
  std::size_t from = 0, to = 0;  ///< dots
  GraphEdgeKind kind = GraphEdgeKind::uncut;
  std::string label{};
  double length = 0;  ///< pixels
};

struct GraphPart {
  std::int32_t number = 0;  ///< as given
  std::size_t bodies = 0;
  double weight = 0;
  int colour = 0;  ///< of the palette; neighbours differ as far as it reaches
};

struct GraphLayout {
  std::vector<GraphDot> dots;
  std::vector<GraphLine> lines;
  std::vector<GraphPart> parts;  ///< ascending numbers
  double width = 0, height = 0;  ///< of the drawing, from (0, 0)
  double spacing = 0;            ///< typical distance of neighbours
};

/// Fits into `width`, and into a height that suits the picture.
GraphLayout graph_layout(const GraphPicture& picture, double width);

}  // namespace cosimo
