// A first look at a series: one variant is built, not run, in a process of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>

#include "series/frame.hpp"
#include "series/identity.hpp"
#include "series/plan.hpp"

namespace cosimo::series {

struct Probe {
  double memory_mb = 0;            ///< that the process took
  std::size_t useful_threads = 1;  ///< that the model can use
};

/// What every worker is told first.
Frame setup_frame(const Plan& plan, const ScenarioSource& source, std::uint64_t program);

/// Throws Error where results have not what is measured, and where no variant can be built: when the first
/// cannot, a few others tell. Empty: interrupted. The process keeps `lock` open.
std::optional<Probe> probe(const Plan& plan, const Frame& setup, const std::filesystem::path& program,
                           int lock, const std::atomic<bool>* interrupt);

}  // namespace cosimo::series
