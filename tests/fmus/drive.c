/* Drives an unpacked FMU of FMI 2.0 for co-simulation as a program in C would: drive FOLDER BINARY GUID
 * OUTPUT INPUT. Value references of an output and of an input (-1: none). Prints the output after each of 32
 * steps, every other one of which is taken, taken back and taken again. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void* Component;
typedef void* State;
typedef struct {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void *allocate, *release, *finished, *environment;
} Callbacks;

static void say(void* environment, const char* name, int status, const char* category, const char* text,
                ...) {
  (void)environment;
  fprintf(stderr, "%s %d %s: %s\n", name, status, category, text);
}

static void* library;
static void* find(const char* name) {
  void* found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "no %s\n", name);
    exit(2);
  }
  return found;
}
static void check(int status, const char* what) {
  if (status == 0) return;
  fprintf(stderr, "%s: %d\n", what, status);
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  char uri[4096];
  snprintf(uri, sizeof uri, "file://%s/resources", argv[1]);
  library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  Component (*make)(const char*, int, const char*, const char*, const Callbacks*, int, int);
  int (*begin)(Component), (*started)(Component), (*ended)(Component);
  int (*get)(Component, const unsigned*, size_t, double*),
      (*set)(Component, const unsigned*, size_t, const double*);
  int (*save)(Component, State*), (*restore)(Component, State), (*forget)(Component, State*);
  int (*step)(Component, double, double, int);
  void (*release)(Component);
  *(void**)&make = find("fmi2Instantiate");
  *(void**)&begin = find("fmi2EnterInitializationMode");
  *(void**)&started = find("fmi2ExitInitializationMode");
  *(void**)&ended = find("fmi2Terminate");
  *(void**)&get = find("fmi2GetReal");
  *(void**)&set = find("fmi2SetReal");
  *(void**)&save = find("fmi2GetFMUstate");
  *(void**)&restore = find("fmi2SetFMUstate");
  *(void**)&forget = find("fmi2FreeFMUstate");
  *(void**)&step = find("fmi2DoStep");
  *(void**)&release = find("fmi2FreeInstance");
  const Callbacks callbacks = {say, NULL, NULL, NULL, NULL};
  Component one = make("one", 1, argv[3], uri, &callbacks, 0, 0),
            other = make("other", 1, argv[3], uri, &callbacks, 0, 0);
  if (!one || !other) return 2;
  check(begin(one), "begin");
  check(begin(other), "begin");
  check(started(one), "start");
  check(started(other), "start");
  const unsigned output = (unsigned)atoi(argv[4]), input = (unsigned)atoi(argv[5]);
  const double h = 1.0 / 64;
  State state = NULL;
  for (int k = 0; k < 32; ++k) {
    const double value = 100.0 * (k / 8);
    if (atoi(argv[5]) >= 0) check(set(one, &input, 1, &value), "set");
    if (k % 2) {
      check(save(one, &state), "save");
      check(step(one, k * h, 3 * h, 0), "step");
      check(restore(one, state), "restore");
    }
    check(step(one, k * h, h, 0), "step");
    check(step(other, k * h, h, 0), "step"); /* another instance, which nobody pushes */
    double y = 0;
    check(get(one, &output, 1, &y), "get");
    printf("%a\n", y);
  }
  if (state) check(forget(one, &state), "forget");
  check(ended(one), "end");
  release(one);
  release(other);
  return 0;
}
