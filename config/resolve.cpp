#include <cstdint>

#include "config/rules.hpp"
#include "config/value_edit.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

void resolve_partition(Value& partition) {
  const Value* cuts = partition.find("cuts");
  const auto count = cuts != nullptr ? static_cast<std::int64_t>(cuts->integers.size()) : 0;
  default_word(partition, "method", count > 0 ? "manual" : "equal");
  const Value* method = partition.find("method");
  if (count == 0 || method == nullptr || method->word != "manual")
    return default_word(partition, "parts", "auto");
  // The cuts decide, also when `auto` was written.
  if (const Value* parts = member(partition, "parts"); parts == nullptr || parts->is(Kind::word)) {
    set_integer(partition, "parts", count + 1);
  }
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
