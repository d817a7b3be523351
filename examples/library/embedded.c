/* Cosimo inside of a C program: a pendulum whose length is a parameter, looked at a hundred times. Its energy
 * must stay what it was; the program prints by how much it does not. */
#include <cosimo/cosimo.h>
#include <math.h>
#include <stdio.h>

static const char* const scenario =
    "{cosimo: 1, simulate: {end: 5}, model: {parameters: {reach: 0.5}, gravity: [0, -9.81, 0],"
    " bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [reach, 0]}],"
    " joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]}}";

int main(void) {
  const char* settings[] = {"model.parameters.reach=0.8", "solve.rtol=1e-8"};
  char why[1024];
  cosimo_simulation* pendulum = cosimo_create_from_text(scenario, settings, 2, 1, why, sizeof why);
  if (!pendulum) {
    fprintf(stderr, "%s\n", why);
    return 2;
  }

  size_t height, turning;
  if (cosimo_find(pendulum, "arm.y", &height) || cosimo_find(pendulum, "der(arm.phi)", &turning)) {
    fprintf(stderr, "%s\n", cosimo_message(pendulum));
    return 2;
  }
  double worst = 0;
  for (int i = 1; i <= 100; ++i) {
    if (cosimo_advance(pendulum, 0.05 * i)) {
      fprintf(stderr, "%s\n", cosimo_message(pendulum));
      return 1;
    }
    double y, omega;
    cosimo_get(pendulum, &height, 1, &y);
    cosimo_get(pendulum, &turning, 1, &omega);
    const double energy = 9.81 * y + 0.5 * (0.1 + 0.8 * 0.8) * omega * omega;
    if (fabs(energy) > worst) worst = fabs(energy);
  }
  printf("at t = %g the energy is kept to %.1e J\n", cosimo_time(pendulum), worst);
  cosimo_free(pendulum);
  return 0;
}
