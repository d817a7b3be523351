#include "config/xml_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <pugixml.hpp>

#include "config/source_file.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

namespace {

constexpr std::size_t deepest = 500;

class TreeMaker {
 public:
  TreeMaker(const std::string& text, int source, Faults& faults) : source_(source), faults_(faults) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
  }

  Position at(std::ptrdiff_t offset) const {
    if (offset < 0) return {source_, 0, 0};
    const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
    const std::ptrdiff_t begin = line == line_ends_.begin() ? 0 : *(line - 1) + 1;
    return {source_, 1 + static_cast<int>(line - line_ends_.begin()), 1 + static_cast<int>(offset - begin)};
  }

  XmlElement make(const pugi::xml_node& node, std::size_t depth) {
    XmlElement out;
    out.name = node.name();
    out.position = at(node.offset_debug());
    if (depth > deepest)
      faults_.fatal(out.position, "", out.name,
                    {"elements are nested deeper than " + std::to_string(deepest) + " levels",
                     "check that every element is closed"});
    for (const pugi::xml_attribute& attribute : node.attributes())
      out.attributes.push_back({attribute.name(), attribute.value()});
    for (const pugi::xml_node& child : node.children())
      if (child.type() == pugi::node_element) out.children.push_back(make(child, depth + 1));
    return out;
  }

 private:
  int source_;
  Faults& faults_;
  std::vector<std::ptrdiff_t> line_ends_;
};

}  // namespace

const std::string* XmlElement::find(std::string_view attribute) const {
  for (const Attribute& each : attributes)
    if (each.name == attribute) return &each.value;
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view element) const {
  for (const XmlElement& each : children)
    if (each.name == element) return &each;
  return nullptr;
}

XmlElement read_xml(const std::filesystem::path& file, int source, Faults& faults) {
  const std::string text = read_source(file, source, faults);
  if (text.size() > max_file_size)
    faults.fatal({source, 0, 0}, "", "",
                 {"is larger than " + std::to_string(max_file_size >> 20) + " MiB", "shorten the file"});
  TreeMaker maker(text, source, faults);
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
  if (!parsed)
    faults.fatal(maker.at(parsed.offset), "", "",
                 {std::string("is no XML: ") + parsed.description(),
                  "mend the file: an element may not be closed, or a quotation mark be missing"});
  const pugi::xml_node root = document.document_element();
  if (!root)
    faults.fatal({source, 1, 1}, "", "", {"holds no element", "write `<robot name=\"...\">` or `<mujoco>`"});
  return maker.make(root, 0);
}

}  // namespace cosimo::config
