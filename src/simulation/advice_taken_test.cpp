// Advice is tested by taking it: what it says to write is read from its words, written into the scenario, and
// run. Every change must be accepted, and better than what was there.
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <regex>

#include "simulation/execute.hpp"
#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

struct Changed {
  std::string words, text;
  std::vector<std::string> overrides;
};

std::string without(const std::string& text, const std::string& key) {
  return std::regex_replace(text, std::regex("\\b" + key + ": (\\{[^}]*\\}|[^,}\n]*)(, )?"), "");
}

/// Where the brace that opens at `open` closes.
std::size_t closing(const std::string& text, std::size_t open) {
  int depth = 0;
  std::size_t i = open;
  do depth += text[i] == '{' || text[i] == '[' ? 1 : text[i] == '}' || text[i] == ']' ? -1 : 0;
  while (depth > 0 && ++i < text.size());
  return i;
}

/// "{a: 1, b: {c: 2}}" of a section: {"section.a=1", "section.b={c: 2}"}.
void add_keys(const std::string& section, const std::string& braces, std::vector<std::string>& overrides) {
  if (section == "partition") return overrides.push_back(section + "=" + braces);  // all of it is meant
  for (std::size_t i = 1; i + 1 < braces.size();) {
    std::size_t end = i;
    while (end + 1 < braces.size() && braces[end] != ',')
      end = braces[end] == '{' || braces[end] == '[' ? closing(braces, end) + 1 : end + 1;
    const std::string entry = braces.substr(i, end - i);
    const std::size_t colon = entry.find(": ");
    overrides.push_back(section + "." + entry.substr(0, colon) + "=" + entry.substr(colon + 2));
    i = end + 2;
  }
}

/// All that a line of advice offers, each for itself.
std::vector<Changed> offers(const std::string& advice, const std::string& scenario) {
  std::string text = scenario;
  std::smatch found;
  if (std::regex_search(advice, found, std::regex("leave the sections couple and control out")))
    return {{advice, std::regex_replace(text, std::regex("\n(couple|control):[^\n]*"), ""), {}}};
  if (std::regex_search(advice, found, std::regex("leave ([^;]*) out")))
    for (const char* const key : {"relaxation", "predictor", "sequence", "order"})
      if (found.str(1).find(key) != std::string::npos) text = without(text, key);
  if (std::regex_search(advice, found, std::regex("control.step smaller than ([0-9.e+-]+)")))
    return {{advice, text, {fmt::format("control.step={}", std::stod(found.str(1)) / 4)}}};
  std::vector<Changed> result;
  if (text != scenario && advice.find("{") == std::string::npos) result.push_back({advice, text, {}});
  if (advice.find("partition: none") != std::string::npos)
    result.push_back({advice, text, {"partition=none"}});
  static const std::regex section("(couple|control|partition): \\{");
  std::size_t last = std::string::npos;
  for (std::sregex_iterator i(advice.begin(), advice.end(), section), end; i != end; ++i) {
    const auto open = static_cast<std::size_t>(i->position() + i->length() - 1);
    const bool joined = last != std::string::npos &&
                        advice.substr(last, static_cast<std::size_t>(i->position()) - last) == " with ";
    if (!joined) result.push_back({advice, text, {}});
    last = closing(advice, open) + 1;
    add_keys(i->str(1), advice.substr(open, last - open), result.back().overrides);
  }
  return result;
}

Report report_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  RunOptions options;
  options.threads = 1;
  return execute(config::parse_scenario(text, "test.yaml", overrides), options, {});
}

std::int64_t attempts(const Report& r) {
  return r.macro_steps + r.rejected_steps;
}

/// It comes farther, or as far with less.
bool better(const Report& after, const Report& before) {
  if (before.status != "ok") return after.outcome.time > 1.5 * before.outcome.time;
  if (after.status != "ok") return false;
  return 10 * attempts(after) < 9 * attempts(before) ||
         10 * after.corrector_iterations < 9 * before.corrector_iterations ||
         2 * after.rejected_steps < before.rejected_steps ||
         2 * after.corrector_failures < before.corrector_failures;
}

std::string table_5_6(double m1, double d, const std::string& couple, const std::string& control,
                      double end = 0.05) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 2, mass: [{}, 1], spring: {{c: 1.0e6, d: [0, {}, 0]}}, initial: {{x: [0.05, 0]}},
          loads: [{{harmonic: {{bodies: [2], amplitude: 1.0e5, omega: 50}}}}]}}
simulate: {{end: {}, output: 0.01}}
partition: {{parts: 2}}
couple: {{{}}}
control: {{rtol: 1.0e-3, max_steps: 1000, {}}}
solve: {{method: ida}}
)",
                     m1, d, end, couple, control);
}

struct Kind {
  const char* name;
  std::string scenario;
  std::vector<std::string> words;  ///< each is in a line of the advice
};

void PrintTo(const Kind& k, std::ostream* out) {
  *out << k.name;
}

class TakenAdvice : public ::testing::TestWithParam<Kind> {};

TEST_P(TakenAdvice, IsAcceptedAndBetter) {
  const Kind& kind = GetParam();
  const Report before = report_of(kind.scenario);
  std::string all;
  std::vector<Changed> taken;
  for (const std::string& line : before.advice) {
    all += line + "\n";
    for (Changed& offer : offers(line, kind.scenario)) taken.push_back(std::move(offer));
  }
  for (const std::string& words : kind.words)
    EXPECT_NE(all.find(words), std::string::npos) << words << " is not advised:\n" << all;
  ASSERT_FALSE(taken.empty()) << all;
  for (const Changed& offer : taken) {
    const Report after = report_of(offer.text, offer.overrides);
    EXPECT_TRUE(better(after, before))
        << offer.words << "\ntaken as " << fmt::format("{}", fmt::join(offer.overrides, " "))
        << "\nbefore: t = " << before.outcome.time << ", " << attempts(before) << " attempts, "
        << before.corrector_iterations << " iterations; after: t = " << after.outcome.time << ", "
        << attempts(after) << " attempts, " << after.corrector_iterations << " iterations "
        << after.outcome.reason;
  }
}

const Kind kinds[] = {
    {"ExplicitDamped",
     table_5_6(1e-3, 1e3, "scheme: explicit", "estimator: exCV"),
     {"scheme: implicit", "semi-implicit", "displaced: lighter"}},
    {"ExplicitFittedDamped",
     table_5_6(1e-3, 1e3, "scheme: explicit, predictor: {least-squares: 8}", "estimator: exCV"),
     {"scheme: implicit", "leave couple.predictor out"}},
    {"WaveformDamped",
     table_5_6(1e-3, 1e3, "scheme: waveform, relaxation: 0.3", "estimator: waCV"),
     {"scheme: implicit", "leave couple.relaxation out"}},
    {"SemiImplicit",
     table_5_6(1e-6, 1e3, "scheme: semi-implicit", "estimator: imMD", 0.01),
     {"scheme: implicit"}},
    {"SemiImplicitSap",
     table_5_6(1e-3, 1e3, "scheme: semi-implicit, jacobian: sap", "estimator: imCV"),
     {"jacobian: sensitivity"}},
    {"Sap",
     table_5_6(1e-6, 10, "scheme: implicit, jacobian: sap", "estimator: imMD", 0.01),
     {"jacobian: sensitivity"}},
    {"FewIterations",
     table_5_6(1, 1e3, "scheme: implicit, max_iterations: 1", "estimator: imMD", 1),
     {"max_iterations: 10"}},
    {"WaveformFixed",
     two_masses(
         1,
         "simulate: {end: 0.5, output: 0.01}\ncouple: {scheme: waveform}\ncontrol: {step: 0.02, order: 1}"),
     {"scheme: implicit"}},
    {"Undamped", table_5_6(1e-6, 0, "scheme: explicit", "estimator: exMD", 0.01), {"partition: none"}},
    {"LowDegree", table_5_6(1, 10, "scheme: implicit", "order: 0"), {"leave control.order out"}},
    {"Safety",
     two_masses(
         2,
         "simulate: {end: 0.1, output: 1.0e-3}\ncouple: {scheme: explicit}\ncontrol: {estimator: exMD, "
         "safety: 1}"),
     {"control: {safety: 6}"}},
    {"FixedStep",
     table_5_1(false,
               "simulate: {end: 0.05, output: 1.0e-3}\ncouple: {scheme: explicit}\ncontrol: {step: "
               "5.0e-5, order: 2}"),
     {"control.step smaller"}},
    {"OtherCut",
     section_5_4(false,
                 "simulate: {end: 5.0e-4, output: 1.0e-4}\ncouple: {scheme: explicit}\ncontrol: {rtol: "
                 "1.0e-5}"),
     {"partition: {method: manual, cuts:"}},
};

INSTANTIATE_TEST_SUITE_P(Kinds, TakenAdvice, ::testing::ValuesIn(kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cosimo::testing
