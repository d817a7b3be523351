// A component before it is known what it will be connected to: its name, what it takes and gives, and how to
// make it when the couplings are there. A new kind of component is a new class of these, handed to the
// assembly (simulation/connect.hpp); nothing else has to know of it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "network/component.hpp"
#include "network/interface.hpp"

namespace cosimo {

/// An input or output that signals may end or begin at.
struct SignalPort {
  std::string name;
  double nominal = 1;     ///< of an output: what counts as an ordinary value
  bool required = false;  ///< of an input: it has no value of its own
};

class ComponentSpec {
 public:
  virtual ~ComponentSpec() = default;

  virtual const std::string& name() const = 0;
  /// "pid", "lag": for reports.
  virtual std::string kind() const = 0;
  virtual std::span<const SignalPort> inputs() const = 0;
  virtual std::span<const SignalPort> outputs() const = 0;
  /// The output depends on the input at once, without a state in between.
  virtual bool feeds(std::size_t /*input*/, std::size_t /*output*/) const { return false; }
  /// By how much the output may change, sooner or later, per unit of the input: errors of the output below
  /// what tolerable errors of the input make of it do not matter. Zero: not known.
  virtual double gain(std::size_t /*input*/, std::size_t /*output*/) const { return 0; }
  /// What may be expected of an input until `end`; zero: not known. It says how large a motion is that is
  /// measured there, when nothing has moved yet.
  virtual double expected(std::size_t /*input*/, double /*end*/) const { return 0; }
  /// Its events make outputs jump.
  virtual bool ends_early() const { return false; }
  /// Number `id` of the components that `interface` joins.
  virtual std::unique_ptr<Component> make(const Interface& interface, PartId id) const = 0;
};

}  // namespace cosimo
