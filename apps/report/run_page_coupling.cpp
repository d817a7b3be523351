#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t good_points = 1200, least_points = 300;
constexpr std::size_t excerpt_points = 48;
constexpr std::size_t variable_frame = 100;
constexpr std::size_t excerpt_bytes = 3 * (excerpt_points * 11 + 20);

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Places in u of the variables shown: all when they fit, otherwise those of the cuts that come first.
std::vector<std::size_t> choose(const ResultFolder& folder, const CutChoice& cuts, std::size_t room,
                                Remarks& remarks) {
  const std::vector<std::int32_t>& cut_of = folder.cut_of_variable();
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < cut_of.size(); ++i)
    if (cuts.place[static_cast<std::size_t>(cut_of[i])] >= 0) all.push_back(i);
  if (all.size() <= room) return all;
  // Half of the room for the cuts with the largest errors, half evenly spaced.
  std::vector<std::size_t> order = all;
  const auto error = [&](std::size_t i) {
    return folder.cuts()[static_cast<std::size_t>(cut_of[i])].largest_error;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return error(a) > error(b); });
  order.resize(std::max<std::size_t>(1, room / 2));
  for (const std::size_t place : spread(all.size(), room - order.size())) order.push_back(all[place]);
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  remarks.push_back(
      fmt::format("Courses of {} of {} coupling variables are in the page: those of the cuts with the "
                  "largest errors, and "
                  "others evenly spaced.",
                  order.size(), folder.variables()));
  return order;
}

/// Successive points around the accepted step with the largest error.
struct Stretch {
  std::size_t first = 0, count = 0;
  std::vector<std::int32_t> kappa;  ///< of all points
};

Stretch interesting(const ResultFolder& folder) {
  const StepHistory& steps = folder.steps();
  Stretch stretch;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < steps.size() && stretch.kappa.size() < folder.points().size(); ++i) {
    if (steps.accepted[i] == 0) continue;
    if (std::isfinite(steps.error[i]) && steps.error[i] > largest) {
      largest = steps.error[i];
      worst = stretch.kappa.size();
    }
    stretch.kappa.push_back(steps.kappa[i]);
  }
  const std::size_t points = folder.points().size();
  if (!(largest > 0)) worst = points / 2;
  stretch.count = std::min(points, excerpt_points);
  stretch.first = std::min(worst > stretch.count / 2 ? worst - stretch.count / 2 : 0, points - stretch.count);
  return stretch;
}

Json excerpt_json(const ResultFolder& folder, const Stretch& stretch, std::span<const double> u) {
  const auto first = static_cast<std::ptrdiff_t>(stretch.first),
             last = first + static_cast<std::ptrdiff_t>(stretch.count);
  const std::vector<double> t(folder.points().begin() + first, folder.points().begin() + last);
  const std::vector<std::int32_t> kappa(stretch.kappa.begin() + first, stretch.kappa.begin() + last);
  return {{"t", numbers(std::span<const double>(t))},
          {"u", numbers(u)},
          {"kappa", numbers(std::span<const std::int32_t>(kappa))}};
}

}  // namespace

std::string_view polynomial(const Json& summary) {
  if (!summary.is_object()) return "none";
  const std::string scheme = text(summary, "scheme"), details = text(summary, "details");
  const std::string decomposition = text(summary, "decomposition");
  if (decomposition.empty() || decomposition == "overlap" || decomposition == "none") return "none";
  // Parts of a Gauss-Seidel sequence see polynomials of both kinds; other predictors draw other curves.
  for (const char* other : {"gauss-seidel", "least squares", "acc"})
    if (details.find(other) != std::string::npos) return "none";
  if (scheme == "explicit") return "extrapolation";
  return scheme == "implicit" || scheme == "semi-implicit" || scheme == "waveform" ? "interpolation" : "none";
}

Json couplings_json(const ResultFolder& folder, const CutChoice& cuts, bool polynomials, std::size_t bytes,
                    Remarks& remarks) {
  Json result = Json::array();
  const std::vector<double>& points = folder.points();
  const std::vector<std::int32_t>& cut_of = folder.cut_of_variable();
  if (points.empty() || cut_of.empty()) return result;
  const std::size_t frame = variable_frame + (polynomials ? excerpt_bytes : 0);
  const std::size_t least = frame + series_bytes(std::min(points.size(), least_points));
  const std::size_t good = frame + series_bytes(std::min(points.size(), good_points));
  const bool all_fit = cut_of.size() * least <= bytes;
  const auto wanted =
      choose(folder, cuts, all_fit ? cut_of.size() : std::max<std::size_t>(1, bytes / good), remarks);
  if (wanted.empty()) return result;
  const std::size_t each = bytes / wanted.size();
  const std::size_t most = std::max<std::size_t>(8, points_in(each > frame ? each - frame : 0));

  std::vector<Thinner> courses(wanted.size(), Thinner(points.size(), most));
  const Stretch stretch = interesting(folder);
  std::vector<std::vector<double>> excerpts(wanted.size());
  scan(
      points.size(), folder.variables(), wanted,
      [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
        return folder.coupling(row, rows, column, columns);
      },
      [&](std::size_t row, std::span<const double> u) {
        for (std::size_t k = 0; k < u.size(); ++k) courses[k].push(points[row], u[k]);
        if (polynomials && row >= stretch.first && row < stretch.first + stretch.count)
          for (std::size_t k = 0; k < u.size(); ++k) excerpts[k].push_back(u[k]);
      });
  const std::vector<std::string>& names = folder.variable_names();
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto cut = static_cast<std::size_t>(cut_of[wanted[k]]);
    result.push_back({{"cut", cuts.place[cut]},
                      {"name", names.empty() ? "force" : names[wanted[k]]},
                      {"u", courses[k].json()},
                      {"excerpt", polynomials ? excerpt_json(folder, stretch, excerpts[k]) : Json(nullptr)}});
  }
  return result;
}

}  // namespace cosimo::page
