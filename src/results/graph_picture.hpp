// partition.svg: the graph of a model and where it is cut. Bodies coloured by subsystem, cut elements bold
// and dashed, joints (never cut) heavy, a legend with the sizes of the subsystems. One self-contained SVG,
// light and dark.
//
// The places are the caller's: places of the bodies in the model, or any drawing of its graph. A chain along
// a line is folded into rows. Beyond 2000 bodies neighbours of one subsystem are drawn as one dot, and so are
// the edges between them: what is cut stays visible at any size.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cosimo {

struct GraphBody {
  double x = 0, y = 0;    ///< y upwards; finite
  std::int32_t part = 0;  ///< subsystem, from 0
  double weight = 1;      ///< expected cost, or mass: the area of the dot
  std::string label{};    ///< shown in small graphs
};

enum class GraphEdgeKind : std::uint8_t { uncut, cut, joint, support };  ///< support: to the ground

struct GraphEdge {
  std::size_t from = 0, to = 0;  ///< places in GraphPicture::bodies; `to` of a support means nothing
  GraphEdgeKind kind = GraphEdgeKind::uncut;
  std::string label{};  ///< of a cut, shown when they are few
};

struct GraphPicture {
  std::string title{}, subtitle{};
  std::span<const GraphBody> bodies{};
  std::span<const GraphEdge> edges{};
  std::string weight_name = "weight";  ///< what the weights are: "cost", "mass"
};

std::string graph_svg(const GraphPicture& picture);

}  // namespace cosimo
