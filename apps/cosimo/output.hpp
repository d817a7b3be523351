// How much a command prints, and in which form.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace cosimo::cli {

struct Output {
  bool json = false;     ///< one JSON document on stdout in the place of text
  bool quiet = false;    ///< only errors, on stderr
  bool verbose = false;  ///< more than the summary
  /// Text for people is wanted.
  bool text() const { return !json && !quiet; }
};

/// The document, on stdout.
void print(const nlohmann::ordered_json& document);

}  // namespace cosimo::cli
