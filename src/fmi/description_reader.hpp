// What the readers of both versions share. Private to fmi/.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "fmi/description.hpp"

namespace cosimo::fmi {

/// From an element BaseUnit, which FMI and SSP write alike.
Unit unit_of(const pugi::xml_node& base, double factor, double offset);

class DescriptionReader {
 public:
  DescriptionReader(const std::string& text, std::string fmu);
  virtual ~DescriptionReader() = default;

  Description read(const pugi::xml_node& root);
  /// Throws Error when there are faults.
  void raise();
  void complain(const pugi::xml_node& node, std::string field, std::string value, std::string problem,
                std::string remedy);

 protected:
  virtual void read_head(const pugi::xml_node& root) = 0;
  virtual void read_variables(const pugi::xml_node& list) = 0;
  virtual void read_structure(const pugi::xml_node& structure) = 0;

  std::string text(const pugi::xml_node& node, const char* name) const {
    return node.attribute(name).value();
  }
  std::string required(const pugi::xml_node& node, const char* name);
  bool flag(const pugi::xml_node& node, const char* name, bool otherwise = false);
  std::optional<double> real(const pugi::xml_node& node, const char* name);
  std::optional<std::uint64_t> whole(const pugi::xml_node& node, const char* name);
  /// Numbers separated by blanks.
  std::optional<std::vector<std::uint64_t>> wholes(const pugi::xml_node& node, const char* name);

  /// What both kinds of interface have.
  Abilities abilities(const pugi::xml_node& node, const char* state, const char* serialize,
                      const char* directional);
  /// Name, reference, causality, variability, initial.
  Variable head_of(const pugi::xml_node& node);
  void read_start(const pugi::xml_node& node, Variable& variable);
  void read_unit(const pugi::xml_node& node, Variable& variable);
  /// Those of an enumeration.
  void read_items(const std::string& type, const pugi::xml_node& node);
  /// `refers`: from what the file writes to the number of a variable.
  template <class Refers>
  void read_unknown(const pugi::xml_node& node, std::uint64_t written, const Refers& refers,
                    std::vector<Unknown>& list);

  Description out_;
  std::unordered_map<std::string, pugi::xml_node> types_;  ///< by name
  std::unordered_map<std::uint32_t, std::size_t> by_reference_;

 private:
  void read_units(const pugi::xml_node& root);
  void read_experiment(const pugi::xml_node& node);
  void check_variables();
  void check_structure();
  void check_derivatives();
  Fault at(const Variable& variable, std::string problem, std::string remedy) const;
  int line_of(const pugi::xml_node& node) const;

  std::vector<std::ptrdiff_t> line_ends_;
  std::string fmu_;
  std::vector<Fault> faults_;
  std::size_t omitted_ = 0;
};

template <class Refers>
void DescriptionReader::read_unknown(const pugi::xml_node& node, std::uint64_t written, const Refers& refers,
                                     std::vector<Unknown>& list) {
  Unknown unknown;
  unknown.variable = refers(written);
  if (unknown.variable == none)
    return complain(node, "ModelStructure", std::to_string(written), "refers to no variable",
                    "the exporting tool has to mend this");
  if (node.attribute("dependencies")) {
    const auto given = wholes(node, "dependencies");
    unknown.known = given.has_value();
    for (const std::uint64_t each : given.value_or(std::vector<std::uint64_t>{})) {
      const std::size_t variable = refers(each);
      if (variable == none)
        complain(node, out_.variables[unknown.variable].name, std::to_string(each),
                 "depends on a variable that does not exist", "the exporting tool has to mend this");
      else
        unknown.dependencies.push_back(variable);
    }
  }
  list.push_back(std::move(unknown));
}

void read_fmi2(const pugi::xml_node& root, const std::string& text, const std::string& fmu, Description& out);
void read_fmi3(const pugi::xml_node& root, const std::string& text, const std::string& fmu, Description& out);

}  // namespace cosimo::fmi
