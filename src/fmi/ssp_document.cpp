#include "fmi/ssp_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fmi/description_reader.hpp"

namespace cosimo::fmi {

namespace {

constexpr std::size_t most_faults = 20;

}  // namespace

SspDocument::SspDocument(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    line_ends_.push_back(static_cast<std::ptrdiff_t>(at));
  const pugi::xml_parse_result result = xml_.load_buffer(text_.data(), text_.size());
  if (result) return;
  const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), result.offset);
  throw Error(Fault{.file = name_,
                    .line = 1 + static_cast<int>(line - line_ends_.begin()),
                    .problem = std::string("is not valid XML: ") + result.description(),
                    .remedy = "the exporting tool has to mend this"});
}

StructurePlace SspDocument::place(const pugi::xml_node& node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return {name_, 1};
  const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return {name_, 1 + static_cast<int>(line - line_ends_.begin())};
}

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

pugi::xml_node child(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node& each : node.children())
    if (local_name(each) == name) return each;
  return {};
}

std::vector<pugi::xml_node> children(const pugi::xml_node& node, std::string_view name) {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node& each : node.children())
    if (local_name(each) == name) found.push_back(each);
  return found;
}

void SspFaults::add(const StructurePlace& place, std::string field, std::string value, std::string problem,
                    std::string remedy) {
  if (faults_.size() >= most_faults) {
    ++omitted_;
    return;
  }
  faults_.push_back(Fault{.file = place.file,
                          .line = place.line,
                          .field = std::move(field),
                          .value = std::move(value),
                          .problem = std::move(problem),
                          .remedy = std::move(remedy)});
}

void SspFaults::raise() const {
  if (faults_.empty()) return;
  std::vector<Fault> all = faults_;
  if (omitted_ > 0)
    all.push_back(Fault{.file = all.front().file,
                        .problem = fmt::format("and {} more faults", omitted_),
                        .remedy = "mend these first"});
  throw Error(std::move(all));
}

std::string SspReader::required(const pugi::xml_node& node, const char* attribute) const {
  std::string value = node.attribute(attribute).value();
  if (value.empty())
    complain(node, fmt::format("{}.{}", local_name(node), attribute), "", "is missing",
             "the exporting tool has to mend this");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(value.begin(), value.end(), is_control)) {
    std::replace_if(value.begin(), value.end(), is_control, '?');
    complain(node, fmt::format("{}.{}", local_name(node), attribute), value, "has control characters",
             "the exporting tool has to mend this");
  }
  return value;
}

double SspReader::real(const pugi::xml_node& node, const char* attribute, double otherwise) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  if (!found) return otherwise;
  const auto value = parse_real(found.value());
  if (value && std::isfinite(*value)) return *value;
  complain(node, fmt::format("{}.{}", local_name(node), attribute), found.value(), "is not a finite number",
           "write a number");
  return otherwise;
}

SspDefinitions read_definitions(const pugi::xml_node& root, const SspReader& reader) {
  SspDefinitions out;
  for (const pugi::xml_node& unit : children(child(root, "Units"), "Unit"))
    if (const pugi::xml_node base = child(unit, "BaseUnit")) {
      const double factor = reader.real(base, "factor", 1), offset = reader.real(base, "offset", 0);
      if (factor == 0)
        reader.complain(base, reader.required(unit, "name"), "0", "is no factor of a unit",
                        "write the factor to units of SI");
      else
        out.units.emplace(reader.required(unit, "name"), unit_of(base, factor, offset));
    }
  for (const pugi::xml_node& type : children(child(root, "Enumerations"), "Enumeration"))
    for (const pugi::xml_node& item : children(type, "Item"))
      out.enumerations[reader.required(type, "name")].emplace(reader.required(item, "name"),
                                                              reader.real(item, "value", 0));
  return out;
}

}  // namespace cosimo::fmi
