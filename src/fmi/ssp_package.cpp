#include "fmi/ssp_package.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace cosimo::fmi {

namespace {

constexpr std::uint64_t longest_document = std::uint64_t{64} << 20U;

int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Percent signs of a URI resolved.
std::string decoded(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      out += static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2]));
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

/// "http" of "http://...". One letter is a drive, not a scheme.
std::string_view scheme_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon < 2 || uri.find('/') < colon) return {};
  return uri.substr(0, colon);
}

}  // namespace

std::shared_ptr<const SspPackage> SspPackage::archive(const std::filesystem::path& file) {
  auto package = std::make_shared<SspPackage>();
  package->root_ = file;
  package->archive_ = std::make_unique<const ZipArchive>(file);
  return package;
}

std::shared_ptr<const SspPackage> SspPackage::folder(const std::filesystem::path& folder) {
  auto package = std::make_shared<SspPackage>();
  package->root_ = folder;
  return package;
}

SspPackage::Target SspPackage::resolve(const std::string& uri, const std::string& from) const {
  const auto cannot = [](std::string problem, std::string remedy) {
    return Target{.entry = {}, .whole = {}, .problem = std::move(problem), .remedy = std::move(remedy)};
  };
  const std::string_view scheme = scheme_of(uri);
  std::string_view rest = uri;
  if (scheme == "file") {
    rest.remove_prefix(scheme.size() + 1);
    if (rest.starts_with("//")) {
      rest.remove_prefix(2);
      if (rest.starts_with("localhost/")) rest.remove_prefix(9);
      if (!rest.starts_with('/')) return cannot("names a file of another machine", "put it into the package");
    }
    if (rest.starts_with('/')) return {.entry = {}, .whole = decoded(rest), .problem = {}, .remedy = {}};
  } else if (!scheme.empty()) {
    return cannot("is not fetched from anywhere", "put the file into the package");
  }
  if (rest.find('#') != std::string_view::npos)
    return cannot("refers to a part of a file", "name a whole file");
  const std::filesystem::path near = std::filesystem::path(from).parent_path() / decoded(rest);
  const std::string entry = near.lexically_normal().generic_string();
  if (archive_ != nullptr && (entry.starts_with("..") || entry.starts_with('/')))
    return cannot("leads out of the package", "do not use this package: it may have been made to do harm");
  return {.entry = entry, .whole = root_ / entry, .problem = {}, .remedy = {}};
}

std::unique_ptr<const SspDocument> SspPackage::document(const Target& target) const {
  const std::string name = target.whole.string();
  if (archive_ != nullptr && !target.entry.empty()) {
    if (!archive_->has(target.entry))
      throw Error(Fault{
          .file = name, .problem = "is not in the package", .remedy = "check the name, or export it again"});
    return std::make_unique<const SspDocument>(name, archive_->read(target.entry, longest_document));
  }
  std::ifstream in(target.whole, std::ios::binary);
  if (!in) throw Error(Fault{.file = name, .problem = "cannot be read", .remedy = "check the name"});
  std::error_code ignored;
  if (std::filesystem::file_size(target.whole, ignored) > longest_document)
    throw Error(Fault{.file = name,
                      .problem = fmt::format("has more than {} bytes", longest_document),
                      .remedy = "no description is that long"});
  return std::make_unique<const SspDocument>(
      name, std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

}  // namespace cosimo::fmi
