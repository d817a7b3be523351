// The `couple:` section of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"

namespace cosimo::config {

namespace {

constexpr std::int64_t max_least_squares = 64;
constexpr std::int64_t max_acceleration_degree = 4;  // the second integral has a degree of 6
constexpr std::int64_t max_series_terms = 8;
constexpr std::int64_t max_corrector_iterations = 1'000'000;

Key sequence_key() {
  return with_default(
      "sequence",
      {one_of<Sweep>(), choice({option(Sweep::gauss_seidel, {integers(1, 1)},
                                       "all parts in the order in which they advance")})},
      Sweep::jacobi,
      "subsystems advance all at once, or one after the other with the newest values (`explicit` and "
      "`waveform`); `gauss-seidel` alone finds an order");
}

Key kind_key() {
  return required("kind",
                  {one_of({Decomposition::force_force, Decomposition::force_displacement,
                           Decomposition::displacement_displacement})},
                  "what drives the two sides of a cut: the force of the cut element or the other's motion");
}

Key displaced_key() {
  return with_default("displaced", {one_of<Displaced>()}, Displaced::second,
                      "of a force-displacement cut: the side that the other's motion drives, by the number "
                      "or the mass of the body beside the cut");
}

Key decomposition_key() {
  return derived(
      "decomposition",
      {one_of<Decomposition>(), section({kind_key(), displaced_key()}),
       list({section({required("cut", {integer(1), name()},
                               "the element cut; cuts that are not named are force-force"),
                      kind_key(), displaced_key()})},
            1)},
      "chosen with `scheme: auto`, else `force-force`",
      "what is exchanged at the cuts: states of bodies that both sides integrate, forces, or motions; for "
      "all cuts or for each");
}

Key layers_key() {
  Key key =
      with_default("layers", {integer(1, max_masses), words({"auto"})}, "auto",
                   "with `overlap`: how many layers of its neighbours' bodies a subsystem also integrates");
  key.hint =
      "write `layers: auto` or a whole number >= 1; cuts without layers are `decomposition: force-force`";
  return key;
}

Key predictor_key() {
  const Key degree = required("degree", {integer(0, max_acceleration_degree)},
                              "degree of the polynomials that continue the accelerations");
  const Key omega = required("omega", {number({.low = 0, .high = 1})},
                             "weight of the extrapolation of degree `control.order`; the rest is `acc`");
  const Key update = with_default("update", {one_of<Update>()}, Update::consistent,
                                  "accelerations at macro points are evaluated with the updated coupling "
                                  "variables, or remain those of the step");
  const Key course = with_default("course", {one_of<Course>()}, Course::end,
                                  "what drives the subsystems: a polynomial of this degree to the end value "
                                  "of the integrated course, or the whole course, one order better");
  return with_default(
      "predictor",
      {one_of({Predictor::extrapolation}),
       choice({option(Predictor::least_squares, {integer(2, max_least_squares)},
                      "fit through the last N macro points, N > order + 1"),
               option(Predictor::acc, {section({degree, course, update})},
                      "accelerations of the bodies at the cuts, extrapolated and integrated (Appendix C)"),
               option(Predictor::accrel, {section({degree, omega, update})},
                      "end values of `acc`, blended with extrapolated ones (Appendix C)")})},
      Predictor::extrapolation,
      "how coupling variables are continued into the next macro step; all but `extrapolation` with "
      "`explicit` only");
}

Key jacobian_key() {
  return with_default(
      "jacobian",
      {one_of({JacobianMethod::fd, JacobianMethod::sap, JacobianMethod::rk, JacobianMethod::sensitivity}),
       choice({option(JacobianMethod::series, {integer(1, max_series_terms)},
                      "number of terms of the series")})},
      JacobianMethod::sensitivity,
      "with `implicit` and `semi-implicit`: interface Jacobian by finite differences (`fd`), from the masses "
      "of the coupling bodies (`sap`), by terms of a series, by one Runge-Kutta step of the variational "
      "equation (`rk`, all Appendix A), or by the derivative of the integrator's own steps (`sensitivity`)");
}

/// Of schemes that repeat a macro step.
std::vector<Key> corrector_keys() {
  const std::string automatic = "; `auto`: that of `control`, or `solve.rtol` with a fixed step";
  return {
      with_default("relaxation", {number({.low = 0, .high = 1, .high_open = true})}, "0",
                   "with `waveform`: weight of the old iterate (2.35)"),
      jacobian_key(),
      with_default("refresh", {one_of<Refresh>()}, Refresh::automatic,
                   "with `implicit`: keep a Jacobian while it converges, or renew it in every iteration"),
      with_default("perturbation_min", {positive_number(), words({"auto"})}, "auto",
                   "with `jacobian: fd`: smallest perturbation of a coupling variable; `auto`: from the "
                   "tolerances (2.4.2)"),
      with_default("max_iterations", {integer(1, max_corrector_iterations)}, "10",
                   "with `implicit` and `waveform`: corrector iterations before the step is repeated"),
      with_default("tau", {number({.low = 0, .high = 1, .low_open = true, .high_open = true})}, "0.33",
                   "with `implicit` and `waveform`: limit of the convergence test (2.31)"),
      with_default("corrector_rtol", {positive_number(), words({"auto"})}, "auto",
                   "with `implicit` and `waveform`: relative tolerance of the corrector" + automatic),
      with_default("corrector_atol", {positive_number(), words({"auto"})}, "auto",
                   "with `implicit` and `waveform`: absolute tolerance of the corrector" + automatic),
  };
}

}  // namespace

Key couple_definition() {
  std::vector<Key> keys{
      with_default("scheme", {one_of<SchemeKind>("auto")}, "auto",
                   "co-simulation scheme; with `auto`, a setting that only one scheme or decomposition has "
                   "chooses that one"),
      sequence_key(),
      decomposition_key(),
      layers_key(),
      with_default("update", {one_of<Update>()}, Update::consistent,
                   "coupling variables at macro points are recomputed from the new states; `none`: forces of "
                   "force-displacement cuts are those that the motion-driven side computed (feed-through)"),
      predictor_key(),
  };
  for (Key& key : corrector_keys()) keys.push_back(std::move(key));
  return with_default("couple", {section(std::move(keys))}, "{}", "how subsystems are coupled");
}

}  // namespace cosimo::config
