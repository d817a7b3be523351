// reference_markdown(): the table of definitions for people, one table per section.
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "config/definition.hpp"
#include "config/definition_sweep.hpp"
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

/// A section below a key, to get a table of its own.
struct Inner {
  const Form* form = nullptr;
  bool in_list = false;  ///< it is an entry of a list
  std::string kinds{};   ///< the kinds of entries it is for; empty: all
};

/// "`rigid`", "`revolute`, `prismatic`".
std::string kinds_of(const Form& section) {
  std::string text;
  for (const std::string& kind : section.find("kind")->forms[0].words)
    text += (text.empty() ? "`" : ", `") + kind + "`";
  return text;
}

bool has_keys(const Form& form) {
  return form.kind == Kind::section || form.kind == Kind::choice;
}

std::vector<Inner> inner_sections(const Key& key) {
  std::vector<Inner> inner;
  for (const Form& form : key.forms) {
    if (!key.available || !key.type.empty()) continue;
    if (has_keys(form)) inner.push_back({&form, false});
    if (form.kind == Kind::settings)
      for (const Form& entry : form.entry)
        if (has_keys(entry)) inner.push_back({&entry, true});
    if (form.kind != Kind::list) continue;
    const Form& entry = form.entry[0];
    if (has_keys(entry)) inner.push_back({&entry, true});
    if (entry.kind != Kind::variants) continue;
    for (const Form& section : entry.entry) inner.push_back({&section, true, kinds_of(section)});
  }
  return inner;
}

std::string values(const Key& key) {
  if (!key.type.empty()) return "[" + key.type + "](#" + key.type + ")";
  if (inner_sections(key).empty()) return describe(key.forms);
  std::string text;
  for (const Form& form : key.forms) {
    text += (text.empty() ? "" : " or ") + (has_keys(form)            ? "a section, see below"
                                            : form.kind == Kind::list ? "a list, see below"
                                                                      : describe(form));
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
        "# Scenario file: all keys\n\nPlain numbers are in one consistent system of units of your choice; "
        "`units` "
        "says which, and any number of a dimension may have a unit of its own: [units](units.md). The column "
        "*dimension* says what kind of quantity a number is. Bodies, elements and parts are numbered from "
        "1.\n";
    table(scenario_definition(), "", "The file", "");
    for (const Key& chapter : {sweep_definition(), optimise_definition()})
      table(chapter.forms[0], chapter.name, "`" + chapter.name + "`",
            chapter.description + ", in a file of its own");
    shared();
    reserved();
    return std::move(out_);
  }

 private:
  void table(const Form& form, const std::string& path, const std::string& title,
             const std::string& description) {
    out_ += "\n## " + title + "\n\n";
    if (!path.empty()) out_ += capitalized(description) + ".\n\n";
    rows(form, path);
    for (const Key& key : form.keys) {
      const std::string here = joined(path, key.name);
      const std::vector<Inner> all = inner_sections(key);
      for (const Inner& inner : all) {
        const bool apart = inner.in_list && all.size() > 1;
        const std::string heading = !inner.kinds.empty() ? "`" + here + "`: " + inner.kinds
                                    : apart              ? "`" + here + "`, entries of the list"
                                                         : "`" + here + "`";
        table(*inner.form, here, heading,
              inner.kinds.empty() ? key.description : inner.form->find("kind")->description);
      }
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
              cell(key.dimension == "1" ? "" : key.dimension) + " | " + cell(key.description) + " |\n";
      const auto same = [&](const Key* known) { return known->type == key.type; };
      if (!key.type.empty() && std::none_of(shared_.begin(), shared_.end(), same)) shared_.push_back(&key);
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
