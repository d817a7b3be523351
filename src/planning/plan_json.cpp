// plan.json: everything that a plan knows.
#include <nlohmann/json.hpp>

#include "cosimo/plan.hpp"

namespace cosimo {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const PilotTime& pilot) {
  return {{"ok", pilot.ok},
          {"reason", pilot.reason},
          {"reached", pilot.reached},
          {"wall_s", pilot.wall_s},
          {"macro_steps", pilot.macro_steps},
          {"rejected_steps", pilot.rejected_steps},
          {"per_simulated_s", pilot.per_simulated_s}};
}

Json json_of(const Estimate& e) {
  return {{"value", e.value}, {"low", e.low}, {"high", e.high}};
}

Json json_of(const Prediction& p) {
  return {{"cores", p.cores},
          {"ranks", p.ranks},
          {"threads", p.threads},
          {"wall_s", json_of(p.wall_s)},
          {"speedup", p.speedup},
          {"time",
           {{"solve", p.time.solve},
            {"idle", p.time.idle},
            {"snapshot", p.time.snapshot},
            {"interface", p.time.interface},
            {"messages", p.time.messages}}},
          {"memory_mb", p.memory_mb}};
}

Json json_of(const SchemeTrial& t) {
  Json predictions = Json::array();
  for (const Prediction& p : t.predictions) predictions.push_back(json_of(p));
  const bool known = t.error_seen >= 0;
  return {{"name", t.name},
          {"of_file", t.of_file},
          {"parts", t.parts},
          {"settings", t.settings},
          {"estimator", t.estimator},
          {"rtol", t.rtol},
          {"ok", t.ok},
          {"reason", t.reason},
          {"pilot", json_of(t.pilot)},
          {"passes", t.passes},
          {"error_seen", known ? Json(t.error_seen) : Json(nullptr)},
          {"error_order", t.error_order},
          {"error", known ? json_of(t.error) : Json(nullptr)},
          {"predictions", predictions}};
}

Json json_of(const PlannedPart& part) {
  return {{"bodies", part.bodies},
          {"freedoms", part.freedoms},
          {"cuts", part.cuts},
          {"steps", part.steps},
          {"expected_share", part.expected_share},
          {"measured_share", part.measured_share}};
}

Json json_of(const PlannedCut& cut) {
  return {{"element", cut.element}, {"name", cut.name}, {"bodies", cut.bodies},
          {"parts", cut.parts},     {"cost", cut.cost}, {"reason", cut.reason}};
}

Json json_of(const ExpectedTime& time) {
  return {{"cores", time.cores > 0 ? Json(time.cores) : Json("unlimited")},
          {"wall_s", time.wall_s},
          {"speedup", time.speedup}};
}

Json json_of(const LeftOut& left) {
  return {{"name", left.name}, {"reason", left.reason}};
}

Json json_of(const MessageCosts& m) {
  return {{"latency_s", m.latency},           {"bandwidth", m.bandwidth},
          {"latency_here_s", m.latency_here}, {"bandwidth_here", m.bandwidth_here},
          {"hand_over_s", m.hand_over},       {"slowdown", m.slowdown}};
}

Json json_of(const Recommendation& r) {
  return {{"scheme", r.scheme}, {"parts", r.parts},       {"estimator", r.estimator},
          {"rtol", r.rtol},     {"settings", r.settings}, {"reason", r.reason}};
}

Json json_of(const Confidence& c) {
  return {{"level", c.level}, {"coverage", c.coverage},         {"spread", c.spread},
          {"drift", c.drift}, {"edges_beyond", c.edges_beyond}, {"text", c.text}};
}

template <class List>
Json list_of(const List& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}

const char* word_for(CutPlan::Status status) {
  switch (status) {
    case CutPlan::Status::ok:
      return "ok";
    case CutPlan::Status::failed:
      return "failed";
    case CutPlan::Status::interrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace

std::string to_json(const CutPlan& plan) {
  const Json json = {{"status", word_for(plan.status)},
                     {"model", plan.model},
                     {"scheme", plan.scheme},
                     {"parts", list_of(plan.parts)},
                     {"cuts", list_of(plan.cuts)},
                     {"pilot", json_of(plan.pilot)},
                     {"uncut", json_of(plan.uncut)},
                     {"uncut_wall_s", plan.uncut_wall_s},
                     {"times", list_of(plan.times)},
                     {"machine_cores", plan.machine_cores},
                     {"worth_cutting", plan.worth_cutting},
                     {"recommendation", plan.recommendation},
                     {"remarks", plan.remarks},
                     {"recommended", json_of(plan.recommended)},
                     {"confidence", json_of(plan.confidence)},
                     {"schemes", list_of(plan.schemes)},
                     {"part_counts", list_of(plan.part_counts)},
                     {"left_out", list_of(plan.left_out)},
                     {"error_target", plan.error_target},
                     {"error_until", plan.error_until},
                     {"messages", json_of(plan.messages)},
                     {"pilots_wall_s", plan.pilots_wall_s},
                     {"pilots_limit_s", plan.pilots_limit_s}};
  return json.dump(2) + "\n";
}

}  // namespace cosimo
