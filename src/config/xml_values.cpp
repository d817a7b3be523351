#include "config/xml_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/rules.hpp"

namespace cosimo::config {

std::optional<std::vector<double>> numbers_of(std::string_view text) {
  std::vector<double> out;
  constexpr std::string_view blanks = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(blanks); at != std::string_view::npos;
       at = text.find_first_not_of(blanks, at)) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    std::string_view word = text.substr(at, end - at);
    if (word.front() == '+' && word.size() > 1 && word[1] != '-') word.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(value))
      return std::nullopt;
    out.push_back(value);
    at = end;
  }
  return out;
}

std::optional<std::vector<double>> XmlValues::numbers(const XmlElement& element, const std::string& path,
                                                      const char* attribute, std::size_t least,
                                                      std::size_t most) const {
  const std::string* text = element.find(attribute);
  if (text == nullptr) return std::nullopt;
  auto found = numbers_of(*text);
  if (found && found->size() >= least && found->size() <= most) return found;
  const std::string wanted = most == 1 ? "a number"
                             : least == most
                                 ? std::to_string(least) + " numbers"
                                 : std::to_string(least) + " to " + std::to_string(most) + " numbers";
  complain(element, path + "." + attribute, *text, "is not " + wanted,
           "write " + wanted + (most == 1 ? "" : ", separated by blanks"));
  return std::nullopt;
}

std::optional<double> XmlValues::number(const XmlElement& element, const std::string& path,
                                        const char* attribute) const {
  const auto found = numbers(element, path, attribute, 1, 1);
  return found ? std::optional(found->front()) : std::nullopt;
}

std::string XmlValues::required(const XmlElement& element, const std::string& path,
                                const char* attribute) const {
  const std::string* text = element.find(attribute);
  if (text != nullptr && !text->empty()) return *text;
  complain(element, path + "." + attribute, "", "is missing",
           "write `<" + element.name + " " + attribute + "=\"...\">`");
  return {};
}

void XmlValues::refuse_unknown(const XmlElement& element, const std::string& path,
                               std::span<const std::string_view> known) const {
  for (const XmlElement& child : element.children) {
    if (std::ranges::find(known, child.name) != known.end()) continue;
    complain(child, path + "." + child.name, "", "the element is not known here",
             name_remedy(child.name, known, "take it out if nothing of the motion depends on it"));
  }
}

}  // namespace cosimo::config
