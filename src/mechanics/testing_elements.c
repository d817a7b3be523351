/* Elements for the tests of user_element.cpp: one with derivatives of its own, and some that are wrong. */
#include "cosimo/user_element.h"

/* Force p[0] (position_to - position_from) + p[1] t along x, and a torque across it for balance. */
static int effort(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p,
                  double out[9]) {
  int i;
  for (i = 0; i < 3; ++i) {
    out[i] = p[0] * (to->position[i] - from->position[i]);
    out[6 + i] = 0;
  }
  out[0] += p[1] * t;
  cosimo_balance(from, to, out);
  return t > 100;
}

/* Not the derivatives of `effort`: the test must see that they are used, row by row. */
static int marked_gradient(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p,
                           double by_from[108], double by_to[108]) {
  int i;
  (void)t, (void)from, (void)to, (void)p;
  for (i = 0; i < 108; ++i) {
    by_from[i] = i;
    by_to[i] = -i;
  }
  return 0;
}

const cosimo_user_element* by_differences(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, effort, 0, 0};
  return &description;
}
const cosimo_user_element* with_gradient(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, -1, effort, marked_gradient,
                                                  0};
  return &description;
}
const cosimo_user_element* of_another_version(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION + 1, 2, effort, 0, 0};
  return &description;
}
const cosimo_user_element* without_effort(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, 0, 0, 0};
  return &description;
}
/* Finite only before t = 1; its derivatives never are. */
static int late_nan(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p,
                    double out[9]) {
  (void)from, (void)to, (void)p;
  out[0] = t < 1 ? 0 : 1e300 * 1e300;
  return 0;
}
static int infinite_gradient(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p,
                             double by_from[108], double by_to[108]) {
  (void)t, (void)from, (void)to, (void)p, (void)by_to;
  by_from[0] = 1e300 * 1e300;
  return 0;
}
const cosimo_user_element* not_finite(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 0, late_nan, infinite_gradient,
                                                  0};
  return &description;
}
const cosimo_user_element* miscounting(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, -2, effort, 0, 0};
  return &description;
}

/* A spring p[0] and a damper p[1] in a row along x: the force is the state. It counts the accepted steps, and
 * where it began. */
static void begin_row(const cosimo_frame* from, const cosimo_frame* to, const double* p, double* z, double* s) {
  (void)p;
  z[0] = 0;
  s[0] = 0;
  s[1] = to->position[0] - from->position[0];
}
static int row(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p, const double* z,
               const double* s, double out[9], double* z_rate) {
  (void)t, (void)s;
  out[0] = z[0];
  cosimo_balance(from, to, out);
  z_rate[0] = p[0] * (to->velocity[0] - from->velocity[0]) - p[0] / p[1] * z[0];
  return 0;
}
static void count(double t, const cosimo_frame* from, const cosimo_frame* to, const double* p, const double* z,
                  double* s) {
  (void)t, (void)from, (void)to, (void)p, (void)z;
  s[0] += 1;
}
const cosimo_user_element* in_a_row(void) {
  static const double nominal[1] = {10};
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, 0, 0, 0, 1, 2, begin_row, row,
                                                  count, nominal};
  return &description;
}
const cosimo_user_element* with_states_but_no_rates(void) {
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 2, effort, 0, 0, 1, 0, 0, 0, 0, 0};
  return &description;
}
/* As a library of version 1 has it, with other things behind its end. */
typedef struct old_element {
  int version, parameter_count;
  int (*effort)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                double effort[9]);
  int (*gradient)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                  double by_from[108], double by_to[108]);
  double (*potential)(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters);
  int behind[8];
} old_element;
const cosimo_user_element* of_version_one(void) {
  static const old_element description = {1, 2, effort, 0, 0, {-1, -1, -1, -1, -1, -1, -1, -1}};
  return (const cosimo_user_element*)&description;
}
