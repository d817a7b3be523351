// The places of names among others, for many questions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cosimo {

class NamePlaces {
 public:
  explicit NamePlaces(const std::vector<std::string>& names);
  /// Throws Error, with the nearest name, or what lists all of them, when there is none.
  std::size_t place(std::string_view name, std::string_view all = "variables()") const;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace cosimo
