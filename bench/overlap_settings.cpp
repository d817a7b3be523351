#include "bench/overlap_settings.hpp"

#include <fmt/format.h>

namespace cosimo::bench {

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
