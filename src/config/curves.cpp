#include "config/curves.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/number.hpp"
#include "config/read_values.hpp"
#include "config/rules.hpp"
#include "config/source_file.hpp"
#include "config/tables.hpp"
#include "config/yaml_tree.hpp"
#include "core/counted.hpp"

namespace cosimo::config {

namespace {

using Fields = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// ' ' stands for white space of any kind and length.
Fields split(std::string_view line, char separator) {
  constexpr std::string_view blank = " \t";
  Fields fields;
  while (true) {
    const std::size_t end = separator == ' ' ? line.find_first_of(blank) : line.find(separator);
    std::string_view field = trimmed(line.substr(0, end));
    if (field.size() > 1 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    if (end == std::string_view::npos) return fields;
    line = line.substr(end + 1);
    if (separator == ' ') line = trimmed(line);
  }
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Outside outside(const Value& entry, const char* key) {
  return word(entry, key) == "zero" ? Outside::zero : Outside::hold;
}

/// Of these points (numerics/curve.cpp has the meaning of neighbouring numbers and of ends without a value).
std::shared_ptr<const Curve> curve_through(std::vector<double> x, std::vector<double> y, const Value& entry) {
  constexpr double infinity = std::numeric_limits<double>::infinity(),
                   nothing = std::numeric_limits<double>::quiet_NaN();
  if (word(entry, "between") == "step") {
    std::vector<double> xs{x[0]}, ys{y[0]};
    for (std::size_t i = 1; i < x.size(); ++i) {
      if (const double before = std::nextafter(x[i], -infinity); before > xs.back()) {
        xs.push_back(before);
        ys.push_back(y[i - 1]);
      }
      xs.push_back(x[i]);
      ys.push_back(y[i]);
    }
    x = std::move(xs);
    y = std::move(ys);
  }
  if (word(entry, "before") == "error") {
    x.insert(x.begin(), std::nextafter(x.front(), -infinity));
    y.insert(y.begin(), nothing);
  }
  if (word(entry, "after") == "error") {
    x.push_back(std::nextafter(x.back(), infinity));
    y.push_back(nothing);
  }
  const Between between = word(entry, "between") == "cubic" ? Between::cubic : Between::linear;
  return std::make_shared<const Curve>(
      std::move(x), std::move(y), CurveShape{between, outside(entry, "before"), outside(entry, "after")});
}

/// One entry of the section with its file.
class CurveFile {
 public:
  CurveFile(const Value& entry, Faults& faults) : entry_(entry), faults_(faults) {}

  /// Null: there is a fault.
  std::shared_ptr<const Curve> read() {
    if (entry_.find("points") != nullptr) return read_points();
    const Value& file = at(entry_, "file");
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file.word, ignored)) {
      const std::string near = similar_file(file.word);
      complain(faults_, file, "there is no such file",
               near.empty() ? "names are relative to the file they are written in"
                            : "did you mean `" + near + "`?");
      return nullptr;
    }
    source_ = faults_.add_source(file.word);
    text_ = read_source(file.word, source_, faults_);
    if (text_.size() > max_file_size) {
      refuse("file", file.word, "is larger than " + std::to_string(max_file_size >> 20) + " MiB",
             "leave out points that are not needed");
      return nullptr;
    }
    while (next_line())
      if (!take_line()) return nullptr;
    if (times_.size() < 2) {
      refuse("file", file.word, "holds " + counted(times_.size(), "point"), "give at least two points");
      return nullptr;
    }
    return curve_through(std::move(times_), std::move(values_), entry_);
  }

 private:
  /// Those that stand in the scenario itself.
  std::shared_ptr<const Curve> read_points() {
    const Value& points = at(entry_, "points");
    const auto fault = [&](const Value& value, std::string problem, std::string remedy) {
      complain(faults_, value, std::move(problem), std::move(remedy));
      return nullptr;
    };
    if (points.items.size() < 2)
      return fault(points, "holds " + counted(points.items.size(), "point"), "give at least two points");
    for (const Value& point : points.items) {
      if (!point.ok()) return nullptr;
      times_.push_back(point.numbers[0] * config::number(entry_, "time_factor"));
      values_.push_back(point.numbers[1] * config::number(entry_, "factor"));
      if (!std::isfinite(times_.back()) || !std::isfinite(values_.back()))
        return fault(point, "is not finite with its factor", "check `factor` and `time_factor`");
      if (times_.size() > 1 && !(times_[times_.size() - 2] < times_.back()))
        return fault(point, "is not greater than the one before it", "list the points in ascending order");
    }
    return curve_through(std::move(times_), std::move(values_), entry_);
  }

  /// Finds the next line that holds something.
  bool next_line() {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // that some programs put before a text
    if (begin_ == 0 && text_.starts_with(mark)) begin_ = mark.size();
    while (begin_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
      line_ = trimmed(std::string_view(text_).substr(begin_, end - begin_));
      begin_ = end + 1;
      ++number_;
      if (!line_.empty() && line_.front() != '#' && line_.front() != '%') return true;
    }
    return false;
  }

  bool take_line() {
    const bool first = separator_ == 0;
    if (first)
      separator_ = line_.find(';') != std::string_view::npos   ? ';'
                   : line_.find(',') != std::string_view::npos ? ','
                                                               : ' ';
    const Fields fields = split(line_, separator_);
    if (first) {
      const bool named =
          !at(entry_, "time").is(Form::Kind::integer) || !at(entry_, "value").is(Form::Kind::integer);
      const bool header = named || std::ranges::none_of(fields, [](std::string_view field) {
                            return number_in(field).has_value();
                          });
      if (!find_column("time", fields, time_) || !find_column("value", fields, value_)) return false;
      if (header) return true;
    }
    const auto time = number("time", "time_factor", fields, time_),
               value = number("value", "factor", fields, value_);
    if (!time || !value) return false;
    times_.push_back(*time);
    values_.push_back(*value);
    if (times_.size() == 1 || times_[times_.size() - 2] < times_.back()) return true;
    refuse("time", fields[time_], "is not greater than the one before it",
           "sort the points by this column, and give one for each of its values");
    return false;
  }

  /// Where a column is, from 0: its number is given, or its name.
  bool find_column(const char* key, const Fields& fields, std::size_t& place) {
    const Value& column = at(entry_, key);
    if (column.is(Form::Kind::integer)) {
      place = static_cast<std::size_t>(column.integer) - 1;
    } else {
      place = static_cast<std::size_t>(std::ranges::find(fields, column.word) - fields.begin());
    }
    if (place < fields.size()) return true;
    std::string known;
    for (const std::string_view field : fields) known += (known.empty() ? "" : ", ") + std::string(field);
    const bool numbered = column.is(Form::Kind::integer);
    refuse(key, numbered ? std::to_string(column.integer) : column.word, "there is no such column",
           name_remedy(column.word, fields, "the first line has: " + known));
    return false;
  }

  /// Times its factor.
  std::optional<double> number(const char* key, const char* factor, const Fields& fields, std::size_t place) {
    if (place >= fields.size()) {
      refuse(key, std::string(line_), "the line has only " + counted(fields.size(), "column"),
             "give every line as many columns as the first");
      return std::nullopt;
    }
    std::optional<double> number = number_in(fields[place]);
    if (number) *number *= config::number(entry_, factor);
    if (number && std::isfinite(*number)) return number;
    const bool comma = fields[place].find(',') != std::string_view::npos;
    refuse(key, fields[place], number ? "is not a finite number" : "is not a number",
           comma ? "write decimal points, not commas" : "write a number, or # before a comment");
    return std::nullopt;
  }

  void refuse(const char* key, std::string_view value, std::string problem, std::string remedy) {
    faults_.add({source_, number_, 0}, entry_.path + "." + std::string(key_of_table(*entry_.node, key)),
                value, {std::move(problem), std::move(remedy)});
  }

  const Value& entry_;
  Faults& faults_;
  int source_ = 0, number_ = 0;  ///< of the file, and of the line
  std::string text_;
  std::string_view line_;
  std::size_t begin_ = 0;  ///< of the next line
  char separator_ = 0;     ///< 0: no line was read yet
  std::size_t time_ = 0, value_ = 0;
  std::vector<double> times_, values_;
};

/// Equal for curves that are the same.
std::string key_of(const Value& entry) {
  std::string key;
  for (const char* text : {"file", "time", "value", "between", "before", "after"})
    (key += word(entry, text) + ' ') += std::to_string(at(entry, text).integer) + '\n';
  for (const char* factor : {"factor", "time_factor"}) key += number_text(number(entry, factor)) + '\n';
  return key;
}

}  // namespace

std::vector<NamedCurve> read_curves(const Value& root, Faults& faults) {
  std::vector<NamedCurve> curves;
  const Value* section = root.find("model.curves");
  if (section == nullptr) return curves;
  const auto kind = model_source(root);
  if (kind && kind != ModelKind::chain && kind != ModelKind::lattice && kind != ModelKind::bodies)
    complain(faults, *section, "nothing in such a model follows a curve",
             "leave it out: loads of `chain` and `lattice` and formulas beside `bodies` do");
  std::map<std::string, std::shared_ptr<const Curve>> known;  // sub-models call the same one by many names
  for (const Value& entry : section->items) {
    const Value* const name = entry.ok() ? entry.find("name") : nullptr;
    if (name == nullptr) continue;
    const bool sound = std::ranges::all_of(entry.items, [](const Value& item) { return item.ok(); });
    const bool file = any_member(entry, "file") != nullptr, points = any_member(entry, "points") != nullptr;
    if (sound && file == points)
      faults.add(entry.node->text.empty() ? name->node->position : entry.node->position,
                 entry.node->text.empty() ? name->path : entry.path,
                 entry.node->text.empty() ? name->word : "",
                 {file ? "has a file and points" : "has neither a file nor points",
                  "give one of `file` and `points`"});
    std::shared_ptr<const Curve> curve;
    if (sound && file != points) {
      const std::string key = file ? key_of(entry) : "";
      const auto found = known.find(key);
      curve = file && found != known.end() ? found->second : CurveFile(entry, faults).read();
      if (file) known.emplace(key, curve);
    }
    curves.push_back({name->word, std::move(curve)});
  }
  return curves;
}

}  // namespace cosimo::config
