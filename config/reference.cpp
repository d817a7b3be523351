// reference_markdown(): the table of definitions for people, one table per section.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "config/definition.hpp"
#include "config/scenario.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

std::string joined(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

/// A bar would end the cell of a table.
std::string cell(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

/// Sections below a key, each to get a table of its own.
const Form* inner_section(const Key& key) {
  for (const Form& form : key.forms) {
    if (!form.available || !key.type.empty()) continue;
    if (form.kind == Kind::section || form.kind == Kind::choice) return &form;
    if (form.kind == Kind::list &&
        (form.entry[0].kind == Kind::section || form.entry[0].kind == Kind::choice))
      return &form.entry[0];
  }
  return nullptr;
}

std::string values(const Key& key) {
  if (!key.type.empty()) return "[" + key.type + "](#" + key.type + ")";
  const Form* inner = inner_section(key);
  if (inner == nullptr) return describe(key.forms);
  std::string text;
  for (const Form& form : key.forms) {
    const bool below = form.available && (&form == inner || form.kind == Kind::list);
    text +=
        (text.empty() ? "" : " or ") +
        (below ? (form.kind == Kind::list ? "a list, see below" : "a section, see below") : describe(form));
  }
  return text;
}

/// As the beginning of a sentence.
std::string capitalized(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string fallback(const Key& key) {
  if (key.required) return "*required*";
  if (!key.otherwise.empty()) return key.otherwise;
  if (key.fallback == "{}") return "see below";
  return key.fallback.empty() ? "" : "`" + key.fallback + "`";
}

class MarkdownWriter {
 public:
  std::string document() {
    out_ +=
        "# Scenario file: all keys\n\nNumbers carry no units: choose one consistent system of units and keep "
        "to it. The column *dimension* says what kind of quantity a number is. Bodies, elements and parts "
        "are numbered from 1.\n";
    table(scenario_definition(), "", "The file");
    shared();
    reserved();
    return std::move(out_);
  }

 private:
  void table(const Form& form, const std::string& path, const std::string& description) {
    out_ += "\n## " + (path.empty() ? description : "`" + path + "`") + "\n\n";
    if (!path.empty()) out_ += capitalized(description) + ".\n\n";
    rows(form, path);
    for (const Key& key : form.keys) {
      const Form* inner = key.available ? inner_section(key) : nullptr;
      if (inner != nullptr) table(*inner, joined(path, key.name), key.description);
    }
  }

  void rows(const Form& form, const std::string& path) {
    out_ += "| key | value | default | dimension | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : form.keys) {
      if (!key.available) {
        reserved_.push_back(joined(path, key.name));
        continue;
      }
      out_ += "| `" + key.name + "` | " + cell(values(key)) + " | " + cell(fallback(key)) + " | " +
              cell(key.dimension) + " | " + cell(key.description) + " |\n";
      const auto same = [&](const Key* known) { return known->type == key.type; };
      if (!key.type.empty() && std::none_of(shared_.begin(), shared_.end(), same)) shared_.push_back(&key);
      for (const Form& alternative : key.forms) {
        for (const Word& word : alternative.words) {
          if (!word.available) reserved_.push_back(joined(path, key.name) + ": " + word.name);
        }
      }
    }
  }

  /// Sets of forms that several keys share: words and lists in a sentence, described ones in a table.
  void shared() {
    for (const Key* key : shared_) {
      out_ += "\n## " + key->type + "\n\n" + capitalized(describe(key->forms)) + ":\n\n";
      out_ += "| written | value | meaning |\n|---|---|---|\n";
      for (const Form& form : key->forms) {
        for (const Key& described : form.keys) {
          out_ += "| `{" + described.name + ": ...}` | " + cell(describe(described.forms)) + " | " +
                  cell(described.description) + " |\n";
        }
      }
    }
  }

  void reserved() {
    out_ += "\n## Reserved\n\nKnown names that this version refuses as not available:";
    for (std::size_t i = 0; i < reserved_.size(); ++i) out_ += (i > 0 ? ", `" : " `") + reserved_[i] + "`";
    out_ += ".\n";
  }

  std::string out_;
  std::vector<std::string> reserved_;
  std::vector<const Key*> shared_;
};

}  // namespace

std::string reference_markdown() {
  return MarkdownWriter().document();
}

}  // namespace cosimo::config
