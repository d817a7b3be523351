/* A hydraulic bump stop: nothing until the markers come closer than `gap`, then a progressive spring and a
 * damper that closes with the square of the speed, like oil through a hole.
 *
 * Parameters: gap (m), stiffness (N/m), progression (N/m^3), oil (N s^2/m^3 per m of compression).
 *
 * With compression p = gap - L and its rate q = -L', the push along the line is
 *   F = stiffness p + progression p^3 + oil p q |q|,   never a pull.
 */
#include "cosimo/user_element.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Compression and its rate; the direction from `from` to `to`. Returns 0 when the stop is not touched. */
static int touched(const cosimo_frame* from, const cosimo_frame* to, double gap, double n[3], double* p,
                   double* q) {
  double u[3], length;
  int i;
  for (i = 0; i < 3; ++i) {
    n[i] = to->position[i] - from->position[i];
    u[i] = to->velocity[i] - from->velocity[i];
  }
  length = sqrt(dot(n, n));
  *p = gap - length;
  if (*p <= 0) return 0;
  for (i = 0; i < 3; ++i) n[i] /= length;
  *q = -dot(n, u);
  return 1;
}

static int effort(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                  double out[9]) {
  const double gap = parameters[0], stiffness = parameters[1], progression = parameters[2],
               oil = parameters[3];
  double n[3], p, q, push;
  int i;
  (void)t;
  for (i = 0; i < 9; ++i) out[i] = 0;
  if (!touched(from, to, gap, n, &p, &q)) return 0;
  if (p >= gap) return 1; /* the markers meet: no direction */
  push = p * (stiffness + progression * p * p + oil * q * fabs(q));
  if (push <= 0) return 0;
  for (i = 0; i < 3; ++i) out[i] = -push * n[i];
  return 0;
}

static double potential(double t, const cosimo_frame* from, const cosimo_frame* to,
                        const double* parameters) {
  double n[3], p, q;
  (void)t;
  if (!touched(from, to, parameters[0], n, &p, &q)) return 0;
  return p * p * (0.5 * parameters[1] + 0.25 * parameters[2] * p * p);
}

const cosimo_user_element* bump_stop(void) {
  /* No gradient: Cosimo takes differences. */
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 4, effort, 0, potential};
  return &description;
}
