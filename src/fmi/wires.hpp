// The connected signals of an FMU and the variables behind them. Only variables with a connection are set or
// asked for; of an array that is connected in part the rest keeps its start values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fmi/channel.hpp"
#include "fmi/ports.hpp"
#include "native/signal_component.hpp"

namespace cosimo::fmi {

struct Wires {
  SignalEnds ends;
  Channel inputs, outputs;
  std::vector<std::size_t> input_place,
      output_place;                            ///< of every connected signal, among the channel's values
  std::vector<std::uint32_t> input_reference;  ///< of its variable
  std::vector<std::uint8_t> held;              ///< per connected input: it does not change within a step
  std::vector<std::uint8_t> rounded;           ///< likewise: its values are whole numbers
  bool feeds = false;

  Wires(const Description& description, const Ports& ports, SignalEnds given) : ends(std::move(given)) {
    const auto wire = [&](const std::vector<std::size_t>& numbers, const std::vector<Ports::Slot>& slots,
                          Channel& channel, std::vector<std::size_t>& places) {
      std::vector<std::size_t> variables;
      variables.reserve(numbers.size());
      for (const std::size_t number : numbers) variables.push_back(slots[number].variable);
      std::sort(variables.begin(), variables.end());
      variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
      channel = Channel(description, variables);
      for (const std::size_t number : numbers) {
        const auto [variable, element] = slots[number];
        const auto k = std::lower_bound(variables.begin(), variables.end(), variable) - variables.begin();
        places.push_back(channel.place(static_cast<std::size_t>(k)) + element);
      }
    };
    wire(ends.input_number, ports.input_slots, inputs, input_place);
    wire(ends.output_number, ports.output_slots, outputs, output_place);
    for (const std::size_t number : ends.input_number) {
      const Variable& variable = description.variables[ports.input_slots[number].variable];
      input_reference.push_back(variable.reference);
      held.push_back(variable.held() || !is_real(variable.type) ? 1 : 0);
      rounded.push_back(is_real(variable.type) ? 0 : 1);
    }
    for (const std::size_t input : ends.input_number)
      for (const std::size_t output : ends.output_number)
        feeds = feeds || ports.feeds(description, input, output);
  }
};

}  // namespace cosimo::fmi
