#include "templates.hpp"

#include <filesystem>
#include <utility>

namespace cosimo::cli {

std::string_view Template::summary() const {
  constexpr std::size_t mark = 2;  // "# "
  return text.substr(mark, text.find('\n') - mark);
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const Template& one : templates()) names.emplace_back(one.name);
  return names;
}

std::string filled(const Template& chosen, std::string_view file) {
  std::string text(chosen.text);
  const std::string stem = std::filesystem::path(file).stem().string();
  for (const auto& [mark, name] :
       {std::pair<std::string_view, std::string_view>{"@FILE@", file}, {"@STEM@", stem}})
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += name.size())
      text.replace(at, mark.size(), name);
  return text;
}

}  // namespace cosimo::cli
