#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t most_marks = 2000;
constexpr std::size_t cut_bytes = 160;  // of one cut, without its name

/// What the steps say of every cut.
struct Blame {
  std::vector<std::int64_t> decided, rejected;
};

Blame blame_of(const StepHistory& steps, std::size_t cuts) {
  Blame blame{std::vector<std::int64_t>(cuts), std::vector<std::int64_t>(cuts)};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps.cut[i] < 0 || static_cast<std::size_t>(steps.cut[i]) >= cuts) continue;
    const auto cut = static_cast<std::size_t>(steps.cut[i]);
    ++blame.decided[cut];
    blame.rejected[cut] += steps.accepted[i] != 0 ? 0 : 1;
  }
  return blame;
}

/// Places of the cuts, those that decided most first.
std::vector<std::size_t> by_importance(const std::vector<RecordedCut>& cuts, const Blame& blame) {
  std::vector<std::size_t> order(cuts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (blame.rejected[a] != blame.rejected[b]) return blame.rejected[a] > blame.rejected[b];
    if (blame.decided[a] != blame.decided[b]) return blame.decided[a] > blame.decided[b];
    return cuts[a].largest_error > cuts[b].largest_error;
  });
  return order;
}

/// Places of the rejected steps, in order; of too many those with the largest errors.
std::vector<std::size_t> marked(const StepHistory& steps, std::size_t most) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps.accepted[i] == 0) places.push_back(i);
  if (places.size() <= most) return places;
  const auto weight = [&](std::size_t i) { return std::isnan(steps.error[i]) ? INFINITY : steps.error[i]; };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
  places.resize(most);
  std::sort(places.begin(), places.end());
  return places;
}

Json marks_json(const StepHistory& steps, const CutChoice& cuts, std::size_t most) {
  std::vector<double> t, H, error;
  std::vector<std::int32_t> cut;
  for (const std::size_t i : marked(steps, most)) {
    t.push_back(steps.t[i]);
    H.push_back(steps.H[i]);
    error.push_back(steps.error[i]);
    const std::int32_t whole = steps.cut[i];
    const bool known = whole >= 0 && static_cast<std::size_t>(whole) < cuts.place.size();
    cut.push_back(known ? cuts.place[static_cast<std::size_t>(whole)] : -1);
  }
  return {{"t", numbers(std::span<const double>(t))},
          {"H", numbers(std::span<const double>(H))},
          {"error", numbers(std::span<const double>(error))},
          {"cut", numbers(std::span<const std::int32_t>(cut))}};
}

}  // namespace

CutChoice cuts_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks) {
  const std::vector<RecordedCut>& cuts = folder.cuts();
  const Blame blame = blame_of(folder.steps(), cuts.size());
  CutChoice choice;
  choice.place.assign(cuts.size(), -1);
  choice.json = Json::array();
  std::size_t used = 0;
  for (const std::size_t cut : by_importance(cuts, blame)) {
    used += cut_bytes + cuts[cut].name.size();
    if (used > bytes && !choice.cuts.empty()) break;
    choice.cuts.push_back(cut);
  }
  std::sort(choice.cuts.begin(), choice.cuts.end());
  if (choice.cuts.size() < cuts.size())
    remarks.push_back(fmt::format("{} of {} cuts are listed: those that decided most about the steps.",
                                  choice.cuts.size(), cuts.size()));
  for (const std::size_t i : choice.cuts) {
    const RecordedCut& cut = cuts[i];
    choice.place[i] = static_cast<std::int32_t>(choice.json.size());
    choice.json.push_back({{"element", cut.element},
                           {"name", cut.name},
                           {"bodies", cut.bodies},
                           {"parts", cut.parts},
                           {"largest_error", number(cut.largest_error)},
                           {"layers", cut.layers < 0 ? Json(nullptr) : Json(cut.layers)},
                           {"decided", blame.decided[i]},
                           {"rejected", blame.rejected[i]}});
  }
  return choice;
}

Json steps_json(const ResultFolder& folder, const CutChoice& cuts, std::size_t bytes) {
  const StepHistory& steps = folder.steps();
  if (steps.size() == 0) return nullptr;
  const auto accepted = static_cast<std::size_t>(
      std::count_if(steps.accepted.begin(), steps.accepted.end(), [](char good) { return good != 0; }));
  const std::size_t marks = std::min({most_marks, steps.size() - accepted, bytes / 4 / 40});
  const std::size_t marks_bytes = 40 * marks + 200;
  const std::size_t most = points_in((bytes > marks_bytes ? bytes - marks_bytes : 0) / 5);

  Thinner H(accepted, most), error(accepted, most);
  Thinner kappa(accepted, most, true), layers(accepted, most, true), iterations(accepted, most, true);
  bool recorded = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // Without an estimator only failed attempts have an error, which is infinite.
    recorded = recorded || (steps.accepted[i] != 0 && steps.error[i] != 0);
    if (steps.accepted[i] == 0) continue;
    H.push(steps.t[i], steps.H[i]);
    kappa.push(steps.t[i], steps.kappa[i]);
    layers.push(steps.t[i], steps.layers[i]);
    error.push(steps.t[i], steps.error[i]);
    iterations.push(steps.t[i], steps.iterations[i]);
  }
  return {{"of", steps.size()},
          {"accepted", accepted},
          {"rejected", steps.size() - accepted},
          {"H", H.json()},
          {"kappa", kappa.json()},
          {"layers", layers.json()},
          {"error", error.json()},
          {"iterations", iterations.json()},
          {"rejected_marks", marks_json(steps, cuts, marks)},
          {"error_recorded", recorded}};
}

}  // namespace cosimo::page
