// What is wrong with a request for cuts, in the words of the `partition:` section. Used by the ways to cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "partition/partition.hpp"

namespace cosimo {

/// Throws an Error of `partition.parts`.
[[noreturn]] void refuse_parts(std::int64_t parts, std::string problem, std::string remedy);

/// Throws Error when the request has lists that its method does not take.
void check_lists(const PartitionRequest& request);

/// The number of parts asked for, or by the size of the model. Throws Error when there are fewer groups of
/// bodies (BodyGraph::groups()).
std::size_t wanted_parts(const PartitionRequest& request, std::size_t bodies, std::size_t groups);

/// Throws Error when manual cuts make another number of parts than asked for.
void check_manual_parts(const PartitionRequest& request, std::size_t made);

/// A fault of the cut at an element that the file calls `name`.
Fault cut_fault(std::string name, std::string problem, std::string remedy);
Fault not_between_bodies(std::string name);

/// What is wrong with manual cuts taken one by one. `name_of` gives an existing element's name, `refused`
/// says what is wrong with cutting it.
std::vector<Fault> cut_faults(std::span<const std::int64_t> cuts, std::size_t elements,
                              const std::function<std::string(ElementId)>& name_of,
                              const std::function<std::optional<Fault>(ElementId)>& refused);

}  // namespace cosimo
