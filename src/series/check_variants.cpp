#include "series/check_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "core/error.hpp"
#include "numerics/expression.hpp"
#include "parallel/cores.hpp"
#include "series/measure.hpp"

namespace cosimo::series {

namespace {

constexpr std::size_t enough_faults = 20;
constexpr std::string_view from_settings = "--set ";

bool same(const Fault& a, const Fault& b) {
  return a.file == b.file && a.line == b.line && a.field == b.field && a.value == b.value &&
         a.problem == b.problem;
}

/// "model.train.speed = 20, seed = 3".
std::string point_text(const Plan& plan, std::size_t variant) {
  std::string text;
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    text += fmt::format("{}{} = {}", a > 0 ? ", " : "", plan.axes[a].key, plan.value(variant, a));
  return text;
}

class Checker {
 public:
  Checker(const Plan& plan, const ScenarioSource& source, std::uint64_t program, FileDigests& files,
          IdentityCache* cache)
      : plan_(plan), source_(source), program_(program), files_(files), cache_(cache), found_(plan.count) {}

  std::vector<std::uint64_t> all() {
    const auto most = static_cast<std::size_t>(available_cores());
    const std::size_t threads = std::clamp<std::size_t>(plan_.count / 16, 1, most);
    std::vector<std::thread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([this] { work(); });
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure_) std::rethrow_exception(failure_);
    if (faults_.empty()) return std::move(found_);
    std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
      return a.file != b.file ? a.file < b.file : a.line < b.line;
    });
    throw Error(std::move(faults_));
  }

 private:
  void work() {
    constexpr std::size_t block = 16;
    for (;;) {
      const std::size_t first = next_.fetch_add(block);
      if (first >= plan_.count || full_) return;
      for (std::size_t i = first; i < std::min(first + block, plan_.count); ++i) one(i);
    }
  }

  void one(std::size_t variant) {
    const std::vector<std::string> settings = plan_.settings(variant);
    const std::uint64_t input = cache_ != nullptr ? input_digest(source_, settings, program_) : 0;
    if (cache_ != nullptr) {
      const std::lock_guard lock(mutex_);
      if ((found_[variant] = cache_->find(input)) != 0) return;
    }
    try {
      const Identity identity = identity_of(source_.with(settings), program_, files_);
      found_[variant] = identity.value;
      const std::lock_guard lock(mutex_);
      if (cache_ != nullptr) cache_->add(input, identity);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      for (Fault& fault : faults_of(plan_, variant, error))
        if (std::ranges::none_of(faults_, [&](const Fault& known) { return same(known, fault); }))
          faults_.push_back(std::move(fault));
      full_ = faults_.size() >= enough_faults;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      full_ = true;
    }
  }

  const Plan& plan_;
  const ScenarioSource& source_;
  std::uint64_t program_;
  FileDigests& files_;
  IdentityCache* cache_;
  std::vector<std::uint64_t> found_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> full_{false};
  std::mutex mutex_;
  std::vector<Fault> faults_;
  std::exception_ptr failure_;
};

}  // namespace

std::vector<Fault> faults_of(const Plan& plan, std::size_t variant, const Error& error) {
  std::vector<Fault> faults = error.faults();
  for (Fault& fault : faults) {
    const bool setting = fault.file.starts_with(from_settings);
    const std::string text = setting ? fault.file.substr(from_settings.size()) : "";
    for (const Axis& axis : plan.axes) {
      if (!setting || !text.starts_with(axis.key + "=")) continue;
      fault.file = plan.file;
      fault.line = axis.line;
      fault.column = 0;
      if (fault.value.empty()) fault.value = text.substr(axis.key.size() + 1);
    }
    // What is wrong elsewhere may be so for these values alone.
    if (fault.file != plan.file)
      fault.problem += fmt::format(" (in variant {}: {})", variant + 1, point_text(plan, variant));
  }
  return faults;
}

std::vector<std::uint64_t> check_variants(const Plan& plan, const ScenarioSource& source,
                                          std::uint64_t program, FileDigests& files, IdentityCache* cache) {
  return Checker(plan, source, program, files, cache).all();
}

void check_measures(const Plan& plan, const std::vector<std::string>& names) {
  std::vector<Fault> faults;
  for (const MeasureText& measure : plan.measures) {
    try {
      Measure(measure.text).on(names);
    } catch (const ExpressionError& error) {
      faults.push_back({.file = plan.file,
                        .line = measure.line,
                        .field = plan.section + ".measure." + measure.name,
                        .value = measure.text,
                        .problem = error.what(),
                        .remedy = error.remedy});
    }
  }
  if (!faults.empty()) throw Error(std::move(faults));
}

}  // namespace cosimo::series
