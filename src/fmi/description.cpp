#include "fmi/description.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <pugixml.hpp>

#include "core/error.hpp"
#include "fmi/description_reader.hpp"

namespace cosimo::fmi {

std::size_t Description::find(std::string_view name) const {
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& variable) { return variable.name == name; });
  return found == variables.end() ? none : static_cast<std::size_t>(found - variables.begin());
}

std::string_view name_of(Type type) {
  static constexpr std::array<std::string_view, 15> names{
      "float32", "float64", "int8",    "uint8",       "int16",  "uint16", "int32", "uint32",
      "int64",   "uint64",  "boolean", "enumeration", "string", "binary", "clock"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view name_of(Causality causality) {
  static constexpr std::array<std::string_view, 8> names{
      "parameter", "calculatedParameter", "structuralParameter", "input", "output", "local", "independent",
      "dependent"};
  return names[static_cast<std::size_t>(causality)];
}

std::optional<double> parse_real(std::string_view text) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr std::string_view blank = " \t\r\n";  // XML allows it around a number
  const std::size_t first = std::min(text.find_first_not_of(blank), text.size());
  text = text.substr(first, text.find_last_not_of(blank) + 1 - first);
  if (text == "INF" || text == "+INF") return infinite;
  if (text == "-INF") return -infinite;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::nullopt;
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

std::size_t element_count(const std::vector<Variable::Dimension>& dimensions) {
  constexpr std::uint64_t most = 1'000'000;
  std::uint64_t count = 1;
  for (const Variable::Dimension& each : dimensions) {
    if (each.size == 0) return 0;
    if (each.size > most / count) return none;
    count *= each.size;
  }
  return static_cast<std::size_t>(count);
}

Description read_description(const std::filesystem::path& xml, const std::string& fmu) {
  std::ifstream in(xml, std::ios::binary);
  return parse_description({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, fmu);
}

Description parse_description(const std::string& text, const std::string& fmu) {
  const std::string name = fmu + "/modelDescription.xml";
  pugi::xml_document document;
  // A copy: offsets of nodes, and so lines, are those of the text as it is.
  const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
  if (!result) {
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(result.offset, 0, std::ssize(text));
    throw Error(Fault{.file = name,
                      .line = 1 + static_cast<int>(std::count(text.begin(), end, '\n')),
                      .problem = std::string("is not valid XML: ") + result.description(),
                      .remedy = "the exporting tool has to mend this"});
  }
  const pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "fmiModelDescription")
    throw Error(Fault{.file = name,
                      .value = root.name(),
                      .problem = "is no model description of FMI",
                      .remedy = "name an FMU of FMI 2.0 or 3.0"});
  const std::string version = root.attribute("fmiVersion").value();
  Description out;
  if (version == "2.0" || version.starts_with("2.0.")) {
    read_fmi2(root, text, name, out);
  } else if (version.starts_with("3.")) {
    read_fmi3(root, text, name, out);
  } else {
    throw Error(Fault{.file = name,
                      .field = "fmiVersion",
                      .value = version,
                      .problem = "this version of FMI is not supported",
                      .remedy = "export the model as FMI 2.0 or 3.0"});
  }
  return out;
}

}  // namespace cosimo::fmi
