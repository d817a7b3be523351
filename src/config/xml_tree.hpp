// An XML file as a plain tree in which every element knows its file and line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"

namespace cosimo::config {

struct XmlElement {
  struct Attribute {
    std::string name, value;
  };
  std::string name;
  Position position;
  std::vector<Attribute> attributes;
  std::vector<XmlElement> children;

  const std::string* find(std::string_view attribute) const;  ///< its value; null when absent
  const XmlElement* child(std::string_view element) const;    ///< the first of this name, or null
};

/// The root of the file. Throws Error, with the faults found so far, where it is no XML.
XmlElement read_xml(const std::filesystem::path& file, int source, Faults& faults);

}  // namespace cosimo::config
