// From the structs of the scenario file to the options of the modules. Pure functions.
#pragma once

#include "config/scenario.hpp"
#include "integrator/integrator.hpp"
#include "partition/partition.hpp"

namespace cosimo {

/// Names of elements and bodies, as their labels in files. Throw Error when there is none.
std::int64_t element_label(const BodyGraph& graph, const std::string& name, const std::string& field);
std::int64_t body_label(const BodyGraph& graph, const std::string& name, const std::string& field);
PartitionRequest partition_request(const config::Partition& partition, const BodyGraph& graph);
/// The scale is what tolerances follow that are not given; it must outlive them.
IntegratorOptions integrator_options(const config::Scenario& scenario, const config::Solve& solve,
                                     const MotionScale& scale);

/// Settings that contradict each other across sections, found after the model is known.
/// Throws Error with all faults.
void check_consistency(const config::Scenario& scenario, std::int64_t parts);

}  // namespace cosimo
