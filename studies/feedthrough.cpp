// [K] appendix B: what feed-through does to the order of an explicit co-simulation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "studies/feedthrough_ways.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

using Errors = std::vector<double>;

constexpr const char* where_jacobi = "B, cases of Jacobi type schemes";
constexpr const char* where_seidel = "B, Gauss-Seidel type schemes";

/// Orders of one kind of error over the degrees, and whether all are kappa + more.
struct OrderList {
  std::string text;
  bool all = true;

  template <class Order>
  OrderList(const std::vector<FeedthroughErrors>& by_degree, int more, Order order) {
    for (std::size_t kappa = 0; kappa < by_degree.size(); ++kappa) {
      const double observed = order(by_degree[kappa]);
      text += fmt::format("{}{:.2f}", kappa == 0 ? "" : ", ", observed);
      all = all && is_order(observed, static_cast<double>(kappa) + more);
    }
  }
};

OrderList global_orders(const std::vector<FeedthroughErrors>& m, int more) {
  return {m, more, [](const FeedthroughErrors& e) { return e.orders.glob(); }};
}

/// Largest distance of stored from consistent variables, over degrees and steps.
double largest_stored(const std::vector<FeedthroughErrors>& by_degree) {
  double most = 0;
  for (const FeedthroughErrors& e : by_degree)
    most = std::max(most, *std::max_element(e.stored.begin(), e.stored.end()));
  return most;
}

bool all_consistent(const std::vector<FeedthroughErrors>& by_degree) {
  return std::all_of(by_degree.begin(), by_degree.end(),
                     [](const FeedthroughErrors& e) { return e.is_consistent(); });
}

/// Ratio of the global errors of two ways at the smallest step, least and most over the degrees.
struct Ratio {
  double least = 1e300, most = 0;
  Ratio(const std::vector<FeedthroughErrors>& a, const std::vector<FeedthroughErrors>& b) {
    for (std::size_t kappa = 0; kappa < a.size(); ++kappa) {
      const double r = a[kappa].orders.global.back() / b[kappa].orders.global.back();
      least = std::min(least, r), most = std::max(most, r);
    }
  }
};

class Writer {
 public:
  Writer(const FeedthroughTable& table, Finding& finding) : table_(table), finding_(finding) {}

  void write() {
    consistency();
    local();
    global();
    accumulation();
    estimators();
  }

 private:
  const std::vector<FeedthroughErrors>& of(FeedthroughWay way) const {
    return table_[static_cast<std::size_t>(way)];
  }
  void say(Statement statement) { finding_.statements.push_back(std::move(statement)); }
  std::string degrees() const { return fmt::format("kappa = 0 to {}", table_[0].size() - 1); }

  void consistent(FeedthroughWay way, std::string published, const char* where, bool expected) {
    const bool found = all_consistent(of(way));
    say(judged(std::move(published), where,
               fmt::format("stored coupling variables are off those of the stored states by at most {:.1e}",
                           largest_stored(of(way))),
               found == expected));
  }

  void consistency() {
    consistent(ff_jacobi, "Force/force, Jacobi: coupling forces and states are consistent, no feed-through",
               where_jacobi, true);
    consistent(dd_jacobi, "Displacement/displacement, Jacobi: consistent, no feed-through", where_jacobi,
               true);
    consistent(a_jacobi, "Force/displacement, Jacobi: no feed-through where the force is updated with states",
               where_jacobi, true);
    consistent(b_jacobi,
               "Force/displacement, Jacobi, force from predicted motion: state variables and coupling force "
               "are not consistent",
               where_jacobi, false);
    const bool seidel = all_consistent(of(ff_seidel)) && all_consistent(of(dd_seidel));
    say(judged("Gauss-Seidel: feed-through only in connection with force/displacement decomposition",
               where_seidel,
               fmt::format("force/force off by at most {:.1e}, displacement/displacement {:.1e}, "
                           "force/displacement (case d) {:.1e}",
                           largest_stored(of(ff_seidel)), largest_stored(of(dd_seidel)),
                           largest_stored(of(d_base_first))),
               seidel && !all_consistent(of(d_base_first))));
    consistent(
        c_force_first,
        "Gauss-Seidel, force-driven subsystem first, no update: consistent coupling forces are obtained",
        where_seidel, true);
    consistent(d_base_first,
               "Gauss-Seidel, base-point excited subsystem first, no update: inconsistent coupling forces",
               where_seidel, false);
  }

  void local() {
    struct Level {
      const char* name;
      int more;
      double (*order)(const FeedthroughErrors&);
      bool only_updated;
    };
    const Level levels[] = {{"the coupling variables converge with H^(kappa+1)", 1,
                             [](const FeedthroughErrors& e) { return e.order(e.predicted); }, true},
                            {"the velocities converge with H^(kappa+2)", 2,
                             [](const FeedthroughErrors& e) { return e.orders.vel(); }, false},
                            {"the positions converge with H^(kappa+3)", 3,
                             [](const FeedthroughErrors& e) { return e.orders.pos(); }, false}};
    for (const Level& level : levels) {
      bool all = true;
      double off = 0;
      int ways = 0;
      for (std::size_t i = 0; i < feedthrough_ways; ++i) {
        if (level.only_updated && table_[i].front().predicted.empty()) continue;
        ++ways;
        for (std::size_t kappa = 0; kappa < table_[i].size(); ++kappa)
          off = std::max(off,
                         std::fabs(level.order(table_[i][kappa]) - static_cast<double>(kappa) - level.more));
        all = all && OrderList(table_[i], level.more, level.order).all;
      }
      say(judged(fmt::format("Local error, Jacobi and Gauss-Seidel alike: {}", level.name), "B, local error",
                 fmt::format("{} for {} couplings: at most {:.2f} off", degrees(), ways, off), all,
                 "a slope is more than 0.25 away"));
    }
  }

  void global() {
    bool same = true;
    double apart = 0;
    for (std::size_t i = 0; i < feedthrough_ways; ++i) {
      if (i == implicit_no_update) continue;  // the appendix is about explicit schemes
      for (const FeedthroughErrors& e : table_[i]) {
        const double x = e.order(e.orders.global_pos), v = e.order(e.orders.global_vel),
                     u = e.order(e.coupling);
        apart = std::max({apart, std::fabs(x - v), std::fabs(x - u), std::fabs(v - u)});
      }
    }
    same = apart <= 0.25;
    say(judged("Global error: coupling variables, velocities and positions show the same convergence rate",
               "B, global error", fmt::format("orders of the three are at most {:.2f} apart", apart), same));
    for (const FeedthroughWay way : {a_jacobi, a_force_first, a_base_first})
      order_case(way, fmt::format("{}: globally H^(kappa+1)", name_of(way)), 1, "B, a)");
    order_case(b_jacobi, "b) Jacobi, force/displacement, no update: globally H^kappa", 0, "B, b)");
    order_case(c_force_first, "c) Gauss-Seidel, force-driven first, no update: globally H^(kappa+1)", 1,
               "B, c)");
    const Ratio c(of(c_force_first), of(a_force_first));
    say(judged("Case c) resembles case a), since the coupling variables are consistent", "B, c)",
               fmt::format("global errors of c) over those of a) with the same sequence: {:.6f} to {:.6f}",
                           c.least, c.most),
               std::fabs(c.least - 1) < 1e-6 && std::fabs(c.most - 1) < 1e-6));
    order_case(d_base_first, "d) Gauss-Seidel, base-point excited first, no update: globally H^kappa", 0,
               "B, d)");
  }

  void order_case(FeedthroughWay way, std::string published, int more, const char* where) {
    const OrderList found = global_orders(of(way), more);
    say(judged(std::move(published), where, fmt::format("orders {} for {}", found.text, degrees()), found.all,
               more == 1 ? "a slope is more than 0.25 away" : no_reduction));
  }

  void accumulation() {
    const OrderList with(of(a_jacobi), 2, [](const FeedthroughErrors& e) { return e.order(e.sample); });
    say(judged(
        "(B.1): with consistent coupling variables the sampling points err with H^(kappa+2)", "B, (B.1)",
        fmt::format("case a), local error of the updated force: orders {} for {}", with.text, degrees()),
        with.all));
    OrderList b(of(b_jacobi), 1, [](const FeedthroughErrors& e) { return e.order(e.stored); });
    OrderList d(of(d_base_first), 1, [](const FeedthroughErrors& e) { return e.order(e.stored); });
    say(judged("(B.1): with inconsistent coupling variables the sampling points err only with H^(kappa+1)",
               "B, (B.1)",
               fmt::format("stored force less that of the states: orders {} in case b), {} in case d)",
                           b.text, d.text),
               b.all && d.all));
    const Ratio rb(of(b_jacobi), of(a_jacobi)), rd(of(d_base_first), of(a_base_first));
    const bool reduced = !global_orders(of(b_jacobi), 1).all || !global_orders(of(d_base_first), 1).all;
    say(judged(
        "With inconsistent coupling variables local errors are accumulated and may entail an order "
        "reduction of the global error",
        "B, summary",
        fmt::format("no order is lost but accuracy: global errors are {:.2f} to {:.2f} times those with "
                    "update in case b), {:.2f} to {:.2f} times in case d)",
                    rb.least, rb.most, rd.least, rd.most),
        reduced, no_reduction));
  }

  void estimators() {
    std::string refusal = "accepted";
    try {
      Scenario::parse(DampedOscillator::text() +
                          "simulate: {end: 1}\npartition: {parts: 2}\ncontrol: {estimator: exMD}\ncouple: {" +
                          couple_of(b_jacobi) + "}\n",
                      "estimator");
    } catch (const Error& error) {
      refusal = "refused: " + error.faults().front().problem;
    }
    say(judged("The estimators cannot be used without update: the leading error term has two components",
               "3.1.3", refusal, refusal != "accepted"));
    const OrderList found = global_orders(of(implicit_no_update), 1);
    say(
        judged("The implicit approach has no problem with feed-through: the iteration gives consistent "
               "coupling variables",
               "3.1.3",
               fmt::format("stored variables off by at most {:.1e}, orders {} for {}",
                           largest_stored(of(implicit_no_update)), found.text, degrees()),
               found.all && all_consistent(of(implicit_no_update))));
  }

  static constexpr const char* no_reduction =
      "The order is kappa + 1. The stored force is off by O(H^(kappa+1)), as the appendix says, but so is "
      "every "
      "extrapolation: by (B.1) both terms of the input's error are of that order, a step errs by H^(kappa+2) "
      "in "
      "the velocities (measured above), and the sum of all steps by H^(kappa+1). Nothing accumulates in the "
      "force itself: it is computed from states and from motions extrapolated from states. For kappa = 0 the "
      "statement would mean no convergence at all, which the measurement excludes.";

  const FeedthroughTable& table_;
  Finding& finding_;
};

Figure error_figure(const FeedthroughTable& table, std::size_t kappa) {
  Figure figure{.id = fmt::format("global-{}", kappa),
                .title = fmt::format("Global error over the macro step, kappa = {}", kappa),
                .where = "B, a) to d)",
                .x = {"macro step H", true},
                .y = {"global error (NRMSE)", true}};
  for (const FeedthroughWay way :
       {a_jacobi, b_jacobi, a_force_first, c_force_first, a_base_first, d_base_first}) {
    const Orders& o = table[static_cast<std::size_t>(way)][kappa].orders;
    figure.courses.push_back({.name = name_of(way), .x = o.H, .y = o.global});
  }
  const Orders& o = table[b_jacobi][kappa].orders;
  for (const int more : {0, 1}) {
    const double order = static_cast<double>(kappa) + more;
    Course slope{.name = more == 0 ? "slope kappa (published for b and d)" : "slope kappa + 1", .x = o.H};
    for (const double H : o.H) slope.y.push_back(2 * o.global.front() * std::pow(H / o.H.front(), order));
    figure.courses.push_back(std::move(slope));
  }
  figure.note = "c) lies on a) with the same sequence. The two slopes begin above the errors.";
  return figure;
}

Table order_table(const FeedthroughTable& table) {
  Table t{.id = "orders",
          .title = "Observed orders",
          .columns = {"coupling", "kappa", "local position", "local velocity", "global position",
                      "global velocity", "global coupling variables", "global error at the smallest step",
                      "stored variables off by, at the smallest step"}};
  for (std::size_t i = 0; i < feedthrough_ways; ++i)
    for (std::size_t kappa = 0; kappa < table[i].size(); ++kappa) {
      const FeedthroughErrors& e = table[i][kappa];
      t.rows.push_back({name_of(static_cast<FeedthroughWay>(i)), static_cast<std::int64_t>(kappa),
                        e.orders.pos(), e.orders.vel(), e.order(e.orders.global_pos),
                        e.order(e.orders.global_vel), e.order(e.coupling), e.orders.global.back(),
                        e.stored.back()});
    }
  t.note = "force/displacement unless named otherwise; expected locally: kappa + 3, kappa + 2.";
  return t;
}

Finding work(Lab& lab) {
  const bool whole = lab.scale() >= 0.3;
  const int degrees = whole ? 4 : 2;
  const Errors steps = whole ? Errors{0.01, 0.00625, 0.005, 0.004, 0.0025} : Errors{0.005, 0.0025};
  const int seconds = static_cast<int>(std::clamp<std::int64_t>(lab.scaled(4), 1, 40));
  OscillatorBench bench(lab, {.end = static_cast<double>(seconds), .rows = 10 * seconds});
  const FeedthroughTable table = measure_feedthrough(bench, degrees, steps);

  Finding finding;
  finding.settings = {
      DampedOscillator::described(),
      fmt::format(
          "{} s simulated, fixed macro steps from {} down to {} s, kappa = 0 to {}; subsystems solved to "
          "1e-13. The appendix names no numbers: every scale shows all of it, longer or shorter.",
          seconds, steps.front(), steps.back(), degrees - 1),
      "Orders are slopes of log error over log H; a quarter is allowed.",
      "Local errors of coupling variables: predicted less updated, as the estimator exCV sees them; there is "
      "no such pair without update."};
  Writer(table, finding).write();
  for (std::size_t kappa = 0; kappa < static_cast<std::size_t>(degrees); ++kappa)
    finding.figures.push_back(error_figure(table, kappa));
  finding.tables.push_back(order_table(table));
  return finding;
}

}  // namespace

Study feedthrough() {
  return {
      .name = "feedthrough",
      .title = "Feed-through in explicit schemes",
      .source = "[K] B",
      .about = {"Whether coupling variables are consistent with the states at macro points, and what it does "
                "to local and global orders, for Jacobi and Gauss-Seidel schemes with and without update."},
      .seconds = 8,
      .work = work};
}

}  // namespace cosimo::studies
