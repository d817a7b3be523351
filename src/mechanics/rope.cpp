#include "mechanics/rope.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "mechanics/rope_law.hpp"
#include "mechanics/varied_place.hpp"
#include "numerics/expression.hpp"

namespace cosimo {
namespace {

constexpr std::size_t inputs = RopeLaw::inputs;
constexpr double turn = 2 * std::numbers::pi;
const std::vector<std::string>& time_alone() {
  static const std::vector<std::string> names{"t"};
  return names;
}

/// L and both psi of a span.
auto span_measure(const RopeStation& a, const RopeStation& b) {
  return [&a, &b](const auto& from, const auto& to) {
    using T = std::decay_t<decltype(from.r.x)>;
    const bool planar =
        a.sense != 0 || b.sense != 0 || a.friction.value_or(0) > 0 || b.friction.value_or(0) > 0;
    const auto d = to.r - from.r;
    if (!planar) return std::array<T, 3>{sqrt(dot(d, d)), T(0.0), T(0.0)};
    const auto& n = a.sense != 0 || a.friction ? from.axis[2] : to.axis[2];
    const T h = dot(n, d);
    const auto flat = d - h * n;
    const T square = dot(flat, flat), rho(b.sense * b.radius - a.sense * a.radius);
    const T l = sqrt(square - rho * rho), inverse = T(1.0) / square;
    const auto t = (l * inverse) * flat - (rho * inverse) * cross(n, flat);
    const auto psi = [&](const RopeStation& station, const auto& at) {
      if (station.sense == 0)
        return station.friction.value_or(0) > 0 ? atan2(dot(t, at.axis[1]), dot(t, at.axis[0])) : T(0.0);
      const auto w = T(double(station.sense)) * cross(t, n);
      return atan2(dot(w, at.axis[1]), dot(w, at.axis[0]));
    };
    return std::array<T, 3>{sqrt(l * l + h * h), psi(a, from), psi(b, to)};
  };
}

Expression read_formula(const std::string& rope, const RopeSpec& spec) {
  try {
    return {spec.pay_out, time_alone(), spec.curves};
  } catch (const ExpressionError& error) {
    throw Error(Fault{
        .field = rope + ".pay_out", .value = spec.pay_out, .problem = error.what(), .remedy = error.remedy});
  }
}

std::vector<BodyId> members(const RopeSpec& spec) {
  std::vector<BodyId> out;
  for (const RopeStation& station : spec.stations)
    if (station.at.body != ground && std::ranges::find(out, station.at.body) == out.end())
      out.push_back(station.at.body);
  return out;
}

/// The angle near another one.
double near(double angle, double other) {
  return other + std::remainder(angle - other, turn);
}

/// By how much a body is turned about the axis of its marker, with all turns; zero where nobody counts them.
double counted(const Frame& marker) {
  if (std::isnan(marker.turned)) return 0;
  return marker.R(2, 2) < 0 ? -marker.turned : marker.turned;
}

class Rope final : public ForceGroup {
 public:
  Rope(std::string rope_name, const RopeSpec& spec)
      : ForceGroup(std::move(rope_name), members(spec)),
        spec_(spec),
        spans_(spec.stations.size() - (spec.closed ? 0 : 1)),
        law_(make_law()),
        pay_(read_formula(name, spec)),
        pay_at_start_(pay_(std::array{0.0})),
        breakpoints_(spec.breakpoints) {
    breakpoints_.merge(pay_.breaks(Breaks::slope));
    for (const RopeStation& station : spec_.stations) {
      const auto found = std::ranges::find(bodies(), station.at.body);
      slot_.push_back(found == bodies().end() ? on_ground
                                              : static_cast<std::size_t>(found - bodies().begin()));
    }
    for (const std::string& text : pay_.switches()) {
      Expression formula(text, time_alone(), spec.curves);
      if (!formula.is_constant()) switches_.push_back(std::move(formula));
    }
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }
  std::string_view kind() const override { return spec_.closed ? "belt" : "rope"; }
  double next_breakpoint(double t) const override { return breakpoints_.next(t); }
  double longest_step(double t) const override { return breakpoints_.longest_step(t); }

  bool wrenches(const At& at, std::span<Wrench> out) const override {
    const Room room(at.scratch);
    Work& work = *room.work;
    if (!look(at, work)) return false;
    for (std::size_t k = 0; k < spans_; ++k)
      for (const bool end : {false, true}) {
        const Vec6 both =
            work.law.pulls[k].tension * draws(k, end, work) + work.law.pulls[k].pull * rolls(k, end, work);
        const std::size_t body = slot_[end ? law_.end_of(k) : k];
        if (body == on_ground) continue;
        out[body].force += both.head<3>();
        out[body].torque += both.tail<3>();
      }
    return true;
  }

  double potential(const At& at) const override {
    const Room room(at.scratch);
    return look(at, *room.work) ? law_.energy(room.work->law) : std::numeric_limits<double>::quiet_NaN();
  }

  void gradient(const At& at, GroupGradient& out) const override {
    const Room room(at.scratch);
    Work& work = *room.work;
    if (!look(at, work)) return;
    for (std::size_t k = 0; k < spans_; ++k) add_bending(at, k, work, out);
    for (std::size_t moved = 0; moved < spans_; ++moved) {
      vary(at, moved, work);
      for (const bool end : {false, true}) {
        const std::size_t station = end ? law_.end_of(moved) : moved;
        if (slot_[station] == on_ground) continue;
        const Eigen::Matrix<double, 6, 12> by_body =
            motions(at, moved, end, work) *
            marker_jacobian(frame_of_station(at, station), spec_.stations[station].at);
        for (std::size_t k = 0; k < spans_; ++k) add_stretching(k, slot_[station], by_body, work, out);
      }
    }
  }

  void time_derivative(const At& at, std::span<Wrench> out) const override {
    const Room room(at.scratch);
    Work& work = *room.work;
    if (pay_.is_constant() || !look(at, work)) return;
    vary(at, spans_, work);
    const Jet pay = pay_.along(std::array{at.t}, 0);
    for (std::size_t k = 0; k < spans_; ++k)
      for (const bool end : {false, true}) {
        const std::size_t body = slot_[end ? law_.end_of(k) : k];
        if (body == on_ground) continue;
        const auto& pull = work.varied_pulls[k];
        const auto rate = [&](const RopeLaw::Varied& x) { return x.d[0] * pay.first + x.d[1] * pay.second; };
        const Vec6 both = rate(pull.tension) * draws(k, end, work) + rate(pull.pull) * rolls(k, end, work);
        out[body].force += both.head<3>();
        out[body].torque += both.tail<3>();
      }
  }

  std::size_t remembers() const override { return 2 * spans_ + law_.stations(); }
  void begin(const At& at, double* s) const override {
    const Room room(at.scratch);
    At fresh = at;
    fresh.s = nullptr;
    std::fill_n(s, remembers(), 0.0);
    if (look(fresh, *room.work)) keep(*room.work, s);
  }
  void commit(const At& at, double* s) const override {
    const Room room(at.scratch);
    if (look(at, *room.work)) keep(*room.work, s);
  }

  std::size_t switch_count() const override {
    std::size_t slips = 0;
    for (std::size_t k = 0; k < law_.stations(); ++k) slips += law_.may_slip(k) ? 2 : 0;
    return spans_ + slips + switches_.size();
  }
  void switches(const At& at, Switch* out) const override {
    const Room room(at.scratch);
    Work& work = *room.work;
    static_cast<void>(look(at, work));
    for (std::size_t k = 0; k < spans_; ++k)
      *out++ = {.value = work.law.in[inputs * k].v - work.law.material[k].v};
    for (std::size_t k = 0; k < law_.stations(); ++k) {
      if (!law_.may_slip(k)) continue;
      const RopeLaw::Excess excess = law_.excess(k, slipped(at), work.pay, work.law);
      *out++ = {.value = excess.forwards};
      *out++ = {.value = excess.backwards};
    }
    for (const Expression& formula : switches_) *out++ = {.value = formula(std::array{at.t})};
  }

  std::vector<GroupLine> lines() const override {
    std::vector<GroupLine> out;
    for (std::size_t k = 0; k < spans_; ++k) {
      const RopeStation &from = spec_.stations[k], &to = spec_.stations[law_.end_of(k)];
      out.push_back({from.at, to.at, from.radius, to.radius});
    }
    return out;
  }

  /// The tensions of the spans.
  std::vector<std::string> readings() const override {
    std::vector<std::string> names;
    for (std::size_t k = 1; k <= spans_; ++k) names.push_back("F" + std::to_string(k));
    return names;
  }
  void read(const At& at, std::span<double> out) const override {
    const Room room(at.scratch);
    const bool known = look(at, *room.work);
    for (std::size_t k = 0; k < spans_; ++k)
      out[k] = known ? room.work->law.pulls[k].tension : std::numeric_limits<double>::quiet_NaN();
  }

  std::vector<double> parameters() const override {
    std::vector<double> out{spec_.stiffness, spec_.damping, spec_.closed ? 1.0 : 0.0};
    out.insert(out.end(), material_.begin(), material_.end());
    for (const RopeStation& station : spec_.stations) {
      out.insert(out.end(), {station.radius, double(station.sense), double(station.turns),
                             station.friction.value_or(-1), station.at.placed});
      out.insert(out.end(), station.at.point.begin(), station.at.point.end());
      out.insert(out.end(), station.at.axes.reshaped().begin(), station.at.axes.reshaped().end());
    }
    out.insert(out.end(), spec_.breakpoints.begin(), spec_.breakpoints.end());
    for (const char c : spec_.pay_out) out.push_back(c);
    return out;
  }

 private:
  static constexpr std::size_t on_ground = SIZE_MAX;

  struct Work final : Scratch {
    RopeLaw::Room law;
    RopeLaw::Moving<double> pay;
    std::vector<std::array<Travel, inputs>> travel;
    std::vector<double> seen;  ///< psi, for bodies of the plane and the ground in space
    std::vector<Vec3> arms;    ///< from the centre of mass to the marker, two for each span
    std::vector<RopeLaw::Moving<RopeLaw::Varied>> varied_in, varied_material;
    std::vector<RopeLaw::Pull<RopeLaw::Varied>> varied_pulls;
    Curved<inputs> bent;
  };
  /// The lane's, or one of its own.
  struct Room {
    explicit Room(Scratch* given) : own(given == nullptr ? std::make_unique<Work>() : nullptr) {
      work = own ? own.get() : static_cast<Work*>(given);
    }
    std::unique_ptr<Work> own;
    Work* work = nullptr;
  };

  /// Where the rope is at the start: psi with the turns that it lies around pulleys.
  std::vector<double> placed_inputs() const {
    std::vector<double> in(inputs * spans_);
    for (std::size_t k = 0; k < spans_; ++k) {
      const RopeStation &a = spec_.stations[k], &b = spec_.stations[(k + 1) % spec_.stations.size()];
      const auto found = measured<3>(span_measure(a, b), a.placed, b.placed);
      for (std::size_t i = 0; i < inputs; ++i) in[inputs * k + i] = found[i].s;
    }
    for (std::size_t k = spec_.closed ? 0 : 1; k < spans_; ++k) {
      const RopeStation& station = spec_.stations[k];
      const std::size_t before = (k + spans_ - 1) % spans_;
      double& leaves = in[inputs * k + RopeLaw::leaves];
      double wrap = leaves - in[inputs * before + RopeLaw::arrives];
      if (station.sense == 0) {
        wrap = std::remainder(wrap, turn);
      } else {
        constexpr double rounding = 1e-9;
        wrap = std::fmod(station.sense * wrap + 2 * turn, turn);
        if (wrap > turn - rounding) wrap -= turn;
        wrap = station.sense * (wrap + station.turns * turn);
      }
      leaves = in[inputs * before + RopeLaw::arrives] + wrap;
      // What follows on the same station of a belt keeps its own angle: only differences count there.
    }
    return in;
  }

  RopeLaw make_law() {
    std::vector<RopeStop> stops;
    for (const RopeStation& station : spec_.stations)
      stops.push_back({station.radius, station.sense, station.friction});
    placed_ = placed_inputs();
    double strain = spec_.tension / spec_.stiffness, straight = 0;
    for (std::size_t k = 0; k < spans_; ++k) straight += placed_[inputs * k];
    if (spec_.length) {
      const double free = *spec_.length - RopeLaw::wound(stops, placed_, spec_.closed);
      if (!(free > 0))
        throw Error(Fault{
            .field = name + ".length",
            .value = {},
            .problem = "is no more than what lies on the pulleys, " + std::to_string(*spec_.length - free),
            .remedy = "write a larger number, or leave it out"});
      strain = straight / free - 1;
    }
    if (!std::isfinite(straight))
      throw Error(Fault{.field = name + ".path",
                        .value = {},
                        .problem = "no rope can run there: a pulley is inside another one, or a point inside "
                                   "a pulley",
                        .remedy = "check the radii and where the stations are"});
    for (std::size_t k = 0; k < spans_; ++k)
      if (!(placed_[inputs * k] > 0))
        throw Error(Fault{.field = name + ".path",
                          .value = {},
                          .problem = "no rope is between stations " + std::to_string(k + 1) + " and " +
                                     std::to_string((k + 1) % spec_.stations.size() + 1) +
                                     ": they are at the same place",
                          .remedy = "move one of them, or leave it out"});
    material_ = RopeLaw::material_for(stops, placed_, strain);
    return {std::move(stops), {spec_.stiffness, spec_.damping, spec_.closed}, material_};
  }

  Frame body_frame(const At& at, std::size_t station) const {
    return slot_[station] == on_ground ? Frame{} : at.frames[slot_[station]];
  }
  Frame frame_of_station(const At& at, std::size_t station) const { return body_frame(at, station); }
  Frame marker_of(const At& at, std::size_t station) const {
    return marker_frame(body_frame(at, station), spec_.stations[station].at);
  }
  auto measure_of(std::size_t span) const {
    return span_measure(spec_.stations[span], spec_.stations[law_.end_of(span)]);
  }
  const double* slipped(const At& at) const { return at.s == nullptr ? none_.data() : at.s + 2 * spans_; }

  [[nodiscard]] bool look(const At& at, Work& work) const {
    work.law.in.resize(inputs * spans_);
    work.travel.resize(spans_);
    work.arms.resize(2 * spans_);
    work.seen.resize(2 * spans_);
    for (std::size_t k = 0; k < spans_; ++k) {
      const std::size_t next = law_.end_of(k);
      const Frame from = marker_of(at, k), to = marker_of(at, next);
      work.travel[k] = measured<inputs>(measure_of(k), from, to);
      work.arms[2 * k] = from.r - body_frame(at, k).r;
      work.arms[2 * k + 1] = to.r - body_frame(at, next).r;
      for (std::size_t i = 0; i < inputs; ++i) {
        auto& in = work.law.in[inputs * k + i];
        in.v = work.travel[k][i].s;
        in.d[0] = work.travel[k][i].rate;
        if (i != RopeLaw::length) {
          const double body = counted(i == RopeLaw::leaves ? from : to);
          double& seen = work.seen[2 * k + i - 1];
          seen = near(in.v + body, at.s == nullptr ? placed_[inputs * k + i] : at.s[2 * k + i - 1]);
          in.v = seen - body;
        }
        if (!std::isfinite(in.v)) return false;
      }
    }
    const Jet pay = pay_.along(std::array{at.t}, 0);
    work.pay.v = pay.value - pay_at_start_;
    work.pay.d[0] = pay.first;
    return law_.find(slipped(at), work.pay, work.law);
  }

  void keep(const Work& work, double* s) const {
    std::ranges::copy(work.seen, s);
    for (std::size_t k = 0; k < law_.stations(); ++k) s[2 * spans_ + k] += work.law.slip[k];
  }

  /// What P works on: r s of both psi.
  template <class Get>
  auto rolling(std::size_t span, Get get) const {
    const RopeStation &from = spec_.stations[span], &to = spec_.stations[law_.end_of(span)];
    using Sum = std::decay_t<decltype(get(std::size_t{0}))>;
    return Sum(from.radius * from.sense * get(RopeLaw::leaves) -
               to.radius * to.sense * get(RopeLaw::arrives));
  }

  /// The wrench on the body at an end of a span that a force -J at its marker is.
  Vec6 acts(std::size_t span, bool end, const Vec6& J, const Work& work) const {
    Vec6 out = -J;
    out.tail<3>() -= work.arms[2 * span + (end ? 1 : 0)].cross(J.head<3>());
    return out;
  }
  /// That of a unit tension and of a unit of what rolls material.
  Vec6 draws(std::size_t span, bool end, const Work& work) const {
    return acts(span, end, work.travel[span][RopeLaw::length].J.segment<6>(end ? 6 : 0), work);
  }
  Vec6 rolls(std::size_t span, bool end, const Work& work) const {
    return acts(span, end,
                rolling(span, [&](std::size_t i) -> const Vec12& { return work.travel[span][i].J; })
                    .segment<6>(end ? 6 : 0),
                work);
  }
  /// How the inputs of a span and their rates change with the frame of a marker.
  Eigen::Matrix<double, 6, 12> motions(const At& at, std::size_t span, bool end, Work& work) const {
    const Frame from = marker_of(at, span), to = marker_of(at, law_.end_of(span));
    work.bent = curved<inputs>(measure_of(span), from, to);
    const Vec12 twist = pair_twist(from, to);
    Eigen::Matrix<double, 6, 12> out = Eigen::Matrix<double, 6, 12>::Zero();
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const Vec12 bent = work.bent[i].H.transpose() * twist;
      const Eigen::Index column = end ? 6 : 0;
      out.block<1, 6>(row, 0) = work.bent[i].J.segment<6>(column).transpose();
      out.block<1, 6>(row + 3, 0) = bent.segment<6>(column).transpose();
      out.block<1, 6>(row + 3, 6) = work.bent[i].J.segment<6>(column).transpose();
    }
    return out;
  }

  /// The pulls with derivatives by the inputs of a span, then their rates; behind the last span: by `pay`.
  void vary(const At& at, std::size_t span, Work& work) const {
    using Varied = RopeLaw::Varied;
    work.varied_in.resize(inputs * spans_);
    work.varied_material.resize(spans_);
    work.varied_pulls.resize(spans_);
    const auto with = [](const RopeLaw::Moving<double>& x) {
      RopeLaw::Moving<Varied> out;
      out.v.v = x.v;
      out.d[0].v = x.d[0];
      return out;
    };
    std::ranges::transform(work.law.in, work.varied_in.begin(), with);
    RopeLaw::Moving<Varied> pay = with(work.pay);
    if (span == spans_) {
      pay.v.d[0] = pay.d[0].d[1] = 1;
    } else {
      for (std::size_t i = 0; i < inputs; ++i) {
        work.varied_in[inputs * span + i].v.d[i] = 1;
        work.varied_in[inputs * span + i].d[0].d[i + 3] = 1;
      }
    }
    law_.vary(slipped(at), pay, work.varied_in, work.law, work.varied_material, work.varied_pulls);
  }

  void add_stretching(std::size_t span, std::size_t moved, const Eigen::Matrix<double, 6, 12>& by_body,
                      const Work& work, GroupGradient& out) const {
    const auto row = [](const RopeLaw::Varied& x) {
      return Eigen::Map<const Eigen::Matrix<double, 1, 6>>(x.d.data());
    };
    const Eigen::Matrix<double, 1, 12> tension = row(work.varied_pulls[span].tension) * by_body,
                                       pull = row(work.varied_pulls[span].pull) * by_body;
    for (const bool end : {false, true}) {
      const std::size_t acted = slot_[end ? law_.end_of(span) : span];
      if (acted == on_ground) continue;
      const Vec6 drawn = draws(span, end, work), rolled = rolls(span, end, work);
      out.by_displacement(acted, moved) += drawn * tension.head<6>() + rolled * pull.head<6>();
      out.by_velocity(acted, moved) += drawn * tension.tail<6>() + rolled * pull.tail<6>();
    }
  }

  /// The pulls held, as directions and arms change.
  void add_bending(const At& at, std::size_t span, Work& work, GroupGradient& out) const {
    const std::array<std::size_t, 2> station{span, law_.end_of(span)};
    const Frame from = marker_of(at, station[0]), to = marker_of(at, station[1]);
    work.bent = curved<inputs>(measure_of(span), from, to);
    const auto& [tension, pull] = work.law.pulls[span];
    const Mat12 H = tension * work.bent[RopeLaw::length].H +
                    pull * rolling(span, [&](std::size_t i) -> const Mat12& { return work.bent[i].H; });
    const Vec12 J = tension * work.bent[RopeLaw::length].J +
                    pull * rolling(span, [&](std::size_t i) -> const Vec12& { return work.bent[i].J; });
    for (std::size_t a = 0; a < 2; ++a) {
      const std::size_t acted = slot_[station[a]];
      if (acted == on_ground) continue;
      const Vec3& arm = work.arms[2 * span + a];
      for (std::size_t b = 0; b < 2; ++b) {
        const std::size_t moved = slot_[station[b]];
        if (moved == on_ground) continue;
        const auto first = [](std::size_t end) { return static_cast<Eigen::Index>(6 * end); };
        Eigen::Matrix<double, 6, 6> block =
            -H.block<6, 6>(first(a), first(b)) *
            marker_jacobian(body_frame(at, station[b]), spec_.stations[station[b]].at).topLeftCorner<6, 6>();
        block.bottomRows<3>() += skew(arm) * block.topRows<3>();
        out.by_displacement(acted, moved) += block;
      }
      // (dtheta x arm) x force.
      const Vec3 force = -J.segment<3>(static_cast<Eigen::Index>(6 * a));
      out.by_displacement(acted, acted).block<3, 3>(3, 3) += skew(force) * skew(arm);
    }
  }

  RopeSpec spec_;
  std::size_t spans_;
  std::vector<double> placed_, material_;
  RopeLaw law_;
  Expression pay_;
  double pay_at_start_;
  Timetable breakpoints_;
  std::vector<std::size_t> slot_;  ///< of every station, among the bodies
  std::vector<Expression> switches_;
  std::vector<double> none_ = std::vector<double>(spec_.stations.size(), 0.0);
};

}  // namespace

std::unique_ptr<ForceGroup> make_rope(std::string name, const RopeSpec& spec) {
  return std::make_unique<Rope>(std::move(name), spec);
}

}  // namespace cosimo
