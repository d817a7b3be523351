// A package's nested systems dissolved: values come to their FMUs from the lowest level to the highest, later
// ones count; every connected input of an FMU is traced back to the output where its signal begins.
#include "fmi/structure.hpp"

#include <fmt/format.h>

#include <map>
#include <unordered_set>
#include <utility>

#include "core/nearest.hpp"
#include "fmi/ports.hpp"
#include "fmi/ssp_system.hpp"

namespace cosimo::fmi {

namespace {

constexpr const char* mend = "the exporting tool has to mend this";

/// A connector of an element: of a component, a system, or a dictionary, which all who refer to it share.
using Node = std::pair<const SspElement*, std::string>;

struct Edge {
  Node from, to;
  const SspConnection* connection = nullptr;
};

/// Elements that contain each other, the innermost last.
using Chain = std::vector<const SspElement*>;

class Flattener {
 public:
  Flattener(const SspSystem& system, SspFaults& faults) : system_(system), faults_(faults) {}

  Structure run() {
    out_.place = system_.root.place;
    out_.start = system_.start;
    out_.stop = system_.stop;
    Chain chain{&system_.root};
    visit(chain, "");
    apply(system_.root);
    for (const auto& [element, name] : components_) component(*element, name);
    for (const Edge& edge : edges_) signal(edge);
    return std::move(out_);
  }

 private:
  // What there is

  void visit(Chain& chain, const std::string& prefix) {
    const SspElement& system = *chain.back();
    std::unordered_set<std::string_view> names;
    for (const SspElement& each : system.elements) {
      if (!names.insert(each.name).second)
        faults_.add(each.place, each.name, "", "two elements of a system have this name", mend);
      const std::string name = prefix + each.name;
      names_[&each] = name;
      if (each.kind == SspElement::Kind::component) components_.emplace_back(&each, name);
      if (each.kind != SspElement::Kind::system) continue;
      chain.push_back(&each);
      visit(chain, name + ".");
      chain.pop_back();
    }
    for (const SspConnection& each : system.connections) connect(chain, each);
  }

  enum class Flow { gives, takes, either };
  struct End {
    Node node{};
    Flow flow = Flow::either;
  };

  static Flow flow_of(std::string_view kind) {
    if (kind == "output" || kind == "calculatedParameter" || kind == "local" || kind == "constant")
      return Flow::gives;
    if (kind == "input" || kind == "parameter" || kind == "structuralParameter") return Flow::takes;
    return Flow::either;
  }
  static Flow flow_of(Causality causality) {
    if (causality == Causality::input || causality == Causality::parameter ||
        causality == Causality::structural)
      return Flow::takes;
    return Flow::gives;
  }

  void connect(const Chain& chain, const SspConnection& connection) {
    const auto start = find_end(chain, connection.start, connection.place);
    const auto end = find_end(chain, connection.end, connection.place);
    if (!start || !end) return;
    const std::string what = connection.start.connector + " - " + connection.end.connector;
    if (start->flow == end->flow && start->flow != Flow::either)
      return faults_.add(connection.place, "Connection", what,
                         start->flow == Flow::gives ? "joins two outputs" : "joins two inputs",
                         "connect an output with an input");
    // Start and end do not say where the signal goes; only where the connectors do not say it either.
    const bool forward = start->flow == Flow::gives || end->flow == Flow::takes ||
                         (start->flow == Flow::either && end->flow == Flow::either);
    Edge edge{forward ? start->node : end->node, forward ? end->node : start->node, &connection};
    if (!incoming_.emplace(edge.to, edges_.size()).second)
      return faults_.add(connection.place, "Connection", what, "two signals go to this input",
                         "leave one of them out");
    edges_.push_back(std::move(edge));
  }

  std::optional<End> find_end(const Chain& chain, const SspConnection::End& end,
                              const StructurePlace& place) {
    const SspElement* owner = chain.back();
    if (!end.element.empty()) owner = owner->element(end.element);
    if (owner == nullptr) {
      std::vector<std::string_view> known;
      for (const SspElement& each : chain.back()->elements) known.emplace_back(each.name);
      missing(place, end.element, "there is no element of this name in the system", known);
      return std::nullopt;
    }
    if (owner->kind == SspElement::Kind::dictionary) return dictionary_end(chain, *owner, end, place);
    const SspConnector* connector = owner->connector(end.connector);
    const Variable* variable = variable_of({owner, end.connector});
    if (owner->kind == SspElement::Kind::component && owner->description && variable == nullptr) {
      missing(place, end.element + "." + end.connector, "the FMU has no variable of this name",
              names_of(*owner));
      return std::nullopt;
    }
    if (connector == nullptr && variable == nullptr) {
      if (owner->kind == SspElement::Kind::component) return std::nullopt;  // has been told
      std::vector<std::string_view> known;
      for (const SspConnector& each : owner->connectors) known.emplace_back(each.name);
      missing(place, end.connector, "the system has no connector of this name", known);
      return std::nullopt;
    }
    End found{.node = {owner, end.connector}};
    found.flow = variable != nullptr ? flow_of(variable->causality) : flow_of(connector->kind);
    // From inside, an input of the system is where a signal begins.
    if (end.element.empty() && found.flow != Flow::either)
      found.flow = found.flow == Flow::gives ? Flow::takes : Flow::gives;
    return found;
  }

  std::optional<End> dictionary_end(const Chain& chain, const SspElement& reference,
                                    const SspConnection::End& end, const StructurePlace& place) {
    for (std::size_t level = chain.size(); level-- > 0;)
      for (const SspElement& each : chain[level]->dictionaries) {
        if (each.name != reference.dictionary) continue;
        if (each.connector(end.connector) != nullptr)
          return End{.node = {&each, end.connector}, .flow = Flow::either};
        std::vector<std::string_view> known;
        for (const SspConnector& entry : each.connectors) known.emplace_back(entry.name);
        missing(place, end.connector, "the signal dictionary has no entry of this name", known);
        return std::nullopt;
      }
    faults_.add(reference.place, reference.name, reference.dictionary,
                "there is no signal dictionary of this name", mend);
    return std::nullopt;
  }

  void missing(const StructurePlace& place, const std::string& name, std::string problem,
               const std::vector<std::string_view>& known) {
    const std::string_view near = nearest(name.substr(name.rfind('.') + 1), known);
    faults_.add(place, "Connection", name, std::move(problem),
                near.empty() ? "check the name" : fmt::format("did you mean `{}`?", near));
  }

  static std::vector<std::string_view> names_of(const SspElement& component) {
    std::vector<std::string_view> known;
    for (const Variable& each : component.description->variables) known.emplace_back(each.name);
    return known;
  }

  static const Variable* variable_of(const Node& node) {
    if (!node.first->description) return nullptr;
    const std::size_t found = node.first->description->find(node.second);
    return found == none ? nullptr : &node.first->description->variables[found];
  }

  SspUnit unit_of(const Node& node) {
    const SspConnector* connector = node.first->connector(node.second);
    const Variable* variable = variable_of(node);
    SspUnit own;
    if (variable != nullptr) own = find_unit(variable->unit, node.first->description->units);
    if (connector == nullptr || connector->unit.name.empty()) return own;
    // What the package says counts; but an FMU's variable is what it is.
    const auto same = conversion(connector->unit, own);
    if (own.si && connector->unit.si && (!same || same->changes()) && warned_.insert(connector).second)
      faults_.add(connector->place, connector->name, connector->unit.name,
                  fmt::format("the variable of the FMU has another unit, {}", own.name),
                  "write the same unit");
    return connector->unit;
  }

  // Values

  void apply(const SspElement& element) {
    for (const SspElement& each : element.elements) apply(each);
    for (const SspValue& value : element.values) assign(element, value.name, value);
  }

  /// Names that mean nothing are left alone, as the standard has it: a set of parameters may be for others
  /// too.
  void assign(const SspElement& element, const std::string& name, const SspValue& value) {
    if (element.kind == SspElement::Kind::component) {
      if (variable_of({&element, name}) != nullptr) values_[{&element, name}] = &value;
      return;
    }
    if (element.connector(name) != nullptr) values_[{&element, name}] = &value;
    for (const SspElement& each : element.elements)
      if (name.size() > each.name.size() && name.starts_with(each.name) && name[each.name.size()] == '.')
        assign(each, name.substr(each.name.size() + 1), value);
  }

  void component(const SspElement& element, const std::string& name) {
    Structure::Component added{
        .name = name, .fmu = element.fmu, .use = element.use, .set = {}, .place = element.place};
    if (!element.description) return;
    for (const Variable& variable : element.description->variables) {
      const Node node{&element, variable.name};
      const auto own = values_.find(node);
      const SspValue* value = own == values_.end() ? nullptr : own->second;
      Affine map;
      if (const auto edge = incoming_.find(node); edge != incoming_.end()) {
        const Traced from = trace(edges_[edge->second]);
        const auto given = values_.find(from.source);
        if (from.ok && from.source.first->kind != SspElement::Kind::component && given != values_.end()) {
          value = given->second;
          map = from.map;
        }
      }
      if (value != nullptr) set(variable, element, *value, map, added.set);
    }
    out_.components.push_back(std::move(added));
  }

  void set(const Variable& variable, const SspElement& element, const SspValue& value, const Affine& map,
           std::vector<FmuValue>& to) {
    if (!variable.set_before_start)
      return faults_.add(
          value.place, names_.at(&element) + "." + variable.name, "",
          fmt::format("it is no parameter, input or start value, but {}", name_of(variable.causality)),
          "leave it out, or set what it depends on");
    if (const auto* text = std::get_if<std::string>(&value.value)) {
      if (value.item) return set_item(variable, element, value, *text, to);
      to.push_back({variable.name, *text, {.file = value.place.file, .line = value.place.line}});
      return;
    }
    const SspUnit unit = find_unit(variable.unit, element.description->units);
    const auto same_unit = value.keeps_unit ? Affine{} : conversion(value.unit, unit);
    if (!same_unit)
      return faults_.add(value.place, names_.at(&element) + "." + variable.name, value.unit.name,
                         fmt::format("cannot be converted to the unit {}", unit.name),
                         "define both units, or write the value in the unit of the FMU");
    std::vector<double> numbers = std::get<std::vector<double>>(value.value);
    for (double& each : numbers) each = map(value.after((*same_unit)(each)));
    if (variable.type == Type::string) {
      to.push_back({variable.name,
                    fmt::format("{}", numbers.front()),
                    {.file = value.place.file, .line = value.place.line}});
      return;
    }
    to.push_back({variable.name, std::move(numbers), {.file = value.place.file, .line = value.place.line}});
  }

  void set_item(const Variable& variable, const SspElement& element, const SspValue& value,
                const std::string& item, std::vector<FmuValue>& to) {
    const auto& types = element.description->enumerations;
    const auto type = types.find(variable.declared_type);
    if (type != types.end())
      if (const auto found = type->second.find(item); found != type->second.end()) {
        to.push_back({variable.name,
                      std::vector{found->second},
                      {.file = value.place.file, .line = value.place.line}});
        return;
      }
    faults_.add(value.place, names_.at(&element) + "." + variable.name, item, "is no item of its enumeration",
                "write one of its items");
  }

  // Signals

  struct Traced {
    Node source{};
    Affine map;
    bool ok = false;
  };

  Traced trace(const Edge& last) {
    std::vector<const Edge*> edges{&last};
    while (true) {
      const auto before = incoming_.find(edges.back()->from);
      if (before == incoming_.end()) break;
      edges.push_back(&edges_[before->second]);
      if (edges.size() > edges_.size()) {
        complain(last, "the connections of systems lead round in a circle", mend);
        return {};
      }
    }
    Traced out{.source = edges.back()->from, .map = {}, .ok = true};
    SspUnit unit = unit_of(out.source);
    for (std::size_t k = edges.size(); k-- > 0;) {
      const Edge& edge = *edges[k];
      const SspUnit next = unit_of(edge.to);
      const auto converted = edge.connection->keeps_unit ? Affine{} : conversion(unit, next);
      if (!converted) {
        complain(edge, fmt::format("the units {} and {} cannot be converted", unit.name, next.name),
                 "define both units, use the same one, or write suppressUnitConversion=\"true\"");
        return {};
      }
      if (!next.name.empty()) unit = next;
      out.map =
          out.map.then(*converted).then(edge.connection->transformation.of_signals().value_or(Affine{}));
    }
    return out;
  }

  void complain(const Edge& edge, std::string problem, std::string remedy) {
    if (told_.insert(edge.connection).second)
      faults_.add(edge.connection->place, "Connection",
                  edge.connection->start.connector + " - " + edge.connection->end.connector,
                  std::move(problem), std::move(remedy));
  }

  void signal(const Edge& edge) {
    if (edge.to.first->kind != SspElement::Kind::component) return;
    const Traced from = trace(edge);
    if (!from.ok || from.source.first->kind != SspElement::Kind::component) return;
    const Variable& output = *variable_of(from.source);
    const Variable& input = *variable_of(edge.to);
    if (input.causality != Causality::input)
      return complain(edge, "what an FMU computes cannot become a parameter of another",
                      "set the parameter, or make it an input");
    if (output.causality != Causality::output)
      return complain(edge, "signals begin at outputs of FMUs", "export the variable as an output");
    for (const Variable* each : {&output, &input})
      if (!is_numeric(each->type))
        return complain(edge, fmt::format("signals of type {} are not supported", name_of(each->type)),
                        "signals are real or whole numbers, truth values and enumerations");
    if (output.elements != input.elements)
      return complain(edge, fmt::format("{} elements do not go with {}", output.elements, input.elements),
                      "connect arrays of the same size");
    for (std::size_t e = 0; e < output.elements; ++e)
      out_.connections.push_back({.from = names_.at(from.source.first) + "." + element_name(output, e),
                                  .to = names_.at(edge.to.first) + "." + element_name(input, e),
                                  .factor = from.map.factor,
                                  .offset = from.map.offset,
                                  .place = edge.connection->place});
  }

  const SspSystem& system_;
  SspFaults& faults_;
  Structure out_;
  std::vector<std::pair<const SspElement*, std::string>> components_;
  std::map<const SspElement*, std::string> names_;
  std::vector<Edge> edges_;
  std::map<Node, std::size_t> incoming_;  ///< the edge that ends at a connector
  std::map<Node, const SspValue*> values_;
  std::unordered_set<const SspConnection*> told_;
  std::unordered_set<const SspConnector*> warned_;
};

}  // namespace

bool is_structure(const std::filesystem::path& file) {
  return file.extension() == ".ssp" || file.extension() == ".ssd";
}

Structure read_structure(const std::filesystem::path& file) {
  const SspSystem system = read_ssp(file);
  SspFaults faults;
  Structure out = Flattener(system, faults).run();
  faults.raise();
  if (out.components.empty())
    throw Error(Fault{.file = out.place.file,
                      .line = out.place.line,
                      .problem = "the system has no components",
                      .remedy = "name a package with FMUs in it"});
  return out;
}

}  // namespace cosimo::fmi
