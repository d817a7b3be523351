#include "config/definition.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cosimo::config {

namespace {

constexpr std::int64_t max_least_squares = 64;

Key simulate_key() {
  return required("simulate",
                  {section({
                      required("end", {positive_number()}, "simulated time", "time"),
                      with_default("output", {positive_number(), words({"macro"})}, "macro",
                                   "distance of output times, or `macro`: every macro point", "time"),
                      with_default("record", {words({"all", "coupling"}), integers(1, 1)}, "all",
                                   "bodies to record: all, those beside the cuts, or a list"),
                      with_default("local_error", {boolean()}, "false",
                                   "also measure the true local error of every macro step (slow)"),
                  })},
                  "what to simulate and to record");
}

Key partition_key() {
  return with_default(
      "partition",
      {words({"none"}),
       section({
           derived("parts", {integer(1, max_masses), words({"auto"})}, "`auto`, or what the cuts make",
                   "number of subsystems"),
           derived("method", {words({"equal", "metis", "manual"})},
                   "`equal`, or `manual` when cuts are given", "how the bodies are divided"),
           with_default(
               "cuts", {integers(0, 1)}, "[]",
               "elements to cut (`manual`), numbered from 1, ascending; element i joins body i-1 to body i"),
       })},
      "none", "how the model is cut; `none` runs it uncut");
}

Key layers_key() {
  Key key =
      with_default("layers", {integer(1, max_masses), words({"auto"})}, "auto",
                   "with `overlap`: how many layers of its neighbours' bodies a subsystem integrates, too");
  key.hint =
      "write `layers: auto` or a whole number >= 1; cuts without layers are `decomposition: force-force`";
  return key;
}

Key couple_key() {
  const std::string explicit_only = "leave it out; it belongs to schemes that this version does not have";
  return with_default(
      "couple",
      {section({
          with_default("scheme", {words({"auto", "explicit"}, {"semi-implicit", "implicit", "waveform"})},
                       "auto",
                       "co-simulation scheme; with `auto`, a setting that only one decomposition has chooses "
                       "that one"),
          with_default("sequence",
                       {words({"jacobi"}, {"gauss-seidel"}),
                        later(choice({later("gauss-seidel", "write `sequence: jacobi`")}))},
                       "jacobi", "order in which subsystems advance: all at once"),
          derived("decomposition",
                  {words({"overlap", "force-force"}, {"force-displacement", "displacement-displacement"}),
                   later(list({})), later(section({}))},
                  "chosen with `scheme: auto`, else `force-force`",
                  "what is exchanged at the cuts: states of bodies that both sides integrate, or forces"),
          layers_key(),
          with_default("update", {words({"consistent"}, {"none"})}, "consistent",
                       "coupling variables are recomputed from the new states"),
          with_default("predictor",
                       {words({"extrapolation"}),
                        choice({option("least-squares", {integer(2, max_least_squares)},
                                       "fit through the last N macro points, N > order + 1"),
                                later("acc", "write `extrapolation` or `{least-squares: N}`"),
                                later("accrel", "write `extrapolation` or `{least-squares: N}`")})},
                       "extrapolation", "how coupling variables are continued into the next macro step"),
          later("relaxation", explicit_only),
          later("jacobian", explicit_only),
          later("refresh", explicit_only),
          later("perturbation_min", explicit_only),
          later("max_iterations", explicit_only),
          later("tau", explicit_only),
          later("corrector_rtol", explicit_only),
          later("corrector_atol", explicit_only),
      })},
      "{}", "how subsystems are coupled");
}

Key control_key() {
  const Form order = section({with_default("max", {integer(0, max_order)}, "5", "highest degree"),
                              with_default("strategy", {words({"standard", "conservative"})}, "standard",
                                           "Listing 3.2 or the conservative Listing 3.1")});
  return with_default(
      "control",
      {section({
          with_default("step", {positive_number(), words({"auto"})}, "auto",
                       "fixed macro step, or `auto`: the estimated error decides", "time"),
          derived("estimator", {words({"exOV", "exLE", "exMD", "exCV", "none"}, {"imMD", "imCV", "waCV"})},
                  "`exOV` with overlap, else `exCV`; `none` with a fixed step",
                  "local error estimator; with a fixed step the estimate is only recorded"),
          derived("rtol", {number({.low = 0, .high = 1, .low_open = true})},
                  "a tenth of `solve.rtol` with overlap, else 1e-4", "relative tolerance of the macro step"),
          with_default("atol_pos", {positive_number(), words({"auto"})}, "auto",
                       "absolute tolerance of positions; `auto`: 1e-3 rtol", "length"),
          with_default("atol_vel", {positive_number(), words({"auto"})}, "auto",
                       "absolute tolerance of velocities; `auto`: rtol", "length/time"),
          with_default("atol_u", {positive_number(), words({"auto"})}, "auto",
                       "absolute tolerance of coupling variables; `auto`: rtol times their running magnitude",
                       "force"),
          with_default("safety", {positive_number()}, "6", "safety factor on the estimate"),
          with_default("r_min", {number({.low = 0, .high = 1, .low_open = true, .high_open = true})}, "0.5",
                       "smallest factor from step to step"),
          with_default("r_max", {number({.low = 1})}, "1.5", "largest factor from step to step"),
          with_default("dead_zone", {boolean()}, "true", "keep the step when the factor lies in [1, r_max)"),
          with_default("first_step", {positive_number(), words({"auto"})}, "auto", "first macro step",
                       "time"),
          with_default("min_step", {positive_number(), words({"auto"})}, "auto",
                       "a smaller macro step ends the run; `auto`: 1e-14 of the time", "time"),
          with_default("max_step", {positive_number(), words({"none"})}, "none", "largest macro step",
                       "time"),
          with_default("max_steps", {integer(1), words({"none"})}, "none",
                       "the run ends after so many macro steps"),
          with_default(
              "order", {integer(0, max_order), order}, "{}",
              "with `force-force`: degree of the approximation polynomials, fixed or chosen up to `max`"),
      })},
      "{}", "macro step and order");
}

/// The settings of `solve`; the entries of `solve.parts` have the same without defaults.
std::vector<Key> solver_keys() {
  return {
      with_default("method", {words({"auto", "ida", "rk", "rosenbrock"})}, "auto",
                   "integrator of the subsystems"),
      with_default("linear", {words({"auto", "klu", "structured", "dense"})}, "auto",
                   "linear solver of implicit methods"),
      with_default("rtol", {number({.low = 0, .high = 1, .low_open = true})}, "1.0e-6",
                   "relative tolerance of the micro step"),
      with_default("atol_pos", {positive_number(), words({"auto"})}, "auto",
                   "absolute tolerance of positions; `auto`: 1e-3 rtol", "length"),
      with_default("atol_vel", {positive_number(), words({"auto"})}, "auto",
                   "absolute tolerance of velocities; `auto`: rtol", "length/time"),
      with_default(
          "stop",
          {words({"adjusted", "exact"}),
           choice({option("limit", {integer(1, 1'000'000)},
                          "micro steps of at most H/n that overshoot; `ida` with a fixed macro step only")})},
          "adjusted", "how `ida` meets the end of a macro step (4.3)"),
      with_default("max_step", {positive_number(), words({"none"})}, "none", "largest micro step", "time"),
  };
}

Key solve_key() {
  std::vector<Key> keys = solver_keys();
  std::vector<Key> entry{required("parts", {integers(1, 1)}, "the parts meant, numbered from 1")};
  for (Key key : solver_keys()) {
    key.fallback.clear();
    key.otherwise = "as in `solve`";
    entry.push_back(std::move(key));
  }
  keys.push_back(
      with_default("parts", {list({section(std::move(entry))})}, "[]", "other settings for some parts"));
  return with_default("solve", {section(std::move(keys))}, "{}", "how each subsystem is integrated");
}

Key run_key() {
  return with_default("run",
                      {section({
                          with_default("threads", {integer(1, max_threads), words({"auto"})}, "auto",
                                       "threads; `auto`: all cores"),
                          with_default("progress", {words({"auto", "on", "off"})}, "auto",
                                       "progress line; `auto`: on a terminal"),
                          later("checkpoint", "leave it out"),
                          later("ranks", "leave it out; ranks are the launcher's business"),
                      })},
                      "{}", "resources; never changes a result");
}

Form make_definition() {
  const std::string no_fmu = "describe the model by `model: {chain: ...}`";
  Key version = required("cosimo", {integer(format_version, format_version)}, "version of the file format");
  version.hint = "write `cosimo: 1`, the version of the file format that this program reads";
  return section({
      version,
      model_definition(),
      simulate_key(),
      partition_key(),
      couple_key(),
      control_key(),
      solve_key(),
      run_key(),
      later("subsystems", no_fmu),
      later("connections", no_fmu),
  });
}

}  // namespace

const Form& scenario_definition() {
  static const Form definition = make_definition();
  return definition;
}

}  // namespace cosimo::config
