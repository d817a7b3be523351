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

SubsystemSpec::Kind read_kind(SubsystemKind kind, const Value& value) {
  switch (kind) {
    case SubsystemKind::pid:
      return read_pid(value);
    case SubsystemKind::lag:
      return read_lag(value);
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
        if (const Value* described = entry.find(name)) added.kind = read_kind(kind, *described);
      }
    }
  }
  if (const Value* connections = root.find("connections")) {
    for (const Value& entry : connections->items)
      scenario.connections.push_back({word(entry, "from"), word(entry, "to"), place_of(entry)});
  }
}

}  // namespace cosimo::config
