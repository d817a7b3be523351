#include "fmi/unpack.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace cosimo {

namespace {

constexpr const char* description = "modelDescription.xml";

bool is_wanted(std::string_view name) {
  if (name == description) return true;
  for (const std::string& folder : {std::string("resources/"), fmt::format("binaries/{}/", fmi2_platform),
                                    fmt::format("binaries/{}/", fmi3_platform)})
    if (name.starts_with(folder) && name.size() > folder.size()) return true;
  return false;
}

}  // namespace

Unpacked unpack_fmu(const std::filesystem::path& archive, const std::filesystem::path& folder,
                    const UnpackLimits& limits) {
  const ZipArchive from(archive, limits);
  if (!from.has(description))
    from.refuse("", "holds no modelDescription.xml", "name an FMU, or export it again");
  std::set<std::string> platforms;
  constexpr std::string_view binaries = "binaries/";
  for (const std::string& name : from.entries()) {
    if (name.starts_with(binaries))
      if (const std::string platform =
              name.substr(binaries.size(), name.find('/', binaries.size()) - binaries.size());
          !platform.empty())
        platforms.insert(platform);
    if (is_wanted(name)) from.extract(name, folder);
  }
  return {std::vector<std::string>(platforms.begin(), platforms.end())};
}

}  // namespace cosimo
