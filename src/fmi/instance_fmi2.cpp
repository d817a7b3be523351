// An instance of an FMU of FMI 2.0.
#include <fmt/format.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/error.hpp"
#include "fmi/file_uri.hpp"
#include "fmi/instance.hpp"

namespace cosimo::fmi {

namespace {

extern "C" void fmi2_log(fmi2ComponentEnvironment environment, fmi2String /*instance*/, fmi2Status status,
                         fmi2String /*category*/, fmi2String message, ...) {
  if (environment == nullptr || message == nullptr) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  static_cast<Instance*>(environment)->log(static_cast<int>(status), text);
}

class Instance2 final : public Instance {
 public:
  Instance2(std::shared_ptr<const Fmu> fmu, const std::string& name, CallName* shown)
      : Instance(std::move(fmu), name, shown), f_(fmu_->library->fmi2) {
    callbacks_ = {fmi2_log, std::calloc, std::free, nullptr, static_cast<Instance*>(this)};
    const Description& d = fmu_->description;
    const std::string resources = file_uri(fmu_->folder / "resources");
    enter("fmi2Instantiate");
    {
      const InUserCall inside(call_);
      component_ =
          f_.Instantiate(name_.c_str(), fmu_->use == Use::cosimulation ? fmi2CoSimulation : fmi2ModelExchange,
                         d.token.c_str(), resources.c_str(), &callbacks_, fmi2False, fmi2True);
    }
  }
  ~Instance2() override {
    if (component_ == nullptr || dead_) return;
    enter("fmi2FreeInstance");
    const InUserCall inside(call_);
    f_.FreeInstance(component_);
  }
  bool there() const { return component_ != nullptr; }

  Result set(const Channel& channel, std::span<const double> values) override {
    for (const Channel::Group& group : channel.groups()) {
      const double* from = values.data() + group.first;
      const std::uint32_t* references = group.references.data();
      Result result = Result::ok;
      if (group.type == Type::float64) {
        result = ask("fmi2SetReal", f_.SetReal, component_, references, group.values, from);
      } else {
        whole_.resize(group.values);
        for (std::size_t i = 0; i < group.values; ++i) whole_[i] = rounded<int>(from[i]);
        result =
            group.type == Type::boolean
                ? ask("fmi2SetBoolean", f_.SetBoolean, component_, references, group.values, whole_.data())
                : ask("fmi2SetInteger", f_.SetInteger, component_, references, group.values, whole_.data());
      }
      if (result != Result::ok) return result;
    }
    return Result::ok;
  }

  Result get(const Channel& channel, std::span<double> values) override {
    for (const Channel::Group& group : channel.groups()) {
      double* to = values.data() + group.first;
      const std::uint32_t* references = group.references.data();
      Result result = Result::ok;
      if (group.type == Type::float64) {
        result = ask("fmi2GetReal", f_.GetReal, component_, references, group.values, to);
      } else {
        whole_.resize(group.values);
        result =
            group.type == Type::boolean
                ? ask("fmi2GetBoolean", f_.GetBoolean, component_, references, group.values, whole_.data())
                : ask("fmi2GetInteger", f_.GetInteger, component_, references, group.values, whole_.data());
        for (std::size_t i = 0; i < group.values; ++i) to[i] = whole_[i];
      }
      if (result != Result::ok) return result;
    }
    return Result::ok;
  }

  Result set_text(const Variable& variable, std::span<const std::string> values) override {
    const fmi2String text = values[0].c_str();
    return ask("fmi2SetString", f_.SetString, component_, &variable.reference, std::size_t{1}, &text);
  }
  Result configure(bool) override { return Result::ok; }

  Result enter_initialisation(double start, double stop, double tolerance) override {
    const Result result =
        ask("fmi2SetupExperiment", f_.SetupExperiment, component_, tolerance > 0 ? fmi2True : fmi2False,
            tolerance, start, std::isfinite(stop) ? fmi2True : fmi2False, std::isfinite(stop) ? stop : 0.0);
    if (result != Result::ok) return result;
    return ask("fmi2EnterInitializationMode", f_.EnterInitializationMode, component_);
  }
  Result exit_initialisation() override {
    return ask("fmi2ExitInitializationMode", f_.ExitInitializationMode, component_);
  }

  Result save(RawState& state) override { return ask("fmi2GetFMUstate", f_.GetFMUstate, component_, &state); }
  Result restore(RawState state) override {
    return ask("fmi2SetFMUstate", f_.SetFMUstate, component_, state);
  }
  void release(RawState& state) override {
    if (state != nullptr) ask("fmi2FreeFMUstate", f_.FreeFMUstate, component_, &state);
    state = nullptr;
  }
  Result write(RawState state, std::vector<std::byte>& bytes) override {
    std::size_t size = 0;
    const Result result =
        ask("fmi2SerializedFMUstateSize", f_.SerializedFMUstateSize, component_, state, &size);
    if (result != Result::ok) return result;
    bytes.resize(size);
    return ask("fmi2SerializeFMUstate", f_.SerializeFMUstate, component_, state,
               reinterpret_cast<fmi2Byte*>(bytes.data()), size);
  }
  Result read(std::span<const std::byte> bytes, RawState& state) override {
    return ask("fmi2DeSerializeFMUstate", f_.DeSerializeFMUstate, component_,
               reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &state);
  }

  Result enter_events() override { return ask("fmi2EnterEventMode", f_.EnterEventMode, component_); }
  Result update_events(EventInfo& info, bool& again) override {
    fmi2EventInfo raw{};
    const Result result = ask("fmi2NewDiscreteStates", f_.NewDiscreteStates, component_, &raw);
    again = raw.newDiscreteStatesNeeded != fmi2False;
    info.terminate = info.terminate || raw.terminateSimulation != fmi2False;
    info.states_changed = info.states_changed || raw.valuesOfContinuousStatesChanged != fmi2False;
    info.nominals_changed = info.nominals_changed || raw.nominalsOfContinuousStatesChanged != fmi2False;
    info.next_time =
        raw.nextEventTimeDefined != fmi2False ? raw.nextEventTime : std::numeric_limits<double>::infinity();
    return result;
  }
  Result resume() override {
    if (fmu_->use == Use::cosimulation) return Result::ok;
    return ask("fmi2EnterContinuousTimeMode", f_.EnterContinuousTimeMode, component_);
  }

  Stepped do_step(double t, double h, bool keeps) override {
    Stepped out;
    out.result = ask("fmi2DoStep", f_.DoStep, component_, t, h, keeps ? fmi2True : fmi2False);
    out.reached = t + h;
    if (out.result != Result::discard) return out;
    out.reached = t;
    fmi2Real reached = t;
    fmi2Boolean ended = fmi2False;
    if (f_.GetRealStatus != nullptr && ask("fmi2GetRealStatus", f_.GetRealStatus, component_,
                                           fmi2LastSuccessfulTime, &reached) == Result::ok)
      out.reached = reached;
    if (f_.GetBooleanStatus != nullptr &&
        ask("fmi2GetBooleanStatus", f_.GetBooleanStatus, component_, fmi2Terminated, &ended) == Result::ok)
      out.terminate = ended != fmi2False;
    return out;
  }
  Result set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                               std::span<const double> values) override {
    return ask("fmi2SetRealInputDerivatives", f_.SetRealInputDerivatives, component_, references.data(),
               references.size(), orders.data(), values.data());
  }

  Result set_time(double t) override { return ask("fmi2SetTime", f_.SetTime, component_, t); }
  Result set_states(std::span<const double> z) override {
    return ask("fmi2SetContinuousStates", f_.SetContinuousStates, component_, z.data(), z.size());
  }
  Result get_states(std::span<double> z) override {
    return ask("fmi2GetContinuousStates", f_.GetContinuousStates, component_, z.data(), z.size());
  }
  Result derivatives(std::span<double> rates) override {
    return ask("fmi2GetDerivatives", f_.GetDerivatives, component_, rates.data(), rates.size());
  }
  Result indicators(std::span<double> g) override {
    return ask("fmi2GetEventIndicators", f_.GetEventIndicators, component_, g.data(), g.size());
  }
  Result nominals(std::span<double> values) override {
    return ask("fmi2GetNominalsOfContinuousStates", f_.GetNominalsOfContinuousStates, component_,
               values.data(), values.size());
  }
  Result completed_step(bool& event, bool& terminate) override {
    fmi2Boolean enter = fmi2False, end = fmi2False;
    const Result result = ask("fmi2CompletedIntegratorStep", f_.CompletedIntegratorStep, component_,
                              fmu_->abilities().get_set_state ? fmi2False : fmi2True, &enter, &end);
    event = enter != fmi2False;
    terminate = end != fmi2False;
    return result;
  }
  Result directional(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                     std::span<const double> seed, std::span<double> out) override {
    return ask("fmi2GetDirectionalDerivative", f_.GetDirectionalDerivative, component_, unknowns.data(),
               unknowns.size(), knowns.data(), knowns.size(), seed.data(), out.data());
  }

 private:
  const Fmi2Functions& f_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  std::vector<int> whole_;
};

}  // namespace

std::unique_ptr<Instance> instantiate_fmi2(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                           CallName* shown) {
  const std::string file = fmu->file;
  const std::string remedy =
      fmu->remedy("its model description may not belong to its binary (guid): export it again");
  auto instance = std::make_unique<Instance2>(std::move(fmu), name, shown);
  if (instance->there()) return instance;
  const std::string why = instance->complaint();
  throw Error(Fault{.file = file,
                    .value = name,
                    .problem = "the FMU refuses to be instantiated" + (why.empty() ? "" : ": " + why),
                    .remedy = remedy});
}

}  // namespace cosimo::fmi
