// Units, transformations and parameter sets (SSV, SSM) of a System Structure Package. Private to fmi/.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fmi/ssp_document.hpp"

namespace cosimo::fmi {

/// factor x + offset.
struct Affine {
  double factor = 1, offset = 0;

  double operator()(double x) const { return factor * x + offset; }
  /// This one first.
  Affine then(const Affine& next) const { return {next.factor * factor, next.factor * offset + next.offset}; }
  bool changes() const { return factor != 1 || offset != 0; }
};

/// The unit of something; without a name: not given.
struct SspUnit {
  std::string name{};
  std::optional<Unit> si{};
};
SspUnit find_unit(const std::string& name, const Units& units);
/// Nothing: it cannot be converted, as units of other quantities or without a definition. Where one side has
/// no unit nothing changes.
std::optional<Affine> conversion(const SspUnit& from, const SspUnit& to);

/// LinearTransformation and its relatives.
struct SspTransformation {
  Affine linear;
  std::vector<std::pair<double, double>> table;              ///< values, or
  std::vector<std::pair<std::string, std::string>> items{};  ///< items of enumerations, that become others

  double operator()(double x) const;
  /// What it does to signals: nothing, where that cannot be a factor and an offset.
  std::optional<Affine> of_signals() const;
};
SspTransformation read_transformation(const pugi::xml_node& parent, const SspReader& reader);

/// A value for a parameter, input or start value, by the name at which it is bound.
struct SspValue {
  std::string name;
  std::variant<std::vector<double>, std::string> value;
  bool item = false;  ///< the text is an item of an enumeration of the FMU
  SspUnit unit;
  SspTransformation after;  ///< the units are converted
  bool keeps_unit = false;
  StructurePlace place;
};

/// Of an element ParameterSet.
std::vector<SspValue> read_parameters(const pugi::xml_node& set, const SspReader& reader);
/// What an element ParameterMapping makes of them: what it does not name is left out.
std::vector<SspValue> mapped(const pugi::xml_node& mapping, const SspReader& reader,
                             const std::vector<SspValue>& values);

}  // namespace cosimo::fmi
