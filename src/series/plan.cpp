#include "series/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "config/check.hpp"
#include "config/definition_sweep.hpp"
#include "config/number.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"
#include "core/counted.hpp"
#include "numerics/expression.hpp"
#include "series/axis_values.hpp"
#include "series/points_file.hpp"
#include "series/read_runs.hpp"

namespace cosimo::series {

namespace {

using config::Faults;
using config::Node;
using config::Position;
using config::Value;

constexpr std::size_t most_variants = config::max_variants;

DesignKind design_of(const std::string& word) {
  if (word == "list") return DesignKind::list;
  if (word == "latin-hypercube") return DesignKind::latin_hypercube;
  if (word == "sobol") return DesignKind::sobol;
  return word == "random" ? DesignKind::random : DesignKind::grid;
}

class PlanReader {
 public:
  PlanReader(Plan& plan, const Value& sweep, const std::filesystem::path& folder, Faults& faults)
      : plan_(plan), sweep_(sweep), folder_(folder), faults_(faults) {}

  void read() {
    read_runs(plan_, sweep_, folder_, faults_);
    axes();
    if (!faults_.empty()) return;
    if (sweep_.find("points") != nullptr)
      points_from_file();
    else
      points_of_design();
    if (faults_.empty()) tie();
  }

 private:
  std::string word(const char* key) const {
    const Value* value = sweep_.find(key);
    if (value != nullptr) return value->word;
    return config::sweep_definition().forms[0].find(key)->fallback;
  }
  std::int64_t integer(const char* key, std::int64_t otherwise) const {
    const Value* value = sweep_.find(key);
    return value != nullptr ? value->integer : otherwise;
  }
  void complain(const Value& value, std::string problem, std::string remedy) {
    faults_.add(value.node->position, value.path, config::to_text(*value.node),
                {std::move(problem), std::move(remedy)});
  }
  void complain(const AxisText& axis, std::string problem, std::string remedy) {
    faults_.add(axis.position, "sweep.vary." + axis.key, "", {std::move(problem), std::move(remedy)});
  }

  void axes() {
    if (const Value* vary = sweep_.find("vary"))
      for (std::size_t i = 0; i < vary->words.size(); ++i)
        texts_.push_back(read_axis(vary->words[i], vary->node->keys[i], vary->items[i], faults_));
    check_keys(texts_, "sweep.vary", faults_);
    if (texts_.empty() && sweep_.find("points") == nullptr)
      faults_.add(sweep_.node->position, "sweep.vary", "",
                  {"is missing", "say which keys have which values, or name a file of `points`"});
  }

  void take(std::vector<AxisText> texts) {
    for (AxisText& text : texts)
      plan_.axes.push_back({text.key, text.name, text.position.line, std::move(text.values)});
  }

  /// The free keys; tied ones stay in texts_.
  std::vector<AxisText> free_axes() {
    std::vector<AxisText> free;
    for (AxisText& axis : texts_)
      if (axis.formula.empty()) free.push_back(std::move(axis));
    std::erase_if(texts_, [](const AxisText& axis) { return axis.formula.empty(); });
    return free;
  }

  void points_of_design() {
    const DesignKind kind = design_of(word("design"));
    std::vector<AxisText> free = free_axes();
    plan_.design = word("design");
    const bool spread = kind != DesignKind::grid && kind != DesignKind::list;
    if (free.empty())
      return faults_.add(sweep_.node->position, "sweep.vary", "",
                         {"every key is tied to others", "give one of them values"});
    if (const Value* n = sweep_.find("n"); n != nullptr && !spread)
      return complain(*n, "belongs to designs that are spread",
                      "leave it out; `points` says how many values");
    if (spread) return spread_points(kind, std::move(free));
    for (AxisText& axis : free) {
      if (!axis.range) continue;
      if (!axis.counted)
        complain(axis, "does not say how many points", "add `points: 5`, or take a design that is spread");
      else if (!faults_.full())
        for (const double x : values(*axis.range)) axis.values.push_back(config::number_text(x));
    }
    if (!faults_.empty()) return;
    if (kind == DesignKind::grid)
      grid(std::move(free));
    else
      list(std::move(free));
  }

  void too_many(double count) {
    faults_.add(sweep_.node->position, "sweep.vary", "",
                {fmt::format("makes {:.3g} variants; a series has at most {}", count, most_variants),
                 "take fewer values, or a design that is spread with `n`"});
  }

  /// The last key varies fastest.
  void grid(std::vector<AxisText> free) {
    double count = 1;
    for (const AxisText& axis : free) count *= static_cast<double>(axis.values.size());
    if (count > static_cast<double>(most_variants)) return too_many(count);
    plan_.count = static_cast<std::size_t>(count);
    const std::size_t width = free.size();
    plan_.choice.resize(plan_.count * width);
    std::size_t stride = 1;
    for (std::size_t a = width; a-- > 0;) {
      const std::size_t n = free[a].values.size();
      for (std::size_t i = 0; i < plan_.count; ++i)
        plan_.choice[i * width + a] = static_cast<std::uint32_t>(i / stride % n);
      stride *= n;
    }
    take(std::move(free));
  }

  void list(std::vector<AxisText> free) {
    plan_.count = free.front().values.size();
    for (const AxisText& axis : free)
      if (axis.values.size() != plan_.count)
        complain(axis,
                 fmt::format("has {}, `{}` has {}", counted(axis.values.size(), "value"), free.front().key,
                             plan_.count),
                 "a list takes first with first: give all keys as many values, or write `design: grid`");
    const std::size_t width = free.size();
    for (std::size_t i = 0; i < plan_.count; ++i)
      plan_.choice.insert(plan_.choice.end(), width, static_cast<std::uint32_t>(i));
    take(std::move(free));
  }

  void spread_points(DesignKind kind, std::vector<AxisText> free) {
    const Value* n = sweep_.find("n");
    if (n == nullptr)
      return faults_.add(sweep_.node->position, "sweep.n", "",
                         {"is missing", "say how many points: `n: 100`"});
    plan_.count = static_cast<std::size_t>(n->integer);
    std::vector<std::vector<double>> units;
    try {
      units = unit_points(kind, free.size(), plan_.count, static_cast<std::uint64_t>(integer("seed", 1)));
    } catch (const Error& error) {
      return faults_.add(sweep_.node->position, "sweep.design", plan_.design,
                         {error.faults().front().problem, error.faults().front().remedy});
    }
    const std::size_t width = free.size();
    plan_.choice.resize(plan_.count * width);
    for (std::size_t a = 0; a < width; ++a) {
      AxisText& axis = free[a];
      const std::size_t listed = axis.values.size();
      for (std::size_t i = 0; i < plan_.count; ++i) {
        std::uint32_t& choice = plan_.choice[i * width + a];
        if (axis.range) {
          axis.values.push_back(config::number_text(from_unit(*axis.range, units[i][a])));
          choice = static_cast<std::uint32_t>(i);
        } else {  // listed values are slices of the unit interval
          const auto slice = static_cast<std::size_t>(units[i][a] * static_cast<double>(listed));
          choice = static_cast<std::uint32_t>(std::min(slice, listed - 1));
        }
      }
    }
    take(std::move(free));
  }

  void points_from_file() {
    const Value& file = *sweep_.find("points");
    for (const char* key : {"design", "n"})
      if (const Value* other = sweep_.find(key); other != nullptr && other->given)
        complain(*other, "says what the file of points says", "leave it out");
    for (const AxisText& axis : texts_)
      if (axis.formula.empty())
        complain(axis, "stands beside a file of points, which has all values",
                 "make it a column of the file, or tie it by a `formula`");
    const PointsFile points = read_points(folder_ / file.word, faults_);
    std::set<std::string> seen;
    for (const std::string& key : points.keys)
      if (key.empty() || !seen.insert(key).second)
        complain(file, key.empty() ? "a column has no key" : "the key `" + key + "` has two columns",
                 "give every column of the first line a key of its own");
    for (const std::string& key : points.keys)
      if (is_of_run(key))
        complain(file, "has a column `" + key + "`, but `run` never changes a result", "leave it out");
    for (const AxisText& axis : texts_)
      if (seen.contains(axis.key)) complain(axis, "is a column of the file as well", "keep one of them");
    if (points.rows.size() > most_variants) return too_many(static_cast<double>(points.rows.size()));
    if (!faults_.empty()) return;
    plan_.design = "points of " + file.word;
    plan_.count = points.rows.size();
    const std::size_t width = points.keys.size();
    plan_.choice.resize(plan_.count * width);
    for (std::size_t a = 0; a < width; ++a) {
      Axis axis{
          points.keys[a], points.keys[a].substr(points.keys[a].rfind('.') + 1), file.node->position.line, {}};
      std::map<std::string_view, std::uint32_t> known;
      for (std::size_t i = 0; i < plan_.count; ++i) {
        const std::string& text = points.rows[i][a];
        const auto [at, fresh] = known.emplace(text, static_cast<std::uint32_t>(axis.values.size()));
        if (fresh) axis.values.push_back(text);
        plan_.choice[i * width + a] = at->second;
      }
      plan_.axes.push_back(std::move(axis));
    }
  }

  /// The tied keys, in their order: each may use those before it.
  void tie() {
    for (const AxisText& tied : texts_) {
      add_tied(tied);
      if (!faults_.empty()) return;
    }
  }

  void add_tied(const AxisText& tied) {
    std::vector<std::string> names;
    std::map<std::string, int> times;
    for (const Axis& axis : plan_.axes) {
      names.push_back(axis.name);
      ++times[axis.name];
    }
    std::optional<Expression> formula;
    try {
      formula.emplace(tied.formula, names);
    } catch (const ExpressionError& error) {
      return complain(tied, error.what(), error.remedy);
    }
    const std::size_t width = plan_.axes.size();
    std::vector<std::vector<double>> number(width);
    for (std::size_t a = 0; a < width; ++a) {
      if (!formula->uses(a)) continue;
      if (times[names[a]] > 1)
        return complain(tied, "`" + names[a] + "` is the name of several keys",
                        "give one of them another `name`");
      for (const std::string& text : plan_.axes[a].values) {
        const auto read = config::parse_number(text);
        const double* value = std::get_if<double>(&read);
        if (value == nullptr)
          return complain(tied, "`" + plan_.axes[a].key + "` has the value " + text + ", which is no number",
                          "tie keys to numbers");
        number[a].push_back(*value);
      }
    }
    Axis axis{tied.key, tied.name, tied.position.line, {}};
    std::vector<std::uint32_t> choice;
    std::vector<double> at(width, 0.0);
    for (std::size_t i = 0; i < plan_.count; ++i) {
      for (std::size_t a = 0; a < width; ++a) {
        const std::uint32_t chosen = plan_.choice[i * width + a];
        choice.push_back(chosen);
        if (!number[a].empty()) at[a] = number[a][chosen];
      }
      const double value = (*formula)(at);
      if (!std::isfinite(value))
        return complain(tied, fmt::format("has no value in variant {}", i + 1),
                        "write a formula that is a finite number for all points");
      choice.push_back(static_cast<std::uint32_t>(i));
      axis.values.push_back(config::number_text(value));
    }
    plan_.axes.push_back(std::move(axis));
    plan_.choice = std::move(choice);
  }

  Plan& plan_;
  const Value& sweep_;
  const std::filesystem::path& folder_;
  Faults& faults_;
  std::vector<AxisText> texts_;
};

}  // namespace

std::vector<std::string> Plan::settings(std::size_t variant) const {
  std::vector<std::string> all;
  for (std::size_t a = 0; a < axes.size(); ++a) all.push_back(axes[a].key + "=" + value(variant, a));
  return all;
}

Plan read_plan(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  Faults faults(name);
  Node root = config::parse_yaml(text, 0, faults);
  if (root.kind == Node::Kind::null)
    faults.fatal({0, 1, 1}, "", "", {"is empty", "begin with `cosimo: 1` and `sweep:`; see docs/series.md"});
  if (root.kind == Node::Kind::map && root.find("sweep") == nullptr)
    faults.fatal(
        {0, 1, 1}, "sweep", "",
        {"is missing", root.find("optimise") != nullptr ? "this is a search: `cosimo optimise " + name + "`"
                       : root.find("simulate") != nullptr
                           ? "this is a scenario: write a file with `sweep: {scenario: " + name +
                                 ", ...}`, or use `cosimo run`"
                           : "add `sweep:` with `scenario`, `vary` and `measure`"});
  config::Parameters none;
  const config::Checked checked = config::check_series(std::move(root), none, faults);
  faults.raise();
  Plan plan;
  plan.file = name;
  PlanReader(plan, *checked.root.find("sweep"), folder, faults).read();
  faults.raise();
  return plan;
}

}  // namespace cosimo::series
