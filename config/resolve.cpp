#include <algorithm>
#include <cstdint>
#include <utility>

#include "config/rules.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

Value* member(Value& section, std::string_view name) {
  for (std::size_t i = 0; i < section.keys.size(); ++i) {
    if (section.keys[i]->name == name) return &section.items[i];
  }
  return nullptr;
}

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

void default_word(Value& section, std::string_view name, std::string word) {
  if (member(section, name) != nullptr) return;
  const Key& key = *section.form->find(name);
  Value& value = insert(section, key);
  value.form = form_of(key, Kind::word);
  value.word = std::move(word);
}

void resolve_partition(Value& partition) {
  const Value* cuts = partition.find("cuts");
  const auto count = cuts != nullptr ? static_cast<std::int64_t>(cuts->integers.size()) : 0;
  default_word(partition, "method", count > 0 ? "manual" : "equal");
  const Value* method = partition.find("method");
  if (count == 0 || method == nullptr || method->word != "manual")
    return default_word(partition, "parts", "auto");
  // The cuts decide, also when `auto` was written.
  if (Value* parts = member(partition, "parts"); parts == nullptr || parts->is(Kind::word)) {
    const Key& key = *partition.form->find("parts");
    Value& value = parts != nullptr ? *parts : insert(partition, key);
    value.form = form_of(key, Kind::integer);
    value.word.clear();
    value.integer = count + 1;
    value.number = static_cast<double>(value.integer);
  }
}

}  // namespace

void resolve(Checked& checked) {
  if (!checked.root.ok()) return;
  if (Value* partition = member(checked.root, "partition");
      partition != nullptr && partition->is(Kind::section)) {
    resolve_partition(*partition);
  }
  if (Value* control = member(checked.root, "control"); control != nullptr && control->ok()) {
    const Value* step = control->find("step");
    const bool fixed = step != nullptr && step->is(Kind::number);
    default_word(*control, "estimator", fixed ? "none" : "exCV");
  }
}

}  // namespace cosimo::config
