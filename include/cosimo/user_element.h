/* A force element of your own for Cosimo, in C or any language that can export a C function.
 *
 * Write a function that computes what your element does from the frames of its two markers, describe it in a
 * cosimo_user_element, and export a function that returns the description:
 *
 *   static int effort(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
 *                     double effort[9]) { ... return 0; }
 *   const cosimo_user_element* my_element(void) {
 *     static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, effort, 0, 0};
 *     return &description;
 *   }
 *
 * Build it as a shared library, and name the library, the exported function and the parameters in the
 * scenario file. examples/user_element has a complete example.
 *
 * Numbers are in the units of your scenario file, which Cosimo never converts, and vectors are along the
 * global axes. The effort is
 *
 *   effort[0..2]   force on the `from` body at its marker; the opposite acts on the `to` body at its own
 *   effort[3..5]   torque on the `from` body about its marker
 *   effort[6..8]   torque on the `to` body about its marker
 *
 * A force along the line between the markers needs no torques. In general action and reaction balance when
 * torque_from + torque_to = (position_to - position_from) x force: cosimo_balance() makes them balance.
 *
 * Functions are called from several threads at once and many times per step, with states that may be
 * discarded: they must not keep anything from one call to the next. What an element remembers it declares, and
 * Cosimo keeps it, takes it back with steps and writes it into checkpoints:
 *
 *   z   states with a differential equation: `remembering` gives their rates
 *   s   memory that changes at the end of accepted steps alone: `commit` gives the next one. Within a step it
 *       stays as it is
 *
 * The bodies of an element that remembers are kept in one subsystem.
 */
#ifndef COSIMO_USER_ELEMENT_H
#define COSIMO_USER_ELEMENT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Libraries made for version 1 still work: they end with `potential`. */
#define COSIMO_USER_ELEMENT_VERSION 2

/* Place, orientation and velocities of a marker. rotation is row-major; its columns are the marker's axes. */
typedef struct cosimo_frame {
  double position[3];
  double rotation[9];
  double velocity[3];
  double angular_velocity[3];
} cosimo_frame;

typedef struct cosimo_user_element {
  int version;         /* COSIMO_USER_ELEMENT_VERSION */
  int parameter_count; /* how many it needs; -1: any number; below that it is refused */

  /* Returns 0, or another number if there is no effort in this state: Cosimo then tries a shorter step. An
   * element that remembers has `remembering` instead, and this one may be NULL. */
  int (*effort)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                double effort[9]);

  /* Derivatives of the effort, or NULL: Cosimo then takes differences. Both are 9 x 12, row-major: row i is
   * component i of the effort, the columns are changes of one marker's position (3), orientation (3, small
   * rotations about the global axes), velocity (3), angular velocity (3). Only used by implicit methods. */
  int (*gradient)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                  double by_from[108], double by_to[108]);

  /* Energy stored, for the energy balance, or NULL. */
  double (*potential)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters);

  /* From version 2 on, all zero for elements that remember nothing. */
  int state_count;  /* of z */
  int memory_count; /* of s */

  /* z and s at the start of a run, or NULL: all zero. */
  void (*begin)(const cosimo_frame* from, const cosimo_frame* to, const double* parameters, double* z,
                double* s);

  /* In the place of `effort`: the effort and the rates of z, of frames, z and s. Cosimo takes differences for
   * derivatives. */
  int (*remembering)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                     const double* z, const double* s, double effort[9], double* z_rate);

  /* After an accepted step that ended in this state: s holds the memory as it was, and gets the next one. Or
   * NULL: it never changes. */
  void (*commit)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                 const double* z, double* s);

  /* What counts as an ordinary value of each z, for the error test, or NULL: one. */
  const double* nominals;
} cosimo_user_element;

/* The exported function. */
typedef const cosimo_user_element* (*cosimo_user_element_function)(void);

/* Sets torque_from so that force and torque_to are balanced. */
static inline void cosimo_balance(const cosimo_frame* from, const cosimo_frame* to, double effort[9]) {
  const double x = to->position[0] - from->position[0];
  const double y = to->position[1] - from->position[1];
  const double z = to->position[2] - from->position[2];
  effort[3] = y * effort[2] - z * effort[1] - effort[6];
  effort[4] = z * effort[0] - x * effort[2] - effort[7];
  effort[5] = x * effort[1] - y * effort[0] - effort[8];
}

#ifdef __cplusplus
}
#endif

#endif
