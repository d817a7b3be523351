/* A rope: a spring and a damper along the line between two points that only pull.
 *
 * Parameters: length (m), stiffness (N/m), damping (N s/m).
 */
#include "cosimo/user_element.h"

#include <math.h>

static int effort(double t, const cosimo_frame* from, const cosimo_frame* to, const double* parameters,
                  double out[9]) {
  double n[3], square = 0, rate = 0, stretch, tension;
  int i;
  (void)t;
  for (i = 0; i < 9; ++i) out[i] = 0;
  for (i = 0; i < 3; ++i) {
    n[i] = to->position[i] - from->position[i];
    square += n[i] * n[i];
    rate += n[i] * (to->velocity[i] - from->velocity[i]);
  }
  stretch = sqrt(square) - parameters[0];
  if (stretch <= 0) return 0; /* slack */
  rate /= sqrt(square);
  tension = parameters[1] * stretch + parameters[2] * rate;
  if (tension <= 0) return 0; /* never a push */
  for (i = 0; i < 3; ++i) out[i] = tension * n[i] / sqrt(square); /* on `from`, towards `to` */
  return 0;
}

const cosimo_user_element* rope(void) {
  /* Three parameters; no derivatives (Cosimo takes differences), no energy. */
  static const cosimo_user_element description = {COSIMO_USER_ELEMENT_VERSION, 3, effort, 0, 0};
  return &description;
}
