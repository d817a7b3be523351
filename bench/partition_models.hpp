// The models of the benchmark `partition`: scenario texts without a `partition:` section, and random ways to
// cut a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace cosimo::bench {

struct Division {
  std::string name;
  std::vector<std::string> overrides;  ///< the partition
};

struct PartitionCase {
  std::string name, text;
  std::size_t parts = 2;
  std::vector<Division> published{};  ///< cuts of the documents
};

/// Simulated times are short: seconds per run. `quick` makes them shorter still.
std::vector<PartitionCase> partition_cases(bool quick);

/// Labels of the elements between connected parts that grow from random bodies, one random neighbour at a
/// time.
std::vector<std::int64_t> random_cuts(const Model& model, std::size_t parts, std::uint64_t seed);

Division manual_division(std::string name, const std::vector<std::int64_t>& cuts);

}  // namespace cosimo::bench
