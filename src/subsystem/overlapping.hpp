// What overlap asks of a multibody model (network/overlapping.hpp): for scalar models and for mechanisms.
//
// A mismatch dx_j, dv_j of the copy behind a cut, which grew like t^p_j, is pushed through the cut element
// with tangents k, d onto the owned body i:
//
//   p_j  = |H dv_j / dx_j|, within 1 and the most that the overlap allows
//   dv_i = 1/m_i sum_j (k H / (p_j + 1) + d) dx_j,     dx_i = dv_i H / (p + 2)
//   error of i: 1 / (1 / |d_i| + 1 / |d_j|)            |.| weighted with the tolerances at i, largest d_j
//
// Where p_j is at a limit, dx_j or dv_j is raised to fit it. The owned bodies next to i get what the same
// loss once more leaves of d_i, weighed with their tolerances: they may be at rest where i is not. The
// weights are atol + rtol times the larger magnitude at the two ends of the step.
//
// In a mechanism x, v and their differences are displacements and velocities of the bodies with their
// rotations (subsystem/overlap_offsets.hpp), k and d the blocks of the element's gradient with respect to the
// copy, and m_i is the mass matrix of the body alone. Bodies that constraints join to i get what i gets.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "model/model.hpp"
#include "network/overlapping.hpp"
#include "numerics/tolerances.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

/// Of a windowed model (model/model.hpp): has its owner make model and graph known for this many elements
/// beyond this rank's parts, and the numbers of parts right there. They stay where they are. Empty: all is
/// known.
using Reach = std::function<void(std::size_t depth)>;

/// Model and graph must outlive it.
std::unique_ptr<Overlapping> make_overlapping(const Model& model, const BodyGraph& graph,
                                              std::span<const Coupling> couplings,
                                              const Tolerances& tolerances, Reach reach = {});

}  // namespace cosimo
