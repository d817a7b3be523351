// One instance of an FMU: the functions of the standard, the same for FMI 2.0 and 3.0.
//
//   auto instance = instantiate(fmu, name);
//   instance->set(channel, values);                             start values
//   instance->enter_initialisation(0, end, rtol);  ...  instance->exit_initialisation();
//   co-simulation:   do_step(t, h)
//   model exchange:  update_events(info); resume();  set_time, set_states, derivatives, ...
//
// It is used by one thread at a time. After a fatal error no function of the FMU is called any more.
#pragma once

#include <cxxabi.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/user_call.hpp"
#include "fmi/channel.hpp"
#include "fmi/fmu.hpp"

namespace cosimo::fmi {

/// What a call said. Warnings are fine.
enum class Result { ok, discard, error, fatal };

struct EventInfo {
  bool states_changed = false, nominals_changed = false, terminate = false;
  double next_time = std::numeric_limits<double>::infinity();
};

struct Stepped {
  Result result = Result::ok;
  double reached = 0;
  bool event = false;      ///< FMI 3: event mode has to be entered there
  bool terminate = false;  ///< the FMU wants the simulation to end
};

/// A state inside an FMU, as the FMU hands it out.
using RawState = void*;

/// The function that an instance is in, where others can see it (fmi/shared_calls.hpp).
using CallName = char[48];

class Instance {
 public:
  explicit Instance(std::shared_ptr<const Fmu> fmu, std::string name, CallName* shown = nullptr)
      : fmu_(std::move(fmu)), name_(std::move(name)), shown_(shown) {
    call_ = {fmu_->file.c_str(), name_.c_str(), "", "subsystem"};
  }
  virtual ~Instance() = default;
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Fmu& fmu() const { return *fmu_; }
  /// Which function the last failure came from and what the FMU logged about it.
  virtual std::string complaint() const;
  bool dead() const { return dead_; }
  /// It ended, with its process, of its own accord or because it did not come back.
  virtual bool gone() const { return false; }

  virtual Result set(const Channel& channel, std::span<const double> values) = 0;
  virtual Result get(const Channel& channel, std::span<double> values) = 0;
  /// A string, or bytes.
  virtual Result set_text(const Variable& variable, std::span<const std::string> values) = 0;
  /// Between these two structural parameters are set (FMI 3).
  virtual Result configure(bool begin) = 0;
  virtual Result enter_initialisation(double start, double stop, double tolerance) = 0;
  virtual Result exit_initialisation() = 0;

  virtual Result save(RawState& state) = 0;  ///< into memory of an earlier state, or null
  virtual Result restore(RawState state) = 0;
  virtual void release(RawState& state) = 0;
  virtual Result write(RawState state, std::vector<std::byte>& bytes) = 0;
  virtual Result read(std::span<const std::byte> bytes, RawState& state) = 0;

  virtual Result enter_events() = 0;
  /// One round; `again`: another is needed.
  virtual Result update_events(EventInfo& info, bool& again) = 0;
  virtual Result resume() = 0;  ///< continuous time, or steps

  /// Co-simulation. `inputs` is called with an instant where the FMU lets inputs be set on its way.
  virtual Stepped do_step(double t, double h, bool keeps) = 0;
  virtual Result set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                                       std::span<const double> values) = 0;
  std::function<void(double)> on_the_way;

  /// Model exchange.
  virtual Result set_time(double t) = 0;
  virtual Result set_states(std::span<const double> z) = 0;
  virtual Result get_states(std::span<double> z) = 0;
  virtual Result derivatives(std::span<double> rates) = 0;
  virtual Result indicators(std::span<double> g) = 0;
  virtual Result nominals(std::span<double> values) = 0;
  virtual Result completed_step(bool& event, bool& terminate) = 0;
  /// d(unknowns) = J seed for the knowns.
  virtual Result directional(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                             std::span<const double> seed, std::span<double> out) = 0;

  /// What the FMU logs. `status`: of the standard.
  void log(int status, std::string_view message);

 protected:
  /// Calls a function, which may be missing, and judges what it returns.
  template <class Function, class... Arguments>
  Result ask(const char* name, Function* function, Arguments... arguments);

  /// A call is about to begin.
  void enter(const char* function) {
    call_.function = function;
    if (shown_ != nullptr) std::strncpy(*shown_, function, sizeof *shown_ - 1);
  }

  std::shared_ptr<const Fmu> fmu_;
  std::string name_;
  UserCall call_;
  bool dead_ = false;

 private:
  Result judge(const char* name, int status);

  CallName* shown_;

  const char* failed_in_ = "";
  std::string logged_;
};

template <class Function, class... Arguments>
Result Instance::ask(const char* name, Function* function, Arguments... arguments) {
  if (dead_) return Result::fatal;
  if (function == nullptr) return judge(name, -1);
  enter(name);
  const InUserCall inside(call_);
  try {
    return judge(name, static_cast<int>(function(arguments...)));
  } catch (const std::exception& error) {  // of a binary in C++
    log(4, error.what());
    return judge(name, 4);
  } catch (const abi::__forced_unwind&) {  // the thread ends
    throw;
  } catch (...) {
    log(4, "it threw an exception");
    return judge(name, 4);
  }
}

/// The nearest whole number that the type has; 0 for what is no number.
template <class Whole>
Whole rounded(double x) {
  using Limits = std::numeric_limits<Whole>;
  if (!(x > static_cast<double>(Limits::min()))) return x != x ? Whole{0} : Limits::min();
  if (x >= static_cast<double>(Limits::max())) return Limits::max();
  return static_cast<Whole>(std::nearbyint(x));
}

/// What is to be told of a failure.
std::string story_of(const Instance& instance, Result result);

/// In this process. `shown`: told which function it is in. Throws Error when the FMU refuses.
std::unique_ptr<Instance> instantiate(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                      CallName* shown = nullptr);
std::unique_ptr<Instance> instantiate_fmi2(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                           CallName* shown);
std::unique_ptr<Instance> instantiate_fmi3(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                           CallName* shown);

}  // namespace cosimo::fmi
