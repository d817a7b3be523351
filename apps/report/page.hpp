// Pages: one self-contained HTML file from data.
//
// apps/report/page/ holds the page in TypeScript; the build bundles it into one template, scripts and styles
// inside, that asks nothing of a network. A page is that template with its data in it, JSON after
// apps/report/page/src/data.ts:
//
//   std::string html = cosimo::page_html(json.dump(), "quickstart");
//
// Builds with -DCOSIMO_PAGE=OFF have no template: ask page_available() first.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cosimo {

/// False: built without the page.
bool page_available();

/// The bundled template; empty where !page_available().
std::string page_template();

/// The page that shows `json` (UTF-8 and valid; nothing is checked here) under this title. Throws Error where
/// !page_available().
std::string page_html(std::string_view json, std::string_view title);

/// Writes the file, whole or not at all. Throws IoError when it cannot be written.
void write_page(const std::filesystem::path& file, std::string_view html);

}  // namespace cosimo
