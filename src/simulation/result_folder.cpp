#include "cosimo/result_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "results/results_open.hpp"
#include "results/results_view.hpp"
#include "results/timing.hpp"
#include "simulation/name_places.hpp"
#include "simulation/rows.hpp"

namespace cosimo {

namespace {

constexpr const char* results_name = "results.h5";
constexpr const char* timing_name = "timing.h5";
constexpr const char* summary_name = "summary.json";
constexpr const char* scenario_name = "scenario.effective.yaml";

/// "did you mean `model.out`? "; empty: nothing of the kind is there.
std::string meant_by(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored))
    if (std::filesystem::exists(entry.path() / results_name, ignored))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());  // the order of a folder is arbitrary
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = nearest(path.filename().string(), candidates);
  return near.empty() ? "" : fmt::format("did you mean `{}`? ", (path.parent_path() / near).string());
}

/// The folder and the results in it, whichever of the two was named.
struct Place {
  std::filesystem::path folder, results;
};

Place find(const std::filesystem::path& path) {
  const auto refuse = [&](const char* problem, const std::string& first = {}) {
    throw Error(Fault{.file = path.string(),
                      .problem = problem,
                      .remedy = first + "name the output folder of a cosimo run, or the results.h5 in it"});
  };
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse("there is no such folder or file", meant_by(path));
  if (!std::filesystem::is_directory(path, error)) {
    // A damaged results.h5 is worth a page of what lies beside it; any other file must be results to the
    // letter.
    if (path.filename() != results_name) open_results(path);
    return {path.has_parent_path() ? path.parent_path() : std::filesystem::path("."), path};
  }
  for (const char* name : {results_name, timing_name, summary_name, scenario_name, "results.h5.resumed"})
    if (std::filesystem::exists(path / name, error)) return {path, path / results_name};
  refuse("there are no results of cosimo in this folder");
  return {};
}

/// Everything but the name of the file, which the remark tells already.
std::string problem_of(const Error& error) {
  const Fault& fault = error.faults().front();
  return fault.problem;
}

/// Empty: cannot be read, or is no plain file.
std::string text_of(const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return {};
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in.bad() ? std::string() : text.str();
}

StepHistory history(const std::vector<StepRow>& rows) {
  StepHistory steps;
  for (const StepRow& row : rows) append(steps, row);
  return steps;
}

/// Ends of the accepted steps, at most `most`. The step after one starts where it ended; the last has nobody
/// after it.
std::vector<double> point_times(const std::vector<StepRow>& rows, std::size_t most) {
  std::vector<double> times;
  for (std::size_t i = 0; i < rows.size() && times.size() < most; ++i)
    if (rows[i].accepted) times.push_back(i + 1 < rows.size() ? rows[i + 1].t : rows[i].t + rows[i].H);
  return times;
}

std::vector<RecordedCut> recorded_cuts(const ResultsView::Contents& c) {
  std::vector<RecordedCut> cuts(c.cut_elements.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    RecordedCut& cut = cuts[i];
    cut.element = c.cut_elements[i];
    cut.largest_error = c.cut_errors.empty() ? std::numeric_limits<double>::quiet_NaN() : c.cut_errors[i];
    cut.layers = c.cut_layers.empty() ? -1 : c.cut_layers[i];
    if (!c.cut_bodies.empty()) cut.bodies = {c.cut_bodies[2 * i], c.cut_bodies[2 * i + 1]};
    if (!c.cut_parts.empty()) cut.parts = {c.cut_parts[2 * i], c.cut_parts[2 * i + 1]};
    if (!c.cut_names.empty())
      cut.name = c.cut_names[i];
    else if (!c.cut_bodies.empty())
      cut.name =
          fmt::format("element {} between bodies {} and {}", cut.element, cut.bodies[0], cut.bodies[1]);
    else
      cut.name = fmt::format("element {}", cut.element);
  }
  return cuts;
}

std::vector<RecordedColumn> recorded_columns(const ResultsView::Contents& c) {
  std::vector<RecordedColumn> columns(c.bodies.size());
  std::unordered_map<std::int64_t, std::size_t> number;  // of a body in the order of the columns
  for (std::size_t i = 0; i < columns.size(); ++i) {
    RecordedColumn& column = columns[i];
    column.body = c.bodies[i];
    column.part = c.parts.empty() ? 0 : c.parts[i];
    if (c.body_names.empty())
      column.body_name = std::to_string(column.body);
    else
      column.body_name = c.body_names[number.try_emplace(column.body, number.size()).first->second];
    const std::size_t dot = c.columns.empty() ? std::string::npos : c.columns[i].rfind('.');
    column.coordinate = c.columns.empty() ? "x" : c.columns[i].substr(dot + 1);
  }
  return columns;
}

}  // namespace

struct ResultFolder::Impl {
  explicit Impl(const std::filesystem::path& path) : place(find(path)) {
    read_summary();
    scenario = text_of(place.folder / scenario_name);
    if (scenario.empty())
      remark("{} is missing or cannot be read: the settings of the run are not known.", scenario_name);
    read_results();
    read_timing_file();
  }

  template <class... Parts>
  void remark(fmt::format_string<Parts...> text, Parts&&... parts) {
    remarks.push_back(fmt::format(text, std::forward<Parts>(parts)...));
  }

  bool there(const std::filesystem::path& file) const {
    std::error_code error;
    return std::filesystem::exists(file, error);
  }

  void read_summary() {
    const std::filesystem::path file = place.folder / summary_name;
    if (!there(file)) {
      remark("{} is missing: the run has not ended yet, or was killed before its end.", summary_name);
      return;
    }
    summary = text_of(file);
    if (nlohmann::json::accept(summary) && nlohmann::json::parse(summary).is_object()) return;
    summary.clear();
    remark("{} cannot be read, or is damaged: it is not valid JSON.", summary_name);
  }

  void read_results() {
    const std::string name = place.results.filename().string();
    if (there(place.folder / "results.h5.resumed"))
      remark(
          "A resumed run was ended before it had caught up: its rows are in results.h5.resumed, and not "
          "shown here.");
    if (!there(place.results)) {
      remark("{} is missing: no motion, no steps and no coupling variables are known.", name);
      return;
    }
    try {
      view.emplace(place.results);
    } catch (const Error& error) {
      remark("{} cannot be read: {}.", name, problem_of(error));
      return;
    }
    for (const std::string& problem : view->problems()) remark("{} is damaged: {}.", name, problem);
    const ResultsView::Contents& c = view->contents();
    steps = history(c.steps);
    points = point_times(c.steps, c.points);
    cuts = recorded_cuts(c);
    columns = recorded_columns(c);
    for (std::size_t i = 0; i + 1 < c.links.size(); i += 2) links.push_back({c.links[i], c.links[i + 1]});
    for (const TableLayout& table : c.tables) tables.push_back({table.name, table.columns});
    name_columns(c);
    cut_of_variable = c.cut_of_variable;
    if (cut_of_variable.empty() && c.variables == cuts.size())  // older files: one variable per cut
      for (std::size_t i = 0; i < cuts.size(); ++i) cut_of_variable.push_back(static_cast<std::int32_t>(i));
  }

  void name_columns(const ResultsView::Contents& c) {
    ResultsLayout layout;
    layout.bodies = c.bodies;
    layout.columns = c.columns;
    layout.tables = c.tables;
    names = row_names(layout);
    places.emplace(names);
  }

  void read_timing_file() {
    if (!there(place.folder / timing_name)) {
      remark("{} is missing: where the time went per step is not known.", timing_name);
      return;
    }
    try {
      TimingTable table = read_timing(place.folder / timing_name);
      timing = {std::move(table.t), std::move(table.count), table.subsystems, std::move(table.solve),
                std::move(table.micro_steps)};
    } catch (const Error& error) {
      remark("{} cannot be read: {}.", timing_name, problem_of(error));
    }
  }

  Place place;
  std::vector<std::string> remarks;
  std::string summary, scenario, no_text;
  std::optional<ResultsView> view;
  StepHistory steps;
  std::vector<double> points, no_times;
  std::vector<std::string> no_names;
  std::vector<RecordedCut> cuts;
  std::vector<RecordedColumn> columns;
  std::vector<std::array<std::int64_t, 2>> links;
  std::vector<RecordedTable> tables;
  std::vector<std::string> names;
  std::optional<NamePlaces> places;
  std::vector<std::int32_t> cut_of_variable;
  TimingHistory timing;
};

ResultFolder::ResultFolder(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
ResultFolder::~ResultFolder() = default;
ResultFolder::ResultFolder(ResultFolder&&) noexcept = default;
ResultFolder& ResultFolder::operator=(ResultFolder&&) noexcept = default;

std::string ResultFolder::name() const {
  std::error_code error;
  const std::filesystem::path whole =
      std::filesystem::absolute(impl_->place.folder, error).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

const std::vector<std::string>& ResultFolder::remarks() const {
  return impl_->remarks;
}
const std::string& ResultFolder::summary() const {
  return impl_->summary;
}
const std::string& ResultFolder::scenario() const {
  return impl_->scenario;
}
const std::vector<double>& ResultFolder::time() const {
  return impl_->view ? impl_->view->contents().time : impl_->no_times;
}
const std::vector<RecordedColumn>& ResultFolder::columns() const {
  return impl_->columns;
}
const std::vector<std::array<std::int64_t, 2>>& ResultFolder::links() const {
  return impl_->links;
}
const std::string& ResultFolder::scene() const {
  return impl_->view ? impl_->view->contents().scene : impl_->no_text;
}
const std::vector<RecordedCut>& ResultFolder::cuts() const {
  return impl_->cuts;
}
const std::vector<RecordedTable>& ResultFolder::tables() const {
  return impl_->tables;
}
const StepHistory& ResultFolder::steps() const {
  return impl_->steps;
}
const std::vector<double>& ResultFolder::points() const {
  return impl_->points;
}
std::size_t ResultFolder::variables() const {
  return impl_->view ? impl_->view->contents().variables : 0;
}
const std::vector<std::int32_t>& ResultFolder::cut_of_variable() const {
  return impl_->cut_of_variable;
}
const std::vector<std::string>& ResultFolder::variable_names() const {
  return impl_->view ? impl_->view->contents().variable_names : impl_->no_names;
}
const TimingHistory& ResultFolder::timing() const {
  return impl_->timing;
}

namespace {

void require_inside(bool inside) {
  if (!inside) throw Error(Fault{.problem = "a block outside of what results.h5 holds was asked for"});
}

bool within(std::size_t first, std::size_t count, std::size_t size) {
  return first <= size && count <= size - first;
}

}  // namespace

std::vector<double> ResultFolder::positions(std::size_t row, std::size_t rows, std::size_t column,
                                            std::size_t columns) const {
  require_inside(within(row, rows, time().size()) && within(column, columns, impl_->columns.size()));
  if (rows * columns == 0) return {};
  return impl_->view->position({row, rows, column, columns});
}

std::vector<double> ResultFolder::velocities(std::size_t row, std::size_t rows, std::size_t column,
                                             std::size_t columns) const {
  require_inside(within(row, rows, time().size()) && within(column, columns, impl_->columns.size()));
  if (rows * columns == 0) return {};
  return impl_->view->velocity({row, rows, column, columns});
}

std::vector<double> ResultFolder::coupling(std::size_t row, std::size_t rows, std::size_t variable,
                                           std::size_t variables_) const {
  require_inside(within(row, rows, points().size()) && within(variable, variables_, variables()));
  if (rows * variables_ == 0) return {};
  return impl_->view->coupling({row, rows, variable, variables_});
}

std::vector<double> ResultFolder::table(std::size_t index, std::size_t row, std::size_t rows) const {
  require_inside(index < impl_->tables.size() && within(row, rows, table_rows(index)));
  if (rows == 0) return {};
  return impl_->view->table(index, row, rows);
}

std::size_t ResultFolder::table_rows(std::size_t index) const {
  return impl_->view ? impl_->view->contents().table_rows.at(index) : 0;
}

std::vector<std::string> ResultFolder::names() const {
  return impl_->names;
}

std::size_t ResultFolder::index(std::string_view name) const {
  if (!impl_->places) require_inside(false);
  return impl_->places->place(name, "names()");
}

namespace {

/// Where a column is.
struct ColumnPlace {
  std::size_t table = 0;  ///< 0: positions, 1: velocities, then the tables
  std::size_t column = 0;
};

ColumnPlace place_of(std::size_t index, std::size_t motion, const std::vector<RecordedTable>& tables) {
  for (std::size_t level = 0; level < 2; ++level, index -= motion)
    if (index < motion) return {level, index};
  for (std::size_t k = 0; k < tables.size(); index -= tables[k].columns.size(), ++k)
    if (index < tables[k].columns.size()) return {k + 2, index};
  require_inside(false);
  return {};
}

}  // namespace

std::size_t ResultFolder::rows_of(std::size_t index) const {
  const ColumnPlace place = place_of(index, impl_->columns.size(), impl_->tables);
  return place.table < 2 ? time().size() : table_rows(place.table - 2);
}

std::vector<double> ResultFolder::column(std::size_t index, std::size_t row, std::size_t rows) const {
  require_inside(within(row, rows, rows_of(index)));
  const ColumnPlace place = place_of(index, impl_->columns.size(), impl_->tables);
  if (rows == 0) return {};
  const ResultsBlock block{row, rows, place.column, 1};
  if (place.table == 0) return impl_->view->position(block);
  if (place.table == 1) return impl_->view->velocity(block);
  return impl_->view->table(place.table - 2, block);
}

std::vector<double> ResultFolder::local_positions() const {
  return impl_->view ? impl_->view->local_position() : std::vector<double>();
}

std::vector<double> ResultFolder::local_velocities() const {
  return impl_->view ? impl_->view->local_velocity() : std::vector<double>();
}

}  // namespace cosimo
