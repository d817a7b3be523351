// State as bytes, for checkpoints: one function describes what belongs to the state of a thing and serves
// both directions.
//
//   void Controller::archive(Archive& a) { a(starting_, order_, n_fail_); }
//
//   Archive out;              saves              Archive in(bytes);        loads
//   controller.archive(out);                     controller.archive(in);
//   std::vector<std::byte> bytes = out.take();   in.finish();              nothing may be left over
//
// Goes into an archive: numbers, enumerations, bools, strings, vectors (of anything that does),
// AlignedVector, std::array, std::optional, std::pair, std::map, ids, plain trivially copyable structs
// without padding, and everything with a member archive(Archive&). A span is a view of fixed length: loading
// into one of another length is an error, as is every other sign that the bytes describe something else.
// section() puts a mark that is checked when loading, so that such an error is found near its cause.
//
// The bytes are those of this kind of machine (little-endian, IEEE 754): numbers come back to the bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/aligned.hpp"

namespace cosimo {

/// The bytes do not hold what is asked of them: damaged, or of something else.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Archive {
 public:
  Archive() = default;  ///< saves
  /// Loads; the bytes must outlive it.
  explicit Archive(std::span<const std::byte> bytes) : loading_(true), in_(bytes) {}

  bool loading() const { return loading_; }

  template <class... T>
  void operator()(T&&... values) {
    (item(values), ...);
  }

  /// A mark of what follows.
  void section(std::string_view name);

  /// Saved so far; the archive is empty afterwards.
  std::vector<std::byte> take() { return std::exchange(out_, {}); }
  std::size_t size() const { return loading_ ? in_.size() : out_.size(); }
  /// Loading: everything has been used, or it throws.
  void finish() const;

 private:
  template <class T>
  static constexpr bool plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                                (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_class_v<T>);
  template <class T>
  static constexpr bool describes_itself = requires(T& t, Archive& a) {
    t.archive(a);
  };

  void raw(void* data, std::size_t bytes);
  /// Saves a length, or loads one of things that take at least `least` bytes each.
  std::size_t length(std::size_t n, std::size_t least);
  [[noreturn]] static void mismatch(std::size_t found, std::size_t expected);

  template <class T>
  void item(T& value) {
    if constexpr (describes_itself<T>)
      value.archive(*this);
    else {
      static_assert(plain<T>, "give the type a member archive(Archive&)");
      raw(&value, sizeof(T));
    }
  }
  template <class T>
  requires std::is_const_v<T>
  void item(T& value) {  // saving only: a temporary, a constant
    auto copy = value;
    item(copy);
  }
  template <class T, class A>
  void item(std::vector<T, A>& values) {
    if constexpr (std::is_same_v<T, bool>) {
      values.resize(length(values.size(), 1));
      for (std::size_t i = 0; i < values.size(); ++i) {
        bool bit = values[i];
        item(bit);
        values[i] = bit;
      }
    } else if constexpr (plain<T> && !describes_itself<T>) {
      values.resize(length(values.size(), sizeof(T)));
      raw(values.data(), values.size() * sizeof(T));
    } else {
      // One by one: nobody knows how many bytes a thing takes, and a damaged length asks for any number.
      const std::size_t count = length(values.size(), 0);
      if (count < values.size()) values.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        if (i == values.size()) values.emplace_back();
        item(values[i]);
      }
    }
  }
  template <class T, std::size_t N>
  void item(std::array<T, N>& values) {
    for (T& value : values) item(value);
  }
  template <class T, std::size_t N>
  void item(std::span<T, N>& values) {
    if (const std::size_t n = length(values.size(), sizeof(T)); n != values.size())
      mismatch(n, values.size());
    static_assert(plain<T>);
    raw(values.data(), values.size_bytes());
  }
  template <class T>
  void item(std::optional<T>& value) {
    bool there = value.has_value();
    item(there);
    if (!there) return value.reset();
    if (!value) value.emplace();
    item(*value);
  }
  template <class A, class B>
  void item(std::pair<A, B>& value) {
    item(value.first);
    item(value.second);
  }
  template <class K, class V>
  void item(std::map<K, V>& values) {
    std::vector<std::pair<K, V>> pairs(values.begin(), values.end());
    item(pairs);
    if (loading_) values = std::map<K, V>(pairs.begin(), pairs.end());
  }
  void item(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  void item(AlignedVector& values) {
    if (const std::size_t n = length(values.size(), sizeof(double)); n != values.size()) values.resize(n);
    raw(values.data(), values.size() * sizeof(double));
  }

  bool loading_ = false;
  std::vector<std::byte> out_;
  std::span<const std::byte> in_;
  std::size_t at_ = 0;
};

}  // namespace cosimo
