// One single value of the file against the forms it may have.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

inline constexpr const char* not_available = "is not available in this version";

struct Scalar {
  const Form* form = nullptr;
  double number = 0;
  std::int64_t integer = 0;
  bool boolean = false;
  std::string word{};  ///< also a name, a text, a formula
};

/// `node` is a scalar. Where `parameters` are given, a formula may stand for a number.
std::variant<Scalar, Complaint> read_scalar(const Node& node, std::span<const Form> forms,
                                            Parameters* parameters);

/// One entry of a list in the form `numbers`, `integers` or `labels`.
std::variant<Scalar, Complaint> read_entry(const Node& node, const Form& form, Parameters* parameters);

}  // namespace cosimo::config
