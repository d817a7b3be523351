// Named parameters of a model and the arithmetic over them.
//
//   Parameters p = evaluate_parameters(model, faults);   // `parameters: {L: 1.0, m: "2*L"}`, in this order
//   p.value("0.5*m*L^2")                                 // a number, or what is wrong with the formula
//   p.formula("m*sin(omega*t)", {"t"})                   // checked, with parameters replaced by their values
//
// A formula that depends on time or state stays a text (numerics/expression.hpp); its parameters are replaced
// here, so that nobody after the reading needs to know them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "config/faults.hpp"
#include "config/yaml_tree.hpp"
#include "numerics/curve.hpp"

namespace cosimo::config {

/// Whether a text that is no number is meant to be one: it has operators or parentheses, or it is a single
/// identifier and there are parameters it could name.
bool looks_like_formula(std::string_view text, bool with_parameters);

bool is_identifier(std::string_view text);
/// The text of a formula with others in the place of the names that `other` knows.
std::string with_names_replaced(const std::string& text,
                                const std::function<std::optional<std::string>(const std::string&)>& other);

class Parameters {
 public:
  bool empty() const { return names_.empty(); }
  bool contains(const std::string& name) const { return index_.contains(name); }
  /// One of this name that is known already is hidden.
  void define(const std::string& name, double value);

  /// What formulas of time may call; the points are read later.
  void name_curve(const std::string& name) { curves_.push_back({name, nullptr}); }
  const std::vector<NamedCurve>& curves() const { return curves_; }

  /// The number that a formula over the parameters gives. Every text is evaluated once.
  std::variant<double, Complaint> value(const std::string& text);
  /// The formula with the parameters' values in their place; `variables` are the other names it may use.
  std::variant<std::string, Complaint> formula(const std::string& text,
                                               std::span<const std::string> variables) const;

  /// The value of a parameter as it can stand in a formula.
  std::optional<std::string> value_text(const std::string& name) const;
  const std::vector<std::string>& names() const { return names_; }

 private:
  /// The text with the parameters' values in their place; variables come first.
  std::string with_values(const std::string& text, std::span<const std::string> variables) const;

  std::vector<std::string> names_;
  std::vector<double> values_;
  std::vector<NamedCurve> curves_;  ///< names alone
  std::unordered_map<std::string, std::size_t> index_;
  std::unordered_map<std::string, std::variant<double, Complaint>> known_;
};

/// Evaluates the section `parameters` of `model` and writes the numbers into it. Entries at fault are
/// reported and taken out; a section that is none stays for the check against the definition. Of `outside`
/// come those that the section does not hide.
Parameters evaluate_parameters(Node& model, Faults& faults, const Parameters& outside = {});
/// Names of the section `curves`.
void name_curves(const Node& model, Parameters& parameters, Faults& faults);

}  // namespace cosimo::config
