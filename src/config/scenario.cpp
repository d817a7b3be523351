#include "config/scenario.hpp"

#include <algorithm>
#include <utility>

#include "config/apply_units.hpp"
#include "config/check.hpp"
#include "config/curves.hpp"
#include "config/definition.hpp"
#include "config/effective.hpp"
#include "config/faults.hpp"
#include "config/include.hpp"
#include "config/markers.hpp"
#include "config/number.hpp"
#include "config/override.hpp"
#include "config/parameters.hpp"
#include "config/read.hpp"
#include "config/rules.hpp"
#include "config/sensors.hpp"
#include "config/shapes.hpp"
#include "config/source_file.hpp"
#include "config/submodels.hpp"
#include "config/tables.hpp"
#include "config/tree.hpp"
#include "config/tree_walk.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

namespace {

/// Units, included files and parameters: everything that formulas and the check of the model need.
Parameters prepare_model(Node& root, std::string_view name, Units& units, Faults& faults) {
  const FileUnits own = units.apply(root);
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    if (root.keys[i].text != "model") continue;
    expand_includes(root.items[i], std::filesystem::path(name), units, own, faults);
    Parameters parameters = evaluate_parameters(root.items[i], faults);
    expand_submodels(root.items[i], std::filesystem::path(name), parameters, units, own, faults);
    place_markers(root.items[i], faults);
    expand_tables(root.items[i], faults);
    name_references(root.items[i], parameters, faults);
    if (Node* subsystems = find_key(root, "subsystems"))
      expand_tables(*subsystems, scenario_definition().find("subsystems")->forms, "subsystems", root.items[i],
                    faults);
    name_curves(root.items[i], parameters, faults);
    return parameters;
  }
  return {};
}

/// A file of another format version is not worth further complaints.
void require_version(const Node& root, Faults& faults) {
  const Node* version = root.find("cosimo");
  if (version == nullptr || version->kind != Node::Kind::scalar) return;
  const auto parsed = parse_integer(version->text);
  const auto* number = std::get_if<std::int64_t>(&parsed);
  if (number == nullptr || *number == format_version) return;
  faults.fatal(version->position, "cosimo", version->text,
               {"this program does not read this version of the file format",
                scenario_definition().find("cosimo")->hint});
}

Scenario parse(Node root, std::string_view name, std::span<const std::string> overrides, Faults& faults) {
  if (root.kind == Node::Kind::null) {
    faults.fatal(
        {0, 1, 1}, "", "",
        {"is empty", "begin with `cosimo: 1`, `model:` and `simulate:`; see examples/quickstart.yaml"});
  }
  for (const std::string& setting : overrides) apply_override(root, setting, faults);
  require_version(root, faults);

  Units units(faults);
  Parameters parameters = prepare_model(root, name, units, faults);
  units.write(root);
  Checked checked = check(std::move(root), parameters, faults);
  resolve(checked, faults.sources());
  check_model_rules(checked.root, faults);
  check_mechanism_rules(checked.root, faults);
  check_generator_rules(checked.root, faults);
  check_signal_rules(checked.root, faults);
  check_run_rules(checked.root, faults);
  check_couple_rules(checked.root, faults);
  check_scheme_rules(checked.root, faults);
  check_solve_rules(checked.root, faults);
  FilesRead files{read_curves(checked.root, faults), read_shapes(checked.root, faults)};
  if (faults.empty()) check_motions(checked.root, files.curves, faults);
  faults.raise();

  Scenario scenario = read_scenario(checked.root, std::move(files));
  scenario.file = name;
  if (units.stated()) scenario.units = units.system().names;
  scenario.sources = faults.sources();
  for (const std::string& note : faults.notes())
    if (std::ranges::find(scenario.notes, note) == scenario.notes.end()) scenario.notes.push_back(note);
  scenario.effective = effective_yaml(checked.root);
  return scenario;
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file, std::span<const std::string> overrides) {
  Faults faults(file.string());
  const std::string text = read_source(file, 0, faults);
  return parse(parse_yaml(text, 0, faults), file.string(), overrides, faults);
}

Scenario parse_scenario(std::string_view text, std::string_view name,
                        std::span<const std::string> overrides) {
  Faults faults(name);
  return parse(parse_yaml(text, 0, faults), name, overrides, faults);
}

Scenario read_tree(Node root, std::span<const std::string> sources, std::span<const std::string> overrides) {
  Faults faults(sources.front());
  for (const std::string& other : sources.subspan(1)) faults.add_source(other);
  return parse(std::move(root), sources.front(), overrides, faults);
}

}  // namespace cosimo::config
