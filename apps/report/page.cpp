#include "apps/report/page.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "core/error.hpp"

namespace cosimo {
namespace {

constexpr std::string_view data_place = "@@COSIMO_DATA@@";
constexpr std::string_view title_place = "@@COSIMO_TITLE@@";

void append_text(std::string& html, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      default:
        html += c;
    }
  }
}

// In JSON a '<' stands only inside strings, where it may be written otherwise; then neither "</script" nor
// "<!--" ends or bends the element that holds the data.
void append_json(std::string& html, std::string_view json) {
  for (std::size_t begin = 0; begin < json.size();) {
    const std::size_t end = std::min(json.find('<', begin), json.size());
    html += json.substr(begin, end - begin);
    if (end < json.size()) html += "\\u003c";
    begin = end + 1;
  }
}

}  // namespace

std::string page_html(std::string_view json, std::string_view title) {
  if (!page_available())
    throw Error(Fault{.problem = "this program was built without its report page",
                      .remedy = "build it with npm installed and -DCOSIMO_PAGE=ON"});
  const std::string text = page_template();
  const std::string_view page = text;
  const std::size_t title_at = page.find(title_place), data_at = page.find(data_place);
  if (title_at == page.npos || data_at == page.npos || data_at < title_at)
    throw std::logic_error("the template of the report page lacks its places");  // build.mjs sees to them
  std::string html;
  html.reserve(page.size() + json.size() + json.size() / 64 + title.size());
  html += page.substr(0, title_at);
  append_text(html, title);
  const std::size_t after_title = title_at + title_place.size();
  html += page.substr(after_title, data_at - after_title);
  append_json(html, json);
  html += page.substr(data_at + data_place.size());
  return html;
}

void write_page(const std::filesystem::path& file, std::string_view html) {
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << html;
  out.close();
  std::error_code code;
  if (out) std::filesystem::rename(part, file, code);
  if (out && !code) return;
  std::filesystem::remove(part, code);
  throw IoError(file.string() + ": cannot be written; check free space and permissions");
}

}  // namespace cosimo
