/* Cosimo driven from C, or from any language that can call C: a driving simulator, a controller under test, a
 * script.
 *
 *   char why[1024];
 *   const char* settings[] = {"model.parameters.k=2.0e4", "solve.rtol=1e-7"};
 *   cosimo_simulation* car = cosimo_create("car.yaml", settings, 2, 0, why, sizeof why);
 *   if (!car) { fprintf(stderr, "%s\n", why); return 2; }
 *   size_t height;
 *   double z;
 *   if (cosimo_find(car, "chassis.z", &height)) puts(cosimo_message(car));
 *   while (cosimo_time(car) < cosimo_end(car) && !cosimo_advance(car, cosimo_time(car) + 0.01))
 *     if (!cosimo_get(car, &height, 1, &z)) printf("%g %g\n", cosimo_time(car), z);
 *   cosimo_free(car);
 *
 * A simulation writes no files and prints nothing. Several may live in one process, each used by one thread
 * at a time. Every function that can fail returns one of the three numbers below; cosimo_message() says why.
 * NULL where a simulation or a list is needed is a wrong call as well; nothing can be asked of it. No
 * exception leaves a function. Numbers are in the units of the scenario file.
 */
#ifndef COSIMO_COSIMO_H
#define COSIMO_COSIMO_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COSIMO_OK 0     /* done */
#define COSIMO_FAILED 1 /* the run failed: restore a saved state, or end */
#define COSIMO_WRONG 2  /* wrong input or a wrong call: nothing has changed */

typedef struct cosimo_simulation cosimo_simulation;
typedef struct cosimo_state cosimo_state;

const char* cosimo_version(void);

/* Reads a scenario file, builds the model and stands at t = 0. `settings` are `count` texts "key=value" as
 * `cosimo run --set` takes them: this is how parameters are set. `threads`: 0 for what the file says, else
 * all cores. Returns NULL when something is wrong, and writes why into message (cut to `size`, always ended
 * by 0; message may be NULL). */
cosimo_simulation* cosimo_create(const char* file, const char* const* settings, size_t count, int threads,
                                 char* message, size_t size);
/* The same, for the text of a scenario. Relative paths in it begin at the working directory. */
cosimo_simulation* cosimo_create_from_text(const char* text, const char* const* settings, size_t count,
                                           int threads, char* message, size_t size);
void cosimo_free(cosimo_simulation* simulation); /* NULL is fine */

/* Why the last call that did not return COSIMO_OK did not; valid until the next call. Never NULL. */
const char* cosimo_message(const cosimo_simulation* simulation);

double cosimo_time(const cosimo_simulation* simulation); /* the last accepted point */
double cosimo_end(const cosimo_simulation* simulation);  /* simulate.end: it goes no further */

/* Goes on to this instant, exactly. Beyond cosimo_end() and behind cosimo_time() it is a wrong call. After
 * COSIMO_FAILED, cosimo_time() says how far it came. */
int cosimo_advance(cosimo_simulation* simulation, double until);

/* Variables have numbers from 0 on and names as in the results: "wheel.x" and its rate "der(wheel.x)". */
size_t cosimo_variable_count(const cosimo_simulation* simulation);
const char* cosimo_variable_name(const cosimo_simulation* simulation, size_t variable); /* NULL: none */
/* The number of a name. The message of COSIMO_WRONG has the nearest name. */
int cosimo_find(cosimo_simulation* simulation, const char* name, size_t* variable);

/* Values of `count` variables at cosimo_time(). */
int cosimo_get(cosimo_simulation* simulation, const size_t* variables, size_t count, double* values);
/* Other values for inputs, coordinates or their rates; the run goes on from there, as after an event. Of
 * several, the ones before a wrong one are set. */
int cosimo_set(cosimo_simulation* simulation, const size_t* variables, size_t count, const double* values);
/* The course of an input of the scenario (`subsystems: [{name: throttle, input: {start: 0}}]`) from now on:
 * its value and derivatives with respect to time, `count` numbers, at most seven. cosimo_set() sets a
 * constant. */
int cosimo_set_course(cosimo_simulation* simulation, size_t variable, const double* derivatives,
                      size_t count);

/* The whole state at cosimo_time(), to go back to as often as you like; NULL: see the message. A state
 * belongs to its scenario, not to the simulation that made it, which may be freed first. */
cosimo_state* cosimo_save(cosimo_simulation* simulation);
/* After it, everything is as it was, to the bit; after COSIMO_FAILED, too. */
int cosimo_restore(cosimo_simulation* simulation, const cosimo_state* state);
void cosimo_state_free(cosimo_state* state); /* NULL is fine */

/* A state as bytes, to keep in a file or send elsewhere. */
const void* cosimo_state_bytes(const cosimo_state* state);
size_t cosimo_state_size(const cosimo_state* state);
/* The way back; NULL when there is no memory for it. Bytes of another scenario are refused by
 * cosimo_restore(). */
cosimo_state* cosimo_state_of_bytes(const void* bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
