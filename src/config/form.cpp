#include "config/form.hpp"

#include <algorithm>
#include <utility>

#include "config/number.hpp"

namespace cosimo::config {

namespace {

std::string bound_text(double value) {
  constexpr double readable = 1e15;
  if (value == static_cast<double>(static_cast<std::int64_t>(value)) && value < readable) {
    return std::to_string(static_cast<std::int64_t>(value));
  }
  return number_text(value);
}

std::string describe(const Bounds& bounds) {
  if (bounds.has_low() && bounds.has_high() && bounds.low == bounds.high)
    return " equal to " + bound_text(bounds.low);
  if (bounds.has_low() && bounds.has_high() && !bounds.low_open && !bounds.high_open) {
    return " from " + bound_text(bounds.low) + " to " + bound_text(bounds.high);
  }
  std::string text;
  if (bounds.has_low()) text += (bounds.low_open ? " > " : " >= ") + bound_text(bounds.low);
  if (bounds.has_low() && bounds.has_high()) text += " and";
  if (bounds.has_high()) text += (bounds.high_open ? " < " : " <= ") + bound_text(bounds.high);
  return text;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " or " : ", ";
    text += parts[i];
  }
  return text;
}

std::string describe_section(const Form& form) {
  std::string names;
  for (const Key& key : form.keys) {
    if (key.available) names += (names.empty() ? "" : ", ") + key.name;
  }
  return "a section `{" + names + "}`";
}

/// The words of all kinds.
std::string describe_variants(const Form& form) {
  std::vector<std::string> kinds;
  for (const Form& section : form.entry) {
    for (const std::string& kind : section.find("kind")->forms[0].words) kinds.push_back("`" + kind + "`");
  }
  return "a section with a `kind`: " + joined(kinds);
}

std::string describe_items(const Form& form, const std::string& what) {
  if (form.min_items == form.max_items) return "a list of " + std::to_string(form.min_items) + " " + what;
  return "a list of " + what;
}

void append_alternatives(const Form& form, std::vector<std::string>& parts) {
  using Kind = Form::Kind;
  switch (form.kind) {
    case Kind::number:
      parts.push_back("a number" + describe(form.bounds));
      break;
    case Kind::integer:
      parts.push_back("a whole number" + describe(form.bounds));
      break;
    case Kind::boolean:
      parts.insert(parts.end(), {"`true`", "`false`"});
      break;
    case Kind::word:
      for (const std::string& word : form.words) parts.push_back("`" + word + "`");
      break;
    case Kind::name:
      parts.push_back("a name");
      break;
    case Kind::text:
      parts.push_back("a text");
      break;
    case Kind::formula:
      parts.push_back("a formula or `{table: {...}}`");
      break;
    case Kind::dictionary:
      parts.push_back("a section `{name: number or formula, ...}`");
      break;
    case Kind::settings:
      parts.push_back("a section `{name: value, ...}`, each value " + config::describe(form.entry));
      break;
    case Kind::variants:
      parts.push_back(describe_variants(form));
      break;
    case Kind::labels:
      parts.push_back(describe_items(form, "names or whole numbers" + describe(form.bounds)));
      break;
    case Kind::numbers:
      parts.push_back(describe_items(form, "numbers" + describe(form.bounds)));
      break;
    case Kind::integers:
      parts.push_back(describe_items(form, "whole numbers" + describe(form.bounds)));
      break;
    case Kind::list:
      parts.push_back(describe_items(form, "entries, each " + config::describe(form.entry)));
      break;
    case Kind::section:
      parts.push_back(describe_section(form));
      break;
    case Kind::choice:
      for (const Key& key : form.keys) {
        if (key.available) parts.push_back("`{" + key.name + ": ...}`");
      }
      break;
  }
}

Form numeric(Form::Kind kind, Bounds bounds) {
  Form form;
  form.kind = kind;
  form.bounds = bounds;
  return form;
}

Form with_keys(Form::Kind kind, std::vector<Key> keys) {
  Form form;
  form.kind = kind;
  form.keys = std::move(keys);
  return form;
}

}  // namespace

const Key* Form::find(std::string_view key) const {
  for (const Key& candidate : keys) {
    if (candidate.name == key) return &candidate;
  }
  return nullptr;
}

const Form* Form::variant(std::string_view wanted) const {
  for (const Form& section : entry) {
    const std::vector<std::string>& kinds = section.find("kind")->forms[0].words;
    if (std::find(kinds.begin(), kinds.end(), wanted) != kinds.end()) return &section;
  }
  return nullptr;
}

Form number(Bounds bounds) {
  return numeric(Form::Kind::number, bounds);
}

Form positive_number() {
  return number({.low = 0, .low_open = true});
}

Form integer(std::int64_t low, std::int64_t high) {
  Bounds bounds{.low = static_cast<double>(low)};
  if (high < std::numeric_limits<std::int64_t>::max()) bounds.high = static_cast<double>(high);
  return numeric(Form::Kind::integer, bounds);
}

Form boolean() {
  return numeric(Form::Kind::boolean, {});
}

Form words(std::vector<std::string> names) {
  Form form;
  form.kind = Form::Kind::word;
  form.words = std::move(names);
  return form;
}

Form numbers(std::size_t min_items, std::size_t max_items) {
  Form form = numeric(Form::Kind::numbers, {});
  form.min_items = min_items;
  form.max_items = max_items;
  return form;
}

Form integers(std::size_t min_items, std::int64_t low) {
  Form form = numeric(Form::Kind::integers, {.low = static_cast<double>(low)});
  form.min_items = min_items;
  return form;
}

Form name() {
  return numeric(Form::Kind::name, {});
}

Form text() {
  return numeric(Form::Kind::text, {});
}

Form formula(std::vector<std::string> variables) {
  Form form = numeric(Form::Kind::formula, {});
  form.words = std::move(variables);
  return form;
}

Form labels(std::size_t min_items, std::int64_t low) {
  Form form = numeric(Form::Kind::labels, {.low = static_cast<double>(low)});
  form.min_items = min_items;
  return form;
}

Form dictionary() {
  return numeric(Form::Kind::dictionary, {});
}

Form settings(std::vector<Form> entry) {
  Form form;
  form.kind = Form::Kind::settings;
  form.entry = std::move(entry);
  return form;
}

Form list(std::vector<Form> entry, std::size_t min_items, std::size_t max_items) {
  Form form;
  form.kind = Form::Kind::list;
  form.entry = std::move(entry);
  form.min_items = min_items;
  form.max_items = max_items;
  return form;
}

Form section(std::vector<Key> keys) {
  return with_keys(Form::Kind::section, std::move(keys));
}

Form choice(std::vector<Key> keys) {
  return with_keys(Form::Kind::choice, std::move(keys));
}

Form variants(std::vector<Form> sections) {
  Form form;
  form.kind = Form::Kind::variants;
  form.entry = std::move(sections);
  return form;
}

Key option(std::string name, std::vector<Form> forms, std::string description) {
  Key key;
  key.name = std::move(name);
  key.forms = std::move(forms);
  key.description = std::move(description);
  return key;
}

Key required(std::string name, std::vector<Form> forms, std::string description, std::string dimension) {
  Key key = option(std::move(name), std::move(forms), std::move(description));
  key.dimension = std::move(dimension);
  key.required = true;
  return key;
}

Key with_default(std::string name, std::vector<Form> forms, std::string fallback, std::string description,
                 std::string dimension) {
  Key key = option(std::move(name), std::move(forms), std::move(description));
  key.dimension = std::move(dimension);
  key.fallback = std::move(fallback);
  return key;
}

Key derived(std::string name, std::vector<Form> forms, std::string otherwise, std::string description) {
  Key key = option(std::move(name), std::move(forms), std::move(description));
  key.otherwise = std::move(otherwise);
  return key;
}

Key silent(std::string name, std::vector<Form> forms, std::string fallback, std::string description,
           std::string dimension) {
  Key key = with_default(std::move(name), std::move(forms), std::move(fallback), std::move(description),
                         std::move(dimension));
  key.silent = true;
  return key;
}

Key silent_derived(std::string name, std::vector<Form> forms, std::string otherwise, std::string description,
                   std::string dimension) {
  Key key = derived(std::move(name), std::move(forms), std::move(otherwise), std::move(description));
  key.dimension = std::move(dimension);
  key.silent = true;
  return key;
}

Key later(std::string name, std::string instead) {
  Key key;
  key.name = std::move(name);
  key.hint = std::move(instead);
  key.available = false;
  return key;
}

std::string describe(const Form& form) {
  return describe(std::span(&form, 1));
}

std::string describe(std::span<const Form> forms) {
  std::vector<std::string> parts;
  for (const Form& form : forms) append_alternatives(form, parts);
  return joined(parts);
}

}  // namespace cosimo::config
