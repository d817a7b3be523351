// An XML document of a System Structure Package whose elements know their lines. Elements are found by their
// names without the prefix of their namespace, which every tool chooses as it likes.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "fmi/description.hpp"
#include "fmi/structure.hpp"

namespace cosimo::fmi {

class SspDocument {
 public:
  /// `name` for messages. Throws Error where the text is no XML.
  SspDocument(std::string name, std::string text);
  SspDocument(const SspDocument&) = delete;
  SspDocument& operator=(const SspDocument&) = delete;

  const std::string& name() const { return name_; }
  pugi::xml_node root() const { return xml_.document_element(); }
  StructurePlace place(const pugi::xml_node& node) const;

 private:
  std::string name_, text_;
  std::vector<std::ptrdiff_t> line_ends_;
  pugi::xml_document xml_;
};

/// "Connector" of `ssd:Connector`.
std::string_view local_name(const pugi::xml_node& node);
pugi::xml_node child(const pugi::xml_node& node, std::string_view name);
std::vector<pugi::xml_node> children(const pugi::xml_node& node, std::string_view name);

/// What is wrong with a package, all of it.
class SspFaults {
 public:
  void add(const StructurePlace& place, std::string field, std::string value, std::string problem,
           std::string remedy);
  /// Throws Error where there are faults.
  void raise() const;

 private:
  std::vector<Fault> faults_;
  std::size_t omitted_ = 0;
};

/// A value with the document it stands in, for messages.
class SspReader {
 public:
  SspReader(const SspDocument& document, SspFaults& faults) : document_(document), faults_(faults) {}

  const SspDocument& document() const { return document_; }
  SspFaults& faults() const { return faults_; }
  void complain(const pugi::xml_node& node, std::string field, std::string value, std::string problem,
                std::string remedy) const {
    faults_.add(document_.place(node), std::move(field), std::move(value), std::move(problem),
                std::move(remedy));
  }
  std::string required(const pugi::xml_node& node, const char* attribute) const;
  double real(const pugi::xml_node& node, const char* attribute, double otherwise) const;

 private:
  const SspDocument& document_;
  SspFaults& faults_;
};

/// The units and enumerations that a document defines for itself.
struct SspDefinitions {
  Units units;
  std::map<std::string, std::map<std::string, double>> enumerations;
};
SspDefinitions read_definitions(const pugi::xml_node& root, const SspReader& reader);

}  // namespace cosimo::fmi
