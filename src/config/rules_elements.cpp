// The rules of force elements.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "config/rules.hpp"
#include "config/rules_mechanism.hpp"
#include "config/tyres.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

class ElementRules {
 public:
  ElementRules(const Value& entry, MechanismRules& rules)
      : entry_(entry), rules_(rules), kind_(kind_of<ElementKind>(entry)) {}

  void check() {
    if (kind_ == ElementKind::contact) return contact();
    if (kind_ == ElementKind::tyre) {
      contact();
      return check_tyre(entry_, to_, rules_);
    }
    if (kind_ == ElementKind::gear_mesh) return gear_mesh();
    if (any_member(entry_, "joint") != nullptr) {
      in_joint();
    } else {
      between_bodies();
    }
    if (kind_ == ElementKind::spring) spring();
    if (kind_ == ElementKind::cylinder) cylinder();
    if (kind_ == ElementKind::torsion) torsion();
    if (kind_ == ElementKind::bushing) bushing();
    if (kind_ == ElementKind::applied) applied();
    if (kind_ == ElementKind::friction) friction();
    if (kind_ == ElementKind::stop) stop();
    if (kind_ == ElementKind::table) table();
    if (kind_ == ElementKind::law) law();
  }

 private:
  void between_bodies() {
    from_ = rules_.end(entry_, "from");
    to_ = rules_.end(entry_, "to");
    rules_.two_bodies(entry_, from_, to_);
    dimensions_ = std::max(from_.dimensions, to_.dimensions);
    points({"at", "at_from", "at_to"});
  }

  /// The joint says what it acts on.
  void in_joint() {
    for (const char* key : {"from", "to", "at", "at_from", "at_to", "axis"})
      if (const Value* given = entry_.find(key))
        complain(rules_.faults(), *given, "`joint` already says where it acts", "leave it out");
    const Value* name = entry_.find("joint");
    if (name == nullptr) return;
    const Value* joint = rules_.joint(name->word);
    if (joint == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.joint_names();
      return complain(rules_.faults(), *name, "there is no joint of this name",
                      name_remedy(name->word, known, "name one of `joints`"));
    }
    if (!joint->ok()) return;
    const JointKind kind = kind_of<JointKind>(*joint);
    const bool turns = kind == JointKind::revolute, slides = kind == JointKind::prismatic;
    if (!turns && !slides && kind != JointKind::cylindrical)
      return complain(rules_.faults(), *name,
                      "a " + std::string(word_of(kind)) + " joint has no one coordinate",
                      "name a revolute, a prismatic or a cylindrical joint");
    const Value* measure = entry_.find("measure");
    const bool wrong = measure != nullptr && (has_word(measure, Measure::length) ||
                                              (turns && has_word(measure, Measure::displacement)) ||
                                              (slides && has_word(measure, Measure::angle)));
    if (wrong)
      complain(rules_.faults(), *measure, "the joint is " + std::string(word_of(kind)),
               turns || slides ? "leave it out" : "write `angle` or `displacement`");
  }

  /// The first speaks of both ends.
  void points(std::initializer_list<const char*> names) {
    const Value* both = entry_.find(*names.begin());
    for (const char* name : names) {
      const Value* point = entry_.find(name);
      rules_.vector(point, dimensions_);
      if (both != nullptr && point != nullptr && point != both) {
        complain(rules_.faults(), *point, "`at` already says where this is", "keep one of them");
      }
    }
  }

  void contact() {
    to_ = rules_.end(entry_, "body");
    dimensions_ = to_.dimensions;
    points({"at", "at_body"});
    const Value* body = entry_.find("body");
    if (body != nullptr && to_.known && to_.body == nullptr) {
      complain(rules_.faults(), *body, "the ground does not touch itself", "name a body");
    } else if (to_.known && dimensions_ == 1) {
      complain(rules_.faults(), *body, "moves along x alone, the ground lies below",
               "give it two or three dimensions");
    }
  }

  void axis_of_rotation() {
    const Value* axis = entry_.find("axis");
    rules_.direction(axis, 0);
    if (dimensions_ == 2 && axis != nullptr &&
        (axis->numbers.size() < 3 || axis->numbers[0] != 0 || axis->numbers[1] != 0)) {
      complain(rules_.faults(), *axis, "planar bodies turn only about z", "leave it out");
    }
  }

  void both_turn() {
    for (const EndBody* end : {&from_, &to_}) {
      if (!end->known || !end->is_point()) continue;
      complain(rules_.faults(), *entry_.find(end == &from_ ? "from" : "to"), "a point mass does not turn",
               "name a rigid or a planar body");
    }
  }

  void torsion() {
    axis_of_rotation();
    both_turn();
  }

  void spring() {
    const Value *rope = entry_.find("tension_only"), *damping = entry_.find("damping");
    if (rope != nullptr && rope->boolean && has_word(damping, Damping::vector))
      complain(rules_.faults(), *damping, "a rope damps along its line alone", "leave it out");
    if (rope == nullptr || !rope->boolean) return;
    for (const char* key : {"c", "C"}) {
      const Value* stiffness = entry_.find(key);
      if (stiffness != nullptr && stiffness->number < 0)
        complain(rules_.faults(), *stiffness, "a rope pulls, and this would push", "write a number > 0");
    }
  }

  void positive(const char* key) {
    const Value* pair = entry_.find(key);
    for (std::size_t i = 0; pair != nullptr && i < pair->numbers.size(); ++i)
      if (!(pair->numbers[i] > 0)) complain(rules_.faults(), *pair, i, "must be > 0", "write a number > 0");
  }

  void cylinder() {
    positive("areas");
    positive("dead");
    rules_.ascending(entry_.find("breakpoints"));
    const Value *supply = entry_.find("supply"), *tank = entry_.find("tank");
    if (supply != nullptr && !(supply->number > (tank != nullptr ? tank->number : 0)))
      complain(rules_.faults(), *supply, "is not above the pressure of the tank", "write a larger number");
  }

  void gear_mesh() {
    const Value *names = entry_.find("joints"), *teeth = entry_.find("teeth");
    std::array<const Value*, 2> joints{};
    for (std::size_t i = 0; names != nullptr && i < 2; ++i)
      if (names->items[i].ok()) joints[i] = hinge(names->items[i]);
    if (joints[0] != nullptr && joints[0] == joints[1])
      complain(rules_.faults(), names->items[1], "is the same joint twice", "name two joints");
    else if (joints[0] != nullptr && joints[1] != nullptr &&
             !parallel_axes(joints[0]->find("axis"), joints[1]->find("axis")))
      complain(rules_.faults(), names->items[1], "its axis is not parallel to that of the first joint",
               "give both joints the same `axis`");
    if (teeth == nullptr || !teeth->items[0].ok() || !teeth->items[1].ok()) return;
    for (const Value& n : teeth->items)
      if (n.integer == 0) complain(rules_.faults(), n, "is no gear", "write a number that is not 0");
    if (teeth->items[0].integer + teeth->items[1].integer == 0)
      complain(rules_.faults(), *teeth, "a ring cannot have as many teeth as the wheel inside",
               "write different numbers");
  }

  /// The joint of a wheel; null: there is a fault.
  const Value* hinge(const Value& name) {
    const Value* joint = rules_.joint(name.word);
    if (joint == nullptr) {
      const auto known = rules_.faults().full() ? std::vector<std::string_view>() : rules_.joint_names();
      complain(rules_.faults(), name, "there is no joint of this name",
               name_remedy(name.word, known, "name one of `joints`"));
      return nullptr;
    }
    if (!joint->ok()) return nullptr;
    const JointKind kind = kind_of<JointKind>(*joint);
    if (kind == JointKind::revolute || kind == JointKind::cylindrical) return joint;
    complain(rules_.faults(), name, "no wheel turns in a " + std::string(word_of(kind)) + " joint",
             "name a revolute or cylindrical joint");
    return nullptr;
  }

  /// What a law of one number acts on.
  void measured() {
    if (any_member(entry_, "joint") != nullptr) return;
    const Value* axis = entry_.find("axis");
    const Value* word = entry_.find("measure");
    const Measure measure = word == nullptr ? Measure::length : choice_of<Measure>(word->word).value();
    if (measure == Measure::angle) return torsion();
    if (measure == Measure::displacement && axis == nullptr)
      return complain(rules_.faults(), *word, "needs the direction in which it is measured",
                      "add `axis: [x, y, z]`, in space at t = 0");
    if (measure == Measure::length && axis != nullptr)
      return complain(rules_.faults(), *axis, "a length has no axis",
                      "leave it out, or write `measure: displacement` or `measure: angle`");
    rules_.direction(axis, dimensions_);
  }

  void friction() {
    measured();
    const Value *limit = entry_.find("limit"), *sliding = entry_.find("sliding");
    if (limit != nullptr && sliding != nullptr && sliding->number > limit->number)
      complain(rules_.faults(), *sliding, "is more than `limit`, the force at which sliding begins",
               "write at most that");
    if (const Value* speed = entry_.find("stribeck");
        speed != nullptr && any_member(entry_, "sliding") == nullptr)
      complain(rules_.faults(), *speed, "the force falls from `limit` to `limit`",
               "add `sliding`, less than `limit`");
    if (const Value* exponent = entry_.find("stribeck_exponent");
        exponent != nullptr && any_member(entry_, "stribeck") == nullptr)
      complain(rules_.faults(), *exponent, "there is no `stribeck` that it is the exponent of",
               "add `stribeck: speed`, or leave it out");
  }

  void stop() {
    measured();
    const Value *lower = entry_.find("lower"), *upper = entry_.find("upper"), *gap = entry_.find("gap");
    const auto absent = [&](const char* bound) { return any_member(entry_, bound) == nullptr; };
    if (absent("lower") && absent("upper") && absent("gap"))
      complain(rules_.faults(), entry_, "has no bound", "add `lower`, `upper` or `gap`");
    if (lower != nullptr && gap != nullptr)
      complain(rules_.faults(), *gap, "`lower` already says where it touches", "keep one of them");
    if (lower != nullptr && upper != nullptr && !(lower->number < upper->number))
      complain(rules_.faults(), *upper, "is not above `lower`", "write a larger number");
    const Value *restitution = entry_.find("restitution"), *damping = entry_.find("damping");
    if (restitution != nullptr && damping != nullptr)
      complain(rules_.faults(), *damping, "the damping follows from `restitution`", "keep one of them");
  }

  void table() {
    measured();
    const Value* points = entry_.find("points");
    if (points != nullptr && points->items.size() < 2)
      return complain(rules_.faults(), *points, "is no curve", "write at least two points `[s, F]`");
    for (std::size_t i = 1; points != nullptr && i < points->items.size(); ++i) {
      const Value &point = points->items[i], &before = points->items[i - 1];
      if (point.ok() && before.ok() && point.numbers[0] <= before.numbers[0])
        return complain(rules_.faults(), point, 0, "is not larger than that of the point before",
                        "list the points with s ascending");
    }
  }

  void law() {
    measured();
    rules_.ascending(entry_.find("breakpoints"));
  }

  /// `angle` of bodies in space needs an axis.
  void angle_in(const Value* formulas) {
    if (formulas == nullptr || dimensions_ != 3 || entry_.find("axis") != nullptr) return;
    for (const Value& formula : formulas->items) {
      if (!names_angle(formula.word)) continue;
      const auto point = [](const EndBody& end) { return end.known && end.is_point(); };
      if (point(from_) || point(to_))
        return complain(rules_.faults(), formula, "a point mass has no `angle`", "name rigid bodies");
      if (from_.known && to_.known && !rules_.has_hinge(entry_))
        return complain(rules_.faults(), formula,
                        "`angle` has no axis: no revolute or cylindrical joint joins `from` and `to`",
                        "add `axis: [x, y, z]` to the element, in space at t = 0");
    }
  }

  static bool names_angle(std::string_view text) {
    constexpr std::string_view name = "angle";
    const auto letter = [&](std::size_t i) {
      return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
    };
    for (std::size_t i = text.find(name); i != std::string_view::npos; i = text.find(name, i + 1))
      if ((i == 0 || !letter(i - 1)) && !letter(i + name.size())) return true;
    return false;
  }

  void bushing() {
    rules_.orientation(entry_.find("axes"));
    for (const char* name : {"stiffness", "damping"}) {
      const Value* value = entry_.find(name);
      for (std::size_t i = 0; value != nullptr && i < value->numbers.size(); ++i) {
        if (value->numbers[i] < 0) complain(rules_.faults(), *value, i, "is negative", "write a number >= 0");
      }
    }
  }

  void applied() {
    rules_.ascending(entry_.find("breakpoints"));
    axis_of_rotation();
    angle_in(entry_.find("force"));
    angle_in(entry_.find("torque"));
    const Value* force = entry_.find("force");
    const Value* torque = entry_.find("torque");
    if (force == nullptr && torque == nullptr) {
      complain(rules_.faults(), entry_, "applies nothing", "add `force` or `torque`");
    }
    if (force != nullptr && static_cast<std::int64_t>(force->items.size()) < dimensions_) {
      complain(rules_.faults(), *force, "has too few components",
               "write " + std::to_string(dimensions_) + " formulas");
    }
    if (torque != nullptr && (torque->items.size() == 2 || (torque->items.size() == 1 && dimensions_ == 3))) {
      complain(rules_.faults(), *torque, "has too few components", "write three formulas");
    }
    const auto point = [](const EndBody& end) {
      return end.known && (end.body == nullptr || end.is_point());
    };
    if (torque != nullptr && point(from_) && point(to_)) {
      complain(rules_.faults(), *torque, "a point mass does not turn", "leave it out, or name a rigid body");
    }
  }

  const Value& entry_;
  MechanismRules& rules_;
  ElementKind kind_;
  EndBody from_, to_;
  std::int64_t dimensions_ = 0;
};

}  // namespace

void check_element(const Value& entry, MechanismRules& rules) {
  ElementRules(entry, rules).check();
}

}  // namespace cosimo::config
