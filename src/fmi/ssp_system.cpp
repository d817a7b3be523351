#include "fmi/ssp_system.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "fmi/ssp_package.hpp"

namespace cosimo::fmi {

namespace {

constexpr int deepest = 100;                   ///< systems in systems, in one file or by others
constexpr std::size_t most_elements = 20'000;  ///< with those of all files, as often as they are named
constexpr std::size_t most_parts = 1'000'000;  ///< connectors, connections and values, likewise
constexpr const char* mend = "the exporting tool has to mend this";
constexpr const char* main_description = "SystemStructure.ssd";

using Package = std::shared_ptr<const SspPackage>;

class Loader {
 public:
  explicit Loader(SspFaults& faults) : faults_(faults) {}

  SspSystem file(const Package& package, const SspPackage::Target& target) {
    const SspDocument& document = open(package, target);
    const SspReader reader(document, faults_);
    if (local_name(document.root()) != "SystemStructureDescription") {
      reader.complain(document.root(), "", document.root().name(), "is no description of a system",
                      "name a System Structure Package, or an .ssd file");
      faults_.raise();
    }
    const std::string version = document.root().attribute("version").value();
    if (!version.starts_with("1.") && !version.starts_with("2.") && !version.starts_with("Draft"))
      reader.complain(document.root(), "version", version, "this version of SSP is not supported",
                      "export the system as SSP 1.0 or 2.0");
    SspSystem out;
    const pugi::xml_node system = child(document.root(), "System");
    if (!system) reader.complain(document.root(), "System", "", "is missing", mend);
    const Scope scope{package, target, reader, read_definitions(document.root(), reader)};
    out.root = element(system, scope);
    const pugi::xml_node experiment = child(document.root(), "DefaultExperiment");
    if (experiment.attribute("startTime")) out.start = reader.real(experiment, "startTime", 0);
    if (experiment.attribute("stopTime")) out.stop = reader.real(experiment, "stopTime", 0);
    return out;
  }

 private:
  /// The file that is being read.
  struct Scope {
    const Package& package;
    const SspPackage::Target& target;
    const SspReader& reader;
    SspDefinitions defined;
  };

  /// Every file is read once, however often it is named.
  const SspDocument& open(const Package& package, const SspPackage::Target& target) {
    auto& document = documents_[target.whole.string()];
    if (!document) document = package->document(target);
    return *document;
  }
  const Package& archive(const std::filesystem::path& file) {
    Package& package = packages_[file.string()];
    if (!package) package = SspPackage::archive(file);
    return package;
  }

  /// For as long as something is read that may contain more of its kind.
  class Inside {
   public:
    Inside(Loader& loader, const StructurePlace& place) : loader_(loader) {
      if (++loader_.depth_ > deepest)
        loader_.give_up(place, fmt::format("systems are in each other more than {} deep, or systems refer to "
                                           "each other without end",
                                           deepest));
    }
    ~Inside() { --loader_.depth_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Loader& loader_;
  };

  [[noreturn]] void give_up(const StructurePlace& place, std::string problem) {
    faults_.add(place, "", "", std::move(problem), mend);
    faults_.raise();
    throw std::logic_error("faults were added, but none was raised");
  }
  void count_element(const StructurePlace& place) {
    if (++elements_ > most_elements)
      give_up(place, fmt::format("the system has more than {} elements", most_elements));
  }
  void count_parts(std::size_t count, const StructurePlace& place) {
    if ((parts_ += count) > most_parts)
      give_up(place,
              fmt::format("the system has more than {} connectors, connections and values", most_parts));
  }

  /// What a URI refers to; nothing where it cannot be followed, which is told.
  std::optional<SspPackage::Target> follow(const pugi::xml_node& node, const Scope& scope,
                                           const std::string& base) {
    const std::string uri = node.attribute("source").value();
    SspPackage::Target target = scope.package->resolve(uri, base);
    if (target.problem.empty()) return target;
    scope.reader.complain(node, fmt::format("{}.source", local_name(node)), uri, target.problem,
                          target.remedy);
    return std::nullopt;
  }

  SspElement element(const pugi::xml_node& node, const Scope& scope) {
    SspElement out;
    out.place = scope.reader.document().place(node);
    const Inside inside(*this, out.place);
    count_element(out.place);
    out.name = scope.reader.required(node, "name");
    for (const pugi::xml_node& each : children(child(node, "Connectors"), "Connector"))
      out.connectors.push_back(connector(each, scope));
    const std::string_view kind = local_name(node);
    if (kind == "Component") {
      component(node, scope, out);
    } else if (kind == "SignalDictionaryReference") {
      out.kind = SspElement::Kind::dictionary;
      out.dictionary = scope.reader.required(node, "dictionary");
    } else {
      system(node, scope, out);
    }
    bind(node, scope, out);
    count_parts(out.connectors.size() + out.connections.size() + out.values.size(), out.place);
    return out;
  }

  SspConnector connector(const pugi::xml_node& node, const Scope& scope) {
    SspConnector out{.name = scope.reader.required(node, "name"),
                     .kind = node.attribute("kind").value(),
                     .unit = {},
                     .place = scope.reader.document().place(node)};
    for (const pugi::xml_node& type : node.children())
      if (type.attribute("unit")) out.unit = find_unit(type.attribute("unit").value(), scope.defined.units);
    return out;
  }

  void system(const pugi::xml_node& node, const Scope& scope, SspElement& out) {
    for (const pugi::xml_node& each : child(node, "Elements").children()) {
      const std::string_view kind = local_name(each);
      if (kind == "Component" || kind == "System" || kind == "SignalDictionaryReference")
        out.elements.push_back(element(each, scope));
    }
    for (const pugi::xml_node& each : children(child(node, "SignalDictionaries"), "SignalDictionary"))
      out.dictionaries.push_back(dictionary(each, scope));
    for (const pugi::xml_node& each : children(child(node, "Connections"), "Connection"))
      out.connections.push_back(connection(each, scope));
  }

  SspConnection connection(const pugi::xml_node& node, const Scope& scope) {
    const auto end = [&](const char* element, const char* connector, const char* indices) {
      if (node.attribute(indices))
        scope.reader.complain(node, indices, node.attribute(indices).value(),
                              "parts of arrays cannot be connected", "connect the whole array, or scalars");
      return SspConnection::End{node.attribute(element).value(), scope.reader.required(node, connector)};
    };
    SspConnection out{.start = end("startElement", "startConnector", "startIndices"),
                      .end = end("endElement", "endConnector", "endIndices"),
                      .transformation = read_transformation(node, scope.reader),
                      .keeps_unit = node.attribute("suppressUnitConversion").as_bool(false),
                      .place = scope.reader.document().place(node)};
    if (!out.transformation.of_signals())
      scope.reader.complain(node, "Connection", out.end.connector,
                            "a table of values is not supported for signals, but factor and offset are",
                            "put an FMU with this table between the two");
    return out;
  }

  /// Its entries are connectors; of both kinds at once.
  SspElement dictionary(const pugi::xml_node& node, const Scope& scope) {
    SspElement out;
    out.kind = SspElement::Kind::dictionary;
    out.name = scope.reader.required(node, "name");
    out.place = scope.reader.document().place(node);
    count_element(out.place);
    const auto read = [&](const pugi::xml_node& entries, const SspReader& reader) {
      const SspDefinitions defined = read_definitions(entries, reader);
      for (const pugi::xml_node& entry : children(entries, "DictionaryEntry")) {
        SspConnector added{.name = reader.required(entry, "name"),
                           .kind = "inout",
                           .unit = {},
                           .place = reader.document().place(entry)};
        for (const pugi::xml_node& type : entry.children())
          if (type.attribute("unit")) added.unit = find_unit(type.attribute("unit").value(), defined.units);
        out.connectors.push_back(std::move(added));
      }
    };
    if (!node.attribute("source")) {
      read(child(node, "SignalDictionary"), scope.reader);
    } else if (const auto target = follow(node, scope, scope.target.entry)) {
      const SspDocument& document = open(scope.package, *target);
      read(document.root(), SspReader(document, faults_));
    }
    count_parts(out.connectors.size(), out.place);
    return out;
  }

  void component(const pugi::xml_node& node, const Scope& scope, SspElement& out) {
    out.kind = SspElement::Kind::component;
    const std::string type = node.attribute("type").as_string("application/x-fmu-sharedlibrary");
    if (std::string_view(node.attribute("source").value()).empty())
      return scope.reader.complain(node, out.name, "", "the component has no model (source)",
                                   "put the FMU into the package");
    const auto target = follow(node, scope, scope.target.entry);
    if (!target) return;
    if (type == "application/x-ssp-definition" || type == "application/x-ssp-package")
      return inner(*target, type == "application/x-ssp-package", scope, out);
    if (type != "application/x-fmu-sharedlibrary")
      return scope.reader.complain(node, out.name, type, "this kind of component is not supported",
                                   "put an FMU with a binary for 64-bit Linux in its place");
    const std::string use = node.attribute("implementation").as_string("any");
    if (use == "ModelExchange") {
      out.use = Use::model_exchange;
    } else if (use == "CoSimulation") {
      out.use = Use::cosimulation;
    } else if (use != "any") {
      scope.reader.complain(node, out.name, use, "this kind of FMU is not supported",
                            "export the model for CoSimulation or ModelExchange");
    }
    out.fmu = target->whole.string();
    out.description = describe(out.fmu);
  }

  std::shared_ptr<const Description> describe(const std::string& fmu) {
    const auto [found, added] = descriptions_.emplace(fmu, nullptr);
    if (added) {
      const ZipArchive archive(fmu);
      const UnpackLimits limits;
      found->second = std::make_shared<const Description>(
          parse_description(archive.read("modelDescription.xml", limits.description), fmu));
    }
    return found->second;
  }

  /// Another description in the place of a component: its system with the component's name and connectors.
  void inner(const SspPackage::Target& target, bool is_package, const Scope& scope, SspElement& out) {
    Package package = scope.package;
    SspPackage::Target description = target;
    if (is_package) {
      package = archive(target.whole);
      description = package->resolve(main_description, "");
    } else if (target.entry.empty()) {  // somewhere else
      package = SspPackage::folder(target.whole.parent_path());
      description = package->resolve(target.whole.filename().string(), "");
    }
    SspElement system = file(package, description).root;
    system.name = out.name;
    system.place = out.place;
    out = std::move(system);
  }

  void bind(const pugi::xml_node& node, const Scope& scope, SspElement& out) {
    for (const pugi::xml_node& binding : children(child(node, "ParameterBindings"), "ParameterBinding")) {
      std::vector<SspValue> values = bound(binding, scope, out);
      const std::string prefix = binding.attribute("prefix").value();
      for (SspValue& value : values) value.name = prefix + value.name;
      if (const pugi::xml_node mapping = child(binding, "ParameterMapping"))
        values = mapping_of(mapping, scope, out, values);
      std::move(values.begin(), values.end(), std::back_inserter(out.values));
    }
  }

  /// The file a binding refers to; relative to the FMU, where it says so.
  std::optional<std::pair<Package, SspPackage::Target>> source_of(const pugi::xml_node& node,
                                                                  const Scope& scope,
                                                                  const SspElement& owner) {
    if (std::string_view(node.attribute("sourceBase").as_string("SSD")) != "component") {
      const auto target = follow(node, scope, scope.target.entry);
      if (!target) return std::nullopt;
      return std::pair{scope.package, *target};
    }
    if (owner.fmu.empty()) {
      scope.reader.complain(node, "sourceBase", "component", "belongs to a component with an FMU",
                            "write `SSD`, or leave it out");
      return std::nullopt;
    }
    const Package fmu = archive(owner.fmu);
    SspPackage::Target target = fmu->resolve(node.attribute("source").value(), "");
    if (target.problem.empty()) return std::pair{fmu, target};
    scope.reader.complain(node, "source", node.attribute("source").value(), target.problem, target.remedy);
    return std::nullopt;
  }

  std::vector<SspValue> bound(const pugi::xml_node& binding, const Scope& scope, const SspElement& owner) {
    const std::string type = binding.attribute("type").as_string("application/x-ssp-parameter-set");
    if (type != "application/x-ssp-parameter-set") {
      scope.reader.complain(binding, "ParameterBinding.type", type,
                            "this kind of parameters is not supported",
                            "write them as an SSP parameter set (.ssv)");
      return {};
    }
    const std::string_view source = binding.attribute("source").value();
    if (source.empty())
      return read_parameters(child(child(binding, "ParameterValues"), "ParameterSet"), scope.reader);
    const auto from = source_of(binding, scope, owner);
    if (!from) return {};
    const SspDocument& document = open(from->first, from->second);
    const SspReader reader(document, faults_);
    if (local_name(document.root()) != "ParameterSet")
      reader.complain(document.root(), "", document.root().name(), "is no parameter set", mend);
    return read_parameters(document.root(), reader);
  }

  std::vector<SspValue> mapping_of(const pugi::xml_node& mapping, const Scope& scope, const SspElement& owner,
                                   const std::vector<SspValue>& values) {
    const std::string_view source = mapping.attribute("source").value();
    if (source.empty()) return mapped(child(mapping, "ParameterMapping"), scope.reader, values);
    const auto from = source_of(mapping, scope, owner);
    if (!from) return {};
    const SspDocument& document = open(from->first, from->second);
    const SspReader reader(document, faults_);
    if (local_name(document.root()) != "ParameterMapping")
      reader.complain(document.root(), "", document.root().name(), "is no parameter mapping", mend);
    return mapped(document.root(), reader, values);
  }

  SspFaults& faults_;
  std::map<std::string, std::unique_ptr<const SspDocument>> documents_;
  std::map<std::string, Package> packages_;
  std::map<std::string, std::shared_ptr<const Description>> descriptions_;
  int depth_ = 0;
  std::size_t elements_ = 0, parts_ = 0;
};

}  // namespace

const SspConnector* SspElement::connector(const std::string& wanted) const {
  for (const SspConnector& each : connectors)
    if (each.name == wanted) return &each;
  return nullptr;
}

const SspElement* SspElement::element(const std::string& wanted) const {
  for (const SspElement& each : elements)
    if (each.name == wanted) return &each;
  return nullptr;
}

SspSystem read_ssp(const std::filesystem::path& file) {
  SspFaults faults;
  Package package;
  std::string entry = main_description;
  if (const PathInFile at = split_at_file(file); !at.inside.empty()) {
    package = SspPackage::archive(at.file);
    entry = at.inside;
  } else if (file.extension() == ".ssd") {
    package = SspPackage::folder(file.parent_path());
    entry = file.filename().string();
  } else {
    package = SspPackage::archive(file);
  }
  const SspPackage::Target target = package->resolve(entry, "");
  SspSystem out = Loader(faults).file(package, target);
  faults.raise();
  return out;
}

}  // namespace cosimo::fmi
