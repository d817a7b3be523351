// modelDescription.xml of FMI 2.0 (Section 2.2 of its standard): other things refer to variables by their
// place in the file, from 1.
#include <fmt/format.h>

#include <array>

#include "fmi/description_reader.hpp"

namespace cosimo::fmi {

namespace {

class Reader final : public DescriptionReader {
 public:
  using DescriptionReader::DescriptionReader;

 private:
  void read_head(const pugi::xml_node& root) override {
    out_.version = 2;
    out_.token = required(root, "guid");
    out_.event_indicators = static_cast<std::size_t>(whole(root, "numberOfEventIndicators").value_or(0));
    if (out_.event_indicators > 1'000'000)
      complain(root, "numberOfEventIndicators", text(root, "numberOfEventIndicators"),
               "is more than any model has", "the exporting tool has to mend this");
    if (const pugi::xml_node node = root.child("ModelExchange")) {
      out_.model_exchange = both(node);
      out_.model_exchange->completed_step = !flag(node, "completedIntegratorStepNotNeeded");
    }
    if (const pugi::xml_node node = root.child("CoSimulation")) {
      out_.cosimulation = both(node);
      out_.cosimulation->variable_step = flag(node, "canHandleVariableCommunicationStepSize");
      out_.cosimulation->interpolates_inputs = flag(node, "canInterpolateInputs");
      out_.cosimulation->output_derivatives =
          static_cast<int>(whole(node, "maxOutputDerivativeOrder").value_or(0));
    }
    for (const pugi::xml_node& type : root.child("TypeDefinitions").children("SimpleType")) {
      types_.emplace(text(type, "name"), type.first_child());
      read_items(text(type, "name"), type.child("Enumeration"));
    }
  }

  Abilities both(const pugi::xml_node& node) {
    return abilities(node, "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative");
  }

  void read_variables(const pugi::xml_node& list) override {
    std::vector<std::uint64_t> derivatives;  // per variable, from 1; 0: it is none
    for (const pugi::xml_node& node : list.children("ScalarVariable")) {
      Variable variable = head_of(node);
      if (variable.causality == Causality::structural || variable.causality == Causality::dependent)
        complain(node, variable.name, std::string(name_of(variable.causality)), "is no causality of FMI 2.0",
                 "the exporting tool has to mend this");
      std::uint64_t derivative = 0;
      read_value(node, variable, derivative);
      out_.variables.push_back(std::move(variable));
      derivatives.push_back(derivative);
    }
    for (std::size_t v = 0; v < derivatives.size(); ++v) {
      if (derivatives[v] == 0) continue;
      out_.variables[v].derivative_of = refers(derivatives[v]);
      if (out_.variables[v].derivative_of == none)
        complain(list, out_.variables[v].name, std::to_string(derivatives[v]),
                 "is the derivative of a variable that does not exist",
                 "the exporting tool has to mend this");
    }
  }

  void read_value(const pugi::xml_node& node, Variable& variable, std::uint64_t& derivative) {
    static constexpr std::array<std::pair<const char*, Type>, 5> types{{{"Real", Type::float64},
                                                                        {"Integer", Type::int32},
                                                                        {"Boolean", Type::boolean},
                                                                        {"String", Type::string},
                                                                        {"Enumeration", Type::enumeration}}};
    for (const auto& [name, type] : types) {
      const pugi::xml_node value = node.child(name);
      if (!value) continue;
      variable.type = type;
      if (!is_real(type) && variable.variability == Variability::continuous)
        variable.variability = Variability::discrete;
      read_start(value, variable);
      read_unit(value, variable);
      if (type == Type::float64) derivative = whole(value, "derivative").value_or(0);
      return;
    }
    complain(node, variable.name, "", "has no type", "the exporting tool has to mend this");
  }

  std::size_t refers(std::uint64_t index) const {
    return index >= 1 && index <= out_.variables.size() ? static_cast<std::size_t>(index - 1) : none;
  }

  void read_structure(const pugi::xml_node& structure) override {
    const auto read_list = [&](const char* name, std::vector<Unknown>& list) {
      for (const pugi::xml_node& node : structure.child(name).children("Unknown"))
        read_unknown(
            node, whole(node, "index").value_or(0), [&](std::uint64_t i) { return refers(i); }, list);
    };
    read_list("Outputs", out_.outputs);
    read_list("Derivatives", out_.derivatives);
  }
};

}  // namespace

void read_fmi2(const pugi::xml_node& root, const std::string& text, const std::string& fmu,
               Description& out) {
  out = Reader(text, fmu).read(root);
}

}  // namespace cosimo::fmi
