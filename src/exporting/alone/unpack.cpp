// FMUs inside an exported FMU are unpacked when it is made: they are folders already.
#include "fmi/unpack.hpp"

#include <system_error>

#include "core/error.hpp"

namespace cosimo {

Unpacked unpack_fmu(const std::filesystem::path& archive, const std::filesystem::path& folder,
                    const UnpackLimits&) {
  std::error_code failed;
  if (std::filesystem::is_directory(archive, failed))
    std::filesystem::copy(archive, folder, std::filesystem::copy_options::recursive, failed);
  else
    failed = std::make_error_code(std::errc::not_a_directory);
  if (failed)
    throw Error(Fault{.file = archive.string(),
                      .problem = "an FMU inside this FMU cannot be read: " + failed.message(),
                      .remedy = "unpack the whole FMU, or export it again"});
  return {};
}

}  // namespace cosimo
