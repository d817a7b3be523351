// The systems of a package as they are written: elements inside elements, connectors, connections. Other
// files that a description refers to are read as if they stood in its place. Private to fmi/.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fmi/ssp_values.hpp"
#include "fmi/structure.hpp"

namespace cosimo::fmi {

struct SspConnector {
  std::string name, kind;
  SspUnit unit;
  StructurePlace place;
};

/// Ends by element and connector; without an element: of the system itself.
struct SspConnection {
  struct End {
    std::string element, connector;
  };
  End start, end;
  SspTransformation transformation;
  bool keeps_unit = false;
  StructurePlace place;
};

struct SspElement {
  enum class Kind { component, system, dictionary };
  Kind kind = Kind::system;
  std::string name;
  StructurePlace place;
  std::vector<SspConnector> connectors;
  std::vector<SspValue> values;  ///< in the order in which they are bound; later ones count

  // A component
  std::string fmu;
  std::optional<Use> use;
  std::shared_ptr<const Description> description;

  // A system; elements stay where they are.
  std::deque<SspElement> elements, dictionaries;
  std::vector<SspConnection> connections;

  // A reference to a dictionary
  std::string dictionary;

  const SspConnector* connector(const std::string& wanted) const;
  const SspElement* element(const std::string& wanted) const;
};

struct SspSystem {
  SspElement root;
  std::optional<double> start, stop;
};

/// Throws Error with everything that is wrong.
SspSystem read_ssp(const std::filesystem::path& file);

}  // namespace cosimo::fmi
