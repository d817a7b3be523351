// The table of a series as it is now.
#include <cmath>
#include <limits>

#include "config/number.hpp"
#include "series/head.hpp"
#include "series/measure.hpp"

namespace cosimo::series {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

const char* word_for(State state) {
  switch (state) {
    case State::waiting:
      return "waiting";
    case State::running:
      return "running";
    case State::done:
      return "done";
    case State::failed:
      break;
  }
  return "failed";
}

SeriesColumn column_of(const Plan& plan, std::size_t axis) {
  SeriesColumn column{plan.axes[axis].key, {}, {}};
  std::vector<double> numbers;
  for (const std::string& text : plan.axes[axis].values) {
    const auto read = config::parse_number(text);
    const double* number = std::get_if<double>(&read);
    if (number == nullptr) break;
    numbers.push_back(*number);
  }
  const bool numeric = numbers.size() == plan.axes[axis].values.size();
  for (std::size_t i = 0; i < plan.count; ++i) {
    if (numeric)
      column.number.push_back(numbers[plan.choice[i * plan.axes.size() + axis]]);
    else
      column.text.push_back(plan.value(i, axis));
  }
  return column;
}

/// The numbers of a record to the columns and curves of row i.
void fill_measures(const Record& record, std::size_t i, const std::vector<bool>& curved, SeriesData& data) {
  std::size_t at = 0, column = 0, curve = 0;
  for (std::size_t k = 0; k < curved.size() && k < record.lengths.size(); ++k) {
    const auto points = static_cast<std::size_t>(std::max<std::int64_t>(record.lengths[k], 0));
    if (at + (curved[k] ? 2 * points : 1) > record.numbers.size()) return;
    const auto first = record.numbers.begin() + static_cast<std::ptrdiff_t>(at);
    if (!curved[k]) {
      data.measures[column++].number[i] = *first;
      ++at;
      continue;
    }
    const auto middle = first + static_cast<std::ptrdiff_t>(points);
    data.curves[curve].t[i].assign(first, middle);
    data.curves[curve++].values[i].assign(middle, middle + static_cast<std::ptrdiff_t>(points));
    at += 2 * points;
  }
}

}  // namespace

SeriesData Head::data() const {
  const Plan& plan = work_.plan;
  const std::size_t n = plan.count;
  SeriesData data;
  data.file = std::filesystem::path(plan.file).filename().string();
  data.version = std::string(version());
  data.variants = n;
  for (auto* texts : {&data.id, &data.state, &data.fault, &data.message, &data.log, &data.results,
                      &data.machine, &data.cpu})
    texts->resize(n);
  for (auto* numbers : {&data.wall_s, &data.cpu_s, &data.memory_mb, &data.threads})
    numbers->assign(n, nothing);
  for (std::size_t a = 0; a < plan.axes.size(); ++a) data.parameters.push_back(column_of(plan, a));
  std::vector<bool> curved;
  for (const MeasureText& measure : plan.measures) {
    curved.push_back(Measure(measure.text).gives_curve());
    if (curved.back())
      data.curves.push_back(
          {measure.name, std::vector<std::vector<double>>(n), std::vector<std::vector<double>>(n)});
    else
      data.measures.push_back({measure.name, std::vector<double>(n, nothing), {}});
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Task& task = tasks_[tasks_.task_of(i)];
    data.id[i] = hex(task.identity);
    data.state[i] = word_for(task.state);
    if (task.state != State::done && task.state != State::failed) continue;
    const Record* record = journal_.find(task.identity, measures_);
    if (record == nullptr) continue;
    data.message[i] = record->message;
    data.fault[i] = record->fault;
    data.log[i] = record->log;
    if (record->kept && folder_.has_run(data.id[i])) data.results[i] = SeriesFolder::run_name(data.id[i]);
    data.wall_s[i] = record->wall_s;
    data.threads[i] = record->threads;
    data.machine[i] = record->machine;
    data.cpu[i] = record->cpu;
    if (!record->done) continue;
    data.cpu_s[i] = record->cpu_s;
    data.memory_mb[i] = record->memory_mb;
    fill_measures(*record, i, curved, data);
  }
  return data;
}

}  // namespace cosimo::series
