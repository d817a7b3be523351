// modelDescription.xml of FMI 3.0 (Section 2.4 of its standard): other things refer to variables by their
// value references; variables may be arrays, whose sizes may be structural parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fmi/description_reader.hpp"

namespace cosimo::fmi {

namespace {

constexpr const char* mend = "the exporting tool has to mend this";

constexpr std::array<std::pair<std::string_view, Type>, 15> types{{{"Float32", Type::float32},
                                                                   {"Float64", Type::float64},
                                                                   {"Int8", Type::int8},
                                                                   {"UInt8", Type::uint8},
                                                                   {"Int16", Type::int16},
                                                                   {"UInt16", Type::uint16},
                                                                   {"Int32", Type::int32},
                                                                   {"UInt32", Type::uint32},
                                                                   {"Int64", Type::int64},
                                                                   {"UInt64", Type::uint64},
                                                                   {"Boolean", Type::boolean},
                                                                   {"String", Type::string},
                                                                   {"Binary", Type::binary},
                                                                   {"Enumeration", Type::enumeration},
                                                                   {"Clock", Type::clock}}};

class Reader final : public DescriptionReader {
 public:
  using DescriptionReader::DescriptionReader;

 private:
  void read_head(const pugi::xml_node& root) override {
    out_.version = 3;
    out_.token = required(root, "instantiationToken");
    if (const pugi::xml_node node = root.child("ModelExchange")) {
      out_.model_exchange = both(node);
      out_.model_exchange->completed_step = flag(node, "needsCompletedIntegratorStep");
    }
    if (const pugi::xml_node node = root.child("CoSimulation")) {
      out_.cosimulation = both(node);
      out_.cosimulation->variable_step = flag(node, "canHandleVariableCommunicationStepSize");
      out_.cosimulation->output_derivatives =
          static_cast<int>(whole(node, "maxOutputDerivativeOrder").value_or(0));
      out_.cosimulation->event_mode = flag(node, "hasEventMode");
      out_.cosimulation->intermediate_update = flag(node, "providesIntermediateUpdate");
    }
    for (const pugi::xml_node& type : root.child("TypeDefinitions").children()) {
      types_.emplace(text(type, "name"), type);
      read_items(text(type, "name"), type);
    }
  }

  Abilities both(const pugi::xml_node& node) {
    return abilities(node, "canGetAndSetFMUState", "canSerializeFMUState", "providesDirectionalDerivatives");
  }

  void read_variables(const pugi::xml_node& list) override {
    std::vector<pugi::xml_node> nodes;
    for (const pugi::xml_node& node : list.children()) {
      const auto type = std::find_if(types.begin(), types.end(),
                                     [&](const auto& each) { return each.first == node.name(); });
      if (type == types.end()) continue;  // annotations
      Variable variable = head_of(node);
      variable.type = type->second;
      if (!is_real(variable.type) && !node.attribute("variability"))
        variable.variability = Variability::discrete;
      if ((variable.causality == Causality::parameter || variable.causality == Causality::structural) &&
          variable.variability == Variability::continuous)
        variable.variability = Variability::fixed;
      if (!by_reference_.emplace(variable.reference, out_.variables.size()).second)
        complain(node, variable.name, std::to_string(variable.reference),
                 "two variables have this valueReference", mend);
      out_.variables.push_back(std::move(variable));
      nodes.push_back(node);
    }
    // Structural parameters first: arrays are as large as they say.
    for (const bool structural : {true, false})
      for (std::size_t v = 0; v < nodes.size(); ++v)
        if ((out_.variables[v].causality == Causality::structural) == structural)
          read_value(nodes[v], out_.variables[v]);
  }

  void read_value(const pugi::xml_node& node, Variable& variable) {
    for (const pugi::xml_node& each : node.children("Dimension")) read_dimension(each, variable);
    variable.elements = element_count(variable.dimensions);
    if (variable.elements == none || variable.elements == 0) {
      complain(node, variable.name, "",
               variable.elements == 0 ? "is an array without elements" : "has more than a million elements",
               "set its structural parameters to sizes that can be coupled, or export another model");
      variable.elements = 1;
      return;
    }
    read_start(node, variable);
    for (const pugi::xml_node& each : node.children("Start")) {
      variable.has_start = true;
      variable.start_text.push_back(variable.type == Type::binary ? bytes_of(each, variable)
                                                                  : text(each, "value"));
    }
    read_unit(node, variable);
    if (const auto of = whole(node, "derivative")) {
      variable.derivative_of = refers(*of);
      if (variable.derivative_of == none)
        complain(node, variable.name, std::to_string(*of),
                 "is the derivative of a variable that does not exist", mend);
    }
  }

  void read_dimension(const pugi::xml_node& node, Variable& variable) {
    Variable::Dimension dimension;
    if (const auto reference = whole(node, "valueReference")) {
      dimension.variable = refers(*reference);
      const bool fits = dimension.variable != none &&
                        out_.variables[dimension.variable].causality == Causality::structural &&
                        &out_.variables[dimension.variable] != &variable;
      if (!fits || out_.variables[dimension.variable].start.size() != 1 ||
          out_.variables[dimension.variable].start[0] < 0)
        complain(node, variable.name, std::to_string(*reference),
                 "has a size that no structural parameter with a start value gives", mend);
      else
        dimension.size = static_cast<std::uint64_t>(out_.variables[dimension.variable].start[0]);
    } else {
      dimension.size = whole(node, "start").value_or(0);
    }
    variable.dimensions.push_back(dimension);
  }

  std::string bytes_of(const pugi::xml_node& node, const Variable& variable) {
    const std::string hex = text(node, "value");
    std::string bytes;
    const auto digit = [](char c) {
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                    : -1;
    };
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
      if (digit(hex[i]) < 0 || digit(hex[i + 1]) < 0) {
        complain(node, variable.name, hex.substr(0, 20), "its start value is no hexadecimal number", mend);
        return {};
      }
      bytes.push_back(static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1])));
    }
    return bytes;
  }

  std::size_t refers(std::uint64_t reference) const {
    if (reference > 0xffffffffU) return none;
    const auto found = by_reference_.find(static_cast<std::uint32_t>(reference));
    return found != by_reference_.end() ? found->second : none;
  }

  void read_structure(const pugi::xml_node& structure) override {
    const auto read_list = [&](const char* name, std::vector<Unknown>& list) {
      for (const pugi::xml_node& node : structure.children(name))
        read_unknown(
            node, whole(node, "valueReference").value_or(0), [&](std::uint64_t r) { return refers(r); },
            list);
    };
    read_list("Output", out_.outputs);
    read_list("ContinuousStateDerivative", out_.derivatives);
    for (const pugi::xml_node& node : structure.children("EventIndicator")) {
      const std::size_t variable = refers(whole(node, "valueReference").value_or(0));
      if (variable == none)
        complain(node, "EventIndicator", text(node, "valueReference"), "refers to no variable", mend);
      else
        out_.event_indicators += out_.variables[variable].elements;
    }
  }
};

}  // namespace

void read_fmi3(const pugi::xml_node& root, const std::string& text, const std::string& fmu,
               Description& out) {
  out = Reader(text, fmu).read(root);
}

}  // namespace cosimo::fmi
