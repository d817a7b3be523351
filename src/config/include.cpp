#include "config/include.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/source_file.hpp"
#include "config/tree_walk.hpp"
#include "core/nearest.hpp"

namespace cosimo::config {

namespace {

constexpr std::size_t max_files = 1000;
constexpr std::array<std::string_view, 11> known{"parameters", "include",  "curves",   "submodels",
                                                 "bodies",     "joints",   "elements", "ropes",
                                                 "ground",     "contacts", "units"};
constexpr std::array<std::string_view, 8> lists{"curves",   "submodels", "bodies", "joints",
                                                "elements", "ropes",     "ground", "contacts"};

/// Names of files: one, or a list.
bool names_files(const Node& node) {
  const auto is_name = [](const Node& n) { return n.kind == Node::Kind::scalar && !n.text.empty(); };
  return is_name(node) ||
         (node.kind == Node::Kind::list && std::all_of(node.items.begin(), node.items.end(), is_name));
}

std::string_view unwrapped(const Node& root) {
  return root.find("model") != nullptr || root.find("cosimo") != nullptr
             ? "an included file has no `cosimo` and no `model`: write its sections at the outermost level"
             : std::string_view();
}

/// Takes away what does not belong into an included file.
void check_keys(Node& root, Faults& faults) {
  const std::string_view hint = unwrapped(root);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < root.keys.size();) {
    const Node key = root.keys[i];
    const bool listed = std::ranges::find(lists, key.text) != lists.end();
    Complaint complaint;
    if (std::find(known.begin(), known.end(), key.text) == known.end()) {
      const std::string_view near = nearest(key.text, known);
      complaint = {"the key is not known in an included file",
                   !hint.empty()   ? std::string(hint)
                   : !near.empty() ? "did you mean `" + std::string(near) + "`?"
                                   : "known here: parameters, include, curves, submodels, bodies, joints, "
                                     "elements, ropes, ground, "
                                     "contacts, units"};
    } else if (!seen.insert(key.text).second) {
      complaint = {"the key is given a second time", "keep one of them"};
    } else if (listed && root.items[i].kind != Node::Kind::list) {
      complaint = {"is not a list", "write a list of entries"};
    } else if (key.text == "parameters" && root.items[i].kind != Node::Kind::map) {
      complaint = {"is not a section", "write `{name: number, ...}`"};
    } else if (key.text == "include" && !names_files(root.items[i])) {
      complaint = {"does not name files", "write a list of names of files"};
    }
    if (complaint.problem.empty()) {
      ++i;
      continue;
    }
    faults.add(key.position, key.text, to_text(root.items[i]), std::move(complaint));
    root.keys.erase(root.keys.begin() + static_cast<std::ptrdiff_t>(i));
    root.items.erase(root.items.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

class Includer {
 public:
  Includer(Units& units, const FileUnits& user, Faults& faults)
      : units_(units), user_(user), faults_(faults) {}

  /// Collects what `section` (the model, or an included file) includes, then what it holds itself.
  void collect(Node& section, const std::filesystem::path& file) {
    open_.push_back(identity_of(file));
    if (Node* include = find_key(section, "include"); include != nullptr && names_files(*include)) {
      const Node files = std::move(*include);
      remove_key(section, "include");
      if (files.kind == Node::Kind::scalar) take(files, file);
      for (const Node& name : files.items) take(name, file);
    }
    open_.pop_back();
  }

  /// Entries of included files, in front of the own ones.
  void merge(Node& model) {
    for (Node& file : files_) {
      for (std::size_t i = 0; i < file.keys.size(); ++i) put(file.keys[i], file.items[i]);
    }
    for (std::size_t i = 0; i < gathered_.keys.size(); ++i) {
      Node& all = gathered_.items[i];
      Node* own = find_key(model, gathered_.keys[i].text);
      if (own == nullptr) {
        model.keys.push_back(std::move(gathered_.keys[i]));
        model.items.push_back(std::move(all));
      } else if (own->kind == all.kind) {
        append(all, *own);
        all.position = own->position;
        *own = std::move(all);
      }
    }
  }

 private:
  void take(const Node& name, const std::filesystem::path& from) {
    const std::filesystem::path file = from.parent_path() / name.text;
    const std::string id = identity_of(file);
    if (std::find(open_.begin(), open_.end(), id) != open_.end()) {
      faults_.fatal(name.position, "model.include", name.text,
                    {"the file includes itself, directly or through others", "remove one of the includes"});
    }
    if (!taken_.insert(id).second) return;
    if (taken_.size() > max_files) {
      faults_.fatal(name.position, "model.include", name.text,
                    {"more than " + std::to_string(max_files) + " files are included", "join some of them"});
    }
    Node root = read_part(name, "model.include", from, faults_);
    units_.apply_part(root, is_robot_file(file) ? FileUnits{} : user_, true);
    collect(root, file);
    files_.push_back(std::move(root));
  }

  void put(Node& key, Node& item) {
    if (Node* all = find_key(gathered_, key.text)) return append(*all, item);
    gathered_.keys.push_back(std::move(key));
    gathered_.items.push_back(std::move(item));
  }

  static void append(Node& to, Node& from) {
    std::move(from.keys.begin(), from.keys.end(), std::back_inserter(to.keys));
    std::move(from.items.begin(), from.items.end(), std::back_inserter(to.items));
  }

  Units& units_;
  const FileUnits& user_;
  Faults& faults_;
  std::vector<std::string> open_;  ///< files from the scenario to the one at hand
  std::set<std::string> taken_;
  std::vector<Node> files_;  ///< in the order in which their entries come
  Node gathered_;
};

}  // namespace

std::string identity_of(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(file, ignored);
  return (ignored ? file.lexically_normal() : whole).string();
}

Node read_part(const Node& name, std::string_view field, const std::filesystem::path& from, Faults& faults,
               const RobotOptions& robot) {
  const std::filesystem::path file = from.parent_path() / name.text;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    const std::string near = similar_file(file);
    faults.fatal(name.position, field, name.text,
                 {"there is no such file", near.empty() ? "names are relative to the file that names them"
                                                        : "did you mean `" + near + "`?"});
  }
  const int source = faults.add_source(file.string());
  if (is_robot_file(file)) return read_robot_file(file, source, robot, faults);
  Node root = parse_yaml(read_source(file, source, faults), source, faults);
  if (root.kind != Node::Kind::map) {
    faults.fatal({source, 1, 1}, "", "",
                 {"holds no sections", "write `parameters:`, `bodies:`, `joints:` or `elements:`"});
  }
  check_keys(root, faults);
  return root;
}

void expand_includes(Node& model, const std::filesystem::path& file, Units& units, const FileUnits& user,
                     Faults& faults) {
  if (model.kind != Node::Kind::map || model.find("include") == nullptr) return;
  Includer includer(units, user, faults);
  includer.collect(model, file);
  includer.merge(model);
}

}  // namespace cosimo::config
