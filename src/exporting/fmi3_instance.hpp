// An instance as importers of FMI 3.0 hold it, and what keeps exceptions from leaving the functions.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "exporting/instance.hpp"
#include "fmi/fmi3_types.hpp"

namespace cosimo::exporting {

struct Fmu3 {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback logger = nullptr;
  bool logging = false;
  bool early_return = false;
  std::unique_ptr<Instance> instance;

  void log(fmi3Status status, const char* category, const std::string& text) const {
    if (logger != nullptr && (logging || status >= fmi3Warning))
      logger(environment, status, category, text.c_str());
  }
};

/// Turns what is thrown into a status and a message.
template <class Work>
fmi3Status guarded(fmi3Instance given, Work&& work) noexcept {
  if (given == nullptr) return fmi3Error;
  Fmu3& fmu = *static_cast<Fmu3*>(given);
  try {
    try {
      return work(fmu, *fmu.instance);
    } catch (const std::exception& error) {
      fmu.log(fmi3Error, "logStatusError", error.what());
    }
  } catch (...) {  // no memory for the message either
  }
  return fmi3Error;
}

/// A new instance; nothing where that cannot be.
template <class Work>
Fmu3* made(Work&& work) noexcept {
  try {
    auto fmu = std::make_unique<Fmu3>();
    try {
      work(*fmu);
      return fmu.release();
    } catch (const std::exception& error) {
      fmu->log(fmi3Error, "logStatusError", error.what());
    }
  } catch (...) {  // no memory
  }
  return nullptr;
}

inline fmi3Status refuse(fmi3Instance given, const char* why) {
  return guarded(given, [&](Fmu3& fmu, Instance&) {
    fmu.log(fmi3Error, "logStatusError", why);
    return fmi3Error;
  });
}

}  // namespace cosimo::exporting
