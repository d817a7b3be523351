#include "fmi/channel.hpp"

#include <algorithm>
#include <utility>

namespace cosimo::fmi {

Channel::Channel(const Description& description, const std::vector<std::size_t>& variables)
    : places_(variables.size()) {
  for (int type = 0; type < static_cast<int>(Type::string); ++type) {
    Group group{.type = static_cast<Type>(type), .references = {}, .first = size_, .values = 0};
    for (std::size_t k = 0; k < variables.size(); ++k) {
      const Variable& variable = description.variables[variables[k]];
      if (variable.type != group.type) continue;
      places_[k] = size_;
      group.references.push_back(variable.reference);
      group.values += variable.elements;
      size_ += variable.elements;
    }
    if (group.values > 0) groups_.push_back(std::move(group));
  }
}

Channel::Channel(std::vector<Group> groups) : groups_(std::move(groups)) {
  for (Group& group : groups_) {
    group.first = size_;
    size_ += group.values;
  }
}

}  // namespace cosimo::fmi
