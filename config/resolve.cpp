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

/// Takes back a default that has no meaning here.
void drop_default(Value& section, std::string_view name) {
  const Value* found = member(section, name);
  if (found == nullptr || found->given) return;
  const std::ptrdiff_t at = found - section.items.data();
  section.items.erase(section.items.begin() + at);
  section.keys.erase(section.keys.begin() + at);
}

void default_number(Value& section, std::string_view name, double number) {
  if (member(section, name) != nullptr) return;
  const Key& key = *section.form->find(name);
  Value& value = insert(section, key);
  value.form = form_of(key, Kind::number);
  value.number = number;
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

/// Settings that only overlaps have. One at fault asks, too: its writer meant it.
bool asks_overlap(Value& couple, const Value& control) {
  const Value* layers = member(couple, "layers");
  return (layers != nullptr && layers->given) || has_word(control.find("estimator"), "exOV");
}

/// Settings that only force-force cuts have.
bool asks_classic(const Value& root) {
  const Value* estimator = root.find("control.estimator");
  const Value* order = root.find("control.order");
  if (has_word(estimator, "exLE") || has_word(estimator, "exMD") || has_word(estimator, "exCV")) return true;
  if (order != nullptr && order->given) return true;
  if (root.find("couple.predictor.least-squares") != nullptr) return true;
  if (has_word(root.find("solve.method"), "ida")) return true;
  const Value* parts = root.find("solve.parts");
  return parts != nullptr && std::any_of(parts->items.begin(), parts->items.end(), [](const Value& entry) {
           return has_word(entry.find("method"), "ida");
         });
}

/// Where the decomposition is left to the run, everything that depends on it is, too.
void resolve_coupling(const Value& root, Value& couple, Value& control) {
  const bool automatic = !has_word(couple.find("scheme"), "explicit");
  if (automatic && asks_overlap(couple, control)) {
    default_word(couple, "decomposition", "overlap");
  } else if (!automatic || asks_classic(root)) {
    default_word(couple, "decomposition", "force-force");
  }
  const Value* decomposition = couple.find("decomposition");
  const bool overlap = has_word(decomposition, "overlap");
  const bool classic = has_word(decomposition, "force-force");
  if (!overlap) drop_default(couple, "layers");
  if (!classic) drop_default(control, "order");

  const Value* step = control.find("step");
  if (step != nullptr && step->is(Kind::number)) default_word(control, "estimator", "none");
  if (overlap) default_word(control, "estimator", "exOV");
  if (classic) default_word(control, "estimator", "exCV");
  const Value* solve_rtol = root.find("solve.rtol");
  if (overlap && solve_rtol != nullptr) default_number(control, "rtol", solve_rtol->number / 10);
  if (classic) default_number(control, "rtol", 1e-4);
}

}  // namespace

void resolve(Checked& checked) {
  if (!checked.root.ok()) return;
  if (Value* partition = member(checked.root, "partition");
      partition != nullptr && partition->is(Kind::section)) {
    resolve_partition(*partition);
  }
  Value* couple = member(checked.root, "couple");
  Value* control = member(checked.root, "control");
  if (couple != nullptr && couple->ok() && control != nullptr && control->ok()) {
    resolve_coupling(checked.root, *couple, *control);
  }
}

}  // namespace cosimo::config
