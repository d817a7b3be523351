#include "studies/lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace cosimo::studies {

Trial::Trial(Report report, std::filesystem::path folder, bool keep)
    : report_(std::move(report)), folder_(std::move(folder)), keep_(keep) {}

Trial::~Trial() {
  remove();
}

Trial::Trial(Trial&& other) noexcept
    : report_(std::move(other.report_)),
      folder_(std::exchange(other.folder_, {})),
      keep_(other.keep_),
      results_(std::move(other.results_)) {}

Trial& Trial::operator=(Trial&& other) noexcept {
  if (this == &other) return *this;
  remove();
  report_ = std::move(other.report_);
  folder_ = std::exchange(other.folder_, {});
  keep_ = other.keep_;
  results_ = std::move(other.results_);
  return *this;
}

void Trial::remove() noexcept {
  results_.reset();
  if (keep_ || folder_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

const ResultFolder& Trial::results() const {
  if (!results_) results_ = std::make_unique<ResultFolder>(folder_);
  return *results_;
}

Lab::Lab(LabOptions options) : options_(std::move(options)) {}

std::int64_t Lab::scaled(double value, std::int64_t least) const {
  return std::max(least, static_cast<std::int64_t>(std::llround(value * options_.scale)));
}

Trial Lab::attempt_on(int threads, std::string_view name, std::string_view text,
                      std::span<const std::string> overrides) {
  check_interrupt();
  say(name);
  const Scenario scenario = Scenario::parse(text, name, overrides);
  const std::filesystem::path folder =
      options_.folder / trials_folder / fmt::format("{:04}-{}", ++trials_, name);
  RunOptions run_options;
  run_options.output_dir = folder;
  run_options.threads = threads;
  run_options.interrupt = options_.interrupt;
  run_options.replace = true;
  Trial trial(cosimo::run(scenario, run_options), folder, options_.keep);
  if (trial.report().status == "interrupted") throw LabInterrupted();
  return trial;
}

Trial Lab::attempt(std::string_view name, std::string_view text, std::span<const std::string> overrides) {
  return attempt_on(options_.threads, name, text, overrides);
}

Trial Lab::run(std::string_view name, std::string_view text, std::span<const std::string> overrides) {
  Trial trial = attempt(name, text, overrides);
  if (trial.ok()) return trial;
  const Report& report = trial.report();
  throw LabFailure(fmt::format("trial '{}' failed at t = {:.6g} of {:.6g}: {}", name, report.outcome.time,
                               report.t_end, report.outcome.reason));
}

Comparison Lab::error(const Trial& trial, const Trial& reference, const CompareOptions& options) {
  return compare(trial.folder(), reference.folder(), options);
}

void Lab::say(std::string_view what) const {
  if (options_.say) options_.say(what);
}

void Lab::check_interrupt() const {
  if (options_.interrupt != nullptr && *options_.interrupt) throw LabInterrupted();
}

double observed_order(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = std::min(x.size(), y.size());
  if (n < 2) return std::numeric_limits<double>::quiet_NaN();
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean_x += std::log(x[i]) / static_cast<double>(n);
    mean_y += std::log(y[i]) / static_cast<double>(n);
  }
  double above = 0, below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    above += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    below += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  return above / below;
}

namespace {

std::size_t column_of(const ResultFolder& results, std::int64_t body) {
  const auto& columns = results.columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const RecordedColumn& c) { return c.body == body; });
  if (found == columns.end()) throw LabFailure(fmt::format("body {} is not recorded", body));
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

std::vector<double> position_of(const Trial& trial, std::int64_t body) {
  const ResultFolder& results = trial.results();
  return results.positions(0, results.time().size(), column_of(results, body), 1);
}

std::vector<double> velocity_of(const Trial& trial, std::int64_t body) {
  const ResultFolder& results = trial.results();
  return results.velocities(0, results.time().size(), column_of(results, body), 1);
}

std::vector<double> log_spaced(double a, double b, std::size_t count) {
  std::vector<double> values(count, a);
  for (std::size_t i = 1; i < count; ++i)
    values[i] =
        i + 1 == count ? b : a * std::pow(b / a, static_cast<double>(i) / static_cast<double>(count - 1));
  return values;
}

}  // namespace cosimo::studies
