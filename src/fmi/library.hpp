// The binary of an FMU, loaded, and its functions with their types. Functions that the version or the
// interface does not ask for may be missing: they are null.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fmi/description.hpp"
#include "fmi/fmi2_types.hpp"
#include "fmi/fmi3_types.hpp"

namespace cosimo::fmi {

// clang-format off
#define COSIMO_FMI2_FUNCTIONS(X) \
  X(GetVersion) X(Instantiate) X(FreeInstance) X(SetupExperiment) X(EnterInitializationMode) \
  X(ExitInitializationMode) X(Terminate) X(GetReal) X(GetInteger) X(GetBoolean) X(SetReal) X(SetInteger) \
  X(SetBoolean) X(SetString) X(GetFMUstate) X(SetFMUstate) X(FreeFMUstate) X(SerializedFMUstateSize) \
  X(SerializeFMUstate) X(DeSerializeFMUstate) X(GetDirectionalDerivative) X(EnterEventMode) \
  X(NewDiscreteStates) X(EnterContinuousTimeMode) X(CompletedIntegratorStep) X(SetTime) \
  X(SetContinuousStates) X(GetDerivatives) X(GetEventIndicators) X(GetContinuousStates) \
  X(GetNominalsOfContinuousStates) X(SetRealInputDerivatives) X(DoStep) X(GetRealStatus) \
  X(GetBooleanStatus)

#define COSIMO_FMI3_FUNCTIONS(X) \
  X(GetVersion) X(InstantiateModelExchange) X(InstantiateCoSimulation) X(FreeInstance) \
  X(EnterInitializationMode) X(ExitInitializationMode) X(EnterEventMode) X(Terminate) \
  X(EnterConfigurationMode) X(ExitConfigurationMode) X(GetFloat32) X(SetFloat32) X(GetFloat64) \
  X(SetFloat64) X(GetInt8) X(SetInt8) X(GetUInt8) X(SetUInt8) X(GetInt16) X(SetInt16) X(GetUInt16) \
  X(SetUInt16) X(GetInt32) X(SetInt32) X(GetUInt32) X(SetUInt32) X(GetInt64) X(SetInt64) X(GetUInt64) \
  X(SetUInt64) X(GetBoolean) X(SetBoolean) X(SetString) X(SetBinary) X(GetFMUState) X(SetFMUState) \
  X(FreeFMUState) X(SerializedFMUStateSize) X(SerializeFMUState) X(DeserializeFMUState) \
  X(GetDirectionalDerivative) X(UpdateDiscreteStates) X(EnterContinuousTimeMode) \
  X(CompletedIntegratorStep) X(SetTime) X(SetContinuousStates) X(GetContinuousStateDerivatives) \
  X(GetEventIndicators) X(GetContinuousStates) X(GetNominalsOfContinuousStates) \
  X(GetNumberOfEventIndicators) X(GetNumberOfContinuousStates) X(EnterStepMode) X(DoStep)
// clang-format on

// NOLINTBEGIN(bugprone-macro-parentheses): a name cannot have them
struct Fmi2Functions {
#define COSIMO_DECLARE(name) fmi2##name##TYPE* name = nullptr;
  COSIMO_FMI2_FUNCTIONS(COSIMO_DECLARE)
#undef COSIMO_DECLARE
};

struct Fmi3Functions {
#define COSIMO_DECLARE(name) fmi3##name##TYPE* name = nullptr;
  COSIMO_FMI3_FUNCTIONS(COSIMO_DECLARE)
#undef COSIMO_DECLARE
};
// NOLINTEND(bugprone-macro-parentheses)

class Library {
 public:
  /// Throws Error; messages call the FMU `fmu`.
  Library(const std::filesystem::path& file, int version, bool cosimulation, const std::string& fmu);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::string& file() const { return file_; }
  Fmi2Functions fmi2;
  Fmi3Functions fmi3;

 private:
  std::string file_;
  void* handle_ = nullptr;
};

}  // namespace cosimo::fmi
