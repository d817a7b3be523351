#include "config/definition.hpp"

#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"

namespace cosimo::config {

namespace {

Key simulate_key() {
  return required("simulate",
                  {section({
                      required("end", {positive_number()}, "simulated time", "time"),
                      with_default("output", {positive_number(), words({"macro"})}, "macro",
                                   "distance of output times, or `macro`: every macro point", "time"),
                      with_default("record", {one_of<Record>(), labels(1, 1)}, Record::all,
                                   "bodies to record: all, those beside the cuts, or a list"),
                      with_default("local_error", {boolean()}, "false",
                                   "also measure the true local error of every macro step (slow)"),
                      with_default("vtk", {boolean()}, "false", "also write the motion for ParaView"),
                  })},
                  "what to simulate and to record");
}

Key partition_key() {
  return derived(
      "partition",
      {words({"none"}),
       section({
           derived("parts", {integer(1, max_masses), words({"auto"})}, "`auto`, or what the cuts make",
                   "number of subsystems"),
           derived("method", {one_of<CutMethod>()},
                   "`manual` when cuts are given, else `equal` for a chain and `auto` for other models",
                   "how the bodies are divided; `auto`: where cuts cost least"),
           with_default(
               "cuts", {labels(0, 1)}, "[]",
               "elements to cut (`manual`), by name or numbered from 1; of a chain ascending, element "
               "i joins body i-1 to body i"),
           with_default("fix", {labels(0, 1)}, "[]",
                        "elements that are always cut; the method finds the other cuts"),
           with_default("forbid", {labels(0, 1)}, "[]", "elements that are never cut"),
           with_default("add", {labels(0, 1)}, "[]",
                        "elements that are cut in addition, after the method has divided the bodies"),
       })},
      "as fast as possible: whole, or cut where the model alone says that this pays",
      "how the model is cut; `none` leaves it whole on any machine");
}

Key control_key() {
  const Form order = section({with_default("max", {integer(0, max_order)}, "5", "highest degree"),
                              with_default("strategy", {one_of<OrderStrategy>()}, OrderStrategy::standard,
                                           "Listing 3.2 or the conservative Listing 3.1")});
  return with_default(
      "control",
      {section({
          with_default("step", {positive_number(), words({"auto"})}, "auto",
                       "fixed macro step, or `auto`: the estimated error decides", "time"),
          derived("estimator", {one_of<Estimator>()},
                  "`exOV` with overlap, else by the scheme `exCV`, `imCV` or "
                  "`waCV`; `none` with a fixed step",
                  "local error estimator: `explicit` has `exLE`, `exMD`, `exCV` (`exOV` with overlap), "
                  "`implicit` and `semi-implicit` `imMD`, `imCV`, `waveform` `waCV`, `imMD`; with a fixed "
                  "step the estimate is only recorded"),
          derived("rtol", {number({.low = 0, .high = 1, .low_open = true})},
                  "a tenth of `solve.rtol` with overlap, else 1e-4", "relative tolerance of the macro step"),
          with_default("atol_pos", {positive_number(), words({"auto"})}, "auto",
                       "absolute tolerance of positions; `auto`: 1e-3 rtol times the largest "
                       "displacement so far",
                       "length"),
          with_default(
              "atol_vel", {positive_number(), words({"auto"})}, "auto",
              "absolute tolerance of velocities; `auto`: 1e-2 rtol times the largest velocity so far",
              "length/time"),
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
                       "the run ends after this many macro steps"),
          with_default(
              "order", {integer(0, max_order), order}, "{}",
              "not with overlap: degree of the approximation polynomials, fixed or chosen up to `max`"),
      })},
      "{}", "macro step and order");
}

/// The settings of `solve`; the entries of `solve.parts` have the same without defaults.
std::vector<Key> solver_keys() {
  return {
      with_default("method", {one_of<Method>()}, Method::automatic, "integrator of the subsystems"),
      with_default("linear", {one_of<Linear>()}, Linear::automatic, "linear solver of implicit methods"),
      with_default("rtol", {number({.low = 1e-15, .high = 1})}, "1.0e-6",
                   "relative tolerance of the micro step"),
      with_default("atol_pos", {positive_number(), words({"auto"})}, "auto",
                   "absolute tolerance of positions; `auto`: 1e-3 rtol times the largest displacement so far",
                   "length"),
      with_default("atol_vel", {positive_number(), words({"auto"})}, "auto",
                   "absolute tolerance of velocities; `auto`: 1e-2 rtol times the largest velocity so far",
                   "length/time"),
      with_default(
          "stop",
          {one_of({Stop::adjusted, Stop::exact}),
           choice({option(Stop::limit, {integer(1, 1'000'000)},
                          "micro steps of at most H/n that overshoot; `ida` with a fixed macro step only")})},
          Stop::adjusted, "how `ida` meets the end of a macro step (4.3)"),
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
  return with_default(
      "run",
      {section({
          with_default("threads", {integer(1, max_threads), words({"auto"})}, "auto",
                       "threads; `auto`: all cores"),
          with_default("progress", {one_of<Progress>()}, Progress::automatic,
                       "progress line; `auto`: on a terminal"),
          with_default(
              "checkpoint",
              {words({"none"}), section({required("every", {text()},
                                                  "`60 s` (or `min`, `h`; a plain number: seconds) of "
                                                  "wall time, or `500 steps`")})},
              "none", "states on disk that --resume continues from; an interrupted run always writes one"),
          later("ranks", "leave it out; ranks are the launcher's business"),
      })},
      "{}", "resources; never changes a result");
}

/// Names are checked by the export: only the model knows its variables.
Key export_key() {
  return silent_derived(
      "export",
      {section({
          silent_derived(
              "outputs", {list({text()}, 1)}, "all",
              "names as in the results: `arm.x`, `der(arm.x)`, `energy.kinetic`, `controller.out`"),
          silent_derived("parameters", {list({text()}, 1)}, "all that are numbers in `model.parameters`",
                         "names of `model.parameters`, or keys of this file that hold a number, such as "
                         "`subsystems.1.pid.kp`"),
      })},
      "everything", "what `cosimo fmu` makes visible of the model, besides its inputs (docs/fmi.md)");
}

Form make_definition() {
  Key version = required("cosimo", {integer(format_version, format_version)}, "version of the file format");
  version.hint = "write `cosimo: 1`, the version of the file format that this program reads";
  return section({
      version,
      units_definition(),
      model_definition(),
      subsystems_definition(),
      connections_definition(),
      simulate_key(),
      partition_key(),
      couple_definition(),
      control_key(),
      solve_key(),
      run_key(),
      export_key(),
  });
}

}  // namespace

const Form& scenario_definition() {
  static const Form definition = make_definition();
  return definition;
}

}  // namespace cosimo::config
