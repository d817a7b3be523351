// Cosimo's public interface.
//
//   auto scenario = cosimo::Scenario::load("model.yaml");
//   auto report = cosimo::run(scenario, {.output_dir = "model.out"});
//   auto error = cosimo::compare("model.out", "reference.out");
//
// Wrong input throws cosimo::Error (core/error.hpp is installed beside this header);
// everything that can happen during a run is told by the Report.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "cosimo/report.hpp"

namespace cosimo {

namespace config {
struct Scenario;
}

std::string_view version();

/// A validated scenario file.
class Scenario {
 public:
  /// `overrides`: "control.rtol=1e-5" and the like, as on the command line.
  static Scenario load(const std::filesystem::path& file, std::span<const std::string> overrides = {});
  static Scenario parse(std::string_view text, std::string_view name = "scenario",
                        std::span<const std::string> overrides = {});
  /// Same model and solver, one part: the reference that speed and error are measured against.
  Scenario uncut() const;
  const config::Scenario& data() const { return *data_; }
  /// What the file says about progress: "auto", "on" or "off".
  std::string_view progress() const;
  /// One paragraph: what would be run. With a folder, also asks whether its disk can hold the results and
  /// whether what is there may be replaced; throws Error when not.
  std::string describe(const std::filesystem::path& output_dir = {}) const;

 private:
  std::shared_ptr<const config::Scenario> data_;
};

class Cluster;

struct Progress {
  double time = 0, end = 0;
  bool cut = true;               ///< false: there are no macro steps, `micro_steps` counts
  std::int64_t micro_steps = 0;  ///< kept ones of an uncut run, since it was started or resumed
  std::int64_t macro_steps = 0, rejected = 0;
  double H = 0;
  int kappa = 0;
  int layers = 0;  ///< of copies, the widest overlap of the last step; 0: no overlap, `kappa` counts
  double wall_s = 0;
};

/// One line: how far it is, what the steps are like, how long it will take.
std::string to_text(const Progress& progress);

struct RunOptions {
  std::filesystem::path output_dir;               ///< created; empty: nothing is written
  int threads = 0;                                ///< 0: what the scenario says, else all cores
  bool csv = false;                               ///< also results.csv
  std::function<void(const Progress&)> progress;  ///< called at most ten times a second
  const std::atomic<bool>* interrupt = nullptr;   ///< becomes true: end in order at the next macro point
  bool trace = false;                             ///< also trace.json, for ui.perfetto.dev: who did what when
  bool resume = false;  ///< go on from the newest checkpoint in output_dir; without one from the beginning
  std::function<void(const std::string&)> notice{};  ///< told what the user should know, in a sentence each
  Cluster* cluster = nullptr;  ///< the ranks that run it together; null: this process alone
  /// A Simulation may be driven beyond simulate.end, which then only says what a long time is.
  bool open_end = false;
  std::string command{};  ///< for summary.json: how a user says it
  bool replace = false;   ///< also results of another scenario, and files that no run wrote, in output_dir
};

Report run(const Scenario& scenario, const RunOptions& options = {});

struct CompareOptions {
  std::vector<std::int64_t> bodies;  ///< labels; empty: all
};
struct Comparison {
  double position = 0, velocity = 0, both = 0;  ///< NRMSE (5.2)
  double position_rms = 0, velocity_rms = 0;    ///< per variable, root mean square
  double worst = 0;                             ///< largest (5.1)
  std::int64_t worst_body = 0;
  std::string worst_name{};  ///< of that body; its number where it has no name
  std::size_t rows = 0, bodies = 0;
  /// Outputs of subsystems that both have: how many, NRMSE (5.2), the same per output, and the worst.
  std::size_t outputs = 0;
  double output = 0, output_rms = 0, worst_output = 0;
  std::string worst_output_name{};
  bool same_model = true;  ///< false: the two runs had different physics

  /// A body whose position or velocity hardly changes in the reference.
  struct Still {
    std::int64_t body = 0;
    std::string name{};
    bool position = false, velocity = false;
  };
  /// Weighed by `share` of what the most moving body does, not by their own motion, which (5.1) divides by.
  std::vector<Still> still{};
  double share = 0;
};
/// Error of the run in folder `a` against the one in folder `reference` (or results.h5 files).
Comparison compare(const std::filesystem::path& a, const std::filesystem::path& reference,
                   const CompareOptions& options = {});
/// The table for people; `level` "position" or "velocity" shows that one alone.
std::string to_text(const Comparison& comparison, std::string_view level = "");
/// In one sentence who was weighed by what others move; empty: nobody.
std::string weighed_otherwise(const Comparison& comparison);

std::string scenario_schema();     ///< JSON Schema of the scenario file
std::string scenario_reference();  ///< all keys in Markdown

}  // namespace cosimo
