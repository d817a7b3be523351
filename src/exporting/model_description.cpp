#include "exporting/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "cosimo/cosimo.hpp"

namespace cosimo::exporting {

namespace {

std::string text_of(double value) {
  return fmt::format("{}", value);  // the shortest that is read back to the bit
}

bool shown(const Variable& variable, Causality causality) {
  return variable.causality == causality;
}

/// Every output knows its rate: only then are derivatives offered.
bool knows_rates(const Manifest& manifest) {
  bool some = false;
  for (const Variable& variable : manifest.variables) {
    if (variable.causality != Causality::output) continue;
    if (!variable.state || variable.name.starts_with("der(")) return false;
    some = true;
  }
  return some;
}

class Writer {
 public:
  Writer(const Manifest& manifest, const std::string& identifier, double step, int version)
      : manifest_(manifest), identifier_(identifier), step_(step), two_(version == 2) {}

  std::string write() {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    root_ = document.append_child("fmiModelDescription");
    const std::string model = manifest_.model;
    put(root_, "fmiVersion", two_ ? "2.0" : "3.0");
    put(root_, "modelName", model);
    put(root_, two_ ? "guid" : "instantiationToken", manifest_.token);
    put(root_, "generationTool", "Cosimo " + std::string(version()));
    put(root_, "variableNamingConvention", "flat");
    if (two_) put(root_, "numberOfEventIndicators", "0");
    interface();
    categories();
    experiment();
    variables();
    structure();
    std::ostringstream out;
    document.save(out, "  ");
    return out.str();
  }

 private:
  static void put(pugi::xml_node node, const char* name, const std::string& value) {
    node.append_attribute(name) = value.c_str();
  }

  void interface() {
    pugi::xml_node node = root_.append_child("CoSimulation");
    const char* saves = manifest_.saves ? "true" : "false";
    put(node, "modelIdentifier", identifier_);
    put(node, "canHandleVariableCommunicationStepSize", "true");
    put(node, "maxOutputDerivativeOrder", knows_rates(manifest_) ? "1" : "0");
    put(node, "canBeInstantiatedOnlyOncePerProcess", "false");
    put(node, two_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", saves);
    put(node, two_ ? "canSerializeFMUstate" : "canSerializeFMUState", saves);
    if (!two_) return;
    put(node, "canInterpolateInputs", "true");
    put(node, "canNotUseMemoryManagementFunctions", "true");
    put(node, "providesDirectionalDerivative", "false");
  }

  void categories() {
    pugi::xml_node all = root_.append_child("LogCategories");
    for (const char* name : {"logStatusError", "logStatusDiscard", "logStatusWarning", "logAll"})
      put(all.append_child("Category"), "name", name);
  }

  void experiment() {
    pugi::xml_node node = root_.append_child("DefaultExperiment");
    put(node, "startTime", "0");
    put(node, "stopTime", text_of(manifest_.end));
    put(node, "tolerance", text_of(manifest_.tolerance));
    if (step_ > 0) put(node, "stepSize", text_of(step_));
  }

  void variables() {
    pugi::xml_node all = root_.append_child("ModelVariables");
    for (std::size_t i = 0; i < manifest_.variables.size(); ++i) {
      const Variable& variable = manifest_.variables[i];
      pugi::xml_node node = all.append_child(two_ ? "ScalarVariable" : "Float64");
      put(node, "name", variable.name);
      put(node, "valueReference", std::to_string(i));
      switch (variable.causality) {
        case Causality::independent:
          put(node, "causality", "independent");
          put(node, "variability", "continuous");
          break;
        case Causality::input:
          put(node, "causality", "input");
          put(node, "variability", "continuous");
          break;
        case Causality::output:
          put(node, "causality", "output");
          put(node, "variability", "continuous");
          put(node, "initial", "calculated");
          break;
        case Causality::parameter:
          put(node, "causality", "parameter");
          put(node, "variability", "fixed");
          put(node, "initial", "exact");
          break;
      }
      pugi::xml_node type = two_ ? node.append_child("Real") : node;
      if (variable.causality == Causality::input || variable.causality == Causality::parameter)
        put(type, "start", text_of(variable.start));
    }
  }

  /// Coordinates and their rates do not depend on inputs at once; of everything else that is not known, and
  /// nothing is said. At the start every parameter and input may matter.
  void structure() {
    pugi::xml_node all = root_.append_child("ModelStructure");
    pugi::xml_node outputs = all, unknowns = all;
    const auto count = std::count_if(manifest_.variables.begin(), manifest_.variables.end(),
                                     [](const Variable& v) { return shown(v, Causality::output); });
    if (count == 0) return;
    if (two_) {
      outputs = all.append_child("Outputs");
      unknowns = all.append_child("InitialUnknowns");
    }
    for (std::size_t i = 0; i < manifest_.variables.size(); ++i) {
      if (!shown(manifest_.variables[i], Causality::output)) continue;
      pugi::xml_node output = outputs.append_child(two_ ? "Unknown" : "Output");
      point_at(output, i);
      if (manifest_.variables[i].state) put(output, "dependencies", "");
    }
    for (std::size_t i = 0; i < manifest_.variables.size(); ++i)
      if (shown(manifest_.variables[i], Causality::output))
        point_at(unknowns.append_child(two_ ? "Unknown" : "InitialUnknown"), i);
  }
  void point_at(pugi::xml_node node, std::size_t variable) const {
    put(node, two_ ? "index" : "valueReference", std::to_string(two_ ? variable + 1 : variable));
  }

  const Manifest& manifest_;
  const std::string& identifier_;
  double step_;
  bool two_;
  pugi::xml_node root_;
};

}  // namespace

std::string model_description(const Manifest& manifest, const std::string& identifier, double step,
                              int version) {
  return Writer(manifest, identifier, step, version).write();
}

std::string identifier_of(const std::string& name) {
  std::string result;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && result.empty()) result = "model_";
    result += letter || digit ? c : '_';
  }
  return result.empty() ? "model" : result;
}

}  // namespace cosimo::exporting
