// An instance as importers of FMI 2.0 hold it, and what keeps exceptions from leaving the functions.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "exporting/instance.hpp"
#include "fmi/fmi2_types.hpp"

namespace cosimo::exporting {

struct Fmu2 {
  std::string name;
  fmi2CallbackFunctions callbacks{};
  bool logging = false;
  Experiment experiment;
  std::unique_ptr<Instance> instance;
  double reached = 0;

  /// A percent sign is one for a logger that prints with formats.
  void log(fmi2Status status, const char* category, const std::string& text) const {
    if (callbacks.logger == nullptr || (!logging && status < fmi2Warning)) return;
    std::string plain;
    for (const char c : text) plain.append(c == '%' ? 2 : 1, c);
    callbacks.logger(callbacks.componentEnvironment, name.c_str(), status, category, plain.c_str());
  }
};

/// Turns what is thrown into a status and a message.
template <class Work>
fmi2Status guarded(fmi2Component component, Work&& work) noexcept {
  if (component == nullptr) return fmi2Error;
  Fmu2& fmu = *static_cast<Fmu2*>(component);
  try {
    try {
      return work(fmu, *fmu.instance);
    } catch (const std::exception& error) {
      fmu.log(fmi2Error, "logStatusError", error.what());
    }
  } catch (...) {  // no memory for the message either
  }
  return fmi2Error;
}

/// A new instance; nothing where that cannot be.
template <class Work>
Fmu2* made(Work&& work) noexcept {
  try {
    auto fmu = std::make_unique<Fmu2>();
    try {
      work(*fmu);
      return fmu.release();
    } catch (const std::exception& error) {
      fmu->log(fmi2Error, "logStatusError", error.what());
    }
  } catch (...) {  // no memory
  }
  return nullptr;
}

}  // namespace cosimo::exporting
