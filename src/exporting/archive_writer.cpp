#include "exporting/archive_writer.hpp"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"

namespace cosimo::exporting {

namespace {

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};

[[noreturn]] void fail(const std::filesystem::path& archive, const std::string& why) {
  throw IoError("cannot write " + archive.string() + ": " + why);
}

}  // namespace

void write_archive(const std::filesystem::path& folder, const std::filesystem::path& archive) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int code = 0;
  std::unique_ptr<zip_t, Discard> zip(zip_open(archive.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail(archive, why);
  }
  constexpr zip_uint16_t no_time = 0, first_day = (1U << 5U) | 1U;  // 1980-01-01
  for (const std::filesystem::path& file : files) {
    zip_source_t* const source = zip_source_file(zip.get(), file.c_str(), 0, -1);
    if (source == nullptr) fail(archive, zip_strerror(zip.get()));
    const std::string name = file.lexically_relative(folder).generic_string();
    const zip_int64_t index = zip_file_add(zip.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail(archive, zip_strerror(zip.get()));
    }
    zip_file_set_dostime(zip.get(), static_cast<zip_uint64_t>(index), no_time, first_day, 0);
  }
  if (zip_close(zip.get()) != 0) fail(archive, zip_strerror(zip.get()));
  static_cast<void>(zip.release());  // closed and gone
}

}  // namespace cosimo::exporting
