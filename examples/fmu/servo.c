/* An FMU in one page: FMI 2.0 for co-simulation of a servo, T out' = in - out. Tools write such code for you; this
 * one shows what Cosimo asks of it. Only the functions that are used are there. README.md says how to pack it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double time_constant, in, slope, out;
} Servo;
enum { ok, error = 3 };

const char* fmi2GetVersion(void) { return "2.0"; }
const char* fmi2GetTypesPlatform(void) { return "default"; }

void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources, const void* callbacks,
                      int visible, int logging) {
  (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
  if (type != 1 || strcmp(guid, "cosimo-servo-1") != 0) return NULL;
  Servo* s = calloc(1, sizeof(Servo));
  if (s) s->time_constant = 0.02;
  return s;
}
void fmi2FreeInstance(void* s) { free(s); }
int fmi2SetupExperiment(void* s, int td, double tolerance, double start, int sd, double stop) {
  (void)s, (void)td, (void)tolerance, (void)start, (void)sd, (void)stop;
  return ok;
}
int fmi2EnterInitializationMode(void* s) { return (void)s, ok; }
int fmi2ExitInitializationMode(void* s) { return (void)s, ok; }

static double* place(Servo* s, unsigned reference) {
  return reference == 0 ? &s->time_constant : reference == 1 ? &s->in : reference == 2 ? &s->out : NULL;
}
int fmi2GetReal(void* s, const unsigned r[], size_t n, double v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (!place(s, r[i])) return error;
    v[i] = *place(s, r[i]);
  }
  return ok;
}
int fmi2SetReal(void* s, const unsigned r[], size_t n, const double v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (!place(s, r[i])) return error;
    *place(s, r[i]) = v[i];
  }
  return ok;
}

/* canInterpolateInputs: the input is a polynomial within a step. This servo takes its slope, and ignores the rest. */
int fmi2SetRealInputDerivatives(void* s, const unsigned r[], size_t n, const int order[], const double v[]) {
  for (size_t i = 0; i < n; ++i) {
    if (r[i] != 1 || order[i] != 1) return error; /* straight lines are all it takes */
    ((Servo*)s)->slope = v[i];
  }
  return ok;
}
/* The exact solution for an input that is a straight line. */
int fmi2DoStep(void* c, double t, double h, int keeps) {
  Servo* s = c;
  (void)t, (void)keeps;
  const double T = s->time_constant, decay = exp(-h / T), behind = s->in - T * s->slope;
  s->out = behind + s->slope * h + (s->out - behind) * decay;
  s->in += s->slope * h;
  s->slope = 0;
  return ok;
}

/* canGetAndSetFMUstate: steps can be taken back. */
int fmi2GetFMUstate(void* s, void** state) {
  if (!*state) *state = malloc(sizeof(Servo));
  if (!*state) return error;
  memcpy(*state, s, sizeof(Servo));
  return ok;
}
int fmi2SetFMUstate(void* s, void* state) { return memcpy(s, state, sizeof(Servo)), ok; }
int fmi2FreeFMUstate(void* s, void** state) {
  (void)s;
  free(*state);
  *state = NULL;
  return ok;
}
/* canSerializeFMUstate: runs can be interrupted and go on. */
int fmi2SerializedFMUstateSize(void* s, void* state, size_t* size) {
  (void)s, (void)state;
  *size = sizeof(Servo);
  return ok;
}
int fmi2SerializeFMUstate(void* s, void* state, char bytes[], size_t size) {
  (void)s;
  return memcpy(bytes, state, size), ok;
}
int fmi2DeSerializeFMUstate(void* s, const char bytes[], size_t size, void** state) {
  if (size != sizeof(Servo) || fmi2GetFMUstate(s, state) != ok) return error;
  return memcpy(*state, bytes, size), ok;
}
