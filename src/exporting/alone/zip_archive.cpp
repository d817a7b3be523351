// Archives are unpacked when an FMU is made: inside of one none is opened.
#include "fmi/zip_archive.hpp"

#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"

namespace cosimo {

ZipArchive::ZipArchive(const std::filesystem::path& path, const UnpackLimits&) : name_(path.string()) {
  refuse("", "archives cannot be opened inside an exported FMU", "export the model again");
}

ZipArchive::ZipArchive(std::string, std::string name, const UnpackLimits&) : name_(std::move(name)) {
  refuse("", "archives cannot be opened inside an exported FMU", "export the model again");
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::Close::operator()(::zip*) const {}

std::uint64_t ZipArchive::size(const std::string&) const {
  COSIMO_CHECK(false, "there is no archive");
}

std::string ZipArchive::read(const std::string&, std::uint64_t) const {
  COSIMO_CHECK(false, "there is no archive");
}

void ZipArchive::extract(const std::string&, const std::filesystem::path&) const {
  COSIMO_CHECK(false, "there is no archive");
}

void ZipArchive::refuse(const std::string& entry, std::string problem, std::string remedy) const {
  throw Error(
      Fault{.file = name_, .field = entry, .problem = std::move(problem), .remedy = std::move(remedy)});
}

PathInFile split_at_file(const std::filesystem::path& path) {
  return {path, {}};
}

}  // namespace cosimo
