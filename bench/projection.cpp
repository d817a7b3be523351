#include "bench/projection.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "bench/traced_exchange.hpp"

namespace cosimo::bench {

MessageModel message_model(const nlohmann::json& measured) {
  MessageModel model;
  const auto best = [](const nlohmann::json& entry, const char* key) {
    return entry.at(key).at("best").get<double>();
  };
  const auto& pairs = measured.at("pairs");
  const auto &shortest = pairs.front(), &longest = pairs.back();
  model.latency = best(shortest, "time");
  model.per_number = (best(longest, "time") - model.latency) /
                     (longest.at("numbers").get<double>() - shortest.at("numbers").get<double>());
  model.served = best(measured, "served");
  model.reduction = best(measured.at("reductions").front(), "time");
  const auto& counts = measured.at("parts");
  const auto& parts = *std::find_if(counts.begin(), counts.end() - 1,
                                    [](const nlohmann::json& entry) { return entry.at("parts") == 1024; });
  model.order_of_part = (best(parts, "order") - best(parts, "gather")) / parts.at("parts").get<double>();
  for (const auto& step : measured.at("steps")) {
    if (step.at("scheme") != "overlap") continue;  // the last: most subsystems per rank
    const auto calls = step.at("calls").get<PerTalk>(), numbers = step.at("numbers").get<PerTalk>();
    const auto of = [](const PerTalk& values, Talk kind) { return values[static_cast<std::size_t>(kind)]; };
    model.neighbour_calls = of(calls, Talk::neighbours);
    model.neighbour_numbers = of(numbers, Talk::neighbours);
    model.reduction_calls = of(calls, Talk::reduction);
    model.gather_calls = of(calls, Talk::gather);
    model.gathered_numbers = of(numbers, Talk::gather) / step.at("parts").get<double>();
    model.swap_calls = of(calls, Talk::swap);
  }
  return model;
}

StepTime between_neighbours(const RecordedRun& run, const MessageModel& model, int ranks) {
  StepTime time{run.solve, run.interface, 0, 0};
  if (ranks < 2) return time;
  const auto parts = static_cast<double>(ranks);
  const double rounds = std::bit_width(static_cast<unsigned>(ranks - 1));  // ceil(log2 ranks)
  const double neighbours =
      model.neighbour_calls * (model.latency + model.served) + 2 * model.neighbour_numbers * model.per_number;
  const double reductions = model.reduction_calls * rounds * model.reduction;
  const double gather = rounds * (model.reduction + model.gathered_numbers * parts * model.per_number);
  const double swap = 2 * (parts - 1) * model.served;
  time.gathers = model.gather_calls * gather + model.swap_calls * swap;
  time.interface += model.order_of_part * parts;
  time.talk = neighbours + reductions + time.gathers;
  return time;
}

StepTime through_coordinator(const RecordedRun& run, const MessageModel& model, int ranks) {
  // What a subsystem tells its two neighbours, it tells the coordinator; what it hears from them, it hears
  // there.
  const double message = model.served + 2 * model.neighbour_numbers * model.per_number;
  return {run.solve, run.interface, 2 * (model.latency + ranks * message), 0};
}

}  // namespace cosimo::bench
