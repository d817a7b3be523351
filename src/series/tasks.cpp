#include "series/tasks.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "config/number.hpp"

namespace cosimo::series {

namespace {

/// Places of values between 0 and 1: of numbers by their rank, which no scale changes; of words in order.
std::vector<double> places_of(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& text : values) {
    const auto read = config::parse_number(text);
    if (const double* number = std::get_if<double>(&read)) numbers.push_back(*number);
  }
  const bool numeric = numbers.size() == values.size();
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (numeric) std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
  std::vector<double> places(values.size());
  const double last = values.size() > 1 ? static_cast<double>(values.size() - 1) : 1;
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<double>(i) / last;
  return places;
}

/// An order in which the first ones are spread over all: steps of about the golden ratio that meet every
/// number once.
std::vector<std::uint32_t> spread_order(std::vector<std::uint32_t> numbers) {
  const std::size_t n = numbers.size();
  if (n < 3) return numbers;
  auto step = static_cast<std::size_t>(0.6180339887 * static_cast<double>(n));
  while (std::gcd(step, n) != 1) ++step;
  std::vector<std::uint32_t> spread(n);
  for (std::size_t i = 0, at = 0; i < n; ++i, at = (at + step) % n) spread[i] = numbers[at];
  return spread;
}

}  // namespace

Tasks::Tasks(const Plan& plan, std::span<const std::uint64_t> identities,
             const std::function<State(Task&)>& known)
    : plan_(plan), model_(plan.axes.size()) {
  std::unordered_map<std::uint64_t, std::uint32_t> first;
  task_of_.reserve(identities.size());
  std::vector<std::uint32_t> waiting;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(tasks_.size());
    const auto [at, fresh] = first.emplace(identities[i], number);
    task_of_.push_back(at->second);
    if (!fresh) continue;
    Task task{.identity = identities[i], .variant = i};
    task.state = known(task);
    ++counts_[static_cast<std::size_t>(task.state)];
    if (task.state == State::waiting) waiting.push_back(number);
    tasks_.push_back(task);
  }
  queue_ = spread_order(std::move(waiting));
  std::ranges::reverse(queue_);
  for (const Axis& axis : plan.axes) places_.push_back(places_of(axis.values));
}

std::vector<double> Tasks::point(std::size_t task) const {
  std::vector<double> at;
  const std::size_t width = plan_.axes.size();
  for (std::size_t a = 0; a < width; ++a)
    at.push_back(places_[a][plan_.choice[tasks_[task].variant * width + a]]);
  return at;
}

void Tasks::move(std::size_t task, State state) {
  --counts_[static_cast<std::size_t>(tasks_[task].state)];
  ++counts_[static_cast<std::size_t>(state)];
  tasks_[task].state = state;
}

std::size_t Tasks::take() {
  const std::size_t task = queue_.back();
  queue_.pop_back();
  move(task, State::running);
  return task;
}

void Tasks::put_back(std::size_t task) {
  move(task, State::waiting);
  queue_.push_back(static_cast<std::uint32_t>(task));
}

void Tasks::end(std::size_t task, State state, double cost_s) {
  move(task, state);
  if (!(cost_s > 0)) return;
  model_.learn(point(task), cost_s);
  if (model_.known() >= sort_at_) sort();
}

/// What has crashed a worker comes last: it may do so again.
void Tasks::sort() {
  sort_at_ *= 2;
  for (const std::uint32_t task : queue_) tasks_[task].expected_s = model_.expect(point(task));
  std::ranges::stable_sort(queue_, [&](std::uint32_t a, std::uint32_t b) {
    const Task &x = tasks_[a], &y = tasks_[b];
    return x.crashes != y.crashes ? x.crashes > y.crashes : x.expected_s < y.expected_s;
  });
}

double Tasks::waiting_s() const {
  double sum = 0;
  for (const std::uint32_t task : queue_) {
    if (!(tasks_[task].expected_s > 0)) return -1;
    sum += tasks_[task].expected_s;
  }
  return sum;
}

}  // namespace cosimo::series
