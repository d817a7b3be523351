#include "studies/stability_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/lab.hpp"

namespace cosimo::studies {
namespace {

/// Figures C.3 to C.6 as printed: in the order of stability_methods().
struct Published {
  const char *signs, *pluses;
};
constexpr std::array<Published, 4> published{{
    {"--+"
     "+++++-++--"
     "+++++-++--",
     "421"
     "4424452445"
     "1112221111"},
    {"--+"
     "++++--++--"
     "++++--++--",
     "542"
     "5555554555"
     "3135322322"},
    {"---"
     "-------+--"
     "---+---+--",
     "521"
     "5524552455"
     "1112121111"},
    {"--+"
     "+--+---+--"
     "+--+---+--",
     "552"
     "5545554555"
     "3234332322"},
}};

/// rho between the points of a map.
class Surface {
 public:
  explicit Surface(const StabilityMap& map) : map_(map), n_(map.re.size()) {}

  double spacing() const { return map_.im[1]; }
  double at(double re, double im) const {
    const double x = static_cast<double>(n_ - 1) + re / spacing(), y = im / spacing();
    const auto i = std::min(static_cast<std::size_t>(std::max(x, 0.0)), n_ - 2);
    const auto j = std::min(static_cast<std::size_t>(y), n_ - 2);
    const double a = x - static_cast<double>(i), b = y - static_cast<double>(j);
    return (1 - b) * ((1 - a) * rho(i, j) + a * rho(i + 1, j)) +
           b * ((1 - a) * rho(i, j + 1) + a * rho(i + 1, j + 1));
  }
  /// Where the ray of a damping ratio leaves the stable region; the map's reach when it does not.
  double limit(double ratio) const {
    const double re = -ratio, im = std::sqrt(1 - ratio * ratio);
    const double step = spacing() / 8;
    for (double r = step; r < MapExtent::reach; r += step)
      if (at(r * re, r * im) > 1 + 1e-6) return r - step;
    return MapExtent::reach;
  }

 private:
  double rho(std::size_t column, std::size_t row) const { return map_.rho[row * n_ + column]; }

  const StabilityMap& map_;
  std::size_t n_;
};

/// Short steps without damping do not grow.
char undamped_sign(const StabilityMap& map) {
  const std::size_t n = map.re.size();
  for (std::size_t row = 1; row < n && map.im[row] < 0.2 + 1e-9; ++row)
    if (!is_stable(map.rho[row * n + n - 1])) return '-';
  return '+';
}

/// Of the stable points that a chain of stable neighbours joins to the origin, the edges of the map left out.
/// (Strong damping is a second, separate region of some methods.)
double area_at_origin(const StabilityMap& map) {
  const std::size_t n = map.re.size();
  std::vector<char> seen(n * n);
  std::vector<std::size_t> next;
  std::size_t stable = 0;
  const auto visit = [&](std::size_t column, std::size_t row) {
    if (column >= n - 1 || row >= n || row == 0 || seen[row * n + column] != 0) return;
    seen[row * n + column] = 1;
    if (is_stable(map.rho[row * n + column])) next.push_back(row * n + column);
  };
  for (visit(n - 2, 1); !next.empty(); ++stable) {
    const std::size_t row = next.back() / n, column = next.back() % n;
    next.pop_back();
    visit(column + 1, row);
    visit(column - 1, row);
    visit(column, row + 1);
    visit(column, row - 1);
  }
  return static_cast<double>(stable) * map.im[1] * map.im[1];
}

StabilityCell measure(Lab& lab, std::size_t figure, std::size_t method, std::size_t points) {
  lab.check_interrupt();
  const StabilityMethod& m = stability_methods()[method];
  lab.say(fmt::format("map of {}, {}", stability_figures[figure].id, m.name));
  const std::vector<std::string> settings{fmt::format("couple={{scheme: explicit, predictor: {}, {}}}",
                                                      m.predictor, stability_figures[figure].couple),
                                          fmt::format("control.order={}", m.order)};
  StabilityOptions options;
  options.re = options.im = MapExtent::reach;
  options.points = points;
  options.threads = lab.threads();
  const StabilityMap map = stability(Scenario::parse(stability_settings(), "stability", settings), options);

  StabilityCell cell{.figure = figure,
                     .method = method,
                     .published_sign = published[figure].signs[method],
                     .sign = undamped_sign(map),
                     .published_pluses = published[figure].pluses[method] - '0',
                     .area = area_at_origin(map),
                     .undamped = map.undamped,
                     .critical = map.critical};
  const Surface surface(map);
  for (const double ratio : limit_ratios()) cell.limit.push_back(surface.limit(ratio));
  return cell;
}

}  // namespace

const std::vector<StabilityMethod>& stability_methods() {
  static const std::vector<StabilityMethod> methods = [] {
    std::vector<StabilityMethod> all;
    for (const int order : {0, 1, 2})
      all.push_back({fmt::format("classic, kappa_lambda = {}", order), "extrapolation", order, false, true});
    for (const bool updated : {true, false}) {
      const char* update = updated ? "consistent" : "none";
      const char* remark = updated ? "" : ", no update";
      for (const int degree : {0, 1})
        all.push_back({fmt::format("acc, kappa_a = {}{}", degree, remark),
                       fmt::format("{{acc: {{course: whole, degree: {}, update: {}}}}}", degree, update),
                       degree, true, updated});
      for (const int degree : {0, 1})
        for (const int order : {0, 1})
          for (const int divisor : {6, 2})
            all.push_back({fmt::format("accRel, kappa_a = {}, kappa_lambda = {}, omega = 1/{}{}", degree,
                                       order, divisor, remark),
                           fmt::format("{{accrel: {{degree: {}, omega: {}, update: {}}}}}", degree,
                                       1.0 / divisor, update),
                           order, true, updated});
    }
    return all;
  }();
  return methods;
}

const std::vector<double>& limit_ratios() {
  static const std::vector<double> ratios = [] {
    constexpr int count = 48;
    std::vector<double> all;
    for (int i = 0; i <= count; ++i) all.push_back(static_cast<double>(i) / count);
    return all;
  }();
  return ratios;
}

std::vector<StabilityCell> measure_stability(Lab& lab, const MapExtent& extent) {
  std::vector<StabilityCell> cells;
  for (std::size_t figure = 0; figure < extent.figures; ++figure)
    for (std::size_t method = 0; method < stability_methods().size(); ++method)
      cells.push_back(measure(lab, figure, method, extent.points));
  return cells;
}

}  // namespace cosimo::studies
