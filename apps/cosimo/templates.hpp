// Models to begin with: the files of templates/, which the build puts into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo::cli {

struct Template {
  std::string_view name, text;
  std::string_view summary() const;  ///< its first line
};

/// In the order in which they are offered.
std::span<const Template> templates();
std::vector<std::string> template_names();

/// The text with the name of the file that it will be in.
std::string filled(const Template& chosen, std::string_view file);

}  // namespace cosimo::cli
