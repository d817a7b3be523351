#include "wall_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Course {
  bool whole = false;
  double wall_s = 0, end = 0;
  std::int64_t threads = 1;
};

/// Of a run that reached its end and was not resumed, whose times are those since then.
Course course_of(const std::filesystem::path& path) {
  const Json summary = Json::parse(ResultFolder(path).summary(), nullptr, false);
  if (!summary.is_object() || summary.value("status", "") != "ok" || summary.contains("resumed_from"))
    return {};
  return {.whole = summary.value("wall_s", 0.0) > 0,
          .wall_s = summary.value("wall_s", 0.0),
          .end = summary.value("t_end", 0.0),
          .threads = summary.value("threads", std::int64_t{1}) * summary.value("ranks", std::int64_t{1})};
}

std::string threads(std::int64_t n) {
  return fmt::format("{} thread{}", n, n == 1 ? "" : "s");
}

}  // namespace

WallTimes wall_times(const std::filesystem::path& a, const std::filesystem::path& reference) {
  try {
    const Course ours = course_of(a), other = course_of(reference);
    return {.known = ours.whole && other.whole && ours.end == other.end,
            .a_s = ours.wall_s,
            .reference_s = other.wall_s,
            .a_threads = ours.threads,
            .reference_threads = other.threads};
  } catch (const Error&) {  // a results.h5 on its own
    return {};
  } catch (const Json::exception&) {
    return {};
  }
}

std::string to_text(const WallTimes& times) {
  if (!times.known) return "";
  const bool faster = times.a_s <= times.reference_s;
  const double factor = faster ? times.reference_s / times.a_s : times.a_s / times.reference_s;
  const std::string verdict = factor < 1.05 ? "about the same"
                                            : fmt::format("{:.{}f} times as {}", factor, factor < 10 ? 1 : 0,
                                                          faster ? "fast" : "long");
  return fmt::format("Wall time {:.3g} s ({}) against {:.3g} s ({}): {}\n", times.a_s,
                     threads(times.a_threads), times.reference_s, threads(times.reference_threads), verdict);
}

Json document(const std::string& a, const std::string& reference, const Comparison& result,
              const WallTimes& times) {
  const auto count = [&](bool Comparison::Still::*level) {
    return std::count_if(result.still.begin(), result.still.end(),
                         [level](const auto& body) { return body.*level; });
  };
  Json json = {{"status", "ok"},
               {"a", a},
               {"reference", reference},
               {"same_model", result.same_model},
               {"position", result.position},
               {"velocity", result.velocity},
               {"both", result.both},
               {"position_rms", result.position_rms},
               {"velocity_rms", result.velocity_rms},
               {"worst", {{"error", result.worst}, {"body", result.worst_body}, {"name", result.worst_name}}},
               {"rows", result.rows},
               {"bodies", result.bodies},
               {"weighed_by_others",
                {{"share", result.share},
                 {"positions", count(&Comparison::Still::position)},
                 {"velocities", count(&Comparison::Still::velocity)}}}};
  if (times.known)
    json["wall_s"] = {
        {"a", times.a_s}, {"reference", times.reference_s}, {"speedup", times.reference_s / times.a_s}};
  return json;
}

}  // namespace cosimo::cli
