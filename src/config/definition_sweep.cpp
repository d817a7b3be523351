// The chapters `sweep` and `optimise`: files of their own that run a scenario many times (docs/series.md,
// docs/optimisation.md).
#include "config/definition_sweep.hpp"

#include <utility>
#include <vector>

#include "config/definition.hpp"

namespace cosimo::config {

namespace {

constexpr std::int64_t most = 1'000'000'000'000'000;

/// Values that other definitions check when they are set are read as texts: `15 km/h` is no number here, and
/// `1.x` none that lacks something.
enum class For { readers, reading };

/// What `--set` takes: a number, a word, a list or a section of them.
std::vector<Form> any_value(For whom) {
  std::vector<Form> plain{text()};
  if (whom == For::readers) plain = {boolean(), number(), text()};
  std::vector<Form> deep = plain, all = plain;
  deep.push_back(settings(plain));
  all.push_back(whom == For::readers ? list(plain) : list(deep));
  all.push_back(settings(deep));
  return all;
}

Form varied(For whom) {
  return section({
      silent_derived("values", {list(any_value(whom), 1)}, "none", "values, one after the other"),
      silent_derived("from", {number()}, "none", "first value"),
      silent_derived("to", {number()}, "none", "last value"),
      silent_derived("points", {integer(1, max_variants)}, "none",
                     "how many values from `from` to `to`, in a grid or a list"),
      silent("scale", {words({"linear", "log"})}, "linear", "equal distances, or equal ratios"),
      silent_derived("range", {list({integer(-most)}, 2, 2)}, "none",
                     "whole numbers from the first to the last: `[1, 20]`"),
      silent_derived("formula", {text()}, "none",
                     "arithmetic over the other keys by their `name`: the value is tied to theirs"),
      silent_derived("name", {text()}, "the last part of the key", "what formulas call this key"),
  });
}

}  // namespace

namespace {

// What both kinds of files say in the same way.

Key scenario_key() {
  return required("scenario", {text()}, "scenario file that is run, relative to this file");
}

Key measure_key() {
  return required("measure", {settings({text()})},
                  "names, each with a formula over the results: `max(abs(strut.Fz))`");
}

Key keep_key() {
  return silent("keep", {words({"measures", "results", "results of the failed"})}, "measures",
                "what stays of a variant beside its row in the table: nothing, or the folder of its run");
}

Key limits_key() {
  return silent_derived(
      "limits",
      {section({
          silent_derived("time", {text()}, "none",
                         "wall time of a variant: `90 s`, `10 min`, `2 h`; a plain number: seconds"),
          silent_derived("memory", {text()}, "none",
                         "memory of the process that runs it: `500 MB`, `4 GB`; a plain number: MB"),
      })},
      "none", "a variant that goes beyond has failed");
}

Key make_sweep(For whom) {
  return required(
      "sweep",
      {section({
          scenario_key(),
          silent_derived("vary", {settings({list(any_value(whom), 1), varied(whom)})}, "nothing",
                         "keys as `--set` writes them, each with a list of values or a section"),
          silent_derived(
              "points", {text()}, "none",
              "CSV file with a key in every column of its first line and a variant in every other"),
          silent("design", {words({"grid", "list", "latin-hypercube", "sobol", "random"})}, "grid",
                 "which values are combined: all with all, first with first, or `n` points spread over the "
                 "ranges"),
          silent_derived("n", {integer(1, max_variants)}, "none", "points of a design that is spread"),
          silent("seed", {integer(0)}, "1", "of `latin-hypercube` and `random`"),
          measure_key(),
          keep_key(),
          limits_key(),
      })},
      "many runs of one scenario");
}

/// Two ends between which a search may go.
Form searched() {
  return section({
      required("from", {number()}, "smallest value"),
      required("to", {number()}, "largest value"),
      silent("scale", {words({"linear", "log"})}, "linear", "equal distances count alike, or equal ratios"),
  });
}

Key make_optimise(For whom) {
  const std::vector<Form> names{text(), list({text()}, 1)};
  return required(
      "optimise",
      {section({
          scenario_key(),
          required("vary", {settings({list(any_value(whom), 1), searched()})},
                   "keys as `--set` writes them, each with two ends or a list of choices"),
          measure_key(),
          silent_derived("minimise", names, "none", "measures that should be small"),
          silent_derived("maximise", names, "none", "measures that should be large"),
          silent_derived("bounds",
                         {settings({section({
                             silent_derived("min", {number()}, "none", "least value"),
                             silent_derived("max", {number()}, "none", "greatest value"),
                         })})},
                         "none", "names of measures, each with the limits that the best point keeps"),
          silent("method",
                 {words({"auto", "tpe", "nsga2", "random", "bobyqa", "subplex", "cobyla", "slsqp",
                         "evolution"})},
                 "auto", "how to search; `auto` goes by the number of goals, by choices and bounds"),
          silent("n", {integer(1, max_variants)}, "200", "the most points that are tried"),
          silent("batch", {integer(1, max_variants)}, "1", "points that are tried at once"),
          silent("seed", {integer(0)}, "1", "of methods that draw at random"),
          keep_key(),
          limits_key(),
      })},
      "search of the values of some keys for which measures are best");
}

}  // namespace

Key sweep_definition() {
  return make_sweep(For::readers);
}

Key optimise_definition() {
  return make_optimise(For::readers);
}

namespace {

Form whole_file(Key chapter) {
  Key version = required("cosimo", {integer(format_version, format_version)}, "version of the file format");
  version.hint = "write `cosimo: 1`, the version of the file format that this program reads";
  return section({std::move(version), std::move(chapter)});
}

}  // namespace

const Form& series_definition() {
  static const Form definition = whole_file(make_sweep(For::reading));
  return definition;
}

const Form& search_definition() {
  static const Form definition = whole_file(make_optimise(For::reading));
  return definition;
}

}  // namespace cosimo::config
