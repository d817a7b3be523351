#include "apps/report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace cosimo {
namespace {

// What a browser would take for the data: everything up to the first end of a script element.
std::string data_of(const std::string& html) {
  const std::string begin = "<script id=\"cosimo-data\" type=\"application/json\">";
  const std::size_t at = html.find(begin);
  if (at == html.npos) return "no data";
  const std::size_t from = at + begin.size();
  return html.substr(from, html.find("</script", from) - from);
}

class Page : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!page_available()) GTEST_SKIP() << "built with -DCOSIMO_PAGE=OFF";
  }
};

TEST_F(Page, HoldsTheDataAsTheyAre) {
  const nlohmann::json data = {{"kind", "runs"}, {"text", "a < b, \"quoted\", \\ and \xc3\xa4"}, {"n", 0.1}};
  EXPECT_EQ(nlohmann::json::parse(data_of(page_html(data.dump(), "t"))), data);
}

TEST_F(Page, TextInTheDataCannotEndTheElement) {
  const nlohmann::json data = {
      {"a", "</script><script>alert(1)</script>"}, {"b", "<!-- <script"}, {"c", "<"}};
  const std::string html = page_html(data.dump(), "t");
  EXPECT_EQ(nlohmann::json::parse(data_of(html)), data);
  EXPECT_EQ(html.find("alert(1)</script"), html.npos);
  EXPECT_EQ(html.find("<!-- <script"), html.npos);
}

TEST_F(Page, TheTitleIsText) {
  EXPECT_NE(page_html("{}", "a<b> & c").find("<title>a&lt;b&gt; &amp; c</title>"), std::string::npos);
}

TEST_F(Page, PlacesInTheDataAreData) {
  const nlohmann::json data = {{"a", "@@COSIMO_DATA@@ @@COSIMO_TITLE@@"}};
  EXPECT_EQ(nlohmann::json::parse(data_of(page_html(data.dump(), "@@COSIMO_DATA@@"))), data);
}

TEST_F(Page, AsksNothingOfANetwork) {
  const std::string html = page_template();
  for (const char* loader :
       {" src=", "<link", "@import", "url(http", "url(//", "fetch(", "XMLHttpRequest", "sourceMappingURL"})
    EXPECT_EQ(html.find(loader), html.npos) << loader;
}

/// Most of it is three.js (decision 0048).
TEST_F(Page, TemplateIsSmall) {
  EXPECT_LT(page_template().size(), 800'000u);
}

TEST(PageSwitchedOff, SaysSo) {
  if (page_available()) GTEST_SKIP() << "built with the page";
  EXPECT_TRUE(page_template().empty());
  EXPECT_THROW(page_html("{}", "t"), Error);
}

}  // namespace
}  // namespace cosimo
