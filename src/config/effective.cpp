#include "config/effective.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

#include "config/number.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

/// YAML 1.1 readers take some plain words for truth values.
std::string word_text(const std::string& word) {
  static constexpr std::array<std::string_view, 6> truths{"on", "off", "yes", "no", "true", "false"};
  return std::find(truths.begin(), truths.end(), word) != truths.end() ? '"' + word + '"' : word;
}

bool is_simple(const std::string& name) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name != "null" &&
         std::all_of(name.begin(), name.end(), plain);
}

/// A name or a text: quoted unless every reader sees a plain word.
std::string text_text(const std::string& text) {
  if (is_simple(text)) return word_text(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";  // readers fold lines of a text into spaces
    else
      out += c;
  }
  return out + '"';
}

class Writer {
 public:
  std::string take() { return std::move(out_); }

  /// The members of a section, one per line; in their place a comment for those left to the run.
  void section(const Value& value, std::size_t indent) {
    std::size_t i = 0;
    for (const Key& key : value.form->keys) {
      const bool present = i < value.keys.size() && value.keys[i] == &key;
      if (!present && (key.otherwise.empty() || key.silent)) continue;
      out_.append(indent, ' ');
      if (present) {
        member(key.name, value.items[i++], indent);
      } else {
        line("# " + key.name + ": " + key.otherwise);
      }
    }
  }

  void line(std::string_view text) { (out_ += text) += '\n'; }

 private:
  static constexpr std::size_t width = 100;

  static bool is_block(const Value& value) {
    if (value.is(Kind::section)) return !value.keys.empty();
    const auto structured = [](const Value& item) { return item.is(Kind::section) || item.is(Kind::choice); };
    return value.is(Kind::list) && std::any_of(value.items.begin(), value.items.end(), structured);
  }

  void member(const std::string& name, const Value& value, std::size_t indent) {
    out_ += name + ":";
    if (!is_block(value)) {
      out_ += ' ';
      flow(value, indent + 2);
      out_ += '\n';
    } else if (value.is(Kind::section)) {
      out_ += '\n';
      section(value, indent + 2);
    } else {
      out_ += '\n';
      for (const Value& entry : value.items) list_entry(entry, indent + 2);
    }
  }

  /// The first member stands behind the dash, the others below it.
  void list_entry(const Value& entry, std::size_t indent) {
    for (std::size_t i = 0; i < entry.keys.size(); ++i) {
      out_.append(indent, ' ');
      out_ += i == 0 ? "- " : "  ";
      member(entry.keys[i]->name, entry.items[i], indent + 2);
    }
  }

  void flow(const Value& value, std::size_t indent) {
    switch (value.form->kind) {
      case Kind::number:
        out_ += number_text(value.number);
        break;
      case Kind::integer:
        out_ += std::to_string(value.integer);
        break;
      case Kind::boolean:
        out_ += value.boolean ? "true" : "false";
        break;
      case Kind::word:
        out_ += word_text(value.word);
        break;
      case Kind::name:
      case Kind::text:
        out_ += text_text(value.word);
        break;
      case Kind::formula:
        out_ += '"' + value.word + '"';
        break;
      case Kind::labels:
        flow_items(value.integers.size(), '[', ']', indent, [&](std::size_t i) {
          out_ += value.words[i].empty() ? std::to_string(value.integers[i]) : text_text(value.words[i]);
        });
        break;
      case Kind::dictionary:
        flow_items(value.numbers.size(), '{', '}', indent,
                   [&](std::size_t i) { out_ += value.words[i] + ": " + number_text(value.numbers[i]); });
        break;
      case Kind::settings:
        flow_items(value.items.size(), '{', '}', indent, [&](std::size_t i) {
          out_ += text_text(value.words[i]) + ": ";
          flow(value.items[i], indent);
        });
        break;
      case Kind::variants:  // values have the section chosen as their form
        break;
      case Kind::numbers:
        flow_items(value.numbers.size(), '[', ']', indent,
                   [&](std::size_t i) { out_ += number_text(value.numbers[i]); });
        break;
      case Kind::integers:
        flow_items(value.integers.size(), '[', ']', indent,
                   [&](std::size_t i) { out_ += std::to_string(value.integers[i]); });
        break;
      case Kind::list:
        flow_items(value.items.size(), '[', ']', indent,
                   [&](std::size_t i) { flow(value.items[i], indent); });
        break;
      case Kind::section:
      case Kind::choice:
        flow_items(value.items.size(), '{', '}', indent, [&](std::size_t i) {
          out_ += value.keys[i]->name + ": ";
          flow(value.items[i], indent);
        });
        break;
    }
  }

  template <class Emit>
  void flow_items(std::size_t n, char open, char close, std::size_t indent, Emit emit) {
    out_ += open;
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) {
        out_ += ',';
        const std::size_t newline = out_.rfind('\n');
        if (out_.size() - newline > width) {
          (out_ += '\n').append(indent, ' ');
        } else {
          out_ += ' ';
        }
      }
      emit(i);
    }
    out_ += close;
  }

  std::string out_;
};

}  // namespace

std::string effective_yaml(const Value& root) {
  Writer writer;
  writer.line("# Every key with the value in effect; a comment tells what the run chooses.");
  writer.section(root, 0);
  return writer.take();
}

}  // namespace cosimo::config
