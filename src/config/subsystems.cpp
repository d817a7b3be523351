#include "config/subsystems.hpp"

#include <array>
#include <cstddef>

namespace cosimo::config {

const SubsystemPorts& ports_of(SubsystemKind kind) {
  static_assert(std::variant_size_v<SubsystemSpec::Kind> == word_table<SubsystemKind>.size());
  static const std::array<SubsystemPorts, word_table<SubsystemKind>.size()> ports{{
      {.inputs = {{"measured"}, {.name = "reference", .optional = true}}, .outputs = {"out"}},  // pid
      {.inputs = {{"in"}}, .outputs = {"out"}},                                                 // lag
      {.inputs = {}, .outputs = {}},                                                            // fmu
      {.inputs = {}, .outputs = {"out"}},                                                       // input
  }};
  return ports[static_cast<std::size_t>(kind)];
}

const SubsystemPorts& ports_of(const SubsystemSpec& subsystem) {
  return ports_of(static_cast<SubsystemKind>(subsystem.kind.index()));
}

SignalName split_signal(std::string_view text, const std::function<bool(std::string_view)>& known) {
  constexpr std::string_view opening = "der(";
  SignalName name;
  name.derivative = text.starts_with(opening) && text.ends_with(')');
  if (name.derivative) text = text.substr(opening.size(), text.size() - opening.size() - 1);
  std::size_t dot = text.find('.');
  for (std::size_t i = dot; i != std::string_view::npos; i = text.find('.', i + 1)) {
    if (known(text.substr(0, i))) dot = i;
  }
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return name;
  name.component = text.substr(0, dot);
  name.variable = text.substr(dot + 1);
  return name;
}

}  // namespace cosimo::config
