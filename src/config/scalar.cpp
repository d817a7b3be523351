#include "config/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "config/number.hpp"
#include "core/nearest.hpp"

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

/// The number that stands there, or that a formula gives where there may be one.
std::variant<double, Complaint> number_of(const Node& node, bool whole, Parameters* parameters) {
  auto number = parse_number(node.text);
  const bool plain = std::holds_alternative<double>(number);
  if (node.quoted && (plain || parameters == nullptr))
    return Complaint{"is a quoted text where a number is needed", "remove the quotation marks"};
  if (plain) return number;
  if (parameters != nullptr && (node.quoted || looks_like_formula(node.text, !parameters->empty()))) {
    number = parameters->value(node.text);
    const double* value = std::get_if<double>(&number);
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (whole && value != nullptr && (*value != std::floor(*value) || std::abs(*value) > exact))
      return Complaint{"gives " + number_text(*value) + ", which is not a whole number",
                       "write a formula that gives one"};
  }
  return number;
}

/// `forms`: everything that may stand there, for the remedy; empty: the form alone.
Result read_numeric(const Node& node, const Form& form, std::span<const Form> forms, Parameters* parameters) {
  const bool whole = form.kind != Kind::number && form.kind != Kind::numbers;
  Scalar scalar{.form = &form};
  auto number = number_of(node, whole, parameters);
  if (auto* complaint = std::get_if<Complaint>(&number)) return std::move(*complaint);
  scalar.number = std::get<double>(number);
  if (whole) {
    auto parsed = parse_integer(node.text);
    if (const auto* integer = std::get_if<std::int64_t>(&parsed)) {
      scalar.integer = *integer;
    } else if (std::holds_alternative<double>(parse_number(node.text))) {
      return std::get<Complaint>(std::move(parsed));
    } else {
      scalar.integer = static_cast<std::int64_t>(scalar.number);
    }
    scalar.number = static_cast<double>(scalar.integer);
  }
  if (!form.bounds.contains(scalar.number)) {
    return Complaint{"is out of range", "write " + (forms.empty() ? describe(form) : describe(forms))};
  }
  return scalar;
}

/// Names are for people, for results and for files made of them.
Result read_name(const Node& node, const Form& form) {
  constexpr std::size_t longest = 100;
  const std::string& name = node.text;
  if (name.empty()) return Complaint{"is empty", "write a name"};
  if (name.size() > longest) return Complaint{"is too long for a name", "write at most 100 characters"};
  if (std::holds_alternative<double>(parse_number(name)))
    return Complaint{"is a number, not a name", "begin the name with a letter"};
  if (name.find('/') != std::string::npos || name.front() == ' ' || name.back() == ' ')
    return Complaint{"is not a possible name", "write a name without / and without spaces at its ends"};
  return Scalar{.form = &form, .word = name};
}

Result read_formula(const Node& node, const Form& form, Parameters* parameters) {
  if (auto number = parse_number(node.text); std::holds_alternative<double>(number))
    return Scalar{.form = &form, .number = std::get<double>(number), .word = node.text};
  Parameters none;
  auto checked = (parameters != nullptr ? *parameters : none).formula(node.text, form.words);
  if (auto* complaint = std::get_if<Complaint>(&checked)) return std::move(*complaint);
  return Scalar{.form = &form, .word = std::get<std::string>(std::move(checked))};
}

/// Numbers begin with a digit, a sign or a point.
bool looks_numeric(const Node& node) {
  constexpr std::string_view beginnings = "0123456789+-.";
  return !node.quoted && !node.text.empty() && beginnings.find(node.text[0]) != std::string_view::npos;
}

}  // namespace

std::variant<Scalar, Complaint> read_scalar(const Node& node, std::span<const Form> forms,
                                            Parameters* parameters) {
  const Form* truth = nullptr;
  const Form* word = nullptr;
  const Form* numeric = nullptr;
  const Form* free = nullptr;
  for (const Form& form : forms) {
    if (form.kind == Kind::boolean) truth = &form;
    if (form.kind == Kind::word) word = &form;
    if (form.kind == Kind::number || form.kind == Kind::integer) numeric = &form;
    if (form.kind == Kind::name || form.kind == Kind::text || form.kind == Kind::formula) free = &form;
  }
  if (word != nullptr) {
    if (auto result = read_word(node, *word)) return std::move(*result);
  }
  if (truth != nullptr) {
    Result read = read_boolean(node, *truth);
    if (word == nullptr || std::holds_alternative<Scalar>(read)) return read;
    return unknown_word(node, *word, forms);
  }
  // Where words are allowed beside numbers, "5 mm" is a bad number and "autos" a bad word.
  const bool alone = word == nullptr && free == nullptr;
  const bool computed =
      parameters != nullptr && free == nullptr && looks_like_formula(node.text, !parameters->empty());
  if (numeric != nullptr && (alone || computed || looks_numeric(node)))
    return read_numeric(node, *numeric, forms, parameters);
  if (word != nullptr) return unknown_word(node, *word, forms);
  if (free == nullptr)
    return Complaint{"is a single value, which is not possible here", "write " + describe(forms)};
  if (free->kind == Kind::name) return read_name(node, *free);
  if (free->kind == Kind::formula) return read_formula(node, *free, parameters);
  if (node.text.empty()) return Complaint{"is empty", "write a text"};
  return Scalar{.form = free, .word = node.text};
}

std::variant<Scalar, Complaint> read_entry(const Node& node, const Form& form, Parameters* parameters) {
  if (node.kind != Node::Kind::scalar)
    return form.kind == Kind::labels
               ? Complaint{"is neither a name nor a number", "write a name, or a whole number"}
               : Complaint{"is not a number", "write a number"};
  if (form.kind == Kind::labels && !looks_numeric(node)) return read_name(node, form);
  return read_numeric(node, form, {}, parameters);
}

}  // namespace cosimo::config
