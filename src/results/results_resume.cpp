#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/results_source.hpp"

namespace cosimo {

namespace {

/// One dataset on its way from the old file to the new one.
template <class T>
class Stream {
 public:
  Stream(const ResultsSource& source, CrashSafeFile& disk, const std::string& path, int rank, Table<T>& to)
      : source_(source),
        disk_(disk),
        from_(source.reading([&](hid_t file) { return Column(file, path, rank); })),
        to_(to),
        shape_(chunk_shape(rank == 1 ? single_column : from_.columns(), sizeof(T))) {}

  std::size_t block() const { return shape_.rows; }  ///< rows to copy at a time
  std::size_t columns() const { return from_.columns(); }

  /// Copies the next rows, at most block(), and shows them.
  std::span<const T> rows(std::size_t n) {
    load({.first_row = next_, .rows = n, .columns = columns()});
    disk_.guarded([&] {
      for (std::size_t row = 0; row < n; ++row)
        to_.append(std::span<const T>(values_).subspan(row * columns(), columns()));
    });
    next_ += n;
    return values_;
  }

  /// The same chunk by chunk: nobody wants to see them.
  void unseen(std::size_t n) {
    if (shape_.columns == columns()) {
      rows(n);
      return;
    }
    for (const std::size_t end = next_ + n; next_ < end; ++next_)
      for (std::size_t first = 0; first < columns(); first += shape_.columns) {
        load({next_, 1, first, std::min(shape_.columns, columns() - first)});
        disk_.guarded([&] { to_.append(values_); });
      }
  }

  void all(std::size_t total) {
    while (next_ < total) unseen(std::min(block(), total - next_));
  }

 private:
  void load(const Rectangle& block) {
    values_.resize(block.rows * block.columns);
    source_.reading([&](hid_t) { from_.read<T>(block, values_); });
  }

  const ResultsSource& source_;
  CrashSafeFile& disk_;
  Column from_;
  Table<T>& to_;
  ChunkShape shape_;
  std::size_t next_ = 0;
  std::vector<T> values_;
};

/// Every table of the new file from its dataset of the old one.
class Copy {
 public:
  Copy(const ResultsSource& source, const ResumeFrom& from, ResultsTables& tables, CrashSafeFile& disk)
      : source_(source), from_(from), tables_(tables), disk_(disk) {}

  double outputs() {
    auto time = stream("time", 1, *tables_.time);
    std::optional<Stream<double>> position, velocity;
    std::size_t block = time.block();
    if (tables_.position) {
      position.emplace(stream("position", 2, *tables_.position));
      velocity.emplace(stream("velocity", 2, *tables_.velocity));
      block = std::min(block, position->block());
    }
    const std::size_t total = from_.position.outputs;
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t first = 0, n = 0; first < total; first += n) {
      n = std::min(block, total - first);
      const auto t = time.rows(n);
      last = t.back();
      if (position && !from_.output) position->unseen(n);
      const auto x = position && from_.output ? position->rows(n) : std::span<const double>();
      if (velocity) velocity->unseen(n);
      if (!from_.output) continue;
      const std::size_t columns = x.size() / n;
      for (std::size_t row = 0; row < n; ++row) from_.output(t[row], x.subspan(row * columns, columns));
    }
    return last;
  }

  void steps() {
    auto t = stream("steps/t", 1, *tables_.t), H = stream("steps/H", 1, *tables_.H),
         error = stream("steps/error", 1, *tables_.error);
    auto kappa = stream("steps/kappa", 1, *tables_.kappa),
         accepted = stream("steps/accepted", 1, *tables_.accepted);
    auto iterations = stream("steps/iterations", 1, *tables_.iterations);
    auto layers = stream("steps/layers", 1, *tables_.layers);
    std::optional<Stream<std::int32_t>> cut;  // older files have none
    if (source_.reading([](hid_t file) { return exists(file, "steps/cut"); }))
      cut.emplace(stream("steps/cut", 1, *tables_.cut));
    const std::size_t total = from_.position.steps;
    for (std::size_t first = 0, n = 0; first < total; first += n) {
      n = std::min(t.block(), total - first);
      const auto t_rows = t.rows(n), H_rows = H.rows(n), errors = error.rows(n);
      const auto orders = kappa.rows(n), verdicts = accepted.rows(n);
      const auto counts = iterations.rows(n);
      const auto widths = layers.rows(n);
      const auto cuts = cut ? cut->rows(n) : no_cuts(n);
      for (std::size_t i = 0; i < n && from_.step; ++i)
        from_.step({.t = t_rows[i],
                    .H = H_rows[i],
                    .kappa = orders[i],
                    .error = errors[i],
                    .accepted = verdicts[i] != 0,
                    .iterations = counts[i],
                    .layers = widths[i],
                    .worst = cuts[i]});
    }
  }

  void all(const std::string& path, std::optional<Table<double>>& to, std::size_t rows) {
    if (to) stream(path, 2, *to).all(rows);
  }

 private:
  /// What stands for /steps/cut of an older file.
  std::span<const std::int32_t> no_cuts(std::size_t n) {
    none_.assign(n, -1);
    disk_.guarded([&] {
      for (const std::int32_t value : none_) tables_.cut->append(value);
    });
    return none_;
  }

  template <class T>
  Stream<T> stream(const std::string& path, int rank, Table<T>& to) {
    return {source_, disk_, path, rank, to};
  }

  const ResultsSource& source_;
  const ResumeFrom& from_;
  ResultsTables& tables_;
  CrashSafeFile& disk_;
  std::vector<std::int32_t> none_;
};

}  // namespace

double copy_rows(const ResultsSource& source, const ResumeFrom& from, const ResultsLayout& layout,
                 ResultsTables& tables, CrashSafeFile& disk) {
  Copy copy(source, from, tables, disk);
  const double last_time = copy.outputs();
  for (std::size_t i = 0; i < tables.named.size(); ++i)
    copy.all(layout.tables[i].name + "/value", tables.named[i], from.position.outputs);
  copy.steps();
  copy.all("coupling/u", tables.u, from.position.points);
  copy.all("local/position", tables.local_position, from.position.locals);
  copy.all("local/velocity", tables.local_velocity, from.position.locals);
  copy.all("local/u", tables.local_u, from.position.locals);
  return last_time;
}

}  // namespace cosimo
