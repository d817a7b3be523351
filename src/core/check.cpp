#include "core/check.hpp"

#include <string_view>

namespace cosimo {

void fail_check(const char* condition, const char* file, int line, const std::string& context) {
  // Only the part of the path that is the same on every machine: folder and file.
  std::string_view path = file;
  if (const auto name = path.rfind('/'); name != std::string_view::npos && name > 0)
    if (const auto folder = path.rfind('/', name - 1); folder != std::string_view::npos)
      path.remove_prefix(folder + 1);
  std::string text(path);
  text += ':' + std::to_string(line) + ": " + condition + " does not hold";
  if (!context.empty()) text += ": " + context;
  throw Bug(text);
}

}  // namespace cosimo
