// Units are carried out on the raw tree, file by file, before anything else: behind this there are plain
// numbers in the coherent units of the scenario (its length, mass and time, radians).
//
//   Units units(faults);
//   FileUnits main = units.apply(root, scenario_definition());       // the scenario: it decides
//   FileUnits part = units.apply_part(file, main, false); // a file of `use` or `include`
//
// A number or a formula is in the units of its file, a quantity (`12 mm`) in its own. A file without `units`
// has those of the file that uses it; the scenario without `units` has none, or SI once any quantity or any
// `units` of a part gives numbers a meaning. The dimension of a place is that of its key (unit_system.hpp).
// Parameters have none: a quantity becomes a number of the units of the file.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/unit_system.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

struct FileUnits {
  UnitSystem plain;  ///< of numbers without a unit
  /// Parameters that were given with a unit: what another file sets them to is converted.
  std::unordered_map<std::string, Dimension> quantities;
};

class Units {
 public:
  explicit Units(Faults& faults) : faults_(faults) {}

  /// The whole scenario with its key `units`.
  FileUnits apply(Node& root);
  /// A file of sections of a model, and takes its key `units` away. `shares_parameters`: its parameters are
  /// those of the file that uses it.
  FileUnits apply_part(Node& part, const FileUnits& user, bool shares_parameters);

  /// A number that is given to a parameter of a file: of a quantity the number of its units; of a number
  /// that is one of `from`, the same where the parameter was declared with a unit.
  double handed_down(double number, const std::string& parameter, const FileUnits& from,
                     const FileUnits& to) const;
  /// A quantity in the place of a parameter of this file becomes a number; true when it was one.
  bool to_number(Node& node, const std::string& field, const FileUnits& file);

  /// The units in which everything now is, where numbers have a meaning; faulty ones stay for the check.
  void write(Node& root) const;
  /// Numbers have a meaning.
  bool stated() const { return stated_; }
  const UnitSystem& system() const { return inside_; }

 private:
  Faults& faults_;
  UnitSystem inside_;
  bool stated_ = false;
};

}  // namespace cosimo::config
