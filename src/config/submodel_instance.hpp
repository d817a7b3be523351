// One instance of a sub-model (config/submodels.hpp).
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

/// A copy of the file: everything that is called by a name gets a new one.
class SubmodelInstance {
 public:
  /// `joined`: names in the file that stand for others.
  SubmodelInstance(Node& part, std::string name, const Parameters& parameters,
                   std::unordered_map<std::string, std::string> joined);

  void rename();
  /// After it: the names of `joined` that were met, and those that stand for something outside.
  const std::unordered_set<std::string>& met() const { return met_; }
  const std::set<std::string, std::less<>>& outer_names() const { return outer_; }
  /// What is placed in space.
  void shift(const Node& offset);

 private:
  std::string curve_name(const std::string& curve) const { return name_ + "_" + curve; }
  std::string with_values(const std::string& text, std::span<const std::string> variables) const;
  std::string renamed(const std::string& text);
  std::string pattern(const std::string& text);

  Node& part_;
  std::string name_;
  const Parameters& parameters_;
  std::unordered_map<std::string, std::string> joined_;
  std::unordered_set<std::string> own_, curves_, met_;
  std::vector<std::string> touching_;  ///< names of own_ that contacts may mean
  std::set<std::string, std::less<>> outer_;
};

}  // namespace cosimo::config
