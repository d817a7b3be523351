// An instance of an FMU of FMI 3.0.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "fmi/instance.hpp"

namespace cosimo::fmi {

namespace {

extern "C" void fmi3_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String /*category*/,
                         fmi3String message) {
  if (environment != nullptr && message != nullptr)
    static_cast<Instance*>(environment)->log(static_cast<int>(status), message);
}

extern "C" void fmi3_on_the_way(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                fmi3Boolean set_requested, fmi3Boolean /*get_allowed*/,
                                fmi3Boolean /*step_finished*/, fmi3Boolean /*can_return_early*/,
                                fmi3Boolean* early_return_requested, fmi3Float64* /*early_return_time*/) {
  if (early_return_requested != nullptr) *early_return_requested = false;
  if (environment == nullptr || !set_requested) return;
  const Instance& instance = *static_cast<Instance*>(environment);
  if (instance.on_the_way) instance.on_the_way(time);
}

/// Numbers of one type, in a buffer that `scratch` provides.
template <class Value, class Set>
Result set_as(Set&& set, const double* from, std::size_t count, std::vector<std::uint64_t>& scratch) {
  scratch.resize((count * sizeof(Value) + 7) / 8);
  Value* values = reinterpret_cast<Value*>(scratch.data());
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<Value, bool>)
      values[i] = from[i] != 0;
    else if constexpr (std::is_floating_point_v<Value>)
      values[i] = static_cast<Value>(from[i]);
    else
      values[i] = rounded<Value>(from[i]);
  }
  return set(static_cast<const Value*>(values));
}

template <class Value, class Get>
Result get_as(Get&& get, double* to, std::size_t count, std::vector<std::uint64_t>& scratch) {
  scratch.resize((count * sizeof(Value) + 7) / 8);
  Value* values = reinterpret_cast<Value*>(scratch.data());
  const Result result = get(values);
  for (std::size_t i = 0; i < count && result == Result::ok; ++i) to[i] = static_cast<double>(values[i]);
  return result;
}

class Instance3 final : public Instance {
 public:
  Instance3(std::shared_ptr<const Fmu> fmu, const std::string& name, CallName* shown)
      : Instance(std::move(fmu), name, shown), f_(fmu_->library->fmi3) {
    const Description& d = fmu_->description;
    const std::string resources = (fmu_->folder / "resources").string() + "/";
    const auto environment = static_cast<fmi3InstanceEnvironment>(static_cast<Instance*>(this));
    const Abilities& abilities = fmu_->abilities();
    std::vector<std::uint32_t> inputs;
    if (abilities.intermediate_update)
      for (const Variable& each : d.variables)
        if (each.causality == Causality::input && is_real(each.type)) inputs.push_back(each.reference);
    enter("fmi3Instantiate");
    const InUserCall inside(call_);
    if (fmu_->use == Use::cosimulation)
      // Without the power to go back to before it, an event is the FMU's own business.
      instance_ = f_.InstantiateCoSimulation(name_.c_str(), d.token.c_str(), resources.c_str(), false, true,
                                             uses_event_mode(), uses_event_mode(), inputs.data(),
                                             inputs.size(), environment, fmi3_log,
                                             abilities.intermediate_update ? fmi3_on_the_way : nullptr);
    else
      instance_ = f_.InstantiateModelExchange(name_.c_str(), d.token.c_str(), resources.c_str(), false, true,
                                              environment, fmi3_log);
  }
  ~Instance3() override {
    if (instance_ == nullptr || dead_) return;
    enter("fmi3FreeInstance");
    const InUserCall inside(call_);
    f_.FreeInstance(instance_);
  }
  bool there() const { return instance_ != nullptr; }

  Result set(const Channel& channel, std::span<const double> values) override {
    for (const Channel::Group& group : channel.groups())
      if (const Result result = set_group(group, values.data() + group.first); result != Result::ok)
        return result;
    return Result::ok;
  }
  Result get(const Channel& channel, std::span<double> values) override {
    for (const Channel::Group& group : channel.groups())
      if (const Result result = get_group(group, values.data() + group.first); result != Result::ok)
        return result;
    return Result::ok;
  }

  Result set_text(const Variable& variable, std::span<const std::string> values) override {
    std::vector<const char*> texts;
    std::vector<const fmi3Byte*> bytes;
    std::vector<std::size_t> sizes;
    for (const std::string& each : values) {
      texts.push_back(each.c_str());
      bytes.push_back(reinterpret_cast<const fmi3Byte*>(each.data()));
      sizes.push_back(each.size());
    }
    if (variable.type == Type::string)
      return ask("fmi3SetString", f_.SetString, instance_, &variable.reference, std::size_t{1}, texts.data(),
                 texts.size());
    return ask("fmi3SetBinary", f_.SetBinary, instance_, &variable.reference, std::size_t{1}, sizes.data(),
               bytes.data(), bytes.size());
  }
  Result configure(bool begin) override {
    return begin ? ask("fmi3EnterConfigurationMode", f_.EnterConfigurationMode, instance_)
                 : ask("fmi3ExitConfigurationMode", f_.ExitConfigurationMode, instance_);
  }

  Result enter_initialisation(double start, double stop, double tolerance) override {
    return ask("fmi3EnterInitializationMode", f_.EnterInitializationMode, instance_, tolerance > 0, tolerance,
               start, std::isfinite(stop), std::isfinite(stop) ? stop : 0.0);
  }
  Result exit_initialisation() override {
    return ask("fmi3ExitInitializationMode", f_.ExitInitializationMode, instance_);
  }

  Result save(RawState& state) override { return ask("fmi3GetFMUState", f_.GetFMUState, instance_, &state); }
  Result restore(RawState state) override { return ask("fmi3SetFMUState", f_.SetFMUState, instance_, state); }
  void release(RawState& state) override {
    if (state != nullptr) ask("fmi3FreeFMUState", f_.FreeFMUState, instance_, &state);
    state = nullptr;
  }
  Result write(RawState state, std::vector<std::byte>& bytes) override {
    std::size_t size = 0;
    const Result result =
        ask("fmi3SerializedFMUStateSize", f_.SerializedFMUStateSize, instance_, state, &size);
    if (result != Result::ok) return result;
    bytes.resize(size);
    return ask("fmi3SerializeFMUState", f_.SerializeFMUState, instance_, state,
               reinterpret_cast<fmi3Byte*>(bytes.data()), size);
  }
  Result read(std::span<const std::byte> bytes, RawState& state) override {
    return ask("fmi3DeserializeFMUState", f_.DeserializeFMUState, instance_,
               reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state);
  }

  Result enter_events() override { return ask("fmi3EnterEventMode", f_.EnterEventMode, instance_); }
  Result update_events(EventInfo& info, bool& again) override {
    bool terminate = false, nominals = false, values = false, defined = false;
    double next = 0;
    const Result result = ask("fmi3UpdateDiscreteStates", f_.UpdateDiscreteStates, instance_, &again,
                              &terminate, &nominals, &values, &defined, &next);
    info.terminate = info.terminate || terminate;
    info.states_changed = info.states_changed || values;
    info.nominals_changed = info.nominals_changed || nominals;
    info.next_time = defined ? next : std::numeric_limits<double>::infinity();
    return result;
  }
  Result resume() override {
    return fmu_->use == Use::cosimulation
               ? ask("fmi3EnterStepMode", f_.EnterStepMode, instance_)
               : ask("fmi3EnterContinuousTimeMode", f_.EnterContinuousTimeMode, instance_);
  }

  Stepped do_step(double t, double h, bool keeps) override {
    Stepped out;
    bool early = false;
    out.reached = t + h;
    double reached = t;
    out.result =
        ask("fmi3DoStep", f_.DoStep, instance_, t, h, keeps, &out.event, &out.terminate, &early, &reached);
    if (early || out.result != Result::ok) out.reached = reached;
    return out;
  }
  Result set_input_derivatives(std::span<const std::uint32_t>, std::span<const int>,
                               std::span<const double>) override {
    return Result::ok;  // FMI 3 has none
  }

  Result set_time(double t) override { return ask("fmi3SetTime", f_.SetTime, instance_, t); }
  Result set_states(std::span<const double> z) override {
    return ask("fmi3SetContinuousStates", f_.SetContinuousStates, instance_, z.data(), z.size());
  }
  Result get_states(std::span<double> z) override {
    return ask("fmi3GetContinuousStates", f_.GetContinuousStates, instance_, z.data(), z.size());
  }
  Result derivatives(std::span<double> rates) override {
    return ask("fmi3GetContinuousStateDerivatives", f_.GetContinuousStateDerivatives, instance_, rates.data(),
               rates.size());
  }
  Result indicators(std::span<double> g) override {
    return ask("fmi3GetEventIndicators", f_.GetEventIndicators, instance_, g.data(), g.size());
  }
  Result nominals(std::span<double> values) override {
    return ask("fmi3GetNominalsOfContinuousStates", f_.GetNominalsOfContinuousStates, instance_,
               values.data(), values.size());
  }
  Result completed_step(bool& event, bool& terminate) override {
    return ask("fmi3CompletedIntegratorStep", f_.CompletedIntegratorStep, instance_,
               !fmu_->abilities().get_set_state, &event, &terminate);
  }
  Result directional(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                     std::span<const double> seed, std::span<double> out) override {
    return ask("fmi3GetDirectionalDerivative", f_.GetDirectionalDerivative, instance_, unknowns.data(),
               unknowns.size(), knowns.data(), knowns.size(), seed.data(), seed.size(), out.data(),
               out.size());
  }

 private:
  bool uses_event_mode() const {
    const Abilities& abilities = fmu_->abilities();
    return abilities.event_mode && abilities.get_set_state;
  }

  template <class Value, class Function>
  Result set_typed(const char* name, Function* function, const Channel::Group& group, const double* from) {
    return set_as<Value>(
        [&](const Value* values) {
          return ask(name, function, instance_, group.references.data(), group.references.size(), values,
                     group.values);
        },
        from, group.values, scratch_);
  }
  template <class Value, class Function>
  Result get_typed(const char* name, Function* function, const Channel::Group& group, double* to) {
    return get_as<Value>(
        [&](Value* values) {
          return ask(name, function, instance_, group.references.data(), group.references.size(), values,
                     group.values);
        },
        to, group.values, scratch_);
  }

#define COSIMO_TYPED(access, target)                                                                    \
  switch (group.type) {                                                                                 \
    case Type::float32:                                                                                 \
      return access##_typed<float>("fmi3" #target "Float32", f_.target##Float32, group, numbers);       \
    case Type::int8:                                                                                    \
      return access##_typed<std::int8_t>("fmi3" #target "Int8", f_.target##Int8, group, numbers);       \
    case Type::uint8:                                                                                   \
      return access##_typed<std::uint8_t>("fmi3" #target "UInt8", f_.target##UInt8, group, numbers);    \
    case Type::int16:                                                                                   \
      return access##_typed<std::int16_t>("fmi3" #target "Int16", f_.target##Int16, group, numbers);    \
    case Type::uint16:                                                                                  \
      return access##_typed<std::uint16_t>("fmi3" #target "UInt16", f_.target##UInt16, group, numbers); \
    case Type::int32:                                                                                   \
      return access##_typed<std::int32_t>("fmi3" #target "Int32", f_.target##Int32, group, numbers);    \
    case Type::uint32:                                                                                  \
      return access##_typed<std::uint32_t>("fmi3" #target "UInt32", f_.target##UInt32, group, numbers); \
    case Type::int64:                                                                                   \
    case Type::enumeration:                                                                             \
      return access##_typed<std::int64_t>("fmi3" #target "Int64", f_.target##Int64, group, numbers);    \
    case Type::uint64:                                                                                  \
      return access##_typed<std::uint64_t>("fmi3" #target "UInt64", f_.target##UInt64, group, numbers); \
    case Type::boolean:                                                                                 \
      return access##_typed<bool>("fmi3" #target "Boolean", f_.target##Boolean, group, numbers);        \
    default:                                                                                            \
      break;                                                                                            \
  }

  Result set_group(const Channel::Group& group, const double* numbers) {
    COSIMO_TYPED(set, Set)
    return ask("fmi3SetFloat64", f_.SetFloat64, instance_, group.references.data(), group.references.size(),
               numbers, group.values);
  }
  Result get_group(const Channel::Group& group, double* numbers) {
    COSIMO_TYPED(get, Get)
    return ask("fmi3GetFloat64", f_.GetFloat64, instance_, group.references.data(), group.references.size(),
               numbers, group.values);
  }
#undef COSIMO_TYPED

  const Fmi3Functions& f_;
  fmi3Instance instance_ = nullptr;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace

std::unique_ptr<Instance> instantiate_fmi3(std::shared_ptr<const Fmu> fmu, const std::string& name,
                                           CallName* shown) {
  const std::string file = fmu->file;
  const std::string remedy =
      fmu->remedy("its model description may not belong to its binary (instantiationToken): export it again");
  auto instance = std::make_unique<Instance3>(std::move(fmu), name, shown);
  if (instance->there()) return instance;
  const std::string why = instance->complaint();
  throw Error(Fault{.file = file,
                    .value = name,
                    .problem = "the FMU refuses to be instantiated" + (why.empty() ? "" : ": " + why),
                    .remedy = remedy});
}

}  // namespace cosimo::fmi
