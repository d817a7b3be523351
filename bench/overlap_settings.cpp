#include "bench/overlap_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/models.hpp"

namespace cosimo::bench {

namespace {

/// 200 bodies scattered over the chain, at all distances from the cuts of any division, and those beside the
/// cuts of one division that has most of its cuts in common with the others.
std::vector<std::int64_t> recorded(const Size& size) {
  constexpr int scattered = 200;
  constexpr double golden = 0.6180339887498949;
  const auto n = static_cast<std::int64_t>(size.masses);
  std::vector<std::int64_t> bodies;
  for (int i = 1; i <= scattered; ++i)
    bodies.push_back(1 + static_cast<std::int64_t>(static_cast<double>(n) * std::fmod(i * golden, 1.0)));
  for (int i = 1; i < size.watched; ++i)
    for (const std::int64_t side : {0, 1}) bodies.push_back(i * n / size.watched + side);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

}  // namespace

std::string overlap_scenario(const Size& size) {
  return table_5_9_yaml(size.masses) +
         fmt::format("simulate: {{end: {}, output: {}, record: [{}]}}\npartition: {{parts: {}}}\n", size.end,
                     size.end / 100, fmt::join(recorded(size), ", "), size.published_parts);
}

std::string on(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

Candidate uncut(const char* rtol) {
  return {{fmt::format("uncut rk rtol {}", rtol),
           {"partition=none", "solve.method=rk", fmt::format("solve.rtol={}", rtol)},
           1},
          1};
}

Candidate defaults(int parts, int threads, bool rk) {
  Candidate c{{fmt::format("default{}, {} parts, {}", rk ? " with rk" : "",
                           parts > 0 ? fmt::format("{}", parts) : "auto", on(threads)),
               {parts > 0 ? fmt::format("partition.parts={}", parts) : "partition.parts=auto"},
               threads},
              parts};
  if (rk) c.setting.overrides.emplace_back("solve.method=rk");
  return c;
}

Candidate fixed(Pair pair, int parts, int threads) {
  Candidate c{{fmt::format("H {}, {} layers, {} parts, {}", pair.H,
                           pair.layers > 0 ? fmt::format("{}", pair.layers) : "auto", parts, on(threads)),
               {"couple.decomposition=overlap", fmt::format("control.step={}", pair.H), "solve.method=rk",
                fmt::format("partition.parts={}", parts)},
               threads},
              parts};
  if (pair.layers > 0) c.setting.overrides.push_back(fmt::format("couple.layers={}", pair.layers));
  return c;
}

Candidate classic(const char* control, const char* solve, bool capped, int parts, int threads) {
  Candidate c{cut_setting(control, solve, threads), parts};
  c.setting.overrides.push_back(fmt::format("partition.parts={}", parts));
  if (capped)
    for (const char* extra : {"control.max_step=5e-7", "control.order=2"})
      c.setting.overrides.emplace_back(extra);
  c.setting.name =
      fmt::format("classic {}{}, {} parts", capped ? "H 5e-7 kappa 2, " : "", c.setting.name, parts);
  return c;
}

}  // namespace cosimo::bench
