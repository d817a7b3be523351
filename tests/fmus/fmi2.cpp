// The functions of FMI 2.0 over a test model, which MODEL names.
#include MODEL

#include "src/fmi/fmi2_types.hpp"

namespace {

struct Instance {
  Model m;
  const fmi2CallbackFunctions* callbacks = nullptr;
  bool exchange = false;
  double only_step = 0;  ///< mode 13: the size of all steps
};
Instance& of(fmi2Component c) {
  return *static_cast<Instance*>(c);
}
fmi2Status complain(Instance& i, int status) {
  if (status != 0)
    i.callbacks->logger(i.callbacks->componentEnvironment, "test", static_cast<fmi2Status>(status),
                        "logStatusError", "in a bad mood at t = %g", i.m.t);
  if (status == fmi2Fatal) delete &i;  // nobody may call it any more
  return static_cast<fmi2Status>(status);
}
void fresh(Instance& i) {
  i.m.rates();
  i.m.outputs();
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* fmi2GetVersion(void) {
  return "2.0";
}
fmi2Component fmi2Instantiate(fmi2String, fmi2Type type, fmi2String guid, fmi2String,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
  if (std::strcmp(guid, "{test}") != 0) {
    callbacks->logger(callbacks->componentEnvironment, "test", fmi2Error, "logStatusError", "wrong guid %s",
                      guid);
    return nullptr;
  }
  auto* i = new Instance;
  i->callbacks = callbacks;
  i->exchange = type == fmi2ModelExchange;
  return i;
}
void fmi2FreeInstance(fmi2Component c) {
  delete static_cast<Instance*>(c);
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean,
                               fmi2Real) {
  of(c).m.t = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return complain(of(c), of(c).m.first_mood());
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  of(c).m.started = true;
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  fresh(of(c));
  for (size_t k = 0; k < n; ++k) {
    const auto at = of(c).m.at(r[k]);
    if (at.empty()) return fmi2Error;
    v[k] = at[0];
  }
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
  for (size_t k = 0; k < n; ++k) {
    const auto at = of(c).m.at(r[k]);
    if (at.empty()) return fmi2Error;
    at[0] = v[k];
  }
  return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) {
  fresh(of(c));
  for (size_t k = 0; k < n; ++k) v[k] = of(c).m.whole[(r[k] - 500) & 3U];
  return fmi2OK;
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) {
  for (size_t k = 0; k < n; ++k) of(c).m.whole[(r[k] - 500) & 3U] = v[k];
  return fmi2OK;
}
fmi2Status fmi2GetBoolean(fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]) {
  return fmi2Error;
}
fmi2Status fmi2SetBoolean(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]) {
  return fmi2Error;
}
fmi2Status fmi2SetString(fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]) {
  return fmi2Error;
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (*state == nullptr) *state = new Model;
  *static_cast<Model*>(*state) = of(c).m;
  return fmi2OK;
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  of(c).m = *static_cast<Model*>(state);
  return fmi2OK;
}
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  delete static_cast<Model*>(*state);
  *state = nullptr;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component, fmi2FMUstate, size_t* size) {
  *size = sizeof(Model);
  return fmi2OK;
}
fmi2Status fmi2SerializeFMUstate(fmi2Component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  std::memcpy(bytes, state, size);
  return fmi2OK;
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  if (size != sizeof(Model)) return fmi2Error;
  if (*state == nullptr) *state = new Model;
  std::memcpy(*state, bytes, size);
  return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                        fmi2Real out[]) {
  ++of(c).m.whole[3];  // who asked is to be seen
  // The models are linear in their states: a difference of any size is exact.
  Model moved = of(c).m, here = of(c).m;
  for (size_t k = 0; k < m; ++k) moved.at(known[k])[0] += seed[k];
  moved.rates();
  moved.outputs();
  here.rates();
  here.outputs();
  for (size_t k = 0; k < n; ++k) out[k] = moved.at(unknown[k])[0] - here.at(unknown[k])[0];
  return fmi2OK;
}

fmi2Status fmi2EnterEventMode(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  Model& m = of(c).m;
  *info = {};
  info->valuesOfContinuousStatesChanged = m.event() ? fmi2True : fmi2False;
  info->nextEventTimeDefined = m.next_time < never ? fmi2True : fmi2False;
  info->nextEventTime = m.next_time;
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component) {
  return fmi2OK;
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component, fmi2Boolean, fmi2Boolean* event, fmi2Boolean* end) {
  *event = *end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  of(c).m.t = t;
  return fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  std::memcpy(of(c).m.x, x, n * sizeof *x);
  return fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  std::memcpy(x, of(c).m.x, n * sizeof *x);
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
  if (const int mood = of(c).m.mood(); mood != 0) return complain(of(c), mood);
  of(c).m.rates();
  std::memcpy(dx, of(c).m.dx, n * sizeof *dx);
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real g[], size_t) {
  of(c).m.indicators(g);
  return fmi2OK;
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component, fmi2Real x[], size_t n) {
  for (size_t k = 0; k < n; ++k) x[k] = 1;
  return fmi2OK;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real v[]) {
  for (size_t k = 0; k < n; ++k) {
    const int mode = of(c).m.whole[0];  // 18: takes the first order only, 19: none after all
    if (order[k] < 1 || order[k] > (mode == 19 ? 0 : mode == 18 ? 1 : most_derivatives)) return fmi2Error;
    of(c).m.du[r[k] - 100][order[k] - 1] = v[k];
  }
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  Model& m = of(c).m;
  if (const int mood = m.mood(); mood != 0) return complain(of(c), mood);
  if (!m.started) return fmi2Error;
  if (m.whole[0] == 13) {
    double& only = of(c).only_step;
    if (only == 0) only = h;
    if (h > only * (1 + 1e-9) || h < only * (1 - 1e-9)) return complain(of(c), fmi2Error);
  }
  m.t = t;
  integrate(m, t + h);
  return fmi2OK;
}
fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind, fmi2Real* v) {
  *v = of(c).m.t;
  return fmi2OK;
}
fmi2Status fmi2GetBooleanStatus(fmi2Component, fmi2StatusKind, fmi2Boolean* v) {
  *v = fmi2False;
  return fmi2OK;
}

}  // extern "C"
#pragma GCC visibility pop
