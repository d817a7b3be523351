// The functions of FMI 3.0 over a test model, which MODEL names. Inputs are asked for on the way through a
// step.
#include MODEL

#include <algorithm>
#include <string>

#include "src/fmi/fmi3_types.hpp"

namespace {

struct Instance {
  Model m;
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback log = nullptr;
  fmi3IntermediateUpdateCallback on_the_way = nullptr;
};
Instance& of(fmi3Instance c) {
  return *static_cast<Instance*>(c);
}
fmi3Status complain(Instance& i, int status) {
  const std::string text = "in a bad mood at t = " + std::to_string(i.m.t);
  if (status != 0) i.log(i.environment, static_cast<fmi3Status>(status), "logStatusError", text.c_str());
  if (status == fmi3Fatal) delete &i;
  return static_cast<fmi3Status>(status);
}
Instance* make(fmi3String token, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  if (std::strcmp(token, "{test}") != 0) {
    log(environment, fmi3Error, "logStatusError", "wrong token");
    return nullptr;
  }
  auto* i = new Instance;
  i->environment = environment;
  i->log = log;
  return i;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* fmi3GetVersion(void) {
  return "3.0";
}
fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return make(token, environment, log);
}
fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback on_the_way) {
  Instance* i = make(token, environment, log);
  if (i != nullptr) i->on_the_way = on_the_way;
  return i;
}
void fmi3FreeInstance(fmi3Instance c) {
  delete static_cast<Instance*>(c);
}
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean, fmi3Float64) {
  of(c).m.t = start;
  return complain(of(c), of(c).m.first_mood());
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  of(c).m.started = true;
  return fmi3OK;
}
fmi3Status fmi3Terminate(fmi3Instance) {
  return fmi3OK;
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t) {
  of(c).m.rates();
  of(c).m.outputs();
  for (size_t k = 0; k < n; ++k) {
    const auto at = of(c).m.at(r[k]);
    if (at.empty()) return fmi3Error;
    v[k] = at[0];
  }
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[],
                          size_t) {
  for (size_t k = 0; k < n; ++k) {
    const auto at = of(c).m.at(r[k]);
    if (at.empty()) return fmi3Error;
    at[0] = v[k];
  }
  return fmi3OK;
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Int32 v[], size_t) {
  for (size_t k = 0; k < n; ++k) v[k] = of(c).m.whole[(r[k] - 500) & 3U];
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Int32 v[], size_t) {
  for (size_t k = 0; k < n; ++k) of(c).m.whole[(r[k] - 500) & 3U] = v[k];
  return fmi3OK;
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  if (*state == nullptr) *state = new Model;
  *static_cast<Model*>(*state) = of(c).m;
  return fmi3OK;
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  of(c).m = *static_cast<Model*>(state);
  return fmi3OK;
}
fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  delete static_cast<Model*>(*state);
  *state = nullptr;
  return fmi3OK;
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t* size) {
  *size = sizeof(Model);
  return fmi3OK;
}
fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  std::memcpy(bytes, state, size);
  return fmi3OK;
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  if (size != sizeof(Model)) return fmi3Error;
  if (*state == nullptr) *state = new Model;
  std::memcpy(*state, bytes, size);
  return fmi3OK;
}

fmi3Status fmi3EnterEventMode(fmi3Instance) {
  return fmi3OK;
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals, fmi3Boolean* values, fmi3Boolean* defined,
                                    fmi3Float64* next) {
  Model& m = of(c).m;
  *again = *terminate = *nominals = false;
  *values = m.event();
  *defined = m.next_time < never;
  *next = m.next_time;
  return fmi3OK;
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance) {
  return fmi3OK;
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean, fmi3Boolean* event, fmi3Boolean* end) {
  *event = *end = false;
  return fmi3OK;
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
  of(c).m.t = t;
  return fmi3OK;
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) {
  std::memcpy(of(c).m.x, x, n * sizeof *x);
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
  std::memcpy(x, of(c).m.x, n * sizeof *x);
  return fmi3OK;
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 dx[], size_t n) {
  if (const int mood = of(c).m.mood(); mood != 0) return complain(of(c), mood);
  of(c).m.rates();
  std::memcpy(dx, of(c).m.dx, n * sizeof *dx);
  return fmi3OK;
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 g[], size_t) {
  of(c).m.indicators(g);
  return fmi3OK;
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64 x[], size_t n) {
  for (size_t k = 0; k < n; ++k) x[k] = 1;
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance) {
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached) {
  Instance& i = of(c);
  *event = *terminate = *early = false;
  *reached = t;
  if (const int mood = i.m.mood(); mood != 0) return complain(i, mood);
  if (!i.m.started) return fmi3Error;
  i.m.t = t;
  const double end = std::min({t + h, t + i.m.longest(), i.m.due()});
  integrate(i.m, end, 16, [&](Model&, double now) {
    bool wanted = false;
    double when = now;
    if (i.on_the_way != nullptr) i.on_the_way(i.environment, now, true, true, false, false, &wanted, &when);
  });
  *reached = end;
  *early = end < t + h;
  *event = end == i.m.due();
  return fmi3OK;
}

}  // extern "C"
#pragma GCC visibility pop
