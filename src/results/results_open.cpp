#include "results/results_open.hpp"

#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "results/results_format.hpp"

namespace cosimo {

namespace {

template <class T>
T read_attribute(hid_t file, const char* name) {
  const Handle attribute(checked(H5Aopen(file, name, H5P_DEFAULT), name), H5Aclose);
  T value{};
  checked(H5Aread(attribute, Hdf5Type<T>::native(), &value), name);
  return value;
}

void require_version(const std::filesystem::path& file, hid_t opened) {
  if (H5Aexists(opened, attribute_version) <= 0 || H5Aexists(opened, attribute_hash) <= 0)
    refuse(file, "is an HDF5 file, but not results of cosimo", "name a results.h5 written by cosimo run");
  std::int64_t version = 0;
  try {
    version = read_attribute<std::int64_t>(opened, attribute_version);
  } catch (const Hdf5Failure& failure) {
    refuse_damaged(file, failure);
  }
  if (version != results_format_version)
    refuse(file,
           "has format version " + std::to_string(version) + ", this program reads version " +
               std::to_string(results_format_version),
           "use the version of cosimo that wrote it");
}

}  // namespace

void refuse(const std::filesystem::path& file, std::string problem, std::string remedy) {
  throw Error(Fault{.file = file.string(), .problem = std::move(problem), .remedy = std::move(remedy)});
}

void refuse_damaged(const std::filesystem::path& file, const Hdf5Failure& failure) {
  refuse(file, std::string("is damaged: ") + failure.what(),
         "copy it again from where it was written, or run again");
}

Handle open_results(const std::filesystem::path& file) {
  const SilentErrors quiet;
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    refuse(file, "there is no such file", "name a results.h5 of a finished run");
  if (std::filesystem::is_directory(file, error))
    refuse(file, "is a folder", "name the results.h5 inside it");
  if (!std::filesystem::is_regular_file(file, error))  // the library would wait for a writer
    refuse(file, "is a pipe or a device, not a file", "name a results.h5 written by cosimo run");
  Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!opened) {
    const std::string reason = hdf5_reason();
    if (H5Fis_hdf5(file.c_str()) > 0)
      refuse(file, "is damaged or cut off: " + reason,
             "copy it again from where it was written, or run again");
    refuse(file, "is not an HDF5 file: " + reason, "name a results.h5 written by cosimo run");
  }
  require_version(file, opened);
  return opened;
}

std::uint64_t read_model_hash(hid_t file) {
  return read_attribute<std::uint64_t>(file, attribute_hash);
}

}  // namespace cosimo
