#include "series/probe.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "series/check_variants.hpp"
#include "series/child.hpp"
#include "series/worker.hpp"

namespace cosimo::series {

namespace {

/// The answer of a worker to one question; null: it ended without.
Json ask(Child& child, const std::atomic<bool>* interrupt) {
  Json answer;
  for (bool open = true; open && (interrupt == nullptr || !*interrupt);) {
    pollfd ends[2] = {{child.output(), POLLIN, 0}, {child.errors(), POLLIN, 0}};
    ::poll(ends, 2, 100);
    child.read_errors();
    open = child.receive();
    while (auto frame = child.frames().next())
      if (frame->head["is"] != "ready") answer = std::move(frame->head);
    if (!answer.is_null()) child.close_input();  // not before: a worker without a head ends at once
  }
  return answer;
}

}  // namespace

Frame setup_frame(const Plan& plan, const ScenarioSource& source, std::uint64_t program) {
  Json measures = Json::array();
  for (const MeasureText& measure : plan.measures) measures.push_back({measure.name, measure.text});
  return {{{"is", "setup"},
           {"protocol", protocol_version},
           {"scenario", {{"name", source.name()}, {"text", source.text()}}},
           {"measures", std::move(measures)},
           {"program", program}}};
}

std::optional<Probe> probe(const Plan& plan, const Frame& setup, const std::filesystem::path& program,
                           int lock, const std::atomic<bool>* interrupt) {
  std::vector<std::size_t> tried;
  std::optional<Error> first;
  for (const std::size_t variant : {std::size_t{0}, plan.count / 2, plan.count - 1}) {
    if (std::ranges::find(tried, variant) != tried.end()) continue;
    tried.push_back(variant);
    Child child(program, lock);
    child.send(setup);
    child.send({{{"is", "probe"}, {"set", plan.settings(variant)}}});
    const Json answer = ask(child, interrupt);
    if (interrupt != nullptr && *interrupt) return std::nullopt;
    if (answer.is_object() && answer.value("is", "") == "names") {
      check_measures(plan, answer["names"].get<std::vector<std::string>>());
      return Probe{answer["memory_mb"], answer["useful_threads"]};
    }
    const std::string why =
        answer.is_object() ? answer.value("message", "") : "the program ended" + last_error(child.log());
    if (!first)
      first = Error(Fault{.file = plan.file,
                          .line = plan.scenario_line,
                          .field = "sweep.scenario",
                          .value = plan.scenario.string(),
                          .problem = fmt::format("variant {} cannot be built: {}", variant + 1, why),
                          .remedy = "see that `cosimo check` accepts the scenario with these values"});
  }
  throw *first;
}

}  // namespace cosimo::series
