// A System Structure Package (SSP 1.0, 2.0) as what a scenario needs of it: the FMUs with their values, and
// the signals between them. Nested systems are dissolved: their elements are called `system.element`, and
// signals through their connectors go from FMU to FMU.
//
//   Structure s = read_structure("system.ssp");            // SystemStructure.ssd of the package
//   Structure s = read_structure("system.ssp/VarA.ssd");   // another variant
//   Structure s = read_structure("folder/SystemStructure.ssd");
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmi/fmu.hpp"
#include "fmi/fmu_spec.hpp"

namespace cosimo::fmi {

/// Where something is written: a file inside the package, and its line.
struct StructurePlace {
  std::string file;
  int line = 0;
};

struct Structure {
  struct Component {
    std::string name;
    std::string fmu;  ///< a path, which may lead through the package
    std::optional<Use> use;
    std::vector<FmuValue> set;
    StructurePlace place;
  };
  /// to = factor from + offset.
  struct Connection {
    std::string from, to;  ///< `component.variable`
    double factor = 1, offset = 0;
    StructurePlace place;
  };
  std::vector<Component> components;
  std::vector<Connection> connections;
  std::optional<double> start, stop;
  StructurePlace place;  ///< of the description of the system
};

/// A package, or a description of a system, by the name of the file.
bool is_structure(const std::filesystem::path& file);

/// Throws Error with everything that is wrong with the package.
Structure read_structure(const std::filesystem::path& file);

}  // namespace cosimo::fmi
