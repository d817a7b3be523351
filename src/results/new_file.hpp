// Plain files that appear whole or not at all: private to results/.
//
//   NewFile file(path, "earlier ones are intact");     begins <path>.part
//   file.write(bytes);  ...
//   file.sync();                                       optional: the bytes are on the disk
//   file.appear();                                     <path> is there, replacing an old one
//
// Without appear() nothing stays. Everything that fails is an IoError: "<path>: cannot write: <reason>", with
// a remedy where the disk is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace cosimo {

/// Owns an open file of the system.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// Closes now; the errno of what went wrong, 0 for nothing.
  int close();

 private:
  int descriptor_ = -1;
};

class NewFile {
 public:
  /// `when_full` comforts the user of a full disk.
  NewFile(std::filesystem::path file, std::string when_full);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void sync();
  void appear();
  void sync_folder();  ///< after appear(): the name is on the disk, too

  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return file_; }

 private:
  [[noreturn]] void fail(int error) const;

  std::filesystem::path file_, part_;
  std::string when_full_;
  FileDescriptor descriptor_;
  std::uint64_t size_ = 0;
  bool appeared_ = false;
};

}  // namespace cosimo
