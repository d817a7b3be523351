#include "fmi/fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/error.hpp"
#include "fmi/unpack.hpp"

namespace cosimo::fmi {

namespace {

Use choose_use(const Fmu& fmu, std::optional<Use> wanted) {
  const Description& d = fmu.description;
  if (!wanted) return d.cosimulation ? Use::cosimulation : Use::model_exchange;
  const bool there = *wanted == Use::cosimulation ? d.cosimulation.has_value() : d.model_exchange.has_value();
  if (there) return *wanted;
  const bool other = *wanted == Use::model_exchange;
  throw Error(
      Fault{.file = fmu.file,
            .problem = fmt::format("the FMU does not offer {}", other ? "model exchange" : "co-simulation"),
            .remedy = fmt::format("write `interface: {}`, or export it again",
                                  other ? "co-simulation" : "model-exchange")});
}

std::filesystem::path binary_of(const Fmu& fmu, const Unpacked& unpacked) {
  const std::string name = fmu.abilities().identifier + ".so";
  for (const char* platform : {fmi3_platform, fmi2_platform}) {
    auto file = fmu.folder / "binaries" / platform / name;
    if (std::filesystem::exists(file)) return file;
  }
  throw Error(Fault{.file = fmu.file,
                    .value = name,
                    .problem = unpacked.platforms.empty()
                                   ? "the FMU has no binaries"
                                   : fmt::format("the FMU has binaries for {} only, or under other names",
                                                 fmt::join(unpacked.platforms, ", ")),
                    .remedy = "export it for 64-bit Linux"});
}

}  // namespace

std::shared_ptr<Fmu> open_fmu(const std::string& file, std::optional<Use> wanted, bool load) {
  auto fmu = std::make_shared<Fmu>();
  fmu->own = std::make_shared<const TemporaryFolder>();
  fmu->folder = fmu->own->path();
  fmu->file = file;
  const Unpacked unpacked = unpack_fmu(file, fmu->folder);
  fmu->description = read_description(fmu->folder / "modelDescription.xml", file);
  fmu->use = choose_use(*fmu, wanted);
  fmu->binary = binary_of(*fmu, unpacked);
  if (load)
    fmu->library = std::make_unique<const Library>(fmu->binary, fmu->description.version,
                                                   fmu->use == Use::cosimulation, file);
  return fmu;
}

}  // namespace cosimo::fmi
