#include "config/value_edit.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

const Form* form_of(const Key& key, Kind kind) {
  const auto found =
      std::find_if(key.forms.begin(), key.forms.end(), [&](const Form& form) { return form.kind == kind; });
  return &*found;
}

/// An absent member of `section`, put where the definition has it.
Value& insert(Value& section, const Key& key) {
  std::size_t i = 0;
  while (i < section.keys.size() && section.keys[i] < &key) ++i;  // keys of one form are one array
  const auto at = static_cast<std::ptrdiff_t>(i);
  section.keys.insert(section.keys.begin() + at, &key);
  Value value;
  value.node = section.node;
  value.path = section.path + "." + key.name;
  return *section.items.insert(section.items.begin() + at, std::move(value));
}

}  // namespace

Value* member(Value& section, std::string_view name) {
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    if (section.keys[i]->name == name) return &section.items[i];
  }
  return nullptr;
}

void default_word(Value& section, std::string_view name, std::string word) {
  if (member(section, name) != nullptr) return;
  const Key& key = *section.form->find(name);
  Value& value = insert(section, key);
  value.form = form_of(key, Kind::word);
  value.word = std::move(word);
}

void default_number(Value& section, std::string_view name, double number) {
  if (member(section, name) != nullptr) return;
  const Key& key = *section.form->find(name);
  Value& value = insert(section, key);
  value.form = form_of(key, Kind::number);
  value.number = number;
}

void set_integer(Value& section, std::string_view name, std::int64_t integer) {
  const Key& key = *section.form->find(name);
  Value* present = member(section, name);
  Value& value = present != nullptr ? *present : insert(section, key);
  value.form = form_of(key, Kind::integer);
  value.word.clear();
  value.items.clear();
  value.keys.clear();
  value.integer = integer;
  value.number = static_cast<double>(integer);
}

void drop_default(Value& section, std::string_view name) {
  const Value* found = member(section, name);
  if (found == nullptr || found->given) return;
  const std::ptrdiff_t at = found - section.items.data();
  section.items.erase(section.items.begin() + at);
  section.keys.erase(section.keys.begin() + at);
}

}  // namespace cosimo::config
