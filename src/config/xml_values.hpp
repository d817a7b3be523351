// Values of attributes, and complaints about them. Private to config/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"
#include "config/xml_tree.hpp"

namespace cosimo::config {

class XmlValues {
 public:
  explicit XmlValues(Faults& faults) : faults_(faults) {}

  void complain(const XmlElement& element, std::string_view field, std::string_view value,
                std::string problem, std::string remedy) const {
    faults_.add(element.position, field, value, {std::move(problem), std::move(remedy)});
  }
  /// Numbers separated by blanks; nothing when the attribute is absent, or at fault.
  std::optional<std::vector<double>> numbers(const XmlElement& element, const std::string& path,
                                             const char* attribute, std::size_t least,
                                             std::size_t most) const;
  std::optional<double> number(const XmlElement& element, const std::string& path,
                               const char* attribute) const;
  double number(const XmlElement& element, const std::string& path, const char* attribute,
                double otherwise) const {
    return number(element, path, attribute).value_or(otherwise);
  }
  /// The text of an attribute that must be there; empty after a complaint.
  std::string required(const XmlElement& element, const std::string& path, const char* attribute) const;
  /// Complains about elements in it that are not among these.
  void refuse_unknown(const XmlElement& element, const std::string& path,
                      std::span<const std::string_view> known) const;

 protected:
  Faults& faults_;
};

/// Numbers separated by blanks; nothing when it is none.
std::optional<std::vector<double>> numbers_of(std::string_view text);

}  // namespace cosimo::config
