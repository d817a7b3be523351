#include "cosimo/scenario_text.hpp"

#include <algorithm>

#include "config/definition.hpp"
#include "config/scenario.hpp"

namespace cosimo {
namespace {

using config::Form;
using config::Key;
using Kind = config::Form::Kind;

/// Written without keys of its own.
bool is_value(const Form& form) {
  return form.kind != Kind::section && form.kind != Kind::choice && form.kind != Kind::list;
}

class Lister {
 public:
  std::vector<ScenarioKey> all() {
    section(config::scenario_definition(), "", false);
    return std::move(keys_);
  }

 private:
  void section(const Form& form, const std::string& path, bool in_list) {
    for (const Key& key : form.keys)
      if (key.available) add(key, path.empty() ? key.name : path + "." + key.name, in_list);
  }

  void add(const Key& key, const std::string& path, bool in_list) {
    const std::size_t own = keys_.size();
    keys_.push_back({.key = path,
                     .meaning = key.description,
                     .value = config::describe(key.forms),
                     .fallback = key.fallback.empty() ? key.otherwise : key.fallback,
                     .dimension = key.dimension,
                     .in_list = in_list,
                     .required = key.required});
    for (const Form& form : key.forms) {
      if (form.kind == Kind::word)
        keys_[own].words.insert(keys_[own].words.end(), form.words.begin(), form.words.end());
      if (form.kind == Kind::boolean) keys_[own].words.insert(keys_[own].words.end(), {"true", "false"});
      if (key.type.empty()) inner(form, path, in_list);
    }
    keys_[own].section = keys_.size() > own + 1 && std::none_of(key.forms.begin(), key.forms.end(), is_value);
  }

  /// What is written below a key in this form.
  void inner(const Form& form, const std::string& path, bool in_list) {
    if (form.kind == Kind::section || form.kind == Kind::choice) section(form, path, in_list);
    if (form.kind != Kind::list || form.entry.empty()) return;
    const Form& entry = form.entry.front();
    if (entry.kind == Kind::section || entry.kind == Kind::choice) section(entry, path + ".N", true);
    // Entries of several kinds share keys: each is listed once, as the first kind has it.
    if (entry.kind != Kind::variants) return;
    Form merged;
    for (const Form& variant : entry.entry)
      for (const Key& key : variant.keys) {
        if (key.name != "kind" && merged.find(key.name) == nullptr) merged.keys.push_back(key);
        if (key.name == "kind") kind_of(merged, key);
      }
    section(merged, path + ".N", true);
  }

  static void kind_of(Form& merged, const Key& kind) {
    for (Key& key : merged.keys) {
      if (key.name != kind.name) continue;
      std::vector<std::string>& words = key.forms.front().words;
      words.insert(words.end(), kind.forms.front().words.begin(), kind.forms.front().words.end());
      return;
    }
    merged.keys.push_back(kind);
  }

  std::vector<ScenarioKey> keys_;
};

}  // namespace

const std::string& effective_text(const Scenario& scenario) {
  return scenario.data().effective;
}

std::vector<ScenarioKey> scenario_keys() {
  return Lister().all();
}

}  // namespace cosimo
