// The rules of `model:` as a whole and of chains, and what all rules use.
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "config/rules.hpp"
#include "config/rules_parameter.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// Members of `model` that describe one, also those at fault.
std::vector<const Value*> sources_of(const Value& model) {
  std::vector<const Value*> found;
  for (std::size_t i = 0; i < model.keys.size(); ++i) {
    if (choice_of<ModelKind>(model.keys[i]->name)) found.push_back(&model.items[i]);
  }
  return found;
}

/// Exactly one key describes the model, and what belongs to bodies stands beside bodies.
void one_source(const Value& root, Faults& faults) {
  if (!root.ok()) return;
  const bool others = any_member(root, "subsystems") != nullptr;  // which may be all there is
  if (any_member(root, "model") == nullptr && !others) {
    faults.add(root.node->position, "model", "",
               {"is missing, and there are no subsystems",
                "add `model`: a section with `chain`, `bodies` or another model, or `subsystems`"});
  }
  const Value* model = root.find("model");
  if (model == nullptr) return;
  const std::vector<const Value*> found = sources_of(*model);
  if (found.empty() && !others && any_member(*model, "joints") == nullptr &&
      any_member(*model, "elements") == nullptr) {
    faults.add(model->node->position, "model.chain", "",
               {"is missing, and so is every other description of the model",
                "add `chain`, `bodies`, or one of `pendulum`, `lattice`, `network`, `four_bars`, `vehicle`"});
  }
  for (std::size_t i = 1; i < found.size(); ++i) {
    faults.add(
        found[i]->node->position, found[i]->path, "",
        {"a second description of the model: " + found[0]->path + " is one already", "keep one of them"});
  }
  if (any_member(*model, "bodies") != nullptr) return;
  for (const char* name : {"joints", "elements", "ropes", "sensors", "gravity", "ground", "contacts"}) {
    const Value* value = any_member(*model, name);
    if (value == nullptr) continue;
    faults.add(
        value->node->position, value->path, "",
        {"belongs to a model with `bodies`, but there are none",
         found.empty() ? "add `bodies`" : "leave it out: " + found[0]->path + " is complete by itself"});
  }
}

}  // namespace

const Value* any_member(const Value& section, std::string_view name) {
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    if (section.keys[i]->name == name) return &section.items[i];
  }
  return nullptr;
}

std::optional<ModelKind> model_source(const Value& root) {
  const Value* model = root.find("model");
  if (model == nullptr) return {};
  const std::vector<const Value*> found = sources_of(*model);
  if (found.size() != 1) return {};
  return choice_of<ModelKind>(std::string_view(found[0]->path).substr(sizeof("model.") - 1));
}

bool describes(const Value& model) {
  return !sources_of(model).empty();
}

std::string name_remedy(std::string_view name, std::span<const std::string_view> known,
                        const std::string& otherwise) {
  const std::string_view near = nearest(name, known);
  return near.empty() ? otherwise : "did you mean `" + std::string(near) + "`?";
}

void complain(Faults& faults, const Value& value, std::string problem, std::string remedy) {
  faults.add(value.node->position, value.path, to_text(*value.node), {std::move(problem), std::move(remedy)});
}

void complain(Faults& faults, const Value& value, std::size_t entry, std::string problem,
              std::string remedy) {
  const Node& node = value.node->items[entry];
  faults.add(node.position, entry_path(value.path, entry), to_text(node),
             {std::move(problem), std::move(remedy)});
}

void check_labels(Faults& faults, const Value& labels, std::int64_t low, std::int64_t high,
                  const std::string& what) {
  std::unordered_set<std::int64_t> seen;
  for (std::size_t i = 0; i < labels.integers.size(); ++i) {
    const std::int64_t label = labels.integers[i];
    if (!labels.words.empty() && !labels.words[i].empty()) continue;
    if (label < low || label > high) {
      complain(faults, labels, i, "there is none of this number",
               what + " are numbered from " + std::to_string(low) + " to " + std::to_string(high));
    } else if (!seen.insert(label).second) {
      complain(faults, labels, i, "is given a second time", "name each once");
    }
  }
}

bool has_word(const Value* value, std::string_view word) {
  return value != nullptr && value->is(Kind::word) && value->word == word;
}

void check_model_rules(const Value& root, Faults& faults) {
  one_source(root, faults);
  const Value* chain = root.find("model.chain");
  if (chain == nullptr) return;
  const Value* count = chain->find("masses");
  const std::int64_t masses = count != nullptr ? count->integer : 0;
  Length bodies;
  Length elements;
  if (masses > 0) {
    bodies = {masses, "but there are " + std::to_string(masses) + " masses"};
    elements = {masses + 1, "but " + std::to_string(masses) + " masses have " + std::to_string(masses + 1) +
                                " springs (the first and the last join the walls)"};
  }
  check_parameter(faults, chain->find("mass"), bodies, true);
  for (const char* name : {"spring.c", "spring.d", "spring.C", "spring.D"}) {
    check_parameter(faults, chain->find(name), elements);
  }
  for (const char* name : {"initial.x", "initial.v"}) check_parameter(faults, chain->find(name), bodies);
  check_loads(faults, chain->find("loads"), masses, root);
}

}  // namespace cosimo::config
