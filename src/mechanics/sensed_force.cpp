#include "mechanics/sensed_force.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "mechanics/applied_variables.hpp"
#include "mechanics/measure.hpp"

namespace cosimo {
namespace {

constexpr std::size_t few = 32;  ///< bodies: all depend on all
constexpr std::array<const char*, 9> effort_names{"Fx",      "Fy",    "Fz",    "Tx_from", "Ty_from",
                                                  "Tz_from", "Tx_to", "Ty_to", "Tz_to"};
using Vec9 = Eigen::Matrix<double, 9, 1>;

Vec9 column(const Effort& effort) {
  Vec9 out;
  out << effort.force, effort.torque_from, effort.torque_to;
  return out;
}

/// A law of variables of two markers, t among them, with other numbers behind these.
class FormulaLaw {
 public:
  explicit FormulaLaw(std::vector<std::string> names) : names_(std::move(names)) {}
  virtual ~FormulaLaw() = default;

  std::size_t numbers() const { return names_.size(); }
  virtual std::size_t own() const = 0;  ///< of them
  virtual std::string_view kind() const = 0;
  /// The angle that counts turns; none: nothing does.
  virtual std::optional<std::size_t> angle() const = 0;
  virtual void look(double t, const Frame& from, const Frame& to, const double* last, double* out) const = 0;
  virtual Effort effort(const Frame& from, const Frame& to, std::span<const double> at) const = 0;
  /// By the markers, and column k by number k.
  virtual void gradient(const Frame& from, const Frame& to, std::span<const double> at, EffortGradient& out,
                        Eigen::MatrixXd& by_number) const = 0;
  /// What makes it this law beside its formulas.
  virtual void add_to(std::vector<double>& parameters) const = 0;
  std::span<const Expression> formulas() const { return formulas_; }
  std::span<const Expression> switches() const { return switches_; }

 protected:
  std::size_t read(const std::string& field, const std::string& text, std::span<const NamedCurve> curves) {
    try {
      formulas_.emplace_back(text, names_, curves);
    } catch (const ExpressionError& error) {
      throw Error(Fault{.field = field, .value = text, .problem = error.what(), .remedy = error.remedy});
    }
    for (Expression& each : switches_of(formulas_.back(), names_, curves))
      switches_.push_back(std::move(each));
    return formulas_.size() - 1;
  }
  std::vector<Expression> formulas_;

 private:
  std::vector<std::string> names_;
  std::vector<Expression> switches_;
};

class AppliedLaw final : public FormulaLaw {
 public:
  AppliedLaw(const std::string& name, const AppliedSpec& spec, std::size_t references)
      : FormulaLaw(with_references({applied_variables().begin(), applied_variables().end()}, references)),
        turns_(spec.turns) {
    constexpr std::array<const char*, 6> fields{".force.x",  ".force.y",  ".force.z",
                                                ".torque.x", ".torque.y", ".torque.z"};
    for (std::size_t i = 0; i < 6; ++i)
      if (const std::string& text = i < 3 ? spec.force[i] : spec.torque[i - 3]; !text.empty())
        place_[i] = read(name + fields[i], text, spec.curves);
  }
  std::size_t own() const override { return applied::variable_count; }
  void add_to(std::vector<double>& parameters) const override {
    for (const auto& place : place_) parameters.push_back(place ? double(*place) : -1);
  }
  std::string_view kind() const override { return "applied"; }
  std::optional<std::size_t> angle() const override {
    const auto at = static_cast<std::size_t>(applied::At::angle);
    const bool used = std::ranges::any_of(formulas_, [&](const Expression& f) { return f.uses(at); });
    return turns_ && used ? std::optional(at) : std::nullopt;
  }
  void look(double t, const Frame& from, const Frame& to, const double* last, double* out) const override {
    Eigen::Map<applied::Values>(out, applied::variable_count) = applied::values_of(t, from, to, last);
  }
  Effort effort(const Frame& from, const Frame& to, std::span<const double> at) const override {
    Vec6 F = Vec6::Zero();
    for (std::size_t i = 0; i < 6; ++i)
      if (place_[i]) F[static_cast<Eigen::Index>(i)] = formulas_[*place_[i]](at);
    return applied::balanced(F, to.r - from.r);
  }
  void gradient(const Frame& from, const Frame& to, std::span<const double> at, EffortGradient& out,
                Eigen::MatrixXd& by_number) const override {
    const Vec3 delta = to.r - from.r;
    Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(6, by_number.cols());
    std::vector<double> row(numbers());
    Vec3 force = Vec3::Zero();
    for (std::size_t i = 0; i < 6; ++i) {
      if (!place_[i]) continue;
      const Expression& formula = formulas_[*place_[i]];
      formula.gradient(at, row);
      slopes.row(static_cast<Eigen::Index>(i)) =
          Eigen::Map<const Eigen::RowVectorXd>(row.data(), slopes.cols());
      if (i < 3) force[static_cast<Eigen::Index>(i)] = formula(at);
    }
    for (Eigen::Index k = 0; k < by_number.cols(); ++k)
      by_number.col(k) = column(applied::balanced(slopes.col(k), delta));
    const Eigen::Matrix<double, 9, 12> change =
        by_number.leftCols<applied::variable_count>() * applied::variable_gradient(from, to);
    out.to = change;
    out.to.block<3, 3>(3, 0) += skew(force);  // - d delta x F
    out.from = -out.to;
  }

 private:
  bool turns_;
  std::array<std::optional<std::size_t>, 6> place_{};  ///< of the formulas: force, torque
};

class AlongLaw final : public FormulaLaw {
 public:
  AlongLaw(const std::string& name, const LawSpec& spec, std::size_t references)
      : FormulaLaw(with_references({law_variables().begin(), law_variables().end()}, references)),
        along_(spec.along),
        turns_(spec.turns) {
    read(name + ".force", spec.force, spec.curves);
  }
  std::size_t own() const override { return 3; }
  void add_to(std::vector<double>& parameters) const override { parameters.push_back(double(along_)); }
  std::string_view kind() const override { return "law"; }
  std::optional<std::size_t> angle() const override {
    return turns_ ? std::optional<std::size_t>(1) : std::nullopt;
  }
  void look(double t, const Frame& from, const Frame& to, const double* last, double* out) const override {
    const Travel at = travel(along_, from, to, last);
    out[0] = t;
    out[1] = at.s;
    out[2] = at.rate;
  }
  Effort effort(const Frame& from, const Frame& to, std::span<const double> at) const override {
    return effort_along(along_, travel(along_, from, to), formulas_[0](at));
  }
  void gradient(const Frame& from, const Frame& to, std::span<const double> at, EffortGradient& out,
                Eigen::MatrixXd& by_number) const override {
    std::vector<double> slopes(numbers());
    formulas_[0].gradient(at, slopes);
    gradient_along(along_, from, to, {formulas_[0](at), slopes[1], slopes[2]}, out);
    const Vec9 unit = column(effort_along(along_, travel(along_, from, to), 1));
    for (Eigen::Index k = 0; k < by_number.cols(); ++k)
      by_number.col(k) = slopes[static_cast<std::size_t>(k)] * unit;
  }

 private:
  Along along_;
  bool turns_;
};

std::vector<BodyId> members_of(const Marker& from, const Marker& to, const SensedNumbers& numbers) {
  std::vector<BodyId> out = numbers.bodies();
  for (const Marker* end : {&from, &to})
    if (end->body != ground && std::ranges::find(out, end->body) == out.end()) out.push_back(end->body);
  std::ranges::sort(out);
  return out;
}

class SensedForce final : public ForceGroup {
 public:
  SensedForce(std::string law_name, const Marker& from, const Marker& to, std::unique_ptr<FormulaLaw> law,
              SensedNumbers numbers, const std::vector<double>& breakpoints)
      : ForceGroup(std::move(law_name), members_of(from, to, numbers)),
        from_(from),
        to_(to),
        law_(std::move(law)),
        numbers_(std::move(numbers)),
        breakpoints_(breakpoints) {
    numbers_.place(bodies());
    breakpoints_.merge(numbers_.breaks(Breaks::slope));
    for (const Expression& formula : law_->formulas()) breakpoints_.merge(formula.breaks(Breaks::slope));
    from_at_ = place_of(from);
    to_at_ = place_of(to);
  }

  std::string_view kind() const override { return law_->kind(); }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }
  double next_breakpoint(double t) const override { return breakpoints_.next(t); }
  double longest_step(double t) const override { return breakpoints_.longest_step(t); }
  bool has_gradient() const override { return bodies().size() <= few; }
  double potential(const At& /*at*/) const override { return 0; }
  std::vector<GroupLine> lines() const override { return {{from_, to_}}; }

  bool wrenches(const At& at, std::span<Wrench> out) const override {
    const Effort effort = effort_at(at);
    push(effort, at, out);
    return column(effort).allFinite();
  }

  void gradient(const At& at, GroupGradient& out) const override {
    const Room room(at.scratch);
    Work& work = *room.work;
    Eigen::MatrixXd by_number;
    EffortGradient by_ends;
    const Effort effort = look_closely(at, work, by_ends, by_number);
    const auto n = static_cast<Eigen::Index>(bodies().size());
    Eigen::Matrix<double, 9, Eigen::Dynamic> change =
        Eigen::Matrix<double, 9, Eigen::Dynamic>::Zero(9, 12 * n);
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      change += by_number.col(static_cast<Eigen::Index>(law_->own() + k)) *
                numbers_.slope(k, work.numbers).head(12 * n);
    for (const bool end : {false, true})
      if (const std::size_t place = end ? to_at_ : from_at_; place != nowhere)
        change.middleCols<12>(static_cast<Eigen::Index>(12 * place)) +=
            (end ? by_ends.to : by_ends.from) * marker_jacobian(at.frames[place], end ? to_ : from_);
    for (const bool end : {false, true}) add_rows(at, end, effort, change, out);
  }

  void time_derivative(const At& at, std::span<Wrench> out) const override {
    const Room room(at.scratch);
    Eigen::MatrixXd by_number;
    EffortGradient by_ends;
    static_cast<void>(look_closely(at, *room.work, by_ends, by_number));
    Vec9 rate = by_number.col(0);
    const auto last = static_cast<Eigen::Index>(12 * bodies().size());
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      rate += numbers_.slope(k, room.work->numbers)[last] *
              by_number.col(static_cast<Eigen::Index>(law_->own() + k));
    push({rate.head<3>(), rate.segment<3>(3), rate.tail<3>()}, at, out);
  }

  std::size_t remembers() const override { return numbers_.remembers() + (law_->angle() ? 1 : 0); }
  void begin(const At& at, double* s) const override {
    At fresh = at;
    fresh.s = nullptr;
    commit(fresh, s);
  }
  void commit(const At& at, double* s) const override {
    const Room room(at.scratch);
    find(at, *room.work);
    numbers_.commit(room.work->numbers, s);
    if (law_->angle()) s[numbers_.remembers()] = room.work->at[*law_->angle()];
  }

  std::size_t switch_count() const override { return law_->switches().size() + numbers_.switch_count(); }
  void switches(const At& at, Switch* out) const override {
    const Room room(at.scratch);
    find(at, *room.work);
    for (const Expression& each : law_->switches()) *out++ = {.value = each(room.work->at)};
    numbers_.switches(room.work->numbers, at.t, out);
  }

  std::vector<std::string> readings() const override { return {effort_names.begin(), effort_names.end()}; }
  void read(const At& at, std::span<double> out) const override {
    Eigen::Map<Vec9>(out.data()) = column(effort_at(at));
  }

  std::vector<double> parameters() const override {
    std::vector<double> out;
    numbers_.add_to(out);
    for (const Marker* end : {&from_, &to_}) {
      out.push_back(static_cast<double>(place_of(*end)));
      out.insert(out.end(), end->point.begin(), end->point.end());
      out.insert(out.end(), end->axes.reshaped().begin(), end->axes.reshaped().end());
    }
    law_->add_to(out);
    for (const Expression& formula : law_->formulas())
      for (const char c : formula.text()) out.push_back(c);
    out.insert(out.end(), breakpoints_.instants().begin(), breakpoints_.instants().end());
    return out;
  }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  struct Work final : Scratch {
    SensedNumbers::Work numbers;
    std::vector<double> at;  ///< what the law knows
  };
  /// The lane's, or one of its own.
  struct Room {
    explicit Room(Scratch* given) : own(given == nullptr ? std::make_unique<Work>() : nullptr) {
      work = own ? own.get() : static_cast<Work*>(given);
    }
    std::unique_ptr<Work> own;
    Work* work = nullptr;
  };

  std::size_t place_of(const Marker& end) const {
    if (end.body == ground) return nowhere;
    return static_cast<std::size_t>(std::ranges::find(bodies(), end.body) - bodies().begin());
  }
  Frame marker_of(const At& at, const Marker& end, std::size_t place) const {
    return marker_frame(place == nowhere ? Frame{} : at.frames[place], end);
  }
  SensedNumbers::At numbers_at(const At& at) const { return {at.t, at.frames, at.s}; }

  void find(const At& at, Work& work) const {
    numbers_.make_room(work.numbers, bodies().size());
    work.at.resize(law_->numbers());
    numbers_.find(numbers_at(at), work.numbers);
    const double* const last = law_->angle() && at.s != nullptr ? at.s + numbers_.remembers() : nullptr;
    law_->look(at.t, marker_of(at, from_, from_at_), marker_of(at, to_, to_at_), last, work.at.data());
    for (std::size_t k = 0; k < numbers_.size(); ++k)
      work.at[law_->own() + k] = numbers_.value(k, work.numbers);
  }

  Effort effort_at(const At& at) const {
    const Room room(at.scratch);
    find(at, *room.work);
    return law_->effort(marker_of(at, from_, from_at_), marker_of(at, to_, to_at_), room.work->at);
  }

  Effort look_closely(const At& at, Work& work, EffortGradient& by_ends, Eigen::MatrixXd& by_number) const {
    find(at, work);
    numbers_.find_slopes(numbers_at(at), work.numbers);
    by_number.resize(9, static_cast<Eigen::Index>(law_->numbers()));
    const Frame from = marker_of(at, from_, from_at_), to = marker_of(at, to_, to_at_);
    law_->gradient(from, to, work.at, by_ends, by_number);
    return law_->effort(from, to, work.at);
  }

  void push(const Effort& effort, const At& at, std::span<Wrench> out) const {
    const auto add = [](Wrench& to, const Wrench& more) {
      to.force += more.force;
      to.torque += more.torque;
    };
    if (from_at_ != nowhere) add(out[from_at_], wrench_on_from(effort, at.frames[from_at_], from_));
    if (to_at_ != nowhere) add(out[to_at_], wrench_on_to(effort, at.frames[to_at_], to_));
  }

  /// Of the wrench on the body at an end, whose arm turns with it.
  void add_rows(const At& at, bool end, const Effort& effort,
                const Eigen::Matrix<double, 9, Eigen::Dynamic>& change, GroupGradient& out) const {
    const std::size_t acted = end ? to_at_ : from_at_;
    if (acted == nowhere) return;
    const double sign = end ? -1 : 1;
    const Vec3 arm = at.frames[acted].R * (end ? to_ : from_).point;
    const Mat3 lever = skew(arm);
    for (std::size_t moved = 0; moved < bodies().size(); ++moved) {
      const auto own = change.middleCols<12>(static_cast<Eigen::Index>(12 * moved));
      Eigen::Matrix<double, 6, 12> rows;
      rows.topRows<3>() = sign * own.topRows<3>();
      rows.bottomRows<3>() = own.middleRows<3>(end ? 6 : 3) + lever * rows.topRows<3>();
      out.by_displacement(acted, moved) += rows.leftCols<6>();
      out.by_velocity(acted, moved) += rows.rightCols<6>();
    }
    out.by_displacement(acted, acted).block<3, 3>(3, 3) += skew(Vec3(sign * effort.force)) * lever;
  }

  Marker from_, to_;
  std::unique_ptr<FormulaLaw> law_;
  SensedNumbers numbers_;
  Timetable breakpoints_;
  std::size_t from_at_ = nowhere, to_at_ = nowhere;
};

}  // namespace

std::unique_ptr<ForceGroup> make_sensed_applied(std::string name, const Marker& from, const Marker& to,
                                                const AppliedSpec& spec, SensedNumbers numbers) {
  auto law = std::make_unique<AppliedLaw>(name, spec, numbers.size());
  return std::make_unique<SensedForce>(std::move(name), from, to, std::move(law), std::move(numbers),
                                       spec.breakpoints);
}

std::unique_ptr<ForceGroup> make_sensed_law(std::string name, const Marker& from, const Marker& to,
                                            const LawSpec& spec, SensedNumbers numbers) {
  auto law = std::make_unique<AlongLaw>(name, spec, numbers.size());
  return std::make_unique<SensedForce>(std::move(name), from, to, std::move(law), std::move(numbers),
                                       spec.breakpoints);
}

}  // namespace cosimo
