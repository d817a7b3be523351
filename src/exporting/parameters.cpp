#include "exporting/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "cosimo/simulation.hpp"

namespace cosimo::exporting {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& file, std::string field, std::string value, std::string problem,
                         std::string remedy) {
  throw Error(Fault{.file = file,
                    .field = std::move(field),
                    .value = std::move(value),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

/// The node of a key as messages write it: entries of lists by number from 1. Not defined: there is none.
YAML::Node find(YAML::Node node, std::string_view key) {
  while (!key.empty() && node.IsDefined()) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    const std::string word(key.substr(0, dot));
    key.remove_prefix(std::min(dot + 1, key.size()));
    if (node.IsMap()) {
      node.reset(node[word]);
    } else if (node.IsSequence()) {
      const YAML::Node number(word);
      const auto place = number.as<std::size_t>(0);
      if (place < 1 || place > node.size()) return YAML::Node(YAML::NodeType::Undefined);
      node.reset(node[place - 1]);
    } else {
      return YAML::Node(YAML::NodeType::Undefined);
    }
  }
  return node;
}

std::optional<double> number_at(const YAML::Node& node) {
  if (!node.IsDefined() || !node.IsScalar()) return {};
  double value = 0;
  return YAML::convert<double>::decode(node, value) ? std::optional(value) : std::nullopt;
}

/// Sections whose numbers are quantities of the model; the others say how it is computed.
bool of_the_model(std::string_view key) {
  return key.starts_with("model.") || key.starts_with("subsystems.") || key.starts_with("connections.");
}

/// Entries of `model.parameters` of the file that are given as numbers: formulas follow them. Included
/// files keep theirs.
std::vector<std::string> plain_parameters(const fs::path& file, const YAML::Node& effective,
                                          std::vector<std::string>& notes) {
  const YAML::Node raw = YAML::LoadFile(file.string()), own = find(raw, "model.parameters");
  std::vector<std::string> names, kept;
  if (own.IsDefined() && own.IsMap())
    for (const auto& each : own)
      if (number_at(each.second)) names.push_back(each.first.Scalar());
  if (const YAML::Node all = find(effective, "model.parameters"); all.IsDefined() && all.IsMap())
    for (const auto& each : all)
      if (!find(own, each.first.Scalar()).IsDefined()) kept.push_back(each.first.Scalar());
  if (!kept.empty())
    notes.push_back(fmt::format("not parameters of the FMU, because an included file has them: {}",
                                fmt::join(kept, ", ")));
  return names;
}

/// It can be a little more, or a little less: not a number of things, nor a version.
bool is_quantity(const fs::path& file, const std::vector<std::string>& overrides, const std::string& key,
                 double value) {
  const double little = 1e-6 * (value == 0 ? 1 : value);
  for (const double other : {value + little, value - little}) {
    std::vector<std::string> settings = overrides;
    settings.push_back(fmt::format("{}={}", key, other));
    try {
      static_cast<void>(Scenario::load(file, settings));
      return true;
    } catch (const Error&) {
      // The other side may do.
    }
  }
  return false;
}

}  // namespace

Parameters parameters_of(const fs::path& file, const std::vector<std::string>& overrides,
                         const config::Scenario& data) {
  Parameters result;
  const YAML::Node effective = YAML::Load(data.effective);
  const bool all = data.exported.parameters.empty();
  std::vector<std::string> settings = overrides;
  for (const std::string& name :
       all ? plain_parameters(file, effective, result.notes) : data.exported.parameters) {
    const bool short_name = find(effective, "model.parameters." + name).IsDefined();
    const std::string key = short_name ? "model.parameters." + name : name;
    const auto value = number_at(find(effective, key));
    if (!value)
      refuse(data.file, "export.parameters", name, "there is no number of that name",
             "name one of `model.parameters`, or the key of a number, such as `subsystems.1.pid.kp`");
    if (!of_the_model(key) || !is_quantity(file, overrides, key, *value)) {
      if (!all)
        refuse(data.file, "export.parameters", name, "is no quantity of the model that can be varied",
               "name a quantity, such as a mass or a gain; --set changes the others at export");
      result.notes.push_back(name + " is no parameter of the FMU: it counts things");
      continue;
    }
    result.variables.push_back(
        {.name = name, .causality = Causality::parameter, .start = *value, .key = key});
    settings.push_back(fmt::format("{}={}", key, *value));
  }
  if (result.variables.empty()) return result;
  try {
    static_cast<void>(Scenario::load(file, settings));
  } catch (const Error& error) {
    refuse(data.file, "export.parameters", "",
           std::string("they cannot be set from outside: ") + error.what(), "name others");
  }
  return result;
}

}  // namespace cosimo::exporting
