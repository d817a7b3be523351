// A model of bodies as a BodyGraph: one implementation for scalar models, one for mechanisms. This is where
// the kind of a model is known; whoever cuts, places, judges and advises asks the graph.
#pragma once

#include <memory>
#include <vector>

#include "model/model.hpp"
#include "partition/body_graph.hpp"
#include "partition/partition.hpp"

namespace cosimo {

/// The model must outlive it and stay where it is.
std::unique_ptr<BodyGraph> make_graph(const Model& model);
/// `breakpoints`: of all loads, where the model has a window of them.
std::unique_ptr<BodyGraph> make_scalar_graph(const Model& model, std::vector<double> breakpoints);
std::unique_ptr<BodyGraph> make_mechanism_graph(const Model& model);

/// Where the graph is not needed any more.
inline Partition make_partition(const Model& model, const PartitionRequest& request) {
  return make_partition(*make_graph(model), request);
}
inline Partition uncut(const Model& model) {
  return make_partition(model, {});
}

}  // namespace cosimo
