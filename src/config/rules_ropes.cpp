// The rules of ropes and belts.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "config/rules.hpp"
#include "config/rules_mechanism.hpp"

namespace cosimo::config {

namespace {

class RopeRules {
 public:
  RopeRules(const Value& entry, MechanismRules& rules) : entry_(entry), rules_(rules) {
    const Value* closed = entry.find("closed");
    closed_ = closed != nullptr && closed->boolean;
  }

  void check() {
    rules_.ascending(entry_.find("breakpoints"));
    const Value *tension = entry_.find("tension"), *length = entry_.find("length");
    if (tension != nullptr && length != nullptr)
      complain(rules_.faults(), *tension, "follows from `length`", "keep one of them");
    const Value* pay_out = entry_.find("pay_out");
    if (closed_ && pay_out != nullptr)
      complain(rules_.faults(), *pay_out, "a belt has no end to let rope out of", "leave it out");
    const Value* path = entry_.find("path");
    if (path == nullptr) return;
    bool known = true, moves = false;
    for (std::size_t k = 0; k < path->items.size(); ++k) {
      const Value& station = path->items[k];
      if (!station.ok()) {
        known = false;
        continue;
      }
      const EndBody body = rules_.end(station, "body");
      known = known && body.known;
      moves = moves || body.body != nullptr;
      check(station, body, closed_ || (k > 0 && k + 1 < path->items.size()));
    }
    if (known && !moves)
      complain(rules_.faults(), *path, "runs over the ground alone", "name a body in one of its stations");
    pulleys_face_alike(*path);
  }

 private:
  void check(const Value& station, const EndBody& body, bool passes) {
    const Value *at = station.find("at"), *at_body = station.find("at_body");
    for (const Value* point : {at, at_body}) rules_.vector(point, body.dimensions);
    if (at != nullptr && at_body != nullptr)
      complain(rules_.faults(), *at_body, "`at` already says where this is", "keep one of them");
    const Value *radius = station.find("radius"), *around = station.find("around"),
                *turns = station.find("turns"), *friction = station.find("friction");
    rules_.direction(station.find("axis"), 0);
    if (any_member(station, "radius") != nullptr && any_member(station, "around") == nullptr)
      rules_.faults().add(station.node->position, station.path + ".around", "",
                          {"is missing", "write `around: counterclockwise` or `around: clockwise`"});
    for (const Value* given : {around, turns})
      if (given != nullptr && any_member(station, "radius") == nullptr)
        complain(rules_.faults(), *given, "there is no pulley", "add `radius`, or leave it out");
    if (radius != nullptr && body.known && body.is_point())
      complain(rules_.faults(), *radius, "a point mass does not turn", "name a rigid or a planar body");
    const Value* axis = station.find("axis");
    if (axis != nullptr && radius != nullptr && body.known && body.turns && body.dimensions == 2 &&
        !parallel_axes(axis, nullptr))
      complain(rules_.faults(), *axis, "a planar body turns about z alone", "leave it out");
    if (friction != nullptr && !passes)
      complain(rules_.faults(), *friction, "the rope is fixed where it ends", "leave it out");
  }

  /// Pulleys behind each other have parallel axes.
  void pulleys_face_alike(const Value& path) {
    const std::size_t n = path.items.size();
    for (std::size_t k = closed_ ? 0 : 1; k < n; ++k) {
      const Value &one = path.items[(k + n - 1) % n], &other = path.items[k];
      if (!one.ok() || !other.ok() || one.find("radius") == nullptr || other.find("radius") == nullptr)
        continue;
      if (parallel_axes(one.find("axis"), other.find("axis"))) continue;
      complain(rules_.faults(), other, "its axis is not parallel to that of the pulley before",
               "put an eyelet, a station without `radius`, between them");
    }
  }

  const Value& entry_;
  MechanismRules& rules_;
  bool closed_ = false;
};

}  // namespace

bool parallel_axes(const Value* one, const Value* other) {
  const auto direction = [](const Value* axis) {
    std::array<double, 3> out{0, 0, 1};
    if (axis == nullptr) return out;
    out[2] = 0;
    std::copy_n(axis->numbers.begin(), std::min<std::size_t>(3, axis->numbers.size()), out.begin());
    return out;
  };
  const auto a = direction(one), b = direction(other);
  double across = 0, along = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    across += (a[i] * b[j] - a[j] * b[i]) * (a[i] * b[j] - a[j] * b[i]);
    along += a[i] * b[i];
  }
  constexpr double rounding = 1e-6;
  return std::sqrt(across) <= rounding * std::fabs(along);
}

void check_rope(const Value& entry, MechanismRules& rules) {
  RopeRules(entry, rules).check();
}

}  // namespace cosimo::config
