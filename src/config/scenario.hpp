// The scenario file as plain structs with defaults. Parsing, validation, schema and
// the effective file all come from one table of definitions (config/definition.hpp).
//
//   Scenario s = load_scenario("model.yaml", {"control.rtol=1e-5"});   // throws Error with all faults
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/choices.hpp"
#include "config/generators.hpp"
#include "config/mechanism.hpp"
#include "config/subsystems.hpp"
#include "numerics/curve.hpp"
#include "numerics/unit_names.hpp"

namespace cosimo::config {

struct Simulate {
  double end = 0;
  std::optional<double> output;  ///< step; empty: `macro`
  Record record = Record::all;
  std::vector<std::int64_t> record_bodies;
  std::vector<std::string> record_names;  ///< bodies of the list that are named
  bool local_error = false;
  bool vtk = false;  ///< also write the motion for ParaView
};

/// Elements by number (from 1) or by name.
struct ElementList {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> names;
};

struct Partition {
  bool given = false;      ///< the section stands in the file
  bool whole = false;      ///< `none`; neither: the model decides (simulation/choose_partition.hpp)
  std::int64_t parts = 0;  ///< 0: auto
  CutMethod method = CutMethod::equal;
  std::vector<std::int64_t> cuts;
  std::vector<std::string> cut_names;  ///< cuts that are named
  ElementList fix;     ///< cut whatever the method finds; it sees them when it divides the bodies
  ElementList forbid;  ///< never cut
  ElementList add;     ///< cut in addition, after the method has divided the bodies
};

/// decomposition of one cut element.
struct CutDecomposition {
  std::int64_t cut = 0;                             ///< element label; 0: by name
  std::string cut_name;                             ///< empty: by number
  Decomposition kind = Decomposition::force_force;  ///< not overlap
  Displaced displaced = Displaced::second;
};

/// With `scheme: auto` and no `decomposition`, settings that only one family of cuts has choose that family:
/// couple.layers and exOV mean overlap; exLE, exMD, exCV, control.order, a least-squares predictor, ida
/// and connections mean force-force; imMD and imCV mean the implicit scheme, waCV waveform; gauss-seidel,
/// `update: none`, acc and accrel the explicit one. `scheme` is then the one meant. Without any of them it
/// stays empty: the choice is left to the run, and so is what depends on it.
struct Couple {
  std::optional<SchemeKind> scheme;  ///< empty: auto
  Sweep sequence = Sweep::jacobi;
  std::vector<std::int64_t> order;  ///< sequence: {gauss-seidel: [parts]}; empty: automatic
  Update update = Update::consistent;
  /// Empty: the run chooses. With a list of cuts it is the kind of all that the list does not name,
  /// force-force.
  std::optional<Decomposition> decomposition;
  Displaced displaced = Displaced::second;  ///< of all force-displacement cuts that `cuts` does not name
  std::vector<CutDecomposition> cuts;       ///< decomposition: [{cut, kind, displaced}, ...]
  std::optional<std::int64_t> layers;       ///< of an overlap; empty: auto

  Predictor predictor = Predictor::extrapolation;
  std::int64_t least_squares = 0;       ///< predictor: {least-squares: N}; 0 otherwise
  std::int64_t predictor_degree = 0;    ///< acc, accrel: degree of the accelerations
  double predictor_omega = 0;           ///< accrel
  bool predictor_whole_course = false;  ///< acc: the course itself, not only its end value
  bool predictor_update = true;         ///< acc, accrel: the accelerations are updated at macro points

  double relaxation = 0;  ///< waveform: weight of the old iterate (2.35)
  JacobianMethod jacobian = JacobianMethod::sensitivity;
  std::int64_t series_terms = 1;  ///< jacobian: {series: n}
  Refresh refresh = Refresh::automatic;
  std::optional<double> perturbation_min;  ///< fd; absent: from the tolerances
  std::int64_t max_iterations = 10;
  double tau = 0.33;
  std::optional<double> corrector_rtol, corrector_atol;  ///< absent: as control, solve.rtol with a fixed step
};

/// control.rtol where the file does not give it. Accuracy is cheap across an overlap, and what is wrong there
/// does not conserve momentum as the solver's errors do: it is ten times as accurate as the solver.
constexpr double default_rtol(bool overlap, double solve_rtol) {
  return overlap ? solve_rtol / 10 : 1e-4;
}

struct Control {
  std::optional<double> step;  ///< fixed H
  /// Empty with a fixed step: none; empty without (`scheme: auto` only): exOV or exCV, as the run chooses the
  /// decomposition.
  std::optional<Estimator> estimator;
  std::optional<double> rtol;                        ///< empty as the decomposition is: default_rtol()
  std::optional<double> atol_pos, atol_vel, atol_u;  ///< absent: they follow the motion
  double safety = 6, r_min = 0.5, r_max = 1.5;
  bool dead_zone = true;
  std::optional<double> first_step, min_step, max_step;
  std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
  std::optional<std::int64_t> order;  ///< fixed kappa
  std::int64_t order_max = 5;
  OrderStrategy strategy = OrderStrategy::standard;
};

struct Solve {
  Method method = Method::automatic;
  Linear linear = Linear::automatic;
  double rtol = 1e-6;
  std::optional<double> atol_pos, atol_vel;  ///< absent: they follow the motion
  Stop stop = Stop::adjusted;
  std::int64_t limit = 1;
  double max_step = std::numeric_limits<double>::infinity();
};
/// solve: {..., parts: [{parts: [labels], method: ...}, ...]}: other settings for some parts.
struct SolveOverride {
  std::vector<std::int64_t> parts;
  Solve solve;  ///< complete: the common settings with the overrides applied
};

/// How often a state to go on from is written; both zero: never.
struct Checkpoint {
  double seconds = 0;
  std::int64_t steps = 0;
};

struct Run {
  std::optional<std::int64_t> threads;
  Progress progress = Progress::automatic;
  Checkpoint checkpoint;
};

/// What an exported FMU shows besides the inputs; empty: everything.
struct Export {
  std::vector<std::string> outputs, parameters;
};

/// What makes the model when it is neither a chain nor given by its bodies.
using Generator = std::variant<std::monostate, Pendulum, Lattice, Network, FourBars, Vehicle>;

struct Scenario {
  std::string file;                  ///< for messages
  std::vector<std::string> sources;  ///< of positions: the file, settings of the command line, included files
  std::optional<ModelKind> model = ModelKind::chain;  ///< empty: subsystems alone
  Chain chain;                                        ///< `chain`
  std::optional<Mechanism> mechanism;                 ///< `bodies`
  Generator generator;                                ///< all others
  std::vector<NamedCurve> curves;                     ///< for formulas; loads have theirs
  Start start;                                        ///< of mechanisms
  std::vector<SubsystemSpec> subsystems;
  std::vector<Connection> connections;
  Simulate simulate;
  Partition partition;
  Couple couple;
  Control control;
  Solve solve;
  std::vector<SolveOverride> solve_overrides;
  Run run;
  Export exported;
  UnitNames units;                 ///< of all numbers of the scenario and its results; empty: nobody said
  std::vector<std::string> notes;  ///< on what an imported file says and the model does not have
  std::string effective;           ///< scenario.effective.yaml: every key with its value, defaults included
};

/// Read, apply `key=value` overrides (dotted keys, YAML values), validate. Throws Error with all faults.
Scenario load_scenario(const std::filesystem::path& file, std::span<const std::string> overrides = {});
/// The same from text; `name` stands for the file in messages.
Scenario parse_scenario(std::string_view text, std::string_view name,
                        std::span<const std::string> overrides = {});

/// JSON Schema (2020-12) of the scenario file.
std::string json_schema();
/// The reference table of all keys in Markdown, for docs/scenario.md.
std::string reference_markdown();

}  // namespace cosimo::config
