#include "config/submodels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/check.hpp"
#include "config/include.hpp"
#include "config/number.hpp"
#include "config/rules.hpp"
#include "config/sensors.hpp"
#include "config/submodel_instance.hpp"
#include "config/tables.hpp"
#include "config/tree_walk.hpp"

namespace cosimo::config {

namespace {

constexpr std::size_t max_depth_of_models = 16, max_instances = 1'000'000;
constexpr std::array<std::string_view, 8> entry_keys{"use", "name",     "count", "first",
                                                     "set", "position", "join",  "import"};
constexpr std::array<const char*, 7> merged{"curves", "bodies", "joints",  "elements",
                                            "ropes",  "ground", "contacts"};

bool is_scalar(const Node* node) {
  return node != nullptr && node->kind == Node::Kind::scalar;
}

Node scalar(std::string text, Position position) {
  Node out;
  out.kind = Node::Kind::scalar;
  out.text = std::move(text);
  out.position = position;
  return out;
}

/// Of the file that uses another, and of that one.
struct UnitsOfUse {
  const FileUnits& user;
  const FileUnits& part;
};

class Expander {
 public:
  Expander(Units& units, Faults& faults) : units_(units), faults_(faults) {}

  void expand(Node& section, const std::filesystem::path& file, const Parameters& parameters,
              const FileUnits& user) {
    Node* const listed = find_key(section, "submodels");
    if (listed == nullptr || listed->kind != Node::Kind::list) return;
    Node entries = std::move(*listed);
    remove_key(section, "submodels");
    open_.push_back(identity_of(file));
    Node gathered;
    gathered.kind = Node::Kind::map;
    for (std::size_t i = 0; i < entries.items.size(); ++i) {
      path_ = entry_path("model.submodels", i);
      use(entries.items[i], file, parameters, user, gathered);
    }
    open_.pop_back();
    for (std::size_t i = 0; i < gathered.keys.size(); ++i) {
      Node& all = gathered.items[i];
      if (Node* own = find_key(section, gathered.keys[i].text)) {
        if (own->kind != Node::Kind::list) continue;
        std::move(own->items.begin(), own->items.end(), std::back_inserter(all.items));
        all.position = own->position;
      }
      put_key(section, gathered.keys[i].text, std::move(all));
    }
  }

 private:
  void complain(const Node& node, std::string_view key, std::string problem, std::string remedy) {
    good_ = false;
    faults_.add(node.position, key.empty() ? path_ : path_ + "." + std::string(key), to_text(node),
                {std::move(problem), std::move(remedy)});
  }

  void use(const Node& entry, const std::filesystem::path& from, const Parameters& parameters,
           const FileUnits& user, Node& gathered) {
    good_ = true;
    if (!check_keys(entry)) return;
    const Node& name = *entry.find("use");
    const bool from_file = name.position.line > 0;
    const std::filesystem::path folder =
        from_file ? std::filesystem::path(faults_.sources()[static_cast<std::size_t>(name.position.source)])
                  : from;
    const std::filesystem::path file = folder.parent_path() / name.text;
    if (std::ranges::find(open_, identity_of(file)) != open_.end() || open_.size() > max_depth_of_models)
      return complain(name, "use", "the model uses itself, directly or through others",
                      "remove one of the uses");
    const std::string path = path_;
    const RobotOptions robot = robot_options(entry, file, parameters);
    if (!good_) return;
    Node whole = read_part(name, path + ".use", folder, faults_, robot);
    const FileUnits own_units = units_.apply_part(whole, is_robot_file(file) ? FileUnits{} : user, false);
    expand_includes(whole, file, units_, own_units, faults_);
    expand_tables(whole, faults_);

    const Node* given = entry.find("name");
    const std::string title = given != nullptr ? given->text : file.stem().string();
    if (!is_identifier(title))
      return complain(given != nullptr ? *given : name, given != nullptr ? "name" : "use",
                      "gives no name for what is in it",
                      "add `name`: begin with a letter, continue with letters, digits and _");
    Parameters own = parameters;
    const Node *count = entry.find("count"), *first = entry.find("first");
    const auto instances = count != nullptr ? whole_number(*count, "count", 1, own) : 1;
    const auto begin = first != nullptr ? whole_number(*first, "first", 0, own) : 1;
    if (!good_) return;
    if (count != nullptr && parameters.contains("i"))
      return complain(*count, "count", "`i` is the number of the instance, and a parameter is called so too",
                      "rename the parameter");
    for (std::int64_t k = 0; k < instances && good_; ++k) {
      Parameters numbered = parameters;
      if (count != nullptr) numbered.define("i", static_cast<double>(begin + k));
      path_ = path;
      instance(entry, whole, file, count != nullptr ? title + std::to_string(begin + k) : title, parameters,
               numbered, {user, own_units}, gathered);
    }
  }

  RobotOptions robot_options(const Node& entry, const std::filesystem::path& file,
                             const Parameters& parameters) {
    const Node *import = entry.find("import"), *join = entry.find("join");
    RobotOptions out;
    Parameters own = parameters;
    if (import != nullptr && !is_robot_file(file))
      complain(*import, "import", "says how a robot in URDF or MJCF is read, and the file is none",
               "leave it out");
    else if (import != nullptr)
      out = read_robot_options(
          *import, [&](const Node& node, std::string_view key) { return value(node, key, own); },
          [&](const Node& node, std::string_view key, Complaint fault) {
            complain(node, key, std::move(fault.problem), std::move(fault.remedy));
          });
    if (join != nullptr && join->find("world") != nullptr) out.world = "world";
    return out;
  }

  void refuse_repeated(const Node& section, const std::string& path) {
    std::unordered_set<std::string_view> seen;
    for (const Node& key : section.keys)
      if (!seen.insert(key.text).second)
        complain(key, path + key.text, "the key is given a second time", "keep one of them");
  }

  bool check_keys(const Node& entry) {
    if (entry.kind != Node::Kind::map || !is_scalar(entry.find("use"))) {
      complain(entry, "use", "names no file", "write `{use: part.yaml}`");
      return false;
    }
    refuse_repeated(entry, "");
    for (std::size_t i = 0; i < entry.keys.size(); ++i) {
      const std::string& key = entry.keys[i].text;
      const Node& item = entry.items[i];
      if (std::ranges::find(entry_keys, key) == entry_keys.end())
        complain(
            entry.keys[i], key, "the key is not known here",
            name_remedy(key, entry_keys, "known here: use, name, count, first, set, position, join, import"));
      else if ((key == "set" || key == "join") && item.kind != Node::Kind::map)
        complain(item, key, "is not a section", "write `{name: value, ...}`");
      else if (key == "set" || key == "join")
        refuse_repeated(item, key + ".");
      else if (key == "position" && (item.kind != Node::Kind::list || item.items.empty()))
        complain(item, key, "is not a list of numbers", "write `[x, y, z]`");
      else if (key == "name" && !is_scalar(&item))
        complain(item, key, "is not a name", "write a name");
    }
    return good_;
  }

  /// Zero where there is a fault.
  double value(const Node& node, std::string_view key, Parameters& parameters) {
    if (node.kind != Node::Kind::scalar) {
      complain(node, key, "is not a number", "write a number, or arithmetic over parameters");
      return 0;
    }
    auto number = parse_number(node.text);
    if (std::holds_alternative<Complaint>(number) && (node.quoted || looks_like_formula(node.text, true)))
      number = parameters.value(node.text);
    if (const double* found = std::get_if<double>(&number)) return *found;
    const auto& fault = std::get<Complaint>(number);
    complain(node, key, fault.problem, fault.remedy);
    return 0;
  }

  std::int64_t whole_number(const Node& node, std::string_view key, std::int64_t least,
                            Parameters& parameters) {
    const double number = value(node, key, parameters);
    if (good_ && (number != std::floor(number) || number < static_cast<double>(least) ||
                  number > static_cast<double>(max_instances)))
      complain(node, key, "is out of range",
               "write a whole number from " + std::to_string(least) + " to " + std::to_string(max_instances));
    return good_ ? static_cast<std::int64_t>(number) : 0;
  }

  /// `numbered`: the parameters outside, with the number of the instance, which the file itself does not see.
  void instance(const Node& entry, const Node& whole, const std::filesystem::path& file,
                const std::string& name, const Parameters& outside, Parameters& numbered,
                const UnitsOfUse& units, Node& gathered) {
    Node part = whole;
    if (const Node* set = entry.find("set")) set_parameters(part, *set, numbered, units);
    const Node* const join = entry.find("join");
    auto joined = names_of(join, numbered);
    std::optional<Node> offset;
    if (const Node* position = entry.find("position")) {
      offset = *position;
      for (Node& item : offset->items) {
        item.text = number_text(value(item, "position", numbered));
        item.kind = Node::Kind::scalar;
        item.quoted = false;
      }
    }
    if (!good_) return;
    const Parameters parameters = evaluate_parameters(part, faults_, outside);
    const std::string path = path_;
    expand(part, file, parameters, units.part);
    path_ = path;
    name_coordinates(part, faults_);
    SubmodelInstance made(part, name, parameters, std::move(joined));
    made.rename();
    if (join != nullptr && good_) refuse_idle(*join, made);
    if (offset) made.shift(*offset);
    for (const char* key : merged) {
      Node* list = find_key(part, key);
      if (list == nullptr) continue;
      Node* all = find_key(gathered, key);
      if (all == nullptr) {
        put_key(gathered, key, std::move(*list));
      } else {
        std::move(list->items.begin(), list->items.end(), std::back_inserter(all->items));
      }
    }
  }

  /// What `join` names must be a name in the file.
  void refuse_idle(const Node& join, const SubmodelInstance& made) {
    const std::vector<std::string_view> known(made.outer_names().begin(), made.outer_names().end());
    std::string all;
    for (const std::string_view name : known) all += (all.empty() ? "" : ", ") + std::string(name);
    for (const Node& key : join.keys)
      if (!made.met().contains(key.text))
        complain(key, "join." + key.text, "the file does not use this name",
                 name_remedy(key.text, known,
                             all.empty() ? "leave it out: the file names nothing outside itself"
                                         : "names in the file that stand for something outside: " + all));
  }

  void set_parameters(Node& part, const Node& set, Parameters& outside, const UnitsOfUse& units) {
    Node* const known = find_key(part, "parameters");
    for (std::size_t i = 0; i < set.keys.size(); ++i) {
      const std::string& key = set.keys[i].text;
      Node* const parameter = known != nullptr ? find_key(*known, key) : nullptr;
      Node given = set.items[i];
      const bool quantity = units_.to_number(given, path_ + ".set." + key, units.part);
      double number = value(given, "set." + key, outside);
      if (!quantity) number = units_.handed_down(number, key, units.user, units.part);
      if (parameter != nullptr) {
        *parameter = scalar(number_text(number), set.items[i].position);
        continue;
      }
      std::vector<std::string_view> names;
      if (known != nullptr)
        for (const Node& each : known->keys) names.push_back(each.text);
      complain(set.keys[i], "set." + key, "the file has no parameter of this name",
               name_remedy(key, names, "name one of its `parameters`"));
    }
  }

  /// What `join` says, with whole numbers in the place of braces.
  std::unordered_map<std::string, std::string> names_of(const Node* join, Parameters& outside) {
    std::unordered_map<std::string, std::string> out;
    for (std::size_t i = 0; join != nullptr && i < join->keys.size(); ++i) {
      const Node& item = join->items[i];
      const std::string key = "join." + join->keys[i].text;
      if (item.kind != Node::Kind::scalar || item.text.empty()) {
        complain(item, key, "is not a name", "name a body of the model that uses the file");
        continue;
      }
      std::string name;
      for (std::size_t at = 0; at < item.text.size();) {
        const std::size_t open = std::min(item.text.find('{', at), item.text.size());
        name += item.text.substr(at, open - at);
        at = open;
        if (open == item.text.size()) break;
        const std::size_t close = item.text.find('}', open);
        if (close == std::string::npos) {
          complain(item, key, "has a brace that is not closed",
                   "write a whole number in braces: \"link{i-1}.bar\"");
          break;
        }
        Node number = scalar(item.text.substr(open + 1, close - open - 1), item.position);
        number.quoted = true;
        const double found = value(number, key, outside);
        if (found != std::floor(found) || std::fabs(found) > static_cast<double>(max_instances))
          complain(item, key, "does not give a whole number in braces", "write one, as in \"link{i-1}.bar\"");
        name += std::to_string(static_cast<std::int64_t>(found));
        at = close + 1;
      }
      out.emplace(join->keys[i].text, std::move(name));
    }
    return out;
  }

  Units& units_;
  Faults& faults_;
  std::vector<std::string> open_;  ///< files from the scenario to the one at hand
  std::string path_;               ///< of the entry at hand
  bool good_ = true;               ///< it has no fault so far
};

}  // namespace

void expand_submodels(Node& model, const std::filesystem::path& file, const Parameters& parameters,
                      Units& units, const FileUnits& own, Faults& faults) {
  if (model.kind != Node::Kind::map || model.find("submodels") == nullptr) return;
  const std::size_t before = faults.size();
  Expander(units, faults).expand(model, file, parameters, own);
  if (faults.size() > before) faults.raise();  // what refers to the instances would be at fault as well
}

}  // namespace cosimo::config
