#include "results/csv.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <span>
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

void append_name(std::string& text, const std::string& name) {
  if (name.find_first_of(",\"\r\n") == name.npos) {
    text += name;
    return;
  }
  text += '"';
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  text += '"';
}

/// Rows beside each other under one head.
struct Block {
  const std::vector<double>* values = nullptr;  ///< row-major
  std::size_t columns = 0;
};

/// `head` and `rows` lines of the time and the blocks.
void write_lines(const std::filesystem::path& file, std::string head, std::size_t rows,
                 std::span<const double> time, std::span<const Block> blocks) {
  const auto require = [&](bool success) {
    if (success) return;
    throw IoError(file.string() + ": cannot write: " + std::generic_category().message(errno));
  };
  std::unique_ptr<std::FILE, CloseFile> out(std::fopen(file.c_str(), "wb"));
  require(out != nullptr);
  std::string text = std::move(head) + '\n';
  for (std::size_t row = 0; row <= rows; ++row) {
    if (row == rows || text.size() > 1u << 20) {
      require(std::fwrite(text.data(), 1, text.size(), out.get()) == text.size());
      text.clear();
      if (row == rows) break;
    }
    append_number(text, time[row]);
    for (const Block& block : blocks)
      for (std::size_t i = 0; i < block.columns; ++i) {
        text += ',';
        append_number(text, (*block.values)[row * block.columns + i]);
      }
    text += '\n';
  }
  require(std::fclose(out.release()) == 0);
}

std::string head_of(const Results& results) {
  std::string head = "time";
  const bool named = !results.columns.empty();
  for (const bool rates : {false, true})
    for (std::size_t i = 0; i < results.bodies.size(); ++i) {
      head += ',';
      if (named) {
        append_name(head, results.columns[i] + (rates ? "_dot" : ""));
      } else {
        head.append(rates ? "v_" : "x_").append(std::to_string(results.bodies[i]));
      }
    }
  return head;
}

std::filesystem::path file_of_table(const std::filesystem::path& file, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::filesystem::path result = file;
  return result.replace_filename(file.stem().string() + "_" + name + file.extension().string());
}

}  // namespace

void write_csv(const Results& results, const std::filesystem::path& file) {
  const std::size_t columns = results.bodies.size();
  write_lines(file, head_of(results), results.time.size(), results.time,
              std::array<Block, 2>{Block{&results.position, columns}, Block{&results.velocity, columns}});
  for (const ResultsTable& table : results.tables) {
    std::string head = "time";
    for (const std::string& name : table.columns) {
      head += ',';
      append_name(head, name);
    }
    write_lines(file_of_table(file, table.name), std::move(head), table.rows(), results.time,
                std::array<Block, 1>{Block{&table.value, table.columns.size()}});
  }
}

std::vector<std::filesystem::path> csv_files(std::span<const TableLayout> tables,
                                             const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files{file};
  for (const TableLayout& table : tables) files.push_back(file_of_table(file, table.name));
  return files;
}

}  // namespace cosimo
