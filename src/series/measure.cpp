#include "series/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/check.hpp"
#include "series/measure_tree.hpp"
#include "series/spectrum.hpp"

namespace cosimo::series {

namespace {

/// Why there is no number; it ends the evaluation of one run and never leaves this file.
struct Undefined {
  std::string problem;
};

struct Value {
  double number = 0;
  Course course{};
  Stretches stretches{};
};

/// An operation of formulas on so many operands, so that both compute the same.
Formula formula_of(Operation operation, std::size_t operands) {
  Formula out;
  for (std::uint32_t i = 0; i < operands; ++i)
    out.program.push_back({.operation = Operation::variable, .index = i});
  out.program.push_back({.operation = operation});
  return out;
}

std::string rounded(double x) {
  std::string text(32, ' ');
  text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.6g", x)));
  return text;
}

class Evaluation {
 public:
  Evaluation(std::string_view text, std::span<const double> time,
             std::span<const std::span<const double>> columns)
      : text_(text),
        time_(std::make_shared<const std::vector<double>>(time.begin(), time.end())),
        columns_(columns) {}

  Value value(const MeasureNode& node) const {
    switch (node.act) {
      case Act::constant:
        return {.number = node.number};
      case Act::time:
        return {.course = {time_, *time_}};
      case Act::column:
        return {.course = {time_, {columns_[node.column].begin(), columns_[node.column].end()}}};
      case Act::operation:
      case Act::function:
      case Act::combine:
        return everywhere(node);
      case Act::compare:
        return {.stretches = above(finite(node, difference(node)), node.closed)};
      case Act::both:
        return {.stretches = both(value(node.parts[0]).stretches, value(node.parts[1]).stretches)};
      case Act::either:
        return {.stretches = either(value(node.parts[0]).stretches, value(node.parts[1]).stretches)};
      case Act::slice:
      case Act::element:
        return chosen(node);
      case Act::ask:
        return answer(node);
      case Act::spectrum:
        break;
    }
    Value out{.course = spectrum(asked(node))};
    if (out.course.y.empty()) fail(node, "a spectrum needs at least 8 output times");
    return out;
  }

  [[noreturn]] void fail(const MeasureNode& node, const std::string& problem) const {
    throw Undefined{std::string(text_.substr(node.begin, node.end - node.begin)) + ": " + problem};
  }
  Course finite(const MeasureNode& node, Course course) const {
    for (std::size_t i = 0; i < course.y.size(); ++i)
      if (!std::isfinite(course.y[i])) fail(node, "it is no finite number at " + rounded((*course.t)[i]));
    return course;
  }
  double finite(const MeasureNode& node, double number) const {
    if (!std::isfinite(number)) fail(node, "it is no finite number");
    return number;
  }

 private:
  /// At every time, or once where no part is a course.
  Value everywhere(const MeasureNode& node) const {
    std::vector<Value> parts;
    for (const MeasureNode& part : node.parts) parts.push_back(value(part));
    if (node.gives == Gives::number) return {.number = at_place(node, parts, 0)};
    Value out{.course = {axis(node, parts), {}}};
    out.course.y.resize(out.course.t->size());
    if (node.act == Act::combine) {
      combine(node, parts, out.course.y);
      return out;
    }
    const Formula formula = formula_of(node.operation, parts.size());
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < out.course.y.size(); ++i) {
      for (std::size_t k = 0; k < parts.size(); ++k) x[k] = at(node.parts[k], parts[k], i);
      out.course.y[i] = node.act == Act::function ? node.function->value(x[0]) : formula.evaluate(x);
    }
    return out;
  }
  double at_place(const MeasureNode& node, const std::vector<Value>& parts, std::size_t i) const {
    if (node.act == Act::combine) {
      std::vector<double> one(1);
      combine(node, parts, one);
      return one[0];
    }
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < parts.size(); ++k) x[k] = at(node.parts[k], parts[k], i);
    return node.act == Act::function ? node.function->value(x[0])
                                     : formula_of(node.operation, parts.size()).evaluate(x);
  }
  void combine(const MeasureNode& node, const std::vector<Value>& parts, std::vector<double>& out) const {
    const Formula formula = formula_of(node.operation, 2);
    for (std::size_t k = 0; k < parts.size(); ++k)
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double next = at(node.parts[k], parts[k], i);
        out[i] = k == 0 ? next : formula.evaluate(std::array{out[i], next});
      }
  }
  static double at(const MeasureNode& node, const Value& value, std::size_t i) {
    return node.gives == Gives::number ? value.number : value.course.y[i];
  }
  /// The times that courses have in common.
  std::shared_ptr<const std::vector<double>> axis(const MeasureNode& node,
                                                  const std::vector<Value>& parts) const {
    std::shared_ptr<const std::vector<double>> out;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (node.parts[k].gives != Gives::course) continue;
      const auto& t = parts[k].course.t;
      if (out == nullptr)
        out = t;
      else if (out != t && *out != *t)
        fail(node, "courses of different times meet; choose output times at the end");
    }
    return out;
  }
  Course difference(const MeasureNode& node) const {
    MeasureNode minus = node;
    minus.act = Act::operation;
    minus.gives = Gives::course;
    minus.operation = Operation::subtract;
    return everywhere(minus).course;
  }

  /// Output times by their places, as Python counts them.
  Value chosen(const MeasureNode& node) const {
    const Course whole = value(node.parts[0]).course;
    const auto size = static_cast<long>(whole.y.size());
    const auto counted = [&](long place) { return place < 0 ? place + size : place; };
    if (node.act == Act::element) {
      const long place = counted(*node.from);
      if (place < 0 || place >= size) fail(node, "there are " + std::to_string(size) + " output times");
      return {.number = whole.y[static_cast<std::size_t>(place)]};
    }
    const long from = std::clamp(counted(node.from.value_or(0)), 0L, size);
    const long to = std::clamp(counted(node.to.value_or(size)), 0L, size);
    std::vector<double> t, y;
    for (long i = from; i < to; i += node.step) {
      t.push_back((*whole.t)[static_cast<std::size_t>(i)]);
      y.push_back(whole.y[static_cast<std::size_t>(i)]);
    }
    if (y.empty()) fail(node, "there are no such output times, but " + std::to_string(size));
    return {.course = {std::make_shared<const std::vector<double>>(std::move(t)), std::move(y)}};
  }

  struct Times {
    double from, to;
  };
  Times times(const MeasureNode& node, double begin, double end) const {
    const double from = node.window_from == 0 ? begin : value(node.parts[node.window_from]).number;
    const double to = node.window_to == 0 ? end : value(node.parts[node.window_to]).number;
    if (!(from >= begin && from <= end && to >= begin && to <= end))
      fail(node, "the results go from " + rounded(begin) + " to " + rounded(end));
    if (!(from < to) && (node.window_from != 0 || node.window_to != 0))
      fail(node, "nothing is between " + rounded(from) + " and " + rounded(to));
    return {from, to};
  }
  Course asked(const MeasureNode& node) const {
    Course course = finite(node.parts[0], value(node.parts[0]).course);
    const Times t = times(node, course.begin(), course.end());
    return node.window_from == 0 && node.window_to == 0 ? course : window(course, t.from, t.to);
  }
  Value answer(const MeasureNode& node) const {
    const std::size_t last = node.window_from != 0 ? node.window_from : node.window_to;
    const std::size_t end = last != 0 ? last : node.parts.size();
    std::vector<double> arguments;
    for (std::size_t k = 1; k < end; ++k)
      arguments.push_back(finite(node.parts[k], value(node.parts[k]).number));
    const Question& question = *node.question;
    double out = 0;
    if (question.of == Gives::course) {
      out = question.course(asked(node), arguments);
    } else {
      const Times t = times(node, time_->front(), time_->back());
      const Stretches within{{t.from, t.to}};
      out = question.condition(both(value(node.parts[0]).stretches, within), arguments);
    }
    if (std::isnan(out) && !question.undefined.empty()) fail(node, std::string(question.undefined));
    return {.number = out};
  }

  std::string_view text_;
  std::shared_ptr<const std::vector<double>> time_;
  std::span<const std::span<const double>> columns_;
};

}  // namespace

Measure::Measure(std::string text)
    : text_(std::move(text)), tree_(std::make_shared<const MeasureNode>(read_measure(text_))) {}

bool Measure::gives_curve() const {
  return tree_->gives == Gives::course;
}

BoundMeasure Measure::on(std::span<const std::string> names) const {
  BoundMeasure out;
  out.tree_ = std::make_shared<const MeasureNode>(bind_measure(*tree_, names, out.columns_));
  out.text_ = text_;
  return out;
}

MeasureResult BoundMeasure::evaluate(std::span<const double> time,
                                     std::span<const std::span<const double>> columns) const {
  COSIMO_CHECK(columns.size() == columns_.size(), "columns of " + text_);
  for (const auto& column : columns) COSIMO_CHECK(column.size() == time.size(), "a column of " + text_);
  MeasureResult out;
  if (time.empty()) {
    out.problem = text_ + ": there are no output times";
    return out;
  }
  try {
    const Evaluation evaluation(text_, time, columns);
    Value value = evaluation.value(*tree_);
    if (tree_->gives == Gives::number) {
      out.number = evaluation.finite(*tree_, value.number);
    } else {
      value.course = evaluation.finite(*tree_, std::move(value.course));
      out.t = *value.course.t;
      out.curve = std::move(value.course.y);
    }
  } catch (const Undefined& undefined) {
    out.problem = undefined.problem;
  }
  return out;
}

}  // namespace cosimo::series
