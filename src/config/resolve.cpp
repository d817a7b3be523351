#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "config/rules.hpp"
#include "config/value_edit.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

void resolve_partition(Value& partition, bool chain) {
  const auto count = [&](const char* name) {
    const Value* list = partition.find(name);
    return list != nullptr ? static_cast<std::int64_t>(list->integers.size()) : 0;
  };
  const std::int64_t cuts = count("cuts");
  const bool wishes = count("fix") + count("forbid") + count("add") > 0;
  default_choice(partition, "method",
                 cuts > 0           ? CutMethod::manual
                 : chain && !wishes ? CutMethod::equal
                                    : CutMethod::automatic);
  if (cuts == 0 || !chain || !has_word(partition.find("method"), CutMethod::manual))
    return default_word(partition, "parts", "auto");
  // The cuts decide, also when `auto` was written. Only a chain falls into two at every cut.
  if (const Value* parts = member(partition, "parts"); parts == nullptr || parts->is(Kind::word)) {
    set_integer(partition, "parts", cuts + 1);
  }
}

/// Names of files are relative to the one they are written in; the effective file is elsewhere.
void resolve_file(Value* name, std::span<const std::string> sources) {
  if (name == nullptr || !name->ok()) return;
  const std::string& file = sources[static_cast<std::size_t>(name->node->position.source)];
  const bool from_file = name->node->position.line > 0;
  const std::filesystem::path folder = std::filesystem::path(from_file ? file : sources[0]).parent_path();
  std::error_code failed;
  const auto whole = std::filesystem::absolute(folder / name->word, failed);
  if (!failed) name->word = whole.lexically_normal().string();
}

void resolve_files(Value& entries, std::string_view key, std::span<const std::string> sources) {
  for (Value& entry : entries.items) resolve_file(member(entry, key), sources);
}

void resolve_meshes(Value& bodies, std::span<const std::string> sources) {
  for (Value& body : bodies.items) {
    const auto resolve_shape = [&](Value* shape) {
      Value* mesh = shape != nullptr ? member(*shape, "mesh") : nullptr;
      if (mesh != nullptr) resolve_file(member(*mesh, "file"), sources);
    };
    resolve_shape(member(body, "shape"));
    if (Value* looks = member(body, "look"))
      for (Value& look : looks->items) resolve_shape(member(look, "shape"));
  }
}

void resolve_model(Value& model, std::span<const std::string> sources) {
  if (Value* elements = member(model, "elements")) {
    resolve_files(*elements, "library", sources);
    resolve_files(*elements, "file", sources);
  }
  if (Value* bodies = member(model, "bodies")) resolve_meshes(*bodies, sources);
  if (Value* ground = member(model, "ground")) resolve_meshes(*ground, sources);
  if (Value* curves = member(model, "curves")) resolve_files(*curves, "file", sources);
  Value* pendulum = member(model, "pendulum");
  if (pendulum != nullptr && pendulum->ok() && member(*pendulum, "dimensions") == nullptr)
    set_integer(*pendulum, "dimensions", has_word(pendulum->find("joint"), LinkJoint::spherical) ? 3 : 2);
}

}  // namespace

void resolve(Checked& checked, std::span<const std::string> sources) {
  if (!checked.root.ok()) return;
  if (Value* model = member(checked.root, "model"); model != nullptr && model->ok())
    resolve_model(*model, sources);
  if (Value* subsystems = member(checked.root, "subsystems"); subsystems != nullptr && subsystems->ok())
    resolve_files(*subsystems, "fmu", sources);
  if (Value* partition = member(checked.root, "partition");
      partition != nullptr && partition->is(Kind::section)) {
    resolve_partition(*partition, model_source(checked.root) == ModelKind::chain);
  }
  Value* couple = member(checked.root, "couple");
  Value* control = member(checked.root, "control");
  if (couple != nullptr && couple->ok() && control != nullptr && control->ok()) {
    resolve_coupling(checked.root, *couple, *control);
  }
}

}  // namespace cosimo::config
