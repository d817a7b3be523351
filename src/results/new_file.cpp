#include "results/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// 0, or the errno of fsync().
int synced(int descriptor) {
  while (::fsync(descriptor) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

int FileDescriptor::close() {
  if (descriptor_ < 0) return 0;
  return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
}

NewFile::NewFile(std::filesystem::path file, std::string when_full)
    : file_(std::move(file)), part_(file_), when_full_(std::move(when_full)) {
  part_ += ".part";
  descriptor_ = FileDescriptor(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!descriptor_) fail(errno);
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (!appeared_) std::filesystem::remove(part_, ignored);
}

void NewFile::fail(int error) const {
  std::string remedy;
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    remedy = " (" + when_full_ + "; free some space or choose another --out folder)";
  else if (error == EACCES || error == EROFS || error == EPERM)
    remedy = " (make the folder writable or choose another --out folder)";
  throw IoError(file_.string() + ": cannot write: " + std::generic_category().message(error) + remedy);
}

void NewFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ::ssize_t n = ::pwrite(descriptor_.get(), bytes.data(), bytes.size(), static_cast<::off_t>(size_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(n < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    size_ += static_cast<std::uint64_t>(n);
  }
}

void NewFile::sync() {
  if (const int error = synced(descriptor_.get()); error != 0) fail(error);
}

void NewFile::appear() {
  // Some file systems report a full disk only here.
  if (const int error = descriptor_.close(); error != 0) fail(error);
  std::error_code error;
  std::filesystem::rename(part_, file_, error);
  if (error) fail(error.value());
  appeared_ = true;
}

void NewFile::sync_folder() {
  const std::filesystem::path folder = file_.has_parent_path() ? file_.parent_path() : ".";
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const int error = opened ? synced(opened.get()) : errno;
  if (error != 0 && error != EINVAL) fail(error);  // EINVAL: a file system whose folders cannot be synced
}

}  // namespace cosimo
