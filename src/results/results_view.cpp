#include "results/results_view.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.hpp"
#include "results/hdf5_column.hpp"
#include "results/hdf5_strings.hpp"
#include "results/results_format.hpp"
#include "results/results_open.hpp"
#include "results/results_steps.hpp"

namespace cosimo {

struct ResultsView::Impl {
  explicit Impl(std::filesystem::path path) : file(std::move(path)) {
    const SilentErrors quiet;
    opened = open_results(file);
    section("the model hash", [&] { contents.model_hash = read_model_hash(opened); });
    section("/bodies", [&] { read_labels(); });
    section("/time, /position and /velocity", [&] { read_motion(); });
    section("the names of columns", [&] { read_names(); });
    section("/links", [&] { read_links(); });
    section("/scene", [&] { read_scene(); });
    section("/steps", [&] { contents.steps = read_steps(opened); });
    section("/cuts", [&] { read_cuts(); });
    section("/coupling", [&] { read_coupling(); });
    section("/local", [&] { read_local(); });
    section("the tables", [&] { read_tables(); });
  }

  template <class Read>
  void section(const std::string& name, Read read) {
    try {
      read();
    } catch (const Hdf5Failure& failure) {
      problems.push_back(name + " cannot be read (" + failure.what() + ")");
    }
  }

  template <class T>
  std::vector<T> optional_array(const std::string& path, int rank, std::size_t size) const {
    if (!exists(opened, path)) return {};
    const Column column(opened, path, rank);
    if (column.rows() * column.columns() != size) throw Hdf5Failure("/" + path + " has the wrong length");
    return column.read<T>();
  }

  void read_labels() {
    contents.bodies = Column(opened, "bodies", 1).read<std::int64_t>();
    contents.parts = optional_array<std::int32_t>("parts", 1, contents.bodies.size());
  }

  void read_motion() {
    const Column times(opened, "time", 1);
    std::size_t rows = times.rows();
    if (!contents.bodies.empty()) {
      position.emplace(opened, "position", 2);
      velocity.emplace(opened, "velocity", 2);
      if (position->columns() != contents.bodies.size() || velocity->columns() != contents.bodies.size()) {
        position.reset();
        velocity.reset();
        throw Hdf5Failure("/position, /velocity and /bodies do not match");
      }
      rows = std::min({rows, position->rows(), velocity->rows()});
    }
    contents.time = times.read<double>(rows);
  }

  void read_names() {
    const std::vector<std::int64_t>& bodies = contents.bodies;
    if (exists(opened, "columns")) contents.columns = read_strings(opened, "columns");
    if (exists(opened, "body_names")) contents.body_names = read_strings(opened, "body_names");
    const bool fit = contents.columns.empty() || contents.columns.size() == bodies.size();
    if (fit && (contents.body_names.empty() || contents.body_names.size() == distinct(bodies))) return;
    contents.columns.clear();
    contents.body_names.clear();
    throw Hdf5Failure("/columns, /body_names and /bodies do not match");
  }

  void read_links() {
    if (!exists(opened, "links")) return;
    const Column pairs(opened, "links", 2);
    if (pairs.columns() != 2) throw Hdf5Failure("/links has the wrong shape");
    contents.links = pairs.read<std::int64_t>();
  }

  void read_scene() {
    if (!exists(opened, "scene")) return;
    const std::vector<std::string> text = read_strings(opened, "scene");
    if (text.size() != 1) throw Hdf5Failure("/scene has the wrong length");
    contents.scene = text.front();
  }

  void read_cuts() {
    if (!exists(opened, "cuts/element")) return;
    contents.cut_elements = Column(opened, "cuts/element", 1).read<std::int64_t>();
    const std::size_t n = contents.cut_elements.size();
    contents.cut_errors = optional_array<double>("cuts/error", 1, n);
    contents.cut_layers = optional_array<std::int32_t>("cuts/layers", 1, n);
    contents.cut_bodies = optional_array<std::int64_t>("cuts/bodies", 2, 2 * n);
    contents.cut_parts = optional_array<std::int32_t>("cuts/parts", 2, 2 * n);
    if (!exists(opened, "cuts/name")) return;
    contents.cut_names = read_strings(opened, "cuts/name");
    if (contents.cut_names.size() == n) return;
    contents.cut_names.clear();
    throw Hdf5Failure("/cuts/name and /cuts/element do not match");
  }

  void read_coupling() {
    if (!exists(opened, "coupling/u")) return;
    u.emplace(opened, "coupling/u", 2);
    contents.variables = u->columns();
    contents.points = u->rows();
    contents.cut_of_variable = optional_array<std::int32_t>("coupling/cut", 1, contents.variables);
    if (exists(opened, "coupling/name")) contents.variable_names = read_strings(opened, "coupling/name");
    if (contents.variable_names.size() != contents.variables) contents.variable_names.clear();
    const auto cuts = static_cast<std::int32_t>(contents.cut_elements.size());
    if (std::all_of(contents.cut_of_variable.begin(), contents.cut_of_variable.end(),
                    [&](std::int32_t cut) { return cut >= 0 && cut < cuts; }))
      return;
    contents.cut_of_variable.clear();
    throw Hdf5Failure("/coupling/cut names cuts that /cuts does not have");
  }

  void read_local() {
    if (!exists(opened, "local/position")) return;
    const Column q(opened, "local/position", 2), v(opened, "local/velocity", 2);
    if (q.columns() != v.columns()) throw Hdf5Failure("/local/position and /local/velocity do not match");
    contents.local_bodies = q.columns();
    contents.locals = std::min(q.rows(), v.rows());
  }

  void read_tables() {
    if (!exists(opened, "tables")) return;
    for (const std::string& name : read_strings(opened, "tables"))
      section("the table /" + name, [&] {
        TableLayout table{.name = name};
        std::size_t rows = 0;
        if (exists(opened, name + "/columns")) {
          table.columns = read_strings(opened, name + "/columns");
          const Column value(opened, name + "/value", 2);
          if (value.columns() != table.columns.size())
            throw Hdf5Failure("/" + name + "/value and its columns do not match");
          rows = std::min(value.rows(), contents.time.size());
        }
        contents.tables.push_back(std::move(table));
        contents.table_rows.push_back(rows);
      });
  }

  std::vector<double> block(const Column& column, const ResultsBlock& b) const {
    COSIMO_CHECK(b.row <= column.rows() && b.rows <= column.rows() - b.row && b.column <= column.columns() &&
                     b.columns <= column.columns() - b.column,
                 "a block inside of the dataset");
    std::vector<double> values(b.rows * b.columns);
    reading([&] { column.read<double>({b.row, b.rows, b.column, b.columns}, values); });
    return values;
  }

  std::vector<double> whole(const std::string& path, std::size_t rows) const {
    std::vector<double> values;
    if (rows > 0) reading([&] { values = Column(opened, path, 2).read<double>(rows); });
    return values;
  }

  template <class Operation>
  void reading(Operation operation) const {
    const SilentErrors quiet;
    try {
      operation();
    } catch (const Hdf5Failure& failure) {
      refuse_damaged(file, failure);
    }
  }

  std::filesystem::path file;
  Handle opened;
  std::optional<Column> position, velocity, u;
  Contents contents;
  std::vector<std::string> problems;
};

ResultsView::ResultsView(std::filesystem::path file) : impl_(std::make_unique<Impl>(std::move(file))) {}
ResultsView::~ResultsView() = default;
ResultsView::ResultsView(ResultsView&&) noexcept = default;
ResultsView& ResultsView::operator=(ResultsView&&) noexcept = default;

const ResultsView::Contents& ResultsView::contents() const {
  return impl_->contents;
}

const std::vector<std::string>& ResultsView::problems() const {
  return impl_->problems;
}

std::vector<double> ResultsView::position(const ResultsBlock& block) const {
  COSIMO_CHECK(impl_->position.has_value(), "no motion is recorded");
  return impl_->block(*impl_->position, block);
}

std::vector<double> ResultsView::velocity(const ResultsBlock& block) const {
  COSIMO_CHECK(impl_->velocity.has_value(), "no motion is recorded");
  return impl_->block(*impl_->velocity, block);
}

std::vector<double> ResultsView::coupling(const ResultsBlock& block) const {
  COSIMO_CHECK(impl_->u.has_value(), "no coupling variables are recorded");
  return impl_->block(*impl_->u, block);
}

std::vector<double> ResultsView::table(std::size_t index, std::size_t row, std::size_t rows) const {
  COSIMO_CHECK(index < impl_->contents.tables.size(), "a table that is there");
  return table(index, {row, rows, 0, impl_->contents.tables[index].columns.size()});
}

std::vector<double> ResultsView::table(std::size_t index, const ResultsBlock& block) const {
  const Contents& c = impl_->contents;
  COSIMO_CHECK(index < c.tables.size() && block.row <= c.table_rows[index] &&
                   block.rows <= c.table_rows[index] - block.row,
               "rows of a table that is there");
  std::vector<double> values(block.rows * block.columns);
  if (values.empty()) return values;
  impl_->reading([&] {
    const Column column(impl_->opened, c.tables[index].name + "/value", 2);
    column.read<double>({block.row, block.rows, block.column, block.columns}, values);
  });
  return values;
}

std::vector<double> ResultsView::local_position() const {
  return impl_->whole("local/position", impl_->contents.locals);
}

std::vector<double> ResultsView::local_velocity() const {
  return impl_->whole("local/velocity", impl_->contents.locals);
}

}  // namespace cosimo
