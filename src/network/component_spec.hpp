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
  bool judged = true;     ///< of an input: an error there matters to somebody
  bool held = false;      ///< of an output: it changes at macro points only
};

/// What a component may lack. Schemes and controls that need it are refused in words.
struct Capabilities {
  bool goes_back = true;  ///< steps can be taken back (Component::goes_back())
  bool any_step = true;   ///< macro steps may have any size, from step to step
  bool archives = true;   ///< its state can be part of a checkpoint
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
  virtual Capabilities capabilities() const { return {}; }
  /// Outputs that nobody takes are part of the results all the same.
  virtual bool records() const { return false; }
  /// Of components with the same text here there may be one; empty: any number.
  virtual std::string only_once() const { return {}; }
  /// Number `id` of the components that `interface` joins.
  virtual std::unique_ptr<Component> make(const Interface& interface, PartId id) const = 0;
};

}  // namespace cosimo
