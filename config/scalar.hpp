// One single value of the file against the forms it may have.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

inline constexpr const char* not_available = "is not available in this version";

struct Scalar {
  const Form* form = nullptr;
  double number = 0;
  std::int64_t integer = 0;
  bool boolean = false;
  std::string word{};
};

/// `node` is a scalar.
std::variant<Scalar, Complaint> read_scalar(const Node& node, std::span<const Form> forms);

/// One entry of a list in the form `numbers` or `integers`.
std::variant<Scalar, Complaint> read_entry(const Node& node, const Form& form);

}  // namespace cosimo::config
