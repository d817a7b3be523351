// `subsystems:` and `connections:`.
#include "config/read.hpp"
#include "config/read_values.hpp"

namespace cosimo::config {

namespace {

Pid read_pid(const Value& value) {
  Pid pid;
  pid.kp = number(value, "kp");
  pid.ki = number(value, "ki");
  pid.kd = number(value, "kd");
  pid.filter = number(value, "filter");
  if (const Value* reference = value.find("reference")) pid.reference = reference->word;
  return pid;
}

Lag read_lag(const Value& value) {
  return {number(value, "time_constant"), number(value, "gain"), number(value, "initial")};
}

Fmu read_fmu(const Value& entry) {
  Fmu fmu;
  fmu.file = word(entry, "fmu");
  if (entry.find("interface") != nullptr) fmu.interface = chosen<FmuInterface>(entry, "interface");
  if (const Value* substeps = entry.find("substeps")) fmu.substeps = substeps->integer;
  if (const Value* isolate = entry.find("isolate")) fmu.isolate = isolate->boolean;
  if (const Value* limit = entry.find("time_limit")) fmu.time_limit = limit->number;
  const Value* set = entry.find("set");
  for (std::size_t i = 0; set != nullptr && i < set->items.size(); ++i) {
    const Value& item = set->items[i];
    Fmu::Value& value = fmu.set.emplace_back();
    value.name = set->words[i];
    if (item.is(Form::Kind::text))
      value.value = item.word;
    else if (item.is(Form::Kind::numbers))
      value.value = item.numbers;
    else
      value.value =
          std::vector<double>{item.is(Form::Kind::boolean) ? (item.boolean ? 1.0 : 0.0) : item.number};
  }
  return fmu;
}

SubsystemSpec::Kind read_kind(SubsystemKind kind, const Value& entry, const Value& value) {
  switch (kind) {
    case SubsystemKind::pid:
      return read_pid(value);
    case SubsystemKind::lag:
      return read_lag(value);
    case SubsystemKind::fmu:
      return read_fmu(entry);
    case SubsystemKind::input:
      return Input{number(value, "start")};
  }
  return {};
}

}  // namespace

void read_subsystems(const Value& root, Scenario& scenario) {
  if (const Value* subsystems = root.find("subsystems")) {
    for (const Value& entry : subsystems->items) {
      SubsystemSpec& added = scenario.subsystems.emplace_back();
      added.name = word(entry, "name");
      added.place = place_of(entry);
      for (const auto& [kind, name] : word_table<SubsystemKind>) {
        if (const Value* described = entry.find(name)) added.kind = read_kind(kind, entry, *described);
      }
    }
  }
  if (const Value* connections = root.find("connections")) {
    for (const Value& entry : connections->items) {
      Connection& added = scenario.connections.emplace_back(
          Connection{word(entry, "from"), word(entry, "to"), place_of(entry)});
      if (const Value* factor = entry.find("factor")) added.factor = factor->number;
      if (const Value* offset = entry.find("offset")) added.offset = offset->number;
    }
  }
}

}  // namespace cosimo::config
