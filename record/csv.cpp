#include "record/csv.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "core/error.hpp"

namespace cosimo {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

void append_number(std::string& text, double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 17);
  text.append(digits, end.ptr);
}

}  // namespace

void write_csv(const Results& results, const std::filesystem::path& file) {
  const auto require = [&](bool success) {
    if (success) return;
    throw IoError(file.string() + ": cannot write: " + std::generic_category().message(errno));
  };
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(file.c_str(), "wb"));
  require(out != nullptr);

  std::string text = "time";
  for (const char* level : {",x_", ",v_"})
    for (const std::int64_t label : results.bodies) text.append(level).append(std::to_string(label));
  text += '\n';
  const std::size_t columns = results.bodies.size();
  for (std::size_t row = 0; row <= results.time.size(); ++row) {
    if (row == results.time.size() || text.size() > 1u << 20) {
      require(std::fwrite(text.data(), 1, text.size(), out.get()) == text.size());
      text.clear();
      if (row == results.time.size()) break;
    }
    append_number(text, results.time[row]);
    for (const auto* level : {&results.position, &results.velocity})
      for (std::size_t i = 0; i < columns; ++i) {
        text += ',';
        append_number(text, (*level)[row * columns + i]);
      }
    text += '\n';
  }
  require(std::fclose(out.release()) == 0);
}

}  // namespace cosimo
