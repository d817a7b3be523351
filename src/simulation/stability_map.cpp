// The public side of cosimo/stability.hpp: a map is many spectral radii (simulation/stability.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "core/error.hpp"
#include "parallel/pool.hpp"
#include "results/stability_picture.hpp"
#include "simulation/output_folder.hpp"
#include "simulation/stability.hpp"

namespace cosimo {

namespace {

std::vector<double> axis(double from, double to, std::size_t points) {
  std::vector<double> values(points);
  const auto intervals = static_cast<double>(points - 1);
  for (std::size_t i = 0; i < points; ++i)
    values[i] = from + (to - from) * (static_cast<double>(i) / intervals);
  return values;
}

/// Along s -> rho(s), 0 < s <= reach: up to where all is stable. Growth that fades away towards the origin
/// gets lost in rounding there, but is growth: beyond a true border rho rises at once.
template <class Radius>
StabilityLimit limit(double reach, Radius radius) {
  constexpr std::size_t samples = 400;
  const std::vector<double> at = axis(0, reach, samples + 1);
  constexpr int bisections = 20;
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (is_stable(radius(at[i]))) continue;
    if (i == 1) return {0, false};
    double stable = at[i - 1], unstable = at[i];
    for (int n = 0; n < bisections; ++n) {
      const double middle = 0.5 * (stable + unstable);
      (is_stable(radius(middle)) ? stable : unstable) = middle;
    }
    constexpr double creeping = 1e-7;
    return {radius(1.1 * stable) < 1 + creeping ? 0 : stable, false};
  }
  return {at.back(), true};
}

void check_options(const StabilityOptions& o) {
  std::vector<Fault> faults;
  const auto check = [&](bool good, const char* field, double value, const char* remedy) {
    if (!good)
      faults.push_back({.field = field,
                        .value = fmt::format("{:g}", value),
                        .problem = "is out of range",
                        .remedy = remedy});
  };
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  const auto not_negative = [](double x) { return x >= 0 && std::isfinite(x); };
  check(positive(o.re) && o.re <= 1000, "range of Re(H lambda)", o.re, "above 0, at most 1000");
  check(positive(o.im) && o.im <= 1000, "range of Im(H lambda)", o.im, "above 0, at most 1000");
  check(o.points >= 2 && o.points <= 2000, "points", static_cast<double>(o.points), "from 2 to 2000");
  const OscillatorRatios& r = o.ratios;
  check(positive(r.mass), "mass ratio", r.mass, "above 0");
  check(not_negative(r.coupling_stiffness), "stiffness ratio", r.coupling_stiffness, "0 or more");
  check(not_negative(r.second_stiffness), "stiffness ratio", r.second_stiffness, "0 or more");
  check(not_negative(r.coupling_damping), "damping ratio", r.coupling_damping, "0 or more");
  check(not_negative(r.second_damping), "damping ratio", r.second_damping, "0 or more");
  if (!faults.empty()) throw Error(std::move(faults));
}

void compute(const config::Scenario& settings, const StabilityOptions& o, StabilityMap& map) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Pool pool(o.threads > 0 ? o.threads : cores);
  const std::size_t columns = map.re.size();
  auto row = [&](std::size_t j) {
    for (std::size_t i = 0; i < columns; ++i) {
      if (o.interrupt != nullptr && o.interrupt->load(std::memory_order_relaxed)) return;
      map.rho[j * columns + i] = spectral_radius(settings, o.ratios, map.re[i], map.im[j]);
    }
  };
  pool.run(map.im.size(), row);
}

std::string describe_ratios(const OscillatorRatios& r) {
  const bool same = r.mass == 1 && r.coupling_stiffness == 1 && r.second_stiffness == 1 &&
                    r.coupling_damping == 1 && r.second_damping == 1;
  if (same) return "symmetric two-mass oscillator";
  return fmt::format(
      "two-mass oscillator: masses 1 : {:.4g}, stiffness 1 : {:.4g} : {:.4g}, damping 1 : {:.4g} : {:.4g}",
      r.mass, r.coupling_stiffness, r.second_stiffness, r.coupling_damping, r.second_damping);
}

std::string table(const StabilityMap& map) {
  std::string text = "re,im,rho\n";
  for (std::size_t j = 0; j < map.im.size(); ++j)
    for (std::size_t i = 0; i < map.re.size(); ++i)
      text += fmt::format("{},{},{}\n", map.re[i], map.im[j], map.rho[j * map.re.size() + i]);
  return text;
}

void write(const StabilityMap& map, const StabilityOptions& options) {
  OutputFolder folder(options.output_dir);
  folder.clear(false);
  write_text(options.output_dir / "stability.csv", table(map));
  write_text(options.output_dir / "stability.svg",
             stability_svg({map.settings, describe_ratios(options.ratios), map.re, map.im, map.rho,
                            1 + stability_margin}));
}

std::string in_words(const StabilityLimit& limit) {
  if (limit.whole) return fmt::format("{:.4g} and beyond: as far as the map goes", limit.reached);
  if (limit.reached == 0) return "none";
  return fmt::format("{:.4g}", limit.reached);
}

}  // namespace

std::string_view stability_settings() {
  return "cosimo: 1\n"
         "model: {chain: {masses: 2, mass: 1, spring: {c: 1}}}\n"
         "simulate: {end: 1}\n"
         "partition: {parts: 2}\n"
         "couple: {scheme: explicit}\n"
         "control: {step: 1}\n";
}

StabilityMap stability(const Scenario& scenario, const StabilityOptions& options) {
  check_options(options);
  const config::Scenario settings = coupling_of(scenario.data());
  StabilityMap map;
  map.settings = describe_coupling(settings);
  map.re = axis(-options.re, 0, options.points);
  map.im = axis(0, options.im, options.points);
  map.rho.assign(map.re.size() * map.im.size(), std::nan(""));
  compute(settings, options, map);
  map.complete = std::none_of(map.rho.begin(), map.rho.end(), [](double rho) { return std::isnan(rho); });
  if (!map.complete) return map;
  map.stable_share = static_cast<double>(std::count_if(map.rho.begin(), map.rho.end(), is_stable)) /
                     static_cast<double>(map.rho.size());
  map.undamped = limit(options.im, [&](double s) { return spectral_radius(settings, options.ratios, 0, s); });
  map.critical =
      limit(options.re, [&](double s) { return spectral_radius(settings, options.ratios, -s, 0); });
  if (!options.output_dir.empty()) write(map, options);
  return map;
}

std::string to_text(const StabilityMap& map) {
  return fmt::format(
      "{}\n"
      "stable: {:.1f} % of {} x {} points, -{:g} <= Re(H lambda) <= 0 <= Im(H lambda) <= {:g}\n"
      "largest stable |H lambda|, undamped:         {}\n"
      "                           damping ratio 1:  {}\n",
      map.settings, 100 * map.stable_share, map.re.size(), map.im.size(), -map.re.front(), map.im.back(),
      in_words(map.undamped), in_words(map.critical));
}

}  // namespace cosimo
