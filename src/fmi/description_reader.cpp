#include "fmi/description_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_set>

namespace cosimo::fmi {

namespace {

constexpr const char* mend = "the exporting tool has to mend this";
constexpr std::size_t most_faults = 20;

template <class E, std::size_t n>
std::optional<E> choose(const std::array<std::pair<const char*, E>, n>& words, std::string_view word) {
  for (const auto& [name, value] : words)
    if (word == name) return value;
  return std::nullopt;
}

constexpr std::array<std::pair<const char*, Causality>, 8> causalities{{
    {"parameter", Causality::parameter},
    {"calculatedParameter", Causality::calculated},
    {"structuralParameter", Causality::structural},
    {"input", Causality::input},
    {"output", Causality::output},
    {"local", Causality::local},
    {"independent", Causality::independent},
    {"dependent", Causality::dependent},
}};

constexpr std::array<std::pair<const char*, Variability>, 5> variabilities{{
    {"constant", Variability::constant},
    {"fixed", Variability::fixed},
    {"tunable", Variability::tunable},
    {"discrete", Variability::discrete},
    {"continuous", Variability::continuous},
}};

/// It becomes part of the name of a file.
bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() < 200 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
}

}  // namespace

Unit unit_of(const pugi::xml_node& base, double factor, double offset) {
  Unit unit{.exponents = {}, .factor = factor, .offset = offset};
  static constexpr std::array<const char*, 8> names{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
  for (std::size_t i = 0; i < names.size(); ++i) unit.exponents[i] = base.attribute(names[i]).as_int(0);
  return unit;
}

DescriptionReader::DescriptionReader(const std::string& text, std::string fmu) : fmu_(std::move(fmu)) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
}

int DescriptionReader::line_of(const pugi::xml_node& node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return 0;
  return 1 + static_cast<int>(std::lower_bound(line_ends_.begin(), line_ends_.end(), offset) -
                              line_ends_.begin());
}

void DescriptionReader::complain(const pugi::xml_node& node, std::string field, std::string value,
                                 std::string problem, std::string remedy) {
  if (faults_.size() >= most_faults) {
    ++omitted_;
    return;
  }
  faults_.push_back(Fault{.file = fmu_,
                          .line = line_of(node),
                          .field = std::move(field),
                          .value = std::move(value),
                          .problem = std::move(problem),
                          .remedy = std::move(remedy)});
}

void DescriptionReader::raise() {
  if (faults_.empty()) return;
  if (omitted_ > 0)
    faults_.push_back(
        Fault{.file = fmu_, .problem = fmt::format("and {} more like these", omitted_), .remedy = mend});
  throw Error(std::move(faults_));
}

std::string DescriptionReader::required(const pugi::xml_node& node, const char* name) {
  std::string value = text(node, name);
  if (value.empty()) complain(node, fmt::format("{}.{}", node.name(), name), "", "is missing", mend);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(value.begin(), value.end(), is_control)) {  // it goes to terminals and into tables
    std::replace_if(value.begin(), value.end(), is_control, '?');
    complain(node, fmt::format("{}.{}", node.name(), name), value, "has control characters", mend);
  }
  return value;
}

bool DescriptionReader::flag(const pugi::xml_node& node, const char* name, bool otherwise) {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) return otherwise;
  const std::string_view word = found.value();
  if (word == "true" || word == "1") return true;
  if (word != "false" && word != "0")
    complain(node, fmt::format("{}.{}", node.name(), name), std::string(word), "is neither true nor false",
             mend);
  return false;
}

std::optional<double> DescriptionReader::real(const pugi::xml_node& node, const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) return std::nullopt;
  const auto value = parse_real(found.value());
  if (!value || !std::isfinite(*value)) {
    complain(node, fmt::format("{}.{}", node.name(), name), found.value(), "is not a finite number", mend);
    return std::nullopt;
  }
  return value;
}

std::optional<std::uint64_t> DescriptionReader::whole(const pugi::xml_node& node, const char* name) {
  const auto all = wholes(node, name);
  if (!all) return std::nullopt;
  if (all->size() == 1) return all->front();
  complain(node, fmt::format("{}.{}", node.name(), name), text(node, name), "is not one whole number", mend);
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> DescriptionReader::wholes(const pugi::xml_node& node,
                                                                    const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const std::string_view word : words_of(found.value())) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) {
      complain(node, fmt::format("{}.{}", node.name(), name), std::string(word), "is not a whole number",
               mend);
      return std::nullopt;
    }
    numbers.push_back(number);
  }
  return numbers;
}

Abilities DescriptionReader::abilities(const pugi::xml_node& node, const char* state, const char* serialize,
                                       const char* directional) {
  Abilities out;
  out.identifier = required(node, "modelIdentifier");
  if (!out.identifier.empty() && !is_identifier(out.identifier))
    complain(node, fmt::format("{}.modelIdentifier", node.name()), out.identifier,
             "is not a name that functions of C may begin with", mend);
  out.needs_tool = flag(node, "needsExecutionTool");
  out.once_per_process = flag(node, "canBeInstantiatedOnlyOncePerProcess");
  out.get_set_state = flag(node, state);
  out.serialize = flag(node, serialize);
  out.directional_derivatives = flag(node, directional);
  return out;
}

Variable DescriptionReader::head_of(const pugi::xml_node& node) {
  Variable out;
  out.line = line_of(node);
  out.name = required(node, "name");
  const auto reference = whole(node, "valueReference");
  if (!reference || *reference > 0xffffffffU)
    complain(node, out.name, text(node, "valueReference"), "has no valid valueReference", mend);
  out.reference = static_cast<std::uint32_t>(reference.value_or(0));
  const std::string causality = text(node, "causality"), variability = text(node, "variability");
  if (!causality.empty()) {
    if (const auto found = choose(causalities, causality))
      out.causality = *found;
    else
      complain(node, out.name, causality, "is no causality", mend);
  }
  if (!variability.empty()) {
    if (const auto found = choose(variabilities, variability))
      out.variability = *found;
    else
      complain(node, out.name, variability, "is no variability", mend);
  }
  const std::string initial = text(node, "initial");
  if (!initial.empty() && initial != "exact" && initial != "approx" && initial != "calculated")
    complain(node, out.name, initial, "is no kind of initial value", mend);
  const bool chosen = out.causality == Causality::parameter || out.causality == Causality::structural ||
                      out.causality == Causality::input;
  out.set_before_start =
      out.variability != Variability::constant && (chosen || initial == "exact" || initial == "approx");
  return out;
}

void DescriptionReader::read_start(const pugi::xml_node& node, Variable& variable) {
  const pugi::xml_attribute start = node.attribute("start");
  if (!start) return;
  variable.has_start = true;
  if (variable.type == Type::string) {
    variable.start_text = {start.value()};
    return;
  }
  if (!is_numeric(variable.type)) return;
  for (const std::string_view word : words_of(start.value())) {
    const bool truth = variable.type == Type::boolean && (word == "true" || word == "false");
    const std::optional<double> number = truth ? (word == "true" ? 1.0 : 0.0) : parse_real(word);
    if (!number || !std::isfinite(*number))
      return complain(node, variable.name, std::string(word),
                      is_real(variable.type) ? "its start value is not a finite number"
                                             : "its start value does not fit its type",
                      mend);
    variable.start.push_back(*number);
  }
  if (variable.start.size() != 1 && variable.start.size() != variable.elements)
    complain(node, variable.name, fmt::format("{} start values", variable.start.size()),
             fmt::format("it has {} elements", variable.elements), mend);
}

void DescriptionReader::read_unit(const pugi::xml_node& node, Variable& variable) {
  const std::string declared = text(node, "declaredType");
  pugi::xml_node type;
  if (!declared.empty()) {
    const auto found = types_.find(declared);
    if (found == types_.end())
      return complain(node, variable.name, declared, "is of a type that is not defined", mend);
    type = found->second;
  }
  variable.declared_type = declared;
  variable.unit = node.attribute("unit") ? text(node, "unit") : text(type, "unit");
  const pugi::xml_node nominal = node.attribute("nominal") ? node : type;
  if (const auto value = real(nominal, "nominal")) variable.nominal = std::fabs(*value);
}

void DescriptionReader::read_units(const pugi::xml_node& root) {
  std::unordered_set<std::string> names;
  for (const pugi::xml_node& unit : root.child("UnitDefinitions").children("Unit")) {
    const std::string name = required(unit, "name");
    if (!names.insert(name).second) complain(unit, "UnitDefinitions", name, "is defined twice", mend);
    for (const pugi::xml_node& scale : unit.children()) {
      const double factor = real(scale, "factor").value_or(1), offset = real(scale, "offset").value_or(0);
      if (std::string_view(scale.name()) != "BaseUnit") continue;
      out_.units.emplace(name, unit_of(scale, factor, offset));
    }
  }
}

void DescriptionReader::read_items(const std::string& type, const pugi::xml_node& node) {
  for (const pugi::xml_node& item : node.children("Item"))
    if (const auto value = real(item, "value")) out_.enumerations[type].emplace(text(item, "name"), *value);
}

void DescriptionReader::read_experiment(const pugi::xml_node& node) {
  out_.experiment = {real(node, "startTime"), real(node, "stopTime"), real(node, "tolerance"),
                     real(node, "stepSize")};
}

Description DescriptionReader::read(const pugi::xml_node& root) {
  out_.model_name = required(root, "modelName");
  out_.tool = text(root, "generationTool");
  read_head(root);
  if (!out_.cosimulation && !out_.model_exchange)
    complain(root, "", "",
             root.child("ScheduledExecution")
                 ? "offers scheduled execution only, neither co-simulation nor model exchange"
                 : "offers neither co-simulation nor model exchange",
             "export the model for one of them");
  read_units(root);
  read_experiment(root.child("DefaultExperiment"));
  read_variables(root.child("ModelVariables"));
  if (faults_.empty()) check_variables();
  if (faults_.empty()) read_structure(root.child("ModelStructure"));
  if (faults_.empty()) check_structure();
  raise();
  return std::move(out_);
}

Fault DescriptionReader::at(const Variable& variable, std::string problem, std::string remedy) const {
  return {.file = fmu_,
          .line = variable.line,
          .field = variable.name,
          .problem = std::move(problem),
          .remedy = std::move(remedy)};
}

void DescriptionReader::check_variables() {
  std::unordered_set<std::string_view> names;
  std::size_t total = 0;
  for (const Variable& each : out_.variables) {
    if (!names.insert(each.name).second && faults_.size() < most_faults)
      faults_.push_back(at(each, "two variables have this name", mend));
    total += each.elements;
  }
  if (total > 10'000'000)
    faults_.push_back(Fault{.file = fmu_,
                            .field = "ModelVariables",
                            .problem = fmt::format("have {} elements together", total),
                            .remedy = "that is more than can be coupled"});
  check_derivatives();
}

/// A derivative of a derivative may be a state; no variable is its own, in however many turns.
void DescriptionReader::check_derivatives() {
  for (const Variable& each : out_.variables) {
    if (each.derivative_of == none) continue;
    std::size_t at_variable = each.derivative_of, turns = 0;
    while (at_variable != none && turns++ <= out_.variables.size())
      at_variable = out_.variables[at_variable].derivative_of;
    if (at_variable == none) continue;
    faults_.push_back(at(each, "is its own derivative, by a circle of derivatives", mend));
    return;
  }
}

void DescriptionReader::check_structure() {
  std::vector<char> listed(out_.variables.size(), 0);
  for (const Unknown& each : out_.outputs) {
    const Variable& variable = out_.variables[each.variable];
    listed[each.variable] = 1;
    if (variable.causality != Causality::output)
      faults_.push_back(
          at(variable,
             fmt::format("is listed among the outputs, but its causality is {}", name_of(variable.causality)),
             mend));
  }
  for (std::size_t v = 0; v < listed.size(); ++v)
    if (out_.variables[v].causality == Causality::output && listed[v] == 0 &&
        out_.variables[v].type != Type::clock)
      out_.outputs.push_back({.variable = v});  // it may depend on anything
  for (const Unknown& each : out_.derivatives) {
    const Variable& variable = out_.variables[each.variable];
    if (variable.derivative_of == none)
      faults_.push_back(at(variable, "is listed among the derivatives, but says not of what", mend));
    else if (!is_real(variable.type))
      faults_.push_back(at(variable, "is listed among the derivatives, but is no real number", mend));
  }
  if (faults_.size() > most_faults) faults_.resize(most_faults);
}

}  // namespace cosimo::fmi
