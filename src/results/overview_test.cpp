#include "results/overview.hpp"

#include <gtest/gtest.h>

#include <array>
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

/// Bodies on circles of radius 1, 2, ... in the plane of `horizontal` and `vertical`, as rigid bodies.
Results circles(std::size_t bodies, std::size_t rows, std::size_t horizontal, std::size_t vertical) {
  Results results;
  for (std::size_t b = 0; b < bodies; ++b) {
    results.body_names.push_back("rotor" + std::to_string(b + 1));
    for (const char* coordinate : {"x", "y", "z", "qw", "qx", "qy", "qz"}) {
      results.bodies.push_back(static_cast<std::int64_t>(b + 1));
      results.columns.push_back(results.body_names[b] + "." + coordinate);
    }
  }
  for (std::size_t row = 0; row < rows; ++row) {
    const double angle = 0.01 * static_cast<double>(row);
    results.time.push_back(angle);
    for (std::size_t b = 0; b < bodies; ++b) {
      std::array<double, 7> q{1e-15 * angle, 2e-15 * angle, 3e-15 * angle, std::cos(angle / 2)};
      q[horizontal] = static_cast<double>(b + 1) * std::cos(angle);
      q[vertical] = static_cast<double>(b + 1) * std::sin(angle);
      q[3 + 3] = std::sin(angle / 2);
      results.position.insert(results.position.end(), q.begin(), q.end());
    }
  }
  results.velocity = results.position;
  return results;
}

TEST(Overview, MechanismsShowPathsInThePlaneOfLargestMotion) {
  const std::array<std::pair<std::array<std::size_t, 2>, std::string>, 3> cases{
      {{{0, 1}, "in the x-y plane"}, {{0, 2}, "in the x-z plane"}, {{1, 2}, "in the y-z plane"}}};
  for (const auto& [axes, words] : cases) {
    Results results = circles(4, 700, axes[0], axes[1]);
    for (int i = 0; i < 70; ++i) results.steps.push_back({0.1 * i, 0.1, i % 4, 0.5, true, 0});
    const auto parts = equal_parts(results.bodies.size(), 2);
    const std::vector<OverviewLink> links = {{0, 1}, {1, 2}, {2, 99}};
    OverviewInput input{&results, parts, "four rotors", "s"};
    input.links = links;
    const std::string svg = overview_svg(input);
    expect_sound(svg);
    EXPECT_NE(svg.find(words), std::string::npos) << words;
    EXPECT_EQ(count(svg, "class=\"panel\""), 1u + 4u + 2u);  // paths, courses, step size, order
    EXPECT_EQ(count(svg, "<path class=\"c0\""), 2u + 2u);    // paths and courses of the first subsystem
    EXPECT_EQ(count(svg, "<path class=\"c1\""), 2u + 2u);
    EXPECT_EQ(count(svg, "<path class=\"then\""), 1u);
    EXPECT_EQ(count(svg, "<path class=\"now\""), 1u);
    EXPECT_EQ(count(svg, ">rotor3<"), 1u);
    EXPECT_NE(svg.find("Macro-step size H"), std::string::npos);
    EXPECT_NE(svg.find("subsystem"), std::string::npos);
    for (const char* q : {".qw<", ".qx<", ".qy<", ".qz<"}) EXPECT_EQ(count(svg, q), 0u);
  }
}

TEST(Overview, MechanismsShowTheCoursesAskedFor) {
  const Results results = circles(3, 100, 0, 1);
  OverviewInput input{&results, {}, "t", "s"};
  input.histories = {"rotor2.qw", "nobody.x", "rotor3.y"};
  const std::string svg = overview_svg(input);
  expect_sound(svg);
  EXPECT_EQ(count(svg, "class=\"panel\""), 3u);
  EXPECT_EQ(count(svg, ">rotor2.qw<"), 1u);
  EXPECT_EQ(count(svg, ">rotor3.y<"), 1u);
  EXPECT_EQ(svg.find("nobody"), std::string::npos);
  EXPECT_EQ(svg.find("subsystem"), std::string::npos);
}

TEST(Overview, FlatPathsAreStretchedAndSaySo) {
  Results results = circles(2, 100, 0, 2);
  for (std::size_t i = 0; i < results.position.size(); i += 7) results.position[i] *= 1000;
  const std::string svg = overview_svg({&results, {}, "t", "s"});
  expect_sound(svg);
  EXPECT_NE(svg.find("axes not to one scale"), std::string::npos);
  const Results round = circles(2, 100, 0, 2);
  EXPECT_EQ(overview_svg({&round, {}, "t", "s"}).find("axes not to one scale"), std::string::npos);
}

TEST(Overview, PoorMechanismsAreDrawnAllTheSame) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const auto draw = [](const Results& results) { return overview_svg({&results, {}, "t", "s"}); };
  expect_sound(draw(circles(1, 1, 0, 1)));
  expect_sound(draw(circles(1, 0, 0, 1)));
  Results still = circles(3, 10, 0, 1);
  still.position.assign(still.position.size(), 0.0);
  expect_sound(draw(still));
  Results lost = circles(3, 50, 0, 1);
  for (std::size_t i = 300; i < 600; ++i) lost.position[i] = i % 2 == 0 ? nan : -inf;
  for (std::size_t i = 600; i < 700; ++i) lost.position[i] = 1e308;
  expect_sound(draw(lost));
  lost.position.assign(lost.position.size(), nan);
  expect_sound(draw(lost));
  expect_sound(draw(circles(900, 120, 0, 1)));
  Results line = travelling_wave(5, 20);  // one coordinate each: the curves of chains
  for (int i = 1; i <= 5; ++i) line.columns.push_back("m" + std::to_string(i) + ".x");
  EXPECT_NE(draw(line).find("displacement of 5 bodies"), std::string::npos);
}

}  // namespace
}  // namespace cosimo
