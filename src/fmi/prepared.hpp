// An FMU with the values that a scenario chooses, ready to be started any number of times.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "fmi/fmu_spec.hpp"
#include "fmi/instance.hpp"

namespace cosimo::fmi {

class Prepared {
 public:
  /// Checks the values. Throws Error with all that is wrong with them.
  /// `interrupt` becomes true: isolated FMUs that do not come back are ended.
  Prepared(std::string name, const FmuSettings& settings, double end, double tolerance,
           const std::atomic<bool>* interrupt = nullptr);

  const std::string& name() const { return name_; }
  bool isolated() const { return isolated_.has_value(); }
  const Fmu& fmu() const { return *fmu_; }
  const Description& description() const { return fmu_->description; }
  /// In initialisation mode at t = 0, with all start values set. Throws Error.
  std::unique_ptr<Instance> begin() const;
  /// Throws Error that says what the FMU said.
  [[noreturn]] void refuse(const Instance& instance, const std::string& problem) const;

 private:
  void check(const FmuValue& value, std::vector<Fault>& faults);
  void check_numbers(const Variable& variable, const FmuValue& value, std::vector<Fault>& faults) const;
  Fault fault_at(const FmuValue& value, std::string problem, std::string remedy) const;
  void check_counts(const std::vector<FmuValue>& values, std::vector<Fault>& faults) const;
  void resize(std::vector<Fault>& faults);

  std::string name_;
  std::shared_ptr<Fmu> fmu_;
  struct Chosen {
    std::size_t variable = none;
    std::vector<double> numbers{};
    std::vector<std::string> texts{};
  };
  std::vector<Chosen> structural_, others_;
  double end_, tolerance_;
  std::optional<double> isolated_;  ///< the time limit
  const std::atomic<bool>* interrupt_;
};

}  // namespace cosimo::fmi
