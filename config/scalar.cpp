#include "config/scalar.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "config/nearest.hpp"
#include "config/number.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;
using Result = std::variant<Scalar, Complaint>;

/// Nothing when the word is none of the form's.
std::optional<Scalar> read_word(const Node& node, const Form& form) {
  if (std::find(form.words.begin(), form.words.end(), node.text) == form.words.end()) return std::nullopt;
  return Scalar{.form = &form, .word = node.text};
}

Complaint unknown_word(const Node& node, const Form& form, std::span<const Form> forms) {
  const std::vector<std::string_view> names(form.words.begin(), form.words.end());
  const std::string_view near = nearest(node.text, names);
  const std::string allowed = "write " + describe(forms);
  if (near.empty()) return {"has no meaning here", allowed};
  return {"has no meaning here", "did you mean `" + std::string(near) + "`? " + allowed};
}

Result read_boolean(const Node& node, const Form& form) {
  const bool yes = node.text == "true" || node.text == "True" || node.text == "TRUE";
  const bool no = node.text == "false" || node.text == "False" || node.text == "FALSE";
  if (node.quoted || (!yes && !no)) return Complaint{"is not a truth value", "write `true` or `false`"};
  return Scalar{.form = &form, .boolean = yes};
}

/// `forms`: everything that may stand there, for the remedy; empty: the form alone.
Result read_numeric(const Node& node, const Form& form, std::span<const Form> forms) {
  if (node.quoted)
    return Complaint{"is a quoted text where a number is needed", "remove the quotation marks"};
  const bool whole = form.kind == Kind::integer || form.kind == Kind::integers;
  Scalar scalar{.form = &form};
  if (whole) {
    auto parsed = parse_integer(node.text);
    if (auto* complaint = std::get_if<Complaint>(&parsed)) return std::move(*complaint);
    scalar.integer = std::get<std::int64_t>(parsed);
    scalar.number = static_cast<double>(scalar.integer);
  } else {
    auto parsed = parse_number(node.text);
    if (auto* complaint = std::get_if<Complaint>(&parsed)) return std::move(*complaint);
    scalar.number = std::get<double>(parsed);
  }
  if (!form.bounds.contains(scalar.number)) {
    return Complaint{"is out of range", "write " + (forms.empty() ? describe(form) : describe(forms))};
  }
  return scalar;
}

}  // namespace

std::variant<Scalar, Complaint> read_scalar(const Node& node, std::span<const Form> forms) {
  const Form* word = nullptr;
  const Form* numeric = nullptr;
  for (const Form& form : forms) {
    if (form.kind == Kind::boolean) return read_boolean(node, form);
    if (form.kind == Kind::word) word = &form;
    if (form.kind == Kind::number || form.kind == Kind::integer) numeric = &form;
  }
  if (word != nullptr) {
    if (auto result = read_word(node, *word)) return std::move(*result);
  }
  // Where words are allowed beside numbers, "5 mm" is a bad number and "autos" a bad word.
  constexpr std::string_view beginnings = "0123456789+-.";
  const bool looks_numeric = !node.text.empty() && beginnings.find(node.text[0]) != std::string_view::npos;
  if (numeric != nullptr && (word == nullptr || looks_numeric)) return read_numeric(node, *numeric, forms);
  if (word != nullptr) return unknown_word(node, *word, forms);
  return Complaint{"is a single value, which is not possible here", "write " + describe(forms)};
}

std::variant<Scalar, Complaint> read_entry(const Node& node, const Form& form) {
  if (node.kind == Node::Kind::scalar) return read_numeric(node, form, {});
  return Complaint{"is not a number", "write a number"};
}

}  // namespace cosimo::config
