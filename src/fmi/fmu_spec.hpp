// An FMU as a component of a network.
//
//   auto spec = make_fmu("drive", {.file = "drive.fmu", .set = {{"gain", 3.0}}}, options);
//
// Inputs and outputs of the FMU that are numbers are its signals, element by element where they are arrays
// (`y[2]`, `A[1,3]`); integers, booleans and enumerations are held between macro points. Everything else that
// may be chosen before the start is set by name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fmi/fmu.hpp"
#include "integrator/integrator.hpp"
#include "network/component_spec.hpp"

namespace cosimo {

/// Where somebody has written something, for messages; without a file it is not known.
struct WrittenAt {
  std::string file{};
  int line = 0, column = 0;
  std::string field{};
};

/// A value for a variable of an FMU: numbers for all elements or one for all of them, or a text.
struct FmuValue {
  std::string name;
  std::variant<std::vector<double>, std::string> value;
  WrittenAt at{};
};

struct FmuSettings {
  std::string file;
  std::optional<fmi::Use> use{};
  std::vector<FmuValue> set{};
  /// Into how many equal steps a macro step is divided, where the FMU cannot take the course of its inputs.
  int substeps = 8;
  bool isolate = false;    ///< it runs in a process of its own (fmi/isolated_instance.hpp),
  double time_limit = 60;  ///< where no call may take longer than so many seconds
};

/// Opens the FMU. Throws Error with everything that is wrong with it or with the settings.
std::unique_ptr<ComponentSpec> make_fmu(std::string name, const FmuSettings& settings,
                                        const IntegratorOptions& options);

}  // namespace cosimo
