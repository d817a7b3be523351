/* The smallest FMU that takes part in a coupling: x' = u - x, one step of Heun's method per communication
   step, inputs with derivatives. FMI 2.0, co-simulation. */
#include <stdlib.h>
#include <string.h>

typedef struct {
  double t, u, du[6], x;
} Tiny;

#define EXPORT __attribute__((visibility("default")))

EXPORT const char* fmi2GetVersion(void) {
  return "2.0";
}
EXPORT void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                             const void* callbacks, int visible, int logging) {
  (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible, (void)logging;
  Tiny* tiny = calloc(1, sizeof(Tiny));
  if (tiny != NULL) tiny->x = 1;
  return tiny;
}
EXPORT void fmi2FreeInstance(void* c) {
  free(c);
}
EXPORT int fmi2SetupExperiment(void* c, int has_tolerance, double tolerance, double start, int has_stop,
                               double stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  ((Tiny*)c)->t = start;
  return 0;
}
EXPORT int fmi2EnterInitializationMode(void* c) {
  (void)c;
  return 0;
}
EXPORT int fmi2ExitInitializationMode(void* c) {
  (void)c;
  return 0;
}
EXPORT int fmi2GetReal(void* c, const unsigned* references, size_t n, double* values) {
  const Tiny* tiny = c;
  for (size_t k = 0; k < n; ++k) values[k] = references[k] == 0 ? tiny->u : tiny->x;
  return 0;
}
EXPORT int fmi2SetReal(void* c, const unsigned* references, size_t n, const double* values) {
  Tiny* tiny = c;
  for (size_t k = 0; k < n; ++k) *(references[k] == 0 ? &tiny->u : &tiny->x) = values[k];
  return 0;
}
EXPORT int fmi2SetRealInputDerivatives(void* c, const unsigned* references, size_t n, const int* orders,
                                       const double* values) {
  (void)references;
  for (size_t k = 0; k < n; ++k) ((Tiny*)c)->du[orders[k] - 1] = values[k];
  return 0;
}
EXPORT int fmi2DoStep(void* c, double t, double h, int keeps) {
  (void)keeps;
  Tiny* tiny = c;
  double end = tiny->u, power = 1;
  for (int k = 0; k < 6; ++k) {
    power *= h / (k + 1);
    end += power * tiny->du[k];
  }
  const double here = tiny->u - tiny->x;
  const double there = end - (tiny->x + h * here);
  tiny->x += 0.5 * h * (here + there);
  tiny->u = end;
  tiny->t = t + h;
  memset(tiny->du, 0, sizeof tiny->du);
  return 0;
}
EXPORT int fmi2GetFMUstate(void* c, void** state) {
  if (*state == NULL) *state = malloc(sizeof(Tiny));
  if (*state == NULL) return 3;
  memcpy(*state, c, sizeof(Tiny));
  return 0;
}
EXPORT int fmi2SetFMUstate(void* c, void* state) {
  memcpy(c, state, sizeof(Tiny));
  return 0;
}
EXPORT int fmi2FreeFMUstate(void* c, void** state) {
  (void)c;
  free(*state);
  *state = NULL;
  return 0;
}
