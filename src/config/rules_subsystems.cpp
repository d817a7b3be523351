// The rules of `subsystems:` and `connections:`. Which coordinates and forces a body has is left to the run.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/rules.hpp"
#include "config/subsystems.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

/// An entry of `subsystems` that has a name.
struct Component {
  const Value* name = nullptr;
  const Value* described = nullptr;       ///< the section of its kind; null: at fault
  const SubsystemPorts* ports = nullptr;  ///< null: its kind is not known
  bool connected = false;                 ///< some connection names it
  bool stands_alone = false;              ///< what it does is recorded, also without connections
};

/// A body's number; nothing for a name.
std::optional<std::int64_t> number_of(std::string_view component) {
  if (!std::ranges::all_of(component, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  std::int64_t number = std::numeric_limits<std::int64_t>::max();  // stays for what is too long
  std::from_chars(component.data(), component.data() + component.size(), number);
  return number;
}

class SignalRules {
 public:
  SignalRules(const Value& root, Faults& faults)
      : root_(root),
        faults_(faults),
        model_(model_labels(root)),
        bodies_(model_.body_names.begin(), model_.body_names.end()) {
    sensors_ = root.find("model.sensors");
    for (std::size_t i = 0; sensors_ != nullptr && i < sensors_->items.size(); ++i)
      if (const Value* name = sensors_->items[i].find("name")) sensor_names_.insert(name->word);
  }

  void check() {
    if (const Value* list = any_member(root_, "subsystems")) subsystems(*list);
    if (const Value* list = any_member(root_, "connections")) connections(*list);
    if (whole_) inputs();
  }

 private:
  void subsystems(const Value& list) {
    named_ = list.ok();
    if (!list.ok()) return;
    std::unordered_set<std::string_view> taken(model_.element_names.begin(), model_.element_names.end());
    taken.insert(model_.constraint_names.begin(), model_.constraint_names.end());
    taken.insert(bodies_.begin(), bodies_.end());
    taken.insert(sensor_names_.begin(), sensor_names_.end());
    if (!model_.none) taken.insert("ground");
    components_.reserve(list.items.size());
    for (const Value& entry : list.items) {
      Component component{.name = entry.find("name")};
      if (entry.ok()) kind(entry, component);
      if (component.name == nullptr || taken.contains(component.name->word)) {
        named_ = false;
        if (component.name != nullptr)
          complain(
              faults_, *component.name,
              "the model already uses this name, for a body, a joint, an element, a sensor or the ground",
              "choose another name");
      } else if (const auto [found, added] = by_name_.emplace(component.name->word, components_.size());
                 added) {
        components_.push_back(component);
      } else {
        Component& first = components_[found->second];
        first.ports = nullptr;  // connections may mean the one or the other
        complain(faults_, *component.name, first.name->path + " is the same", "choose another name");
      }
    }
  }

  /// Exactly one key says what the entry is.
  void kind(const Value& entry, Component& component) {
    std::vector<std::string_view> all;
    std::size_t given = 0;
    for (const auto& [kind, name] : word_table<SubsystemKind>) {
      all.push_back(name);
      if (any_member(entry, name) == nullptr) continue;
      ++given;
      component.described = entry.find(name);
      component.stands_alone = kind == SubsystemKind::fmu;
      component.ports = component.stands_alone ? nullptr : &ports_of(kind);
    }
    const auto unknown = [&](const Node& key) { return entry.form->find(key.text) == nullptr; };
    if (given > 1) {
      component.described = nullptr;
      component.ports = nullptr;
      complain(faults_, entry, "says several things at once", "write exactly one of " + quoted_list(all));
    } else if (given == 0 && !std::ranges::any_of(entry.node->keys, unknown)) {
      complain(faults_, entry, "does not say what it is", "add one of " + quoted_list(all));
    }
    for (const char* name : {"set", "interface", "substeps", "isolate", "time_limit"})
      if (const Value* key = entry.find(name); key != nullptr && any_member(entry, "fmu") == nullptr)
        complain(faults_, *key, "belongs to an FMU", "add `fmu: file.fmu`, or leave it out");
    const Value* limit = entry.find("time_limit");
    const Value* isolate = entry.find("isolate");
    if (limit != nullptr && any_member(entry, "fmu") != nullptr && (isolate == nullptr || !isolate->boolean))
      complain(faults_, *limit, "an FMU in this process cannot be stopped", "add `isolate: true`");
    if (const Value* pid = entry.find(word_of(SubsystemKind::pid)); pid != nullptr && given == 1) gains(*pid);
  }

  void gains(const Value& pid) {
    for (const char* name : {"kp", "ki", "kd"}) {
      const Value* gain = pid.find(name);
      if (gain == nullptr || gain->number != 0) return;
    }
    complain(faults_, pid, "all gains are zero, and so is the output", "write `kp`, `ki` or `kd`");
  }

  void connections(const Value& list) {
    whole_ = list.ok();
    if (!list.ok()) return;
    for (const Value& entry : list.items) {
      const Value* from = entry.find("from");
      const Value* to = entry.find("to");
      if (const Value* factor = entry.find("factor"); factor != nullptr && factor->number == 0)
        complain(faults_, *factor, "nothing of the signal is left", "leave out the connection");
      const bool good_source = from != nullptr && source(*from);
      const bool good_target = to != nullptr && target(*to);
      whole_ = whole_ && good_source && good_target;
    }
    settings();
  }

  /// These return false for an end at fault, which they report.
  bool source(const Value& from) {
    if (sensor_names_.contains(from.word)) return sensor(from);
    const SignalName name = split(from);
    if (name.component.empty()) return no_name(from);
    Component* component = find(name.component);
    if (component == nullptr) return body(from, name);
    from_subsystem_ = true;
    component->connected = true;
    if (component->ports == nullptr) return true;
    if (name.derivative) {
      complain(faults_, from, "the derivative of an output of a subsystem is not known",
               "leave out `der`, or take the velocity of a body");
      return false;
    }
    return port(from, name, component->ports->outputs, "output");
  }

  bool sensor(const Value& from) {
    from_subsystem_ = true;
    if (sensor_follows_from_state(*sensors_, from.word)) return true;
    complain(faults_, from, "this sensor measures accelerations or forces: it is recorded, and no signal",
             "connect one that follows from places and velocities");
    return false;
  }

  bool target(const Value& to) {
    const SignalName name = split(to);
    if (name.component.empty()) return no_name(to);
    if (name.derivative) {
      complain(faults_, to, "a derivative is not an input", "name an input, such as `3.force`");
      return false;
    }
    if (const auto [found, added] = connected_.emplace(to.word, &to); !added) {
      complain(faults_, to, found->second->path + " is connected to this input already",
               "connect each input once");
      return false;
    }
    Component* component = find(name.component);
    if (component == nullptr) return body(to, name);
    component->connected = true;
    if (component->ports == nullptr) return true;
    std::vector<std::string_view> names;
    for (const InputPort& input : component->ports->inputs) names.push_back(input.name);
    return port(to, name, names, "input");
  }

  bool no_name(const Value& end) {
    complain(faults_, end, "is not a signal of a component",
             "write the component, a dot and the signal, such as `3.x` or `controller.out`");
    return false;
  }

  bool port(const Value& end, const SignalName& name, const std::vector<std::string_view>& known,
            const std::string& what) {
    if (std::ranges::find(known, name.variable) != known.end()) return true;
    const std::string component(name.component);
    const std::string_view near = nearest(name.variable, known);
    complain(faults_, end, "`" + component + "` has no " + what + " `" + std::string(name.variable) + "`",
             (near.empty() ? "" : "did you mean `" + std::string(near) + "`? ") + "write " +
                 quoted_list(known, component + "."));
    return false;
  }

  bool body(const Value& end, const SignalName& name) {
    if (has_word(root_.find("model.pendulum.formulation"), Formulation::minimal)) {
      complain(faults_, end, "signals do not begin or end at a pendulum in minimal coordinates",
               "write `formulation: absolute`, and name its links");
      return false;
    }
    if (model_.none) return no_subsystem(end, name);
    if (const auto number = number_of(name.component)) {
      if (model_.bodies == 0 || (*number >= 1 && *number <= model_.bodies)) return true;
      complain(faults_, end, "there is no body of this number",
               "bodies are numbered from 1 to " + std::to_string(model_.bodies));
      return false;
    }
    // Generators make names of their own; names at fault are missing here.
    const bool bodies_known =
        model_.chain ||
        (model_.named && static_cast<std::int64_t>(model_.body_names.size()) == model_.bodies);
    if (!named_ || !bodies_known || bodies_.contains(name.component)) return true;
    std::vector<std::string_view> known;
    if (!faults_.full()) known = model_.body_names;
    for (const Component& component : components_) known.push_back(component.name->word);
    complain(
        faults_, end,
        model_.chain ? "there is no subsystem of this name" : "there is no subsystem or body of this name",
        name_remedy(
            name.component, known,
            model_.chain ? "name a subsystem, or a body by its number" : "name a subsystem or a body"));
    return false;
  }

  /// Where there is no model.
  bool no_subsystem(const Value& end, const SignalName& name) {
    std::vector<std::string_view> known;
    for (const Component& component : components_) known.push_back(component.name->word);
    if (named_)
      complain(faults_, end, "there is no subsystem of this name, and no model with bodies",
               name_remedy(name.component, known, "name a subsystem, or add `model`"));
    return !named_;
  }

  /// Every subsystem takes part.
  void inputs() {
    for (const Component& component : components_) {
      if (!component.connected && !component.stands_alone) {
        complain(faults_, *component.name, "no connection names this subsystem",
                 "connect its inputs and outputs in `connections`, or leave it out");
      } else if (component.ports != nullptr) {
        for (const InputPort& input : component.ports->inputs) one_source(component, input);
      }
    }
  }

  /// A signal, or a value of its own, or neither where it may stay unconnected.
  void one_source(const Component& component, const InputPort& input) {
    const std::string name(input.name);
    const std::string port = component.name->word + "." + name;
    const auto signal = connected_.find(port);
    const Value* value = component.described != nullptr ? component.described->find(name) : nullptr;
    if (signal == connected_.end() && !input.optional) {
      complain(faults_, *component.name, "its input `" + name + "` is not connected",
               "add `{from: ..., to: " + port + "}` to `connections`");
    } else if (signal != connected_.end() && value != nullptr && value->given) {
      complain(faults_, *value, signal->second->path + " is connected to this input",
               "leave out one of them");
    }
  }

  /// What does not go together with signals.
  void settings() {
    if (const Value* decomposition = root_.find("couple.decomposition"); cut_kinds(decomposition).overlap)
      classic_cuts(*decomposition);
    const Value* predictor = root_.find("couple.predictor");
    const std::optional<Predictor> kind = choice_of<Predictor>(choice_name(predictor));
    if (from_subsystem_ && (kind == Predictor::acc || kind == Predictor::accrel) &&
        predictor->items[0].ok()) {
      complain(faults_, predictor->items[0],
               "continues accelerations, which signals of a subsystem do not have",
               "write `predictor: extrapolation`");
    }
    if (const Value* local = root_.find("simulate.local_error"); local != nullptr && local->boolean)
      complain(faults_, *local, "the true local error is not known where there are `connections`",
               "leave it out");
  }

  /// Nobody may have written the decomposition: some other setting means it.
  void classic_cuts(const Value& decomposition) {
    const std::string problem = "signals go with classic cuts, not with an overlap";
    if (decomposition.given)
      return complain(faults_, decomposition, problem, "write `force-force`, or leave it out");
    const Value* layers = root_.find("couple.layers");
    const Value* estimator = root_.find("control.estimator");
    if (layers != nullptr && layers->given) complain(faults_, *layers, problem, "leave it out");
    if (has_word(estimator, Estimator::exOV) && estimator->given)
      complain(faults_, *estimator, problem, "leave it out");
  }

  SignalName split(const Value& end) const {
    return split_signal(
        end.word, [&](std::string_view name) { return by_name_.contains(name) || bodies_.contains(name); });
  }

  Component* find(std::string_view name) {
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? &components_[found->second] : nullptr;
  }

  const Value& root_;
  Faults& faults_;
  const ModelLabels model_;
  const std::unordered_set<std::string_view> bodies_;
  const Value* sensors_ = nullptr;  ///< null: there are none
  std::unordered_set<std::string_view> sensor_names_;
  std::vector<Component> components_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::unordered_map<std::string_view, const Value*> connected_;  ///< inputs, as they are written
  bool named_ = true;                                             ///< all subsystems have names
  bool whole_ = true;                                             ///< no connection is at fault
  bool from_subsystem_ = false;                                   ///< a subsystem is the source of a signal
};

}  // namespace

void check_signal_rules(const Value& root, Faults& faults) {
  if (any_member(root, "subsystems") != nullptr || any_member(root, "connections") != nullptr)
    SignalRules(root, faults).check();
}

}  // namespace cosimo::config
