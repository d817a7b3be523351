// The functions of FMI 3.0 for co-simulation that an exported FMU offers, and the others of the standard,
// which say that they do not work: importers look for them all. No exception leaves a function.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "exporting/fmi3_instance.hpp"
#include "exporting/resources.hpp"
#include "exporting/state_functions.hpp"

namespace {

using namespace cosimo::exporting;

fmi3Status none_of(fmi3Instance given, size_t n, const char* type) {
  if (n == 0) return given == nullptr ? fmi3Error : fmi3OK;
  return refuse(given, (std::string("the FMU has no variables of the type ") + type).c_str());
}

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

EXPORTED const char* fmi3GetVersion(void) {
  return "3.0";
}

EXPORTED fmi3Status fmi3SetDebugLogging(fmi3Instance f, fmi3Boolean on, size_t, const fmi3String[]) {
  return guarded(f, [&](Fmu3& fmu, Instance&) {
    fmu.logging = on;
    return fmi3OK;
  });
}

EXPORTED fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed, const fmi3ValueReference[], size_t,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3IntermediateUpdateCallback) {
  return made([&](Fmu3& fmu) {
    fmu.environment = environment;
    fmu.logger = logger;
    fmu.logging = logging;
    fmu.early_return = early_return_allowed;
    Manifest manifest = read_manifest(path_of(resources));
    const char* why = nullptr;
    if (token == nullptr || manifest.token != token) why = "the instantiationToken is that of another FMU";
    if (name == nullptr || *name == '\0') why = "an instance needs a name";
    if (event_mode_used) why = "the FMU has no event mode";
    if (why != nullptr) throw std::invalid_argument(why);
    fmu.instance =
        std::make_unique<Instance>(std::move(manifest), path_of(resources),
                                   [&fmu](const std::string& text) { fmu.log(fmi3OK, "logAll", text); });
  });
}

EXPORTED void fmi3FreeInstance(fmi3Instance f) {
  delete static_cast<Fmu3*>(f);
}

EXPORTED fmi3Status fmi3EnterInitializationMode(fmi3Instance f, fmi3Boolean tolerance_defined,
                                                fmi3Float64 tolerance, fmi3Float64 start,
                                                fmi3Boolean stop_defined, fmi3Float64 stop) {
  if (start != 0) return refuse(f, "the model begins at t = 0: give startTime 0");
  return guarded(f, [&](Fmu3&, Instance& instance) {
    Experiment experiment;
    if (tolerance_defined) experiment.tolerance = tolerance;
    if (stop_defined) experiment.stop = stop;
    instance.begin(experiment);
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3ExitInitializationMode(fmi3Instance f) {
  return guarded(f, [](Fmu3&, Instance& instance) {
    instance.start();
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3Terminate(fmi3Instance f) {
  return guarded(f, [](Fmu3&, Instance& instance) {
    instance.end();
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3Reset(fmi3Instance f) {
  return guarded(f, [](Fmu3&, Instance& instance) {
    instance.reset();
    return fmi3OK;
  });
}

EXPORTED fmi3Status fmi3GetFloat64(fmi3Instance f, const fmi3ValueReference references[], size_t n,
                                   fmi3Float64 values[], size_t n_values) {
  if (n != n_values) return refuse(f, "every variable has one value");
  return guarded(f, [&](Fmu3&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) values[i] = instance.get(references[i]);
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3SetFloat64(fmi3Instance f, const fmi3ValueReference references[], size_t n,
                                   const fmi3Float64 values[], size_t n_values) {
  if (n != n_values) return refuse(f, "every variable has one value");
  return guarded(f, [&](Fmu3&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) instance.set(references[i], values[i]);
    return fmi3OK;
  });
}

#define COSIMO_NO_VARIABLES(Name, Value)                                                                     \
  EXPORTED fmi3Status fmi3Get##Name(fmi3Instance f, const fmi3ValueReference[], size_t n, Value[], size_t) { \
    return none_of(f, n, #Name);                                                                             \
  }                                                                                                          \
  EXPORTED fmi3Status fmi3Set##Name(fmi3Instance f, const fmi3ValueReference[], size_t n, const Value[],     \
                                    size_t) {                                                                \
    return none_of(f, n, #Name);                                                                             \
  }
COSIMO_NO_VARIABLES(Float32, fmi3Float32)
COSIMO_NO_VARIABLES(Int8, fmi3Int8)
COSIMO_NO_VARIABLES(UInt8, fmi3UInt8)
COSIMO_NO_VARIABLES(Int16, fmi3Int16)
COSIMO_NO_VARIABLES(UInt16, fmi3UInt16)
COSIMO_NO_VARIABLES(Int32, fmi3Int32)
COSIMO_NO_VARIABLES(UInt32, fmi3UInt32)
COSIMO_NO_VARIABLES(Int64, fmi3Int64)
COSIMO_NO_VARIABLES(UInt64, fmi3UInt64)
COSIMO_NO_VARIABLES(Boolean, fmi3Boolean)
COSIMO_NO_VARIABLES(String, fmi3String)
#undef COSIMO_NO_VARIABLES
EXPORTED fmi3Status fmi3GetBinary(fmi3Instance f, const fmi3ValueReference[], size_t n, size_t[],
                                  fmi3Binary[], size_t) {
  return none_of(f, n, "Binary");
}
EXPORTED fmi3Status fmi3SetBinary(fmi3Instance f, const fmi3ValueReference[], size_t n, const size_t[],
                                  const fmi3Binary[], size_t) {
  return none_of(f, n, "Binary");
}

EXPORTED fmi3Status fmi3GetFMUState(fmi3Instance f, fmi3FMUState* state) {
  return guarded(f, [&](Fmu3&, Instance& instance) {
    keep(instance.save(), state);
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3SetFMUState(fmi3Instance f, fmi3FMUState state) {
  return guarded(f, [&](Fmu3&, Instance& instance) {
    instance.restore(state_at(state));
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  free_state(state);
  return fmi3OK;
}
EXPORTED fmi3Status fmi3SerializedFMUStateSize(fmi3Instance f, fmi3FMUState state, size_t* size) {
  return guarded(f, [&](Fmu3&, Instance& instance) {
    *size = serialised_size(instance, state);
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3SerializeFMUState(fmi3Instance f, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return guarded(f, [&](Fmu3&, Instance& instance) {
    serialise(instance, state, bytes, size);
    return fmi3OK;
  });
}
EXPORTED fmi3Status fmi3DeserializeFMUState(fmi3Instance f, const fmi3Byte bytes[], size_t size,
                                            fmi3FMUState* state) {
  return guarded(f, [&](Fmu3&, Instance& instance) {
    deserialise(instance, bytes, size, state);
    return fmi3OK;
  });
}

EXPORTED fmi3Status fmi3GetOutputDerivatives(fmi3Instance f, const fmi3ValueReference references[], size_t n,
                                             const fmi3Int32 orders[], fmi3Float64 values[],
                                             size_t n_values) {
  if (n != n_values) return refuse(f, "every variable has one value");
  for (size_t i = 0; i < n; ++i)
    if (orders[i] != 1) return refuse(f, "outputs have first derivatives only");
  return guarded(f, [&](Fmu3&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) values[i] = instance.rate(references[i]);
    return fmi3OK;
  });
}

/// A step that fails ends where it came to; importers that allow it hear of that as of an early return.
EXPORTED fmi3Status fmi3DoStep(fmi3Instance f, fmi3Float64 t, fmi3Float64 size, fmi3Boolean,
                               fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                               fmi3Float64* last_successful_time) {
  return guarded(f, [&](Fmu3& fmu, Instance& instance) {
    *event_needed = *terminate = *early_return = false;
    *last_successful_time = instance.time();
    const Step step = instance.step(t, size);
    *last_successful_time = step.reached;
    if (step.ok) return fmi3OK;
    *early_return = fmu.early_return && step.reached > t;
    const fmi3Status status = *early_return ? fmi3Warning : fmi3Discard;
    fmu.log(status, *early_return ? "logStatusWarning" : "logStatusDiscard", step.reason);
    return status;
  });
}

// What this FMU is not or has not.
EXPORTED fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                   fmi3Boolean, fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback logger) {
  if (logger != nullptr)
    logger(environment, fmi3Error, "logStatusError", "the FMU is for co-simulation only");
  return nullptr;
}
EXPORTED fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                                        fmi3Boolean, fmi3InstanceEnvironment environment,
                                                        fmi3LogMessageCallback logger, void*, void*, void*) {
  if (logger != nullptr)
    logger(environment, fmi3Error, "logStatusError", "the FMU is for co-simulation only");
  return nullptr;
}

#define COSIMO_WITHOUT(Name, why, ...)                            \
  EXPORTED fmi3Status fmi3##Name(fmi3Instance f, ##__VA_ARGS__) { \
    return refuse(f, why);                                        \
  }
using References = const fmi3ValueReference*;
using Numbers = fmi3Float64*;
COSIMO_WITHOUT(EnterEventMode, "the FMU has no event mode")
COSIMO_WITHOUT(EnterStepMode, "the FMU has no event mode")
COSIMO_WITHOUT(EvaluateDiscreteStates, "the FMU has no event mode")
COSIMO_WITHOUT(UpdateDiscreteStates, "the FMU has no event mode", fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
               fmi3Boolean*, fmi3Boolean*, Numbers)
COSIMO_WITHOUT(EnterConfigurationMode, "the FMU has no structural parameters")
COSIMO_WITHOUT(ExitConfigurationMode, "the FMU has no structural parameters")
COSIMO_WITHOUT(GetNumberOfVariableDependencies, "the FMU does not know element-wise dependencies",
               fmi3ValueReference, size_t*)
COSIMO_WITHOUT(GetVariableDependencies, "the FMU does not know element-wise dependencies", fmi3ValueReference,
               size_t*, fmi3ValueReference*, size_t*, void*, size_t)
COSIMO_WITHOUT(GetDirectionalDerivative, "the FMU has no directional derivatives", References, size_t,
               References, size_t, const fmi3Float64*, size_t, Numbers, size_t)
COSIMO_WITHOUT(GetAdjointDerivative, "the FMU has no adjoint derivatives", References, size_t, References,
               size_t, const fmi3Float64*, size_t, Numbers, size_t)
COSIMO_WITHOUT(GetClock, "the FMU has no clocks", References, size_t, bool*)
COSIMO_WITHOUT(SetClock, "the FMU has no clocks", References, size_t, const bool*)
COSIMO_WITHOUT(GetIntervalDecimal, "the FMU has no clocks", References, size_t, Numbers, int*)
COSIMO_WITHOUT(GetIntervalFraction, "the FMU has no clocks", References, size_t, fmi3UInt64*, fmi3UInt64*,
               int*)
COSIMO_WITHOUT(GetShiftDecimal, "the FMU has no clocks", References, size_t, Numbers)
COSIMO_WITHOUT(GetShiftFraction, "the FMU has no clocks", References, size_t, fmi3UInt64*, fmi3UInt64*)
COSIMO_WITHOUT(SetIntervalDecimal, "the FMU has no clocks", References, size_t, const fmi3Float64*)
COSIMO_WITHOUT(SetIntervalFraction, "the FMU has no clocks", References, size_t, const fmi3UInt64*,
               const fmi3UInt64*)
COSIMO_WITHOUT(SetShiftDecimal, "the FMU has no clocks", References, size_t, const fmi3Float64*)
COSIMO_WITHOUT(SetShiftFraction, "the FMU has no clocks", References, size_t, const fmi3UInt64*,
               const fmi3UInt64*)
COSIMO_WITHOUT(ActivateModelPartition, "the FMU has no clocks", fmi3ValueReference, fmi3Float64)
COSIMO_WITHOUT(EnterContinuousTimeMode, "the FMU is for co-simulation only")
COSIMO_WITHOUT(CompletedIntegratorStep, "the FMU is for co-simulation only", fmi3Boolean, fmi3Boolean*,
               fmi3Boolean*)
COSIMO_WITHOUT(SetTime, "the FMU is for co-simulation only", fmi3Float64)
COSIMO_WITHOUT(SetContinuousStates, "the FMU is for co-simulation only", const fmi3Float64*, size_t)
COSIMO_WITHOUT(GetContinuousStateDerivatives, "the FMU is for co-simulation only", Numbers, size_t)
COSIMO_WITHOUT(GetEventIndicators, "the FMU is for co-simulation only", Numbers, size_t)
COSIMO_WITHOUT(GetContinuousStates, "the FMU is for co-simulation only", Numbers, size_t)
COSIMO_WITHOUT(GetNominalsOfContinuousStates, "the FMU is for co-simulation only", Numbers, size_t)
COSIMO_WITHOUT(GetNumberOfEventIndicators, "the FMU is for co-simulation only", size_t*)
COSIMO_WITHOUT(GetNumberOfContinuousStates, "the FMU is for co-simulation only", size_t*)
#undef COSIMO_WITHOUT

}  // extern "C"
