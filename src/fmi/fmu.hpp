// An FMU that is opened: unpacked, read, its binary loaded for one of its interfaces. Everything of it
// goes with the last who holds it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "fmi/description.hpp"
#include "fmi/library.hpp"
#include "fmi/temporary_folder.hpp"

namespace cosimo::fmi {

enum class Use { cosimulation, model_exchange };

struct Fmu {
  std::shared_ptr<const TemporaryFolder> own;  ///< of `folder`; first: it goes last
  std::filesystem::path folder;                ///< where it is unpacked
  std::string file;                            ///< as the user names it
  Description description;
  Use use = Use::cosimulation;
  std::filesystem::path binary;
  std::unique_ptr<const Library> library;  ///< null: loaded elsewhere (fmi/isolated_instance.hpp)

  const Abilities& abilities() const {
    return use == Use::cosimulation ? *description.cosimulation : *description.model_exchange;
  }
  /// What to do about an FMU that does not begin; `otherwise` where the reason is not that its tool is away.
  std::string remedy(const char* otherwise) const;
};

/// `wanted`: nothing: co-simulation where the FMU offers it. `load`: its binary, into this process. Throws
/// Error.
std::shared_ptr<Fmu> open_fmu(const std::string& file, std::optional<Use> wanted, bool load = true);

}  // namespace cosimo::fmi
