// One file's tree beside the definition: quantities become plain numbers, and plain numbers and formulas of
// other units than those inside are scaled. See apply_units.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/quantity.hpp"
#include "config/unit_system.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// The unit of a quantity in `node`; complains about one that is none.
std::optional<Unit> checked_unit(std::string_view unit, const Node& node, const std::string& field,
                                 Faults& faults);
/// Puts the number of a quantity in `to` there, or its formula, scaled. Complains about numbers that are
/// none.
void write_converted(Node& node, const Quantity& quantity, const Unit& from, const Unit& to,
                     const std::string& field, Faults& faults);

class UnitConverter {
 public:
  struct Systems {
    UnitSystem file;        ///< of plain numbers
    UnitSystem parameters;  ///< of parameters
    UnitSystem inside;      ///< of what comes out
    bool own = false;       ///< the file has units of its own: numbers of others do not fit into its formulas
  };

  /// `joints` of the file, or null: whether they turn or slide decides what some keys are.
  UnitConverter(const Systems& systems, const Node* joints, Faults& faults);
  /// A name that formulas of the file may use: a parameter or a curve of its own.
  void know(const std::string& name) { own_names_.insert(name); }

  /// A map with these keys.
  void convert(Node& map, std::span<const Key> keys) { members(map, keys, {}, true); }
  bool met_quantity() const { return met_quantity_; }

 private:
  /// What a number is: a product in the words of the definition for each alternative.
  struct Place {
    std::string_view dimension;
    std::size_t entry = 0, entries = 1;  ///< of a list with columns
  };
  struct Units {
    Unit file, inside;
  };
  struct Level {
    const Node* map;
    std::span<const Key> keys;
  };
  struct Step {
    std::string_view key;
    std::size_t entry;  ///< from 1, where there is no key
  };

  void walk(Node& node, std::span<const Form> forms, std::string_view dimension);
  void scalar(Node& node, std::span<const Form> forms, std::string_view dimension);
  void list(Node& node, std::span<const Form> forms, std::string_view dimension);
  void map(Node& node, std::span<const Form> forms, std::string_view dimension);
  void members(Node& node, std::span<const Key> keys, std::string_view dimension, bool section);
  void fill_default(Node& node, const Key& key);
  std::optional<Node> converted_default(const Key& key);
  void parameters(Node& section);

  void number(Node& node, const Place& place);
  void formula(Node& node, const Form& form, const Place& place);
  void table(Node& node, const Form& form, const Place& place);
  void curve_units(Node& curve);
  void multiply(Node& section, std::string_view key, long double factor, Position position);
  /// The text with variables in the units of the file, times `scale`.
  void scale_formula(Node& node, const std::string& text, std::span<const std::string> variables,
                     long double scale);
  std::string in_file_units(const Node& node, const std::string& text,
                            std::span<const std::string> variables);
  long double variable_scale(const Node& node, const std::string& name, bool law);

  std::vector<std::string_view> alternatives(const Place& place) const;
  /// What a plain number there is multiplied by; 1 after a complaint.
  long double plain_scale(const Node& node, const Place& place);
  /// The unit inside for a quantity of this unit. Nothing after a complaint.
  std::optional<Unit> inside_of(const Node& node, const Place& place, const Unit& given);
  std::optional<Units> units_of(const Node& node, std::string_view product);
  std::optional<double> exponent(std::string_view key) const;
  /// 0: along a line, 1: about an axis; nothing: the file does not tell.
  std::optional<std::size_t> turning() const;
  void refuse_foreign(const Node& node, const std::string& text, std::span<const std::string> variables);

  void complain(const Node& node, std::string problem, std::string remedy);
  std::string path() const;

  Systems systems_;
  Faults& faults_;
  std::unordered_map<std::string_view, std::string_view> joints_;  ///< kinds by name
  std::unordered_set<std::string> own_names_;
  std::vector<Level> levels_;  ///< enclosing maps, the innermost last
  std::vector<Step> path_;
  std::unordered_map<std::string_view, Units> known_;  ///< by product
  std::unordered_map<const Key*, std::optional<Node>> defaults_;
  bool same_ = false;      ///< plain numbers stay as they are
  bool standard_ = false;  ///< inside is SI
  bool met_quantity_ = false;
};

}  // namespace cosimo::config
