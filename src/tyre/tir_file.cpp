#include "tyre/tir_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "tyre/tir_names.hpp"

namespace cosimo::tyre {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}
std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}
std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

struct Entry {
  std::string text;
  int line = 0;
  std::string section;
};

struct UnitWord {
  std::string_view word;
  double factor;  ///< in SI
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const ModelUnits& units)
      : file_(file), units_(units) {
    split(text);
  }

  Spec read() {
    check_kind();
    find_units();
    Spec spec;
    MagicFormula& m = spec.model.emplace<MagicFormula>();
    m.later = fit_ >= 60;
    for (const Coefficient& each : coefficients()) take(each.name, m.*each.member);
    for (const Required& each : required_coefficients()) require(each.name, each.section);
    read_wheel(spec, m);
    read_ranges(m);
    check_signs(m);
    if (!faults_.empty()) throw Error(std::move(faults_));
    return spec;
  }

 private:
  void refuse(int line, std::string_view field, std::string_view value, std::string problem,
              std::string remedy) {
    faults_.push_back(Fault{.file = file_,
                            .line = line,
                            .field = std::string(field),
                            .value = std::string(value),
                            .problem = std::move(problem),
                            .remedy = std::move(remedy)});
  }
  [[noreturn]] void refuse_all(int line, std::string_view field, std::string_view value, std::string problem,
                               std::string remedy) {
    refuse(line, field, value, std::move(problem), std::move(remedy));
    throw Error(std::move(faults_));
  }

  void split(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // what some editors begin a file with
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    if (text.find('\0') != std::string_view::npos) refuse_all(1, "", "", "is no text", "check the name");
    int number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++number;
      line = trimmed(line.substr(0, line.find_first_of("$!")));
      if (!line.empty()) take_line(line, number);
    }
    last_line_ = number;
  }

  void take_line(std::string_view line, int number) {
    if (line.front() == '[') {
      const std::size_t end = line.find(']');
      if (end == std::string_view::npos)
        return refuse(number, "", line, "is a section whose bracket is not closed", "write `[NAME]`");
      section_ = upper(trimmed(line.substr(1, end - 1)));
      sections_.emplace(section_, number);
      return;
    }
    if (line.front() == '{' || section_ == "SHAPE") return;
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) return take_entry(line, equals, number);
    if (section_ == "DEFLECTION_LOAD_CURVE") return take_point(line, number);
    refuse(number, "", line, "is neither a section nor `NAME = value`", "write $ before a comment");
  }

  void take_entry(std::string_view line, std::size_t equals, int number) {
    const std::string name = upper(trimmed(line.substr(0, equals)));
    std::string_view value = trimmed(line.substr(equals + 1));
    if (value.size() > 1 && value.front() == '\'' && value.back() == '\'')
      value = trimmed(value.substr(1, value.size() - 2));
    const auto [found, added] = entries_.emplace(name, Entry{std::string(value), number, section_});
    // MASS is a unit, and that of the tyre; a coefficient is one wherever it stands.
    const bool same = found->second.section == section_ ||
                      std::ranges::find(coefficients(), name, &Coefficient::name) != coefficients().end();
    if (!added && same && found->second.text != value)
      refuse(number, name, value,
             "is given twice, in line " + std::to_string(found->second.line) + " already",
             "keep one of them");
  }

  void take_point(std::string_view line, int number) {
    const std::size_t blank = line.find_first_of(" \t");
    const auto p = number_in(line.substr(0, blank));
    const auto force =
        blank == std::string_view::npos ? std::nullopt : number_in(trimmed(line.substr(blank)));
    if (!p || !force)
      return refuse(number, section_, line, "is no pair of numbers", "write a deflection and a force");
    const bool rises =
        points_.empty() ? *p >= 0 && *force >= 0 : *p > points_.back()[0] && *force >= points_.back()[1];
    if (!rises)
      return refuse(number, section_, line, "does not rise",
                    "list points with growing deflections and forces");
    points_.push_back({*p, *force});
  }

  void check_kind() {
    const auto found = entries_.find("FITTYP");
    constexpr std::string_view known =
        "FITTYP 6 and 21 (MF-Tyre 5.2) and 60, 61, 62 (MF-Tyre 6.x) are understood";
    if (found == entries_.end())
      refuse_all(line_of("MODEL"), "FITTYP", "", "is missing: the file does not say which formula it is for",
                 "add `FITTYP = 61` below [MODEL]; " + std::string(known));
    const auto value = number_in(found->second.text);
    for (const double each : {6.0, 21.0, 60.0, 61.0, 62.0})
      if (value == each) fit_ = static_cast<int>(each);
    if (fit_ == 0)
      refuse_all(found->second.line, "FITTYP", found->second.text, "is no formula that is known here",
                 std::string(known));
  }

  /// A word of the section UNITS in SI.
  double unit(const std::string& name, std::span<const UnitWord> words) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return 1;
    std::string known;
    const std::string given = upper(found->second.text);
    for (const UnitWord& each : words) {
      if (given == each.word) return each.factor;
      known += (known.empty() ? "" : ", ") + std::string(each.word);
    }
    refuse(found->second.line, name, found->second.text, "is a unit that is not known here",
           "write one of " + known);
    return 1;
  }

  void find_units() {
    static constexpr auto lengths = std::to_array<UnitWord>({{"METER", 1},
                                                             {"M", 1},
                                                             {"MM", 1e-3},
                                                             {"MILLIMETER", 1e-3},
                                                             {"CM", 1e-2},
                                                             {"CENTIMETER", 1e-2},
                                                             {"KM", 1e3},
                                                             {"INCH", 0.0254},
                                                             {"FOOT", 0.3048}});
    static constexpr auto forces = std::to_array<UnitWord>({{"NEWTON", 1},
                                                            {"N", 1},
                                                            {"KNEWTON", 1e3},
                                                            {"KN", 1e3},
                                                            {"POUND_FORCE", 4.4482216152605},
                                                            {"LBF", 4.4482216152605},
                                                            {"KG_FORCE", 9.80665},
                                                            {"KGF", 9.80665}});
    static constexpr auto times =
        std::to_array<UnitWord>({{"SECOND", 1}, {"SEC", 1}, {"S", 1}, {"MILLISECOND", 1e-3}, {"MS", 1e-3}});
    static constexpr auto angles = std::to_array<UnitWord>({{"RADIANS", 1}, {"RADIAN", 1}, {"RAD", 1}});
    length_ = unit("LENGTH", lengths) * units_.length;
    force_ = unit("FORCE", forces) * units_.mass * units_.length / (units_.time * units_.time);
    time_ = unit("TIME", times) * units_.time;
    unit("ANGLE", angles);
  }

  bool take(std::string_view name, double& member, double factor = 1) {
    const auto found = entries_.find(std::string(name));
    if (found == entries_.end()) return false;
    const auto value = number_in(found->second.text);
    if (value)
      member = *value * factor;
    else
      refuse(found->second.line, name, found->second.text, "is not a number",
             "write a number with a decimal point");
    return true;
  }

  int line_of(std::string_view section) const {
    const auto found = sections_.find(std::string(section));
    return found == sections_.end() ? last_line_ : found->second;
  }

  bool require(std::string_view name, std::string_view section) {
    if (entries_.contains(std::string(name))) return true;
    std::vector<std::string_view> given;
    for (const auto& [known, entry] : entries_)
      if (std::ranges::find(coefficients(), known, &Coefficient::name) == coefficients().end())
        given.emplace_back(known);
    const std::string_view near = nearest(name, given);
    std::string remedy = "add `" + std::string(name) + " = ...` below [" + std::string(section) + "]";
    if (!near.empty()) remedy += "; did you mean it by `" + std::string(near) + "`?";
    refuse(line_of(section), name, "", "is missing, and the formula cannot do without it", std::move(remedy));
    return false;
  }

  void positive(std::string_view name, double value) {
    const auto found = entries_.find(std::string(name));
    if (found != entries_.end() && !(value > 0))
      refuse(found->second.line, name, found->second.text, "must be > 0", "check the file");
  }

  void read_wheel(Spec& spec, MagicFormula& m) {
    if (require("UNLOADED_RADIUS", "DIMENSION")) take("UNLOADED_RADIUS", spec.radius, length_);
    if (require("FNOMIN", "VERTICAL")) take("FNOMIN", m.load, force_);
    m.radius = spec.radius;
    m.longvl = 16.7 * units_.length / units_.time;
    take("LONGVL", m.longvl, length_ / time_);
    spec.slow = units_.length / units_.time;
    take("VXLOW", spec.slow, length_ / time_);
    take("VERTICAL_DAMPING", spec.damping, force_ * time_ / length_);
    if (spec.damping < 0)
      refuse(entries_.at("VERTICAL_DAMPING").line, "VERTICAL_DAMPING", entries_.at("VERTICAL_DAMPING").text,
             "must be >= 0", "check the file");
    take("LONGITUDINAL_STIFFNESS", m.longitudinal, force_ / length_);
    take("LATERAL_STIFFNESS", m.lateral, force_ / length_);
    double now = 0, usual = 0;
    const bool both = take("INFLPRES", now) && take("NOMPRES", usual);
    if (both) {
      positive("INFLPRES", now);
      positive("NOMPRES", usual);
      if (usual > 0) m.pressure = now / usual - 1;
    }
    for (const auto& [name, value] : {std::pair{"UNLOADED_RADIUS", spec.radius},
                                      {"FNOMIN", m.load},
                                      {"LONGVL", m.longvl},
                                      {"VXLOW", spec.slow}})
      positive(name, value);
    read_radial(spec, m);
    read_relaxation(m);
  }

  /// Of the whole radial force.
  double radial_factor(double pressure) {
    double scale = 1, by_pressure = 0;
    take("LCZ", scale);
    positive("LCZ", scale);
    take("PFZ1", by_pressure);
    const double pressed = 1 + by_pressure * pressure;
    if (!(pressed > 0))
      refuse(entries_.at("PFZ1").line, "PFZ1", entries_.at("PFZ1").text,
             "leaves no radial stiffness at the pressure INFLPRES", "check both");
    return scale * pressed;
  }

  void read_radial(Spec& spec, MagicFormula& m) {
    const bool given = points_.size() < 2 ? require("VERTICAL_STIFFNESS", "VERTICAL")
                                          : entries_.contains("VERTICAL_STIFFNESS");
    if (given) {
      take("VERTICAL_STIFFNESS", m.stiffness, force_ / length_);
      positive("VERTICAL_STIFFNESS", m.stiffness);
    }
    double bend = 0;
    take("Q_FZ2", bend);
    // The stiffness is that at the nominal load; sqrt(q1^2 + 4 q2) = stiffness radius/load.
    const double whole = m.stiffness * spec.radius / m.load, linear = whole * whole - 4 * bend;
    if (bend != 0 && !(linear > 0))
      refuse(entries_.at("Q_FZ2").line, "Q_FZ2", entries_.at("Q_FZ2").text,
             "leaves no stiffness where the tyre begins to be pressed",
             "write less, or more VERTICAL_STIFFNESS");
    spec.stiffness = bend == 0 ? m.stiffness : m.load / spec.radius * std::sqrt(std::max(0.0, linear));
    spec.progressive = bend * m.load / (spec.radius * spec.radius);
    const double factor = radial_factor(m.pressure);
    m.stiffness *= factor;
    spec.stiffness *= factor;
    spec.progressive *= factor;
    if (points_.size() < 2) return;
    if (points_.front()[0] > 0) points_.insert(points_.begin(), {0, 0});
    for (const auto& [p, force] : points_) spec.points.push_back({p * length_, factor * force * force_});
  }

  void read_relaxation(const MagicFormula& m) {
    for (const auto& [lengths, value, stiffness, given, section] :
         {std::tuple{"PTX1", m.ptx1, "LONGITUDINAL_STIFFNESS", m.longitudinal, "LONGITUDINAL_COEFFICIENTS"},
          {"PTY1", m.pty1, "LATERAL_STIFFNESS", m.lateral, "LATERAL_COEFFICIENTS"}})
      if (value == 0 && !(given > 0))
        refuse(line_of(section), lengths, "",
               "is missing, and so is a " + std::string(stiffness) +
                   ": there is no "
                   "relaxation length",
               "add `" + std::string(lengths) + " = ...` below [" + section + "], or `" + stiffness +
                   " = ...` below [STRUCTURAL]");
  }

  void range(std::string_view low, std::string_view high, double factor, Range& out) {
    take(low, out.low, factor);
    if (take(high, out.high, factor) && !(out.low < out.high))
      refuse(entries_.at(std::string(high)).line, high, entries_.at(std::string(high)).text,
             "is not above " + std::string(low), "write a larger number");
  }
  /// A range without zero would make a wheel that rolls straight ahead slip.
  void range_about_zero(std::string_view low, std::string_view high, Range& out) {
    range(low, high, 1, out);
    for (const auto& [name, wrong] : {std::pair{low, out.low > 0}, {high, out.high < 0}})
      if (wrong)
        refuse(entries_.at(std::string(name)).line, name, entries_.at(std::string(name)).text,
               "leaves no zero in the range", "check the sign");
  }
  void read_ranges(MagicFormula& m) {
    range("FZMIN", "FZMAX", force_, m.fz);
    range_about_zero("KPUMIN", "KPUMAX", m.kappa);
    range_about_zero("ALPMIN", "ALPMAX", m.alpha);
    range_about_zero("CAMMIN", "CAMMAX", m.gamma);
    // At a right angle the tangent has no value.
    m.alpha = {std::max(m.alpha.low, -1.5707), std::min(m.alpha.high, 1.5707)};
    m.fz.low = std::max(m.fz.low, 0.0);
  }

  void check_signs(const MagicFormula& m) {
    for (const auto& [name, value] : {std::pair{"PCX1", m.pcx1},
                                      {"PDX1", m.pdx1},
                                      {"PKX1", m.pkx1},
                                      {"PCY1", m.pcy1},
                                      {"PDY1", m.pdy1},
                                      {"PKY2", m.pky2},
                                      {"LMUX", m.lmux},
                                      {"LMUY", m.lmuy},
                                      {"LFZO", m.lfzo},
                                      {"LCX", m.lcx},
                                      {"LCY", m.lcy},
                                      {"LKX", m.lkx},
                                      {"LKY", m.lky},
                                      {"LSGKP", m.lsgkp},
                                      {"LSGAL", m.lsgal},
                                      {"PTY2", m.pty2}})
      positive(name, value);
    // Zero: the stiffness of the standing tyre says it.
    for (const auto& [name, value] : {std::pair{"PTX1", m.ptx1}, {"PTY1", m.pty1}})
      if (value < 0) positive(name, value);
    if (const auto found = entries_.find("PKY1"); found != entries_.end() && !(m.pky1 < 0))
      refuse(found->second.line, "PKY1", found->second.text,
             "is not negative: the force would push the tyre the way that it slips",
             "turn the signs of the lateral coefficients to those of ISO 8855, where a positive slip angle "
             "makes a "
             "negative force");
  }

  std::string file_;
  ModelUnits units_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, int> sections_;
  std::vector<std::array<double, 2>> points_;
  std::string section_;
  std::vector<Fault> faults_;
  int last_line_ = 0, fit_ = 0;
  double length_ = 1, force_ = 1, time_ = 1;
};

}  // namespace

Spec read_tir(std::string_view text, const std::string& file, const ModelUnits& units) {
  return Reader(text, file, units).read();
}

}  // namespace cosimo::tyre
