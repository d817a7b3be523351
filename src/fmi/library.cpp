#include "fmi/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/error.hpp"
#include "core/shared_library.hpp"
#include "core/user_call.hpp"

namespace cosimo::fmi {

namespace {

/// What nothing works without; the rest is asked for by what the FMU says it can do.
std::vector<const char*> required_functions(int version, bool cosimulation) {
  std::vector<const char*> names;
  if (version == 2) {
    names = {"fmi2Instantiate",
             "fmi2FreeInstance",
             "fmi2SetupExperiment",
             "fmi2EnterInitializationMode",
             "fmi2ExitInitializationMode",
             "fmi2GetReal",
             "fmi2SetReal"};
    if (cosimulation)
      names.push_back("fmi2DoStep");
    else
      names.insert(names.end(),
                   {"fmi2SetTime", "fmi2SetContinuousStates", "fmi2GetDerivatives", "fmi2GetContinuousStates",
                    "fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode"});
    return names;
  }
  names = {"fmi3FreeInstance", "fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3GetFloat64",
           "fmi3SetFloat64"};
  if (cosimulation)
    names.insert(names.end(), {"fmi3InstantiateCoSimulation", "fmi3DoStep"});
  else
    names.insert(names.end(),
                 {"fmi3InstantiateModelExchange", "fmi3SetTime", "fmi3SetContinuousStates",
                  "fmi3GetContinuousStateDerivatives", "fmi3GetContinuousStates", "fmi3EnterEventMode",
                  "fmi3UpdateDiscreteStates", "fmi3EnterContinuousTimeMode"});
  return names;
}

/// Many FMUs have a solver of their own inside, of another version than ours: its functions are to be found
/// before those of this program. The address sanitizer cannot live with that.
#ifdef __SANITIZE_ADDRESS__
constexpr int own_symbols_first = 0;
#else
constexpr int own_symbols_first = RTLD_DEEPBIND;
#endif

[[noreturn]] void refuse(
    const std::string& fmu, std::string value, std::string problem,
    const char* remedy = "export the FMU again, for 64-bit Linux, with everything it needs inside") {
  throw Error(Fault{.file = fmu, .value = std::move(value), .problem = std::move(problem), .remedy = remedy});
}

[[noreturn]] void refuse_to_load(const std::string& fmu, const std::string& name, std::string_view why) {
  const std::string problem = fmt::format("the binary cannot be loaded: {}", why);
  if (why.find("failed to map segment") != std::string_view::npos)  // the words of the C library
    refuse(fmu, name, problem,
           "the folder for temporary files may not allow programs (noexec): set TMPDIR to another one");
  refuse(fmu, name, problem);
}

}  // namespace

Library::Library(const std::filesystem::path& file, int version, bool cosimulation, const std::string& fmu)
    : file_(file.string()) {
  const std::string name = file.filename().string();
  // The loader would be killed by a signal where a part of the file is missing.
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(file, failed);
  if (failed) refuse(fmu, name, "the archive has no binary of this name for this platform");
  if (const auto promised = promised_size(file); promised && *promised > size)
    refuse(fmu, name, "the binary is cut short");
  {
    const UserCall loading{fmu.c_str(), name.c_str(), "its loading", "subsystem"};
    const InUserCall inside(loading);
    handle_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL | own_symbols_first);
  }
  if (handle_ == nullptr) {
    const char* why = ::dlerror();
    refuse_to_load(fmu, name, why != nullptr ? why : "no reason given");
  }
  // Older tools put the identifier of the model before the names of functions compiled as sources; binaries
  // have them as they are.
#define COSIMO_LOOK_UP(name) fmi2.name = reinterpret_cast<fmi2##name##TYPE*>(::dlsym(handle_, "fmi2" #name));
  if (version == 2) {
    COSIMO_FMI2_FUNCTIONS(COSIMO_LOOK_UP)
  }
#undef COSIMO_LOOK_UP
#define COSIMO_LOOK_UP(name) fmi3.name = reinterpret_cast<fmi3##name##TYPE*>(::dlsym(handle_, "fmi3" #name));
  if (version == 3) {
    COSIMO_FMI3_FUNCTIONS(COSIMO_LOOK_UP)
  }
#undef COSIMO_LOOK_UP
  std::vector<std::string> missing;
  for (const char* function : required_functions(version, cosimulation))
    if (::dlsym(handle_, function) == nullptr) missing.emplace_back(function);
  if (missing.empty()) return;
  ::dlclose(handle_);
  refuse(fmu, name, fmt::format("the binary lacks {}", fmt::join(missing, ", ")));
}

Library::~Library() {
  const UserCall closing{file_.c_str(), file_.c_str(), "its unloading", "subsystem"};
  const InUserCall inside(closing);
  ::dlclose(handle_);
}

}  // namespace cosimo::fmi
