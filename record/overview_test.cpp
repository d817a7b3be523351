#include "record/overview.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"

namespace cosimo {
namespace {

/// A pulse that travels through a chain.
Results travelling_wave(std::size_t bodies, std::size_t rows) {
  Results results;
  for (std::size_t i = 0; i < bodies; ++i) results.bodies.push_back(static_cast<std::int64_t>(i + 1));
  for (std::size_t row = 0; row < rows; ++row) {
    results.time.push_back(1e-3 * static_cast<double>(row));
    for (std::size_t i = 0; i < bodies; ++i) {
      const double z = static_cast<double>(i) / static_cast<double>(bodies) -
                       static_cast<double>(row) / static_cast<double>(rows);
      results.position.push_back(std::exp(-400 * z * z));
    }
  }
  results.velocity = results.position;
  return results;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Every element is closed in order, and no number went wrong.
void expect_sound(const std::string& svg) {
  ASSERT_LT(svg.size(), 1500000u);
  ASSERT_EQ(svg.substr(0, 5), "<svg ");
  std::vector<std::string> open;
  const auto style_end = svg.find("</style>");
  ASSERT_NE(style_end, std::string::npos);
  for (std::size_t at = 0; (at = svg.find('<', at)) != std::string::npos;) {
    const auto end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string element = svg.substr(at, end - at);
    if (element[1] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), element.substr(2));
      open.pop_back();
    } else if (element.back() != '/') {
      open.push_back(element.substr(1, element.find_first_of(" \n>", 1) - 1));
    }
    ASSERT_EQ(count(element, "\"") % 2, 0u) << element;
    ASSERT_EQ(element.find("nan"), std::string::npos) << element.substr(0, 200);
    ASSERT_EQ(element.find("inf"), std::string::npos) << element.substr(0, 200);
    at = end;
  }
  EXPECT_TRUE(open.empty());
}

std::vector<std::int32_t> equal_parts(std::size_t columns, std::size_t parts) {
  std::vector<std::int32_t> result(columns);
  for (std::size_t i = 0; i < columns; ++i) result[i] = static_cast<std::int32_t>(i * parts / columns);
  return result;
}

TEST(Overview, ShowsMotionStepsAndOrder) {
  Results results = travelling_wave(1000, 500);
  for (int i = 0; i < 400; ++i)
    results.steps.push_back({1e-3 * i, 1e-3 * (1 + 0.5 * std::sin(i)), i % 6, 0.5, i % 40 != 7, 0});
  const auto parts = equal_parts(1000, 10);
  const std::string svg = overview_svg({&results, parts, "chain & <wave>", "explicit, exCV"});
  expect_sound(svg);
  EXPECT_NE(svg.find("chain &amp; &lt;wave&gt;"), std::string::npos);
  EXPECT_NE(svg.find("120 of 1000 bodies"), std::string::npos);
  EXPECT_EQ(count(svg, "<path class=\"c"), 120u);
  EXPECT_EQ(count(svg, "<rect class=\"c"), 10u);  // the bars of the subsystems
  EXPECT_NE(svg.find("Macro-step size H"), std::string::npos);
  EXPECT_NE(svg.find("Order κ"), std::string::npos);
  EXPECT_EQ(svg.find("Layers"), std::string::npos);
  EXPECT_NE(svg.find("rejected"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  // 13 curves of subsystem 1 and 12 of its neighbour are told apart.
  EXPECT_LT(svg.find("<path class=\"c0"), svg.find("<path class=\"c1"));
}

/// The numbers beside the third panel, lowest first.
std::vector<std::string> levels_of_last_panel(const std::string& svg) {
  std::vector<std::string> result;
  const std::string begin = "text-anchor=\"end\">";
  for (auto at = svg.find(begin, svg.find("Layers of copies")); at != std::string::npos;
       at = svg.find(begin, at + 1)) {
    const auto from = at + begin.size();
    result.push_back(svg.substr(from, svg.find('<', from) - from));
  }
  return result;
}

TEST(Overview, LayersTakeThePlaceOfTheOrder) {
  struct Case {
    int layers;
    std::vector<std::string> levels;
  };
  const std::string note = "widest overlap behind a cut";
  const Case cases[] = {{1, {note, "0", "1"}},
                        {4, {note, "0", "1", "2", "3", "4"}},
                        {5, {note, "0", "2", "4"}},
                        {47, {note, "0", "20", "40"}},
                        {2'000'000'000, {note, "0", "500000000", "1000000000", "1500000000", "2000000000"}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.layers);
    Results results = travelling_wave(20, 50);
    for (int i = 0; i < 40; ++i)
      results.steps.push_back({1e-3 * i, 1e-3, 0, 0.5, true, 0, i == 30 ? c.layers : 0});
    results.steps.push_back({39e-3, 1e-3, 0, 7.0, false, 0, 2'147'483'647});  // rejected: stretches no axis
    const std::string svg = overview_svg({&results, std::vector<std::int32_t>(20), "t", "s"});
    expect_sound(svg);
    EXPECT_EQ(svg.find("Order"), std::string::npos);
    EXPECT_EQ(count(svg, "class=\"panel\""), 3u);
    EXPECT_EQ(levels_of_last_panel(svg), c.levels);
  }
}

TEST(Overview, OneTinyStepDoesNotSqueezeTheRest) {
  const auto with_size = [](double H, bool accepted) {
    Results results = travelling_wave(2, 10);
    for (int i = 0; i < 99; ++i) results.steps.push_back({1e-5 * i, 1e-5 * (1 + i % 5), 2, 0.5, true, 0});
    results.steps.push_back({1e-3, H, 2, 0.5, accepted, 0});
    const std::string svg = overview_svg({&results, {}, "t", "s"});
    expect_sound(svg);
    return svg;
  };
  for (const bool accepted : {true, false}) {
    // Thirteen decades below the others or eighty-five: the same picture, drawn at the edge of the panel.
    EXPECT_EQ(with_size(1e-18, accepted), with_size(1e-90, accepted));
    EXPECT_NE(with_size(1e-18, accepted), with_size(1e-12, accepted));
    EXPECT_EQ(with_size(1e-18, accepted).find("10⁻¹⁴"), std::string::npos);
    EXPECT_NE(with_size(1e-12, accepted).find("10⁻¹²"), std::string::npos);
  }
}

TEST(Overview, UncutRunsHaveOnePanel) {
  const Results results = travelling_wave(20, 50);
  const std::vector<std::int32_t> parts(20, 0);
  const std::string svg = overview_svg({&results, parts, "uncut", ""});
  expect_sound(svg);
  EXPECT_EQ(count(svg, "class=\"panel\""), 1u);
  EXPECT_EQ(svg.find("subsystem"), std::string::npos);
  EXPECT_EQ(svg.find("Macro-step"), std::string::npos);
}

TEST(Overview, PoorInputsAreDrawnAllTheSame) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto draw = [](const Results& results) { return overview_svg({&results, {}, "t", "s"}); };
  expect_sound(draw({}));
  expect_sound(draw(travelling_wave(1, 1)));
  expect_sound(draw(travelling_wave(3, 1)));
  expect_sound(draw(travelling_wave(1, 300)));
  Results constant = travelling_wave(5, 20);
  constant.position.assign(100, 7.0);
  expect_sound(draw(constant));
  EXPECT_EQ(count(draw(constant), "<path class=\"c"), 5u);
  Results diverged = travelling_wave(5, 20);
  for (std::size_t i = 50; i < 60; ++i) diverged.position[i] = i % 2 == 0 ? 1e308 : -1e308;
  for (std::size_t i = 60; i < 100; ++i) diverged.position[i] = i % 3 == 0 ? nan : inf;
  expect_sound(draw(diverged));
  Results lost = travelling_wave(4, 10);
  lost.position.assign(40, nan);
  expect_sound(draw(lost));
  Results odd_steps = travelling_wave(2, 10);
  odd_steps.steps = {{0, nan, 0, nan, true, 0}, {0, 0, 1, 0, true, 0},         {0, -1, 1, 0, true, 0},
                     {nan, 1, 1, 0, true, 0},   {0, 1e-320, 2, inf, false, 0}, {0, 1e308, 200, 0, true, 0}};
  expect_sound(draw(odd_steps));
  odd_steps.steps = {{0, 1e-5, 2, 0, false, 0}};  // nothing was ever accepted
  expect_sound(draw(odd_steps));
  odd_steps.steps = {{0, 1e-5, 0, 0, false, 0, 12}};
  expect_sound(draw(odd_steps));
  odd_steps.steps = {{0, 1e-299, 2, 0, true, 0}, {0, 1e-299, 2, 0, true, 0}, {0, 1e299, 2, 0, true, 0}};
  expect_sound(draw(odd_steps));
}

TEST(Overview, LargeNoiseStaysSmallText) {
  const std::size_t bodies = 400, rows = 4000;
  Results results = travelling_wave(bodies, rows);
  const RandomStream random(1, 2);
  for (std::size_t i = 0; i < results.position.size(); ++i) results.position[i] = random.uniform(i, -1, 1);
  for (std::size_t i = 0; i < 200000; ++i)
    results.steps.push_back({4.0 * static_cast<double>(i) / 2e5, std::pow(10.0, random.uniform(i, -6, -2)),
                             static_cast<int>(i % 6), 0, random.uniform(i) < 0.6, 0});
  const auto parts = equal_parts(bodies, 37);
  expect_sound(overview_svg({&results, parts, "noise", ""}));
}

}  // namespace
}  // namespace cosimo
