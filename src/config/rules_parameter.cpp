#include "config/rules_parameter.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "config/rules.hpp"
#include "core/counted.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;

std::string entries(std::int64_t n) {
  return counted(n, "entry");
}

class ParameterRule {
 public:
  ParameterRule(Faults& faults, const Value& value, const Length& length, bool positive)
      : faults_(faults), value_(value), length_(length), positive_(positive) {}

  void check() {
    if (value_.is(Kind::number)) require_positive(value_, value_.number);
    if (value_.is(Kind::numbers)) list();
    if (value_.is(Kind::choice) && value_.items[0].ok()) {
      const Value& described = value_.items[0];
      const std::string& name = value_.keys[0]->name;
      if (name == "uniform") uniform(described);
      if (name == "ramp") positive_entries(described);
      if (name == "half_sine") half_sine(described);
      if (name == "blocks") blocks(described);
    }
  }

 private:
  void require_positive(const Value& value, double x) {
    if (positive_ && !(x > 0)) complain(faults_, value, "must be > 0", "write a number > 0");
  }

  void positive_entries(const Value& value) {
    for (std::size_t i = 0; positive_ && i < value.numbers.size(); ++i) {
      if (!(value.numbers[i] > 0)) complain(faults_, value, i, "must be > 0", "write a number > 0");
    }
  }

  void list() {
    positive_entries(value_);
    length(value_, static_cast<std::int64_t>(value_.numbers.size()), "the list has ");
  }

  void uniform(const Value& range) {
    if (range.numbers[0] > range.numbers[1]) {
      complain(faults_, range, "the lower limit is larger than the upper one", "write [smaller, larger]");
    } else if (!std::isfinite(range.numbers[1] - range.numbers[0])) {
      complain(faults_, range, "the limits lie further apart than numbers reach (about 1.8e308)",
               "write limits closer together");
    }
    positive_entries(range);
  }

  void half_sine(const Value& sine) {
    const Value* base = sine.find("base");
    const Value* factor = sine.find("factor");
    if (base == nullptr || factor == nullptr) return;
    if (!std::isfinite(base->number * (1 + factor->number))) {
      complain(faults_, *factor, "base (1 + factor) is beyond the range of numbers",
               "write a smaller factor");
    }
    if (!positive_) return;
    require_positive(*base, base->number);
    if (base->number > 0 && 1 + factor->number <= 0) {
      complain(faults_, *factor, "makes values that are not > 0", "write a factor > -1");
    }
  }

  void blocks(const Value& list) {
    std::int64_t sum = 0;  // 10^7 blocks of at most 10^8 each: no overflow
    for (const Value& block : list.items) {
      const Value* count = block.find("count");
      const Value* value = block.find("value");
      if (value != nullptr) require_positive(*value, value->number);
      if (count == nullptr) return;
      sum += count->integer;
    }
    length(list, sum, "the counts add up to ");
  }

  void length(const Value& value, std::int64_t has, const std::string& problem) {
    if (length_.n == 0 || has == length_.n) return;
    complain(faults_, value, problem + entries(has) + ", " + length_.reason,
             "give " + entries(length_.n) + ", or one number for all");
  }

  Faults& faults_;
  const Value& value_;
  const Length& length_;
  bool positive_;
};

/// How many bodies a load acts on; n = 0 when the file does not say.
Length bodies_of_load(const Value& bodies, std::int64_t masses) {
  if (bodies.is(Kind::integers)) {
    const auto n = static_cast<std::int64_t>(bodies.integers.size());
    return {n, "but the load acts on " + counted(n, "body")};
  }
  if (bodies.is(Kind::word)) return {masses, "but the load acts on all " + counted(masses, "body")};
  return {};
}

class LoadRule {
 public:
  LoadRule(Faults& faults, const Value& load, std::int64_t masses)
      : faults_(faults), load_(load), masses_(masses) {}

  void check() {
    const Value* bodies = load_.find("bodies");
    Length length;
    if (bodies != nullptr && masses_ > 0) {
      choice_of_bodies(*bodies);
      length = bodies_of_load(*bodies, masses_);
    }
    for (const char* name : {"amplitude", "omega", "phase", "A", "B"}) {
      const Value* value = load_.find(name);
      check_parameter(faults_, value, length);
      if (value != nullptr && bodies != nullptr && bodies->is(Kind::choice) && is_row(*value)) {
        complain(faults_, *value, "a list needs bodies that are also listed",
                 "list the bodies, or give one number, `{uniform: [a, b]}` or `{ramp: [a, b]}`");
      }
    }
    starts();
  }

 private:
  void choice_of_bodies(const Value& bodies) {
    if (bodies.is(Kind::integers)) check_labels(faults_, bodies, 1, masses_, "bodies");
    if (const Value* parts = bodies.find("beside_cuts_of"); parts != nullptr && parts->integer > masses_) {
      complain(faults_, *parts, "there are only " + std::to_string(masses_) + " bodies",
               "write a number of parts from 2 to the number of bodies");
    }
  }

  void starts() {
    const Value* start = load_.find("start");
    if (start == nullptr || !start->is(Kind::numbers)) return;
    for (std::size_t i = 0; i < start->numbers.size(); ++i) {
      if (start->numbers[i] < 0)
        complain(faults_, *start, i, "lies before the beginning", "write a time >= 0");
    }
  }

  Faults& faults_;
  const Value& load_;
  std::int64_t masses_;
};

}  // namespace

void check_parameter(Faults& faults, const Value* value, const Length& length, bool positive) {
  if (value != nullptr) ParameterRule(faults, *value, length, positive).check();
}

bool is_row(const Value& value) {
  return value.is(Kind::numbers) || (value.is(Kind::choice) && value.keys[0]->name == "blocks");
}

void check_loads(Faults& faults, const Value* loads, std::int64_t bodies, const Value& root) {
  if (loads == nullptr) return;
  std::vector<std::string_view> curves;
  if (const Value* section = root.find("model.curves"))
    for (const Value& curve : section->items)
      if (const Value* name = curve.find("name")) curves.push_back(name->word);
  for (const Value& load : loads->items) {
    if (load.ok() && load.items[0].ok()) LoadRule(faults, load.items[0], bodies).check();
    const Value* name = load.find("curve.name");
    if (name != nullptr && std::ranges::find(curves, name->word) == curves.end())
      complain(faults, *name, "there is no curve of that name",
               name_remedy(name->word, curves, "add it to `model.curves`, with its file"));
  }
}

}  // namespace cosimo::config
