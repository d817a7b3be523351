// The functions of FMI 2.0 for co-simulation that an exported FMU offers. No exception leaves them.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "exporting/fmi2_instance.hpp"
#include "exporting/resources.hpp"
#include "exporting/state_functions.hpp"

namespace {

using namespace cosimo::exporting;

template <class Value>
fmi2Status none_of(fmi2Component component, size_t n, const char* type) {
  return guarded(component, [&](Fmu2& fmu, Instance&) {
    if (n == 0) return fmi2OK;
    fmu.log(fmi2Error, "logStatusError", std::string("the FMU has no variables of the type ") + type);
    return fmi2Error;
  });
}

fmi2Status no_status(fmi2Component component) {
  return guarded(component, [](Fmu2& fmu, Instance&) {
    fmu.log(fmi2Discard, "logStatusDiscard", "a step is over when fmi2DoStep returns");
    return fmi2Discard;
  });
}

}  // namespace

#define EXPORTED __attribute__((visibility("default")))

extern "C" {

EXPORTED const char* fmi2GetTypesPlatform(void) {
  return "default";
}
EXPORTED const char* fmi2GetVersion(void) {
  return "2.0";
}

EXPORTED fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t, const fmi2String[]) {
  return guarded(c, [&](Fmu2& fmu, Instance&) {
    fmu.logging = on != fmi2False;
    return fmi2OK;
  });
}

EXPORTED fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                       const fmi2CallbackFunctions* callbacks, fmi2Boolean,
                                       fmi2Boolean logging) {
  return made([&](Fmu2& fmu) {
    if (callbacks != nullptr) fmu.callbacks = *callbacks;
    fmu.name = name != nullptr ? name : "";
    fmu.logging = logging != fmi2False;
    Manifest manifest = read_manifest(path_of_uri(resources));
    const char* why = nullptr;
    if (type != fmi2CoSimulation) why = "the FMU is for co-simulation only";
    if (guid == nullptr || manifest.token != guid) why = "the guid is that of another FMU";
    if (fmu.name.empty()) why = "an instance needs a name";
    if (why != nullptr) throw std::invalid_argument(why);
    fmu.instance =
        std::make_unique<Instance>(std::move(manifest), path_of_uri(resources),
                                   [&fmu](const std::string& text) { fmu.log(fmi2OK, "logAll", text); });
  });
}

EXPORTED void fmi2FreeInstance(fmi2Component c) {
  delete static_cast<Fmu2*>(c);
}

EXPORTED fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                        fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
  return guarded(c, [&](Fmu2& fmu, Instance&) {
    if (start != 0) {
      fmu.log(fmi2Error, "logStatusError", "the model begins at t = 0: give startTime 0");
      return fmi2Error;
    }
    fmu.experiment = {};
    if (tolerance_defined != fmi2False) fmu.experiment.tolerance = tolerance;
    if (stop_defined != fmi2False) fmu.experiment.stop = stop;
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return guarded(c, [](Fmu2& fmu, Instance& instance) {
    instance.begin(fmu.experiment);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return guarded(c, [](Fmu2&, Instance& instance) {
    instance.start();
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2Terminate(fmi2Component c) {
  return guarded(c, [](Fmu2&, Instance& instance) {
    instance.end();
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2Reset(fmi2Component c) {
  return guarded(c, [](Fmu2& fmu, Instance& instance) {
    fmu.experiment = {};
    instance.reset();
    return fmi2OK;
  });
}

EXPORTED fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t n,
                                fmi2Real values[]) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) values[i] = instance.get(references[i]);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t n,
                                const fmi2Real values[]) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) instance.set(references[i], values[i]);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Integer[]) {
  return none_of<fmi2Integer>(c, n, "Integer");
}
EXPORTED fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Boolean[]) {
  return none_of<fmi2Boolean>(c, n, "Boolean");
}
EXPORTED fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
  return none_of<fmi2String>(c, n, "String");
}
EXPORTED fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t n,
                                   const fmi2Integer[]) {
  return none_of<fmi2Integer>(c, n, "Integer");
}
EXPORTED fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n,
                                   const fmi2Boolean[]) {
  return none_of<fmi2Boolean>(c, n, "Boolean");
}
EXPORTED fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2String[]) {
  return none_of<fmi2String>(c, n, "String");
}

EXPORTED fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    keep(instance.save(), state);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return guarded(c, [&](Fmu2& fmu, Instance& instance) {
    instance.restore(state_at(state));
    fmu.reached = instance.time();
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  free_state(state);
  return fmi2OK;
}
EXPORTED fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    *size = serialised_size(instance, state);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                          size_t size) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    serialise(instance, state, bytes, size);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                            fmi2FMUstate* state) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    deserialise(instance, bytes, size, state);
    return fmi2OK;
  });
}

EXPORTED fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference[], size_t,
                                                 const fmi2ValueReference[], size_t, const fmi2Real[],
                                                 fmi2Real[]) {
  return guarded(c, [](Fmu2& fmu, Instance&) {
    fmu.log(fmi2Error, "logStatusError", "the FMU has no directional derivatives");
    return fmi2Error;
  });
}
EXPORTED fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                                size_t n, const fmi2Integer orders[],
                                                const fmi2Real values[]) {
  return guarded(c, [&](Fmu2&, Instance& instance) {
    for (size_t i = 0; i < n; ++i) instance.set_derivative(references[i], orders[i], values[i]);
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                                 size_t n, const fmi2Integer orders[], fmi2Real values[]) {
  return guarded(c, [&](Fmu2& fmu, Instance& instance) {
    for (size_t i = 0; i < n; ++i) {
      if (orders[i] != 1) {
        fmu.log(fmi2Error, "logStatusError", "outputs have first derivatives only");
        return fmi2Error;
      }
      values[i] = instance.rate(references[i]);
    }
    return fmi2OK;
  });
}

EXPORTED fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real size, fmi2Boolean) {
  return guarded(c, [&](Fmu2& fmu, Instance& instance) {
    const Step step = instance.step(t, size);
    fmu.reached = step.reached;
    if (step.ok) return fmi2OK;
    fmu.log(fmi2Discard, "logStatusDiscard", step.reason);
    return fmi2Discard;
  });
}
EXPORTED fmi2Status fmi2CancelStep(fmi2Component c) {
  return guarded(c, [](Fmu2& fmu, Instance&) {
    fmu.log(fmi2Error, "logStatusError", "no step is under way: they do not run asynchronously");
    return fmi2Error;
  });
}
EXPORTED fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind, fmi2Status*) {
  return no_status(c);
}
EXPORTED fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime) return no_status(c);
  return guarded(c, [&](Fmu2& fmu, Instance&) {
    *value = fmu.reached;
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind, fmi2Integer*) {
  return no_status(c);
}
EXPORTED fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated) return no_status(c);
  return guarded(c, [&](Fmu2&, Instance&) {
    *value = fmi2False;
    return fmi2OK;
  });
}
EXPORTED fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind, fmi2String*) {
  return no_status(c);
}

}  // extern "C"
