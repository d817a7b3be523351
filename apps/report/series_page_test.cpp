#include "apps/report/series_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/report/page.hpp"
#include "apps/report/test_support.hpp"

namespace cosimo {
namespace {

using nlohmann::json;
using page::test::decode;
using page::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Variant 1 failed, the last one waits, the others are done; variant 0 is kept.
SeriesData series(std::size_t variants, std::size_t points) {
  SeriesData data;
  data.file = "speeds.yaml";
  data.version = "0.1.0";
  data.variants = variants;
  SeriesColumn speed{"model.speed", {}, {}}, scheme{"couple.scheme", {}, {}}, worst{"worst", {}, {}};
  SeriesCurve curve{"sway", {}, {}};
  for (std::size_t i = 0; i < variants; ++i) {
    const bool failed = i == 1, waits = i + 1 == variants;
    data.id.push_back("id" + std::to_string(i));
    data.state.emplace_back(failed ? "failed" : waits ? "waiting" : "done");
    data.fault.emplace_back(failed ? "solver" : "");
    data.message.emplace_back(failed ? "steps became too small" : i == 3 ? "late: it never holds" : "");
    data.log.emplace_back(failed ? "logs/id1.log" : "");
    data.results.emplace_back(i == 0 ? "runs/id0" : "");
    speed.number.push_back(10.0 + static_cast<double>(i));
    scheme.text.emplace_back(i % 2 == 0 ? "explicit" : "waveform");
    worst.number.push_back(failed || waits ? nan : 0.5 * static_cast<double>(i));
    data.wall_s.push_back(waits ? nan : 0.01);
    curve.t.emplace_back();
    curve.values.emplace_back();
    if (failed || waits) continue;
    for (std::size_t k = 0; k < points; ++k) {
      curve.t[i].push_back(static_cast<double>(k));
      curve.values[i].push_back(k == points / 3 ? 1000.0 : std::sin(0.01 * static_cast<double>(k)));
    }
  }
  data.parameters = {speed, scheme};
  data.measures = {worst};
  data.curves = {curve};
  return data;
}

TEST(SeriesPage, HasEveryVariant) {
  const TemporaryFolder folder;
  const json page = json::parse(series_page_json(
      {.folder = folder.path() / "speeds.sweep", .file = folder.path() / "speeds.sweep/report.html"},
      series(5, 20)));
  EXPECT_EQ(page["kind"], "series");
  EXPECT_EQ(page["name"], "speeds.sweep");
  EXPECT_EQ(page["variants"], 5);
  EXPECT_THAT(decode(page["state"]), ElementsAre(2, 3, 2, 2, 0));
  EXPECT_THAT(decode(page["parameters"][0]["number"]), ElementsAre(10, 11, 12, 13, 14));
  EXPECT_TRUE(page["parameters"][0]["text"].is_null());
  EXPECT_TRUE(page["parameters"][1]["number"].is_null());
  EXPECT_EQ(page["parameters"][1]["text"][1], "waveform");
  const std::vector<double> worst = decode(page["measures"][0]["number"]);
  EXPECT_EQ(worst[3], 1.5);
  EXPECT_TRUE(std::isnan(worst[1]));
  ASSERT_THAT(page["failures"], SizeIs(1));
  EXPECT_EQ(page["failures"][0]["variant"], 1);
  EXPECT_EQ(page["failures"][0]["fault"], "solver");
  EXPECT_EQ(page["failures"][0]["log"], "logs/id1.log");
  ASSERT_THAT(page["remarks"], SizeIs(1));
  EXPECT_EQ(page["remarks"][0]["variant"], 3);
  EXPECT_EQ(page["remarks"][0]["message"], "late: it never holds");
  ASSERT_THAT(page["curves"][0]["curves"], SizeIs(3));
  EXPECT_EQ(page["curves"][0]["curves"][1]["variant"], 2);
  EXPECT_THAT(decode(page["curves"][0]["curves"][1]["series"]["t"]), SizeIs(20));
  EXPECT_THAT(page["notes"], SizeIs(0));
}

TEST(SeriesPage, LinksKeptRunsFromWhereItIs) {
  const TemporaryFolder folder;
  const auto place = folder.path() / "a.sweep";
  std::filesystem::create_directories(place / "runs/id0");
  const auto link = [&](const std::filesystem::path& file) {
    return json::parse(series_page_json({.folder = place, .file = file}, series(3, 5)))["runs"][0]["page"];
  };
  EXPECT_EQ(link(place / "report.html"), "runs/id0/");
  std::ofstream(place / "runs/id0/report.html") << "a page";
  EXPECT_EQ(link(place / "report.html"), "runs/id0/report.html");
  EXPECT_EQ(link(folder.path() / "all.html"), "a.sweep/runs/id0/report.html");
}

TEST(SeriesPage, LongCurvesAreThinnedWithTheirExtremes) {
  const json page = json::parse(
      series_page_json({.folder = "x", .file = "x/report.html", .curve_bytes = 100'000}, series(12, 5000)));
  ASSERT_THAT(page["curves"][0]["curves"], SizeIs(10));
  for (const json& curve : page["curves"][0]["curves"]) {
    const std::vector<double> y = decode(curve["series"]["y"]);
    EXPECT_LT(y.size(), 1000U);
    EXPECT_GT(y.size(), 100U);
    EXPECT_EQ(*std::ranges::max_element(y), 1000);
    EXPECT_EQ(curve["series"]["of"], 5000);
  }
  ASSERT_THAT(page["notes"], SizeIs(1));
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("of 5000 points; sweep.h5 has all"));
}

TEST(SeriesPage, OfVeryManyCurvesSomeAreLeftOut) {
  const std::string text =
      series_page_json({.folder = "x", .file = "x/report.html", .curve_bytes = 200'000}, series(3000, 400));
  EXPECT_LT(text.size(), 600'000U);
  const json page = json::parse(text);
  const std::size_t drawn = page["curves"][0]["curves"].size();
  EXPECT_GT(drawn, 50U);
  EXPECT_LT(drawn, 2998U);
  EXPECT_EQ(page["curves"][0]["curves"].front()["variant"], 0);
  EXPECT_EQ(page["curves"][0]["curves"].back()["variant"], 2998);
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("of 2998 variants"));
  EXPECT_THAT(decode(page["state"]), SizeIs(3000));
}

TEST(SeriesPage, IsWrittenWhole) {
  if (!page_available()) GTEST_SKIP() << "built with -DCOSIMO_PAGE=OFF";
  const TemporaryFolder folder;
  write_series_page({.folder = folder.path(), .file = folder.path() / "report.html"}, series(4, 10));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "report.html"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "report.html.part"));
  EXPECT_THROW(
      write_series_page({.folder = folder.path(), .file = folder.path() / "no/report.html"}, series(4, 10)),
      std::exception);
}

}  // namespace
}  // namespace cosimo
