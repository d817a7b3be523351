// What an exported FMU knows about itself beside the scenario: resources/cosimo.json. A variable's value
// reference is its place in the list.
//
//   Manifest manifest = read_manifest(resources);      in the FMU
//   write_manifest(manifest, folder);                  by the export
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cosimo::exporting {

enum class Causality { independent, input, output, parameter };

struct Variable {
  std::string name;  ///< of inputs and outputs what Simulation::variables() calls it
  Causality causality = Causality::output;
  double start = 0;    ///< of inputs and parameters; of an output its value at the start
  std::string key{};   ///< of a parameter, in the scenario: "model.parameters.k"
  bool state = false;  ///< of an output: it cannot jump, and depends on no input at once
  std::string description{};
};

struct Manifest {
  std::string token;                    ///< guid, instantiationToken
  std::string model;                    ///< name for people
  std::string scenario = "model.yaml";  ///< relative to the resources
  std::vector<std::string> settings;    ///< key=value, as after --set
  int threads = 1;
  double end = 0, tolerance = 0;  ///< simulate.end, solve.rtol
  double control = 0;             ///< control.rtol; 0: not controlled
  bool saves = true;              ///< the state can be saved
  std::vector<Variable> variables;
};

/// Throws Error when it cannot be read.
Manifest read_manifest(const std::filesystem::path& resources);
void write_manifest(const Manifest& manifest, const std::filesystem::path& resources);

}  // namespace cosimo::exporting
