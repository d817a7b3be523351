// A study: a numerical experiment of the documents, run again, with what they state set beside our numbers.
//
//   Finding studies::convergence(Lab& lab) {
//     Finding finding;
//     finding.settings.push_back("...");
//     const Trial trial = lab.run("explicit-k2", yaml, {"control.step=1e-5"});
//     ...
//     finding.statements.push_back(judged("global order kappa + 1", "5.1, Figure 5.3", "2.98", true));
//     return finding;
//   }
//
// A study is a function of its lab: the scale and the seed are all it may depend on. Everything that depends
// on a clock is marked `timed`; everything else is the same in every repetition, on any number of threads.
// Verdicts are honest: a statement that we do not reproduce differs, with a reason; one that this scale or
// machine cannot show is "not shown", with the reason why.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cosimo::studies {

class Lab;

enum class Verdict { agrees, differs, not_shown };

struct Statement {
  std::string published;  ///< what the document says, in a sentence
  std::string where;      ///< "5.1, Figure 5.2 left"
  std::string ours;       ///< our number, in words
  Verdict verdict = Verdict::not_shown;
  std::string reason{};  ///< why it differs or is not shown; may explain an agreement
  bool timed = false;    ///< depends on a clock
};

/// `holds` decides; `reason` is told when it does not.
Statement judged(std::string published, std::string where, std::string ours, bool holds,
                 std::string reason = {});
Statement not_shown(std::string published, std::string where, std::string reason);
Statement timed(Statement statement);

inline constexpr double gap = std::numeric_limits<double>::quiet_NaN();  ///< no point in a course

struct Course {
  enum class Style { line, points, steps };
  std::string name;
  std::vector<double> x{}, y{};  ///< of equal length; `gap`s are left out
  Style style = Style::line;
};

struct Axis {
  std::string label;
  bool log = false;
};

struct Figure {
  std::string id;  ///< name of its data file: data/<id>.csv
  std::string title;
  std::string where;
  Axis x, y;
  std::vector<Course> courses{};
  std::string note{};
  bool timed = false;
};

struct Table {
  using Cell = std::variant<std::string, double, std::int64_t>;
  std::string id;  ///< data/<id>.csv
  std::string title;
  std::vector<std::string> columns{};
  std::vector<std::vector<Cell>> rows{};
  std::string note{};
  bool timed = false;
};

/// What a study found out.
struct Finding {
  std::vector<std::string>
      settings{};  ///< what was run, and what had to be chosen where the source is silent
  std::vector<Statement> statements{};
  std::vector<Figure> figures{};
  std::vector<Table> tables{};
};

struct Study {
  std::string name;
  std::string title;
  std::string source;              ///< "[K] 5.1"
  std::vector<std::string> about;  ///< what it shows, a paragraph each; the first is told by --list
  double seconds = 60;             ///< at scale 1 on two cores, about
  double growth = 1;               ///< with the scale: seconds * scale^growth
  std::function<Finding(Lab&)> work;
};

/// About how long a study takes at a scale.
double expected_seconds(const Study& study, double scale);

/// All, in the order of the documents.
const std::vector<Study>& all_studies();
/// Throws Error naming the nearest one when there is none of that name.
const Study& find_study(std::string_view name);

}  // namespace cosimo::studies
