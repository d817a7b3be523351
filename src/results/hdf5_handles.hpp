// Ownership and errors for the HDF5 C library: private to results/.
//
//   SilentErrors quiet;                                  // no HDF5 text on stderr in this scope
//   Handle file(checked(H5Fopen(...), "open"), H5Fclose);
//   checked(H5Dwrite(...), "write");                     // throws Hdf5Failure with the library's reason
//
// Hdf5Failure never leaves the module: recorder and reader turn it into IoError or Error,
// which name the file.
#pragma once

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace cosimo {

/// A call into the library that failed; what() holds the step and the innermost reason.
class Hdf5Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Switches the library's automatic error printing off for its lifetime, for this thread.
class SilentErrors {
 public:
  SilentErrors() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  SilentErrors(const SilentErrors&) = delete;
  SilentErrors& operator=(const SilentErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Owns one HDF5 identifier of any kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }
  ~Handle() { reset(); }

  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes now; the result tells whether that worked. Quiet also in a destructor after a failure.
  bool reset() {
    if (id_ < 0) return true;
    const SilentErrors quiet;
    return close_(std::exchange(id_, -1)) >= 0;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The innermost message on the library's error stack.
inline std::string hdf5_reason() {
  std::string reason;
  const auto keep_first = [](unsigned, const H5E_error2_t* entry, void* text) -> herr_t {
    auto& out = *static_cast<std::string*>(text);
    if (out.empty() && entry->desc != nullptr) out = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason.empty() ? "unknown HDF5 failure" : reason;
}

/// Passes a non-negative result on; throws Hdf5Failure("<step>: <reason>") otherwise.
template <class Result>
Result checked(Result result, const std::string& step) {
  if (result < 0) throw Hdf5Failure(step + ": " + hdf5_reason());
  return result;
}

}  // namespace cosimo
