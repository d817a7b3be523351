// Cosimo driven from outside: a pendulum advances from instant to instant, and the program looks at it in
// between. It goes on until the arm swings back, returns to the last instant before that, and looks more
// closely.
#include <cosimo/simulation.hpp>
#include <iostream>

int main() {
  cosimo::Simulation pendulum(cosimo::Scenario::parse(
      "{cosimo: 1, simulate: {end: 5}, model: {gravity: [0, -9.81, 0],"
      " bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}],"
      " joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]}}"));

  auto before = pendulum.save();
  const auto swings_out = [&] { return pendulum.get("der(arm.phi)") <= 0; };
  for (const double step : {0.1, 0.01, 0.001}) {
    while (pendulum.advance(pendulum.time() + step).ok && swings_out()) before = pendulum.save();
    std::cout << "turns back before t = " << pendulum.time() << " at " << pendulum.get("arm.phi") << " rad\n";
    pendulum.restore(before);
  }
  return pendulum.report().status == "ok" ? 0 : 1;
}
