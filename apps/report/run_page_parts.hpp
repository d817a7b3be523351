// The sections of a run's page, each from its part of the result folder into its share of the bytes: private
// to apps/report/. Their shapes are those of apps/report/page/src/data.ts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/report/series.hpp"
#include "cosimo/result_folder.hpp"

namespace cosimo::page {

/// What is left out, in sentences.
using Remarks = std::vector<std::string>;

/// `count` of `total` things, evenly spaced, the first and the last among them.
std::vector<std::size_t> spread(std::size_t total, std::size_t count);

/// Visits the columns `wanted` (ascending) of rows 0 to `rows` in blocks: visit(row, values of the wanted
/// columns). `read(row, rows, column, columns)` gives a block of the `columns` there are.
using ReadBlock = std::function<std::vector<double>(std::size_t row, std::size_t rows, std::size_t column,
                                                    std::size_t columns)>;
using VisitRow = std::function<void(std::size_t row, std::span<const double> values)>;
void scan(std::size_t rows, std::size_t columns, std::span<const std::size_t> wanted, const ReadBlock& read,
          const VisitRow& visit);

/// The recorded bodies and their columns, in the order of the file.
struct BodyList {
  explicit BodyList(const ResultFolder& folder);

  struct Entry {
    std::int64_t label = 0;
    std::size_t first = 0, columns = 0;
  };
  std::vector<Entry> bodies;  ///< labels ascend
  /// The place of a body in the list; empty: it is not recorded.
  std::optional<std::size_t> find(std::int64_t label) const;
  bool scalar = true;  ///< one coordinate each, and no names
};

/// Some output times and what moved how far between them.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing
struct Motion {
  Json json;                   ///< null: nothing is recorded
  std::vector<double> travel;  ///< per body: largest minus smallest coordinate over the frames
};
Motion motion_json(const ResultFolder& folder, const BodyList& bodies, std::size_t bytes, Remarks& remarks);

/// Courses of all bodies when they fit, otherwise of those at the cuts, those that move most and others
/// between them; or of the `asked` ones that are recorded.
struct Courses {
  std::string text = "[]";
  std::vector<std::int64_t> labels;  ///< of the bodies in there
};
Courses bodies_text(const ResultFolder& folder, const BodyList& bodies, std::span<const double> travel,
                    std::span<const std::int64_t> asked, std::size_t bytes, Remarks& remarks);

/// Run number `run` minus the first one, of these bodies or as many of them as fit.
Json differences_json(const ResultFolder& own, const ResultFolder& reference, std::size_t run,
                      std::span<const std::int64_t> labels, std::size_t bytes);

/// Which cuts are shown, ascending.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON throws nothing
struct CutChoice {
  std::vector<std::size_t> cuts;
  std::vector<std::int32_t> place;  ///< of every cut of the run: position in `cuts`, or -1
  Json json;
};
CutChoice cuts_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks);

Json steps_json(const ResultFolder& folder, const CutChoice& cuts, std::size_t bytes);

/// "extrapolation", "interpolation" or "none", from summary.json.
std::string_view polynomial(const Json& summary);
Json couplings_json(const ResultFolder& folder, const CutChoice& cuts, bool polynomials, std::size_t bytes,
                    Remarks& remarks);

Json timing_json(const ResultFolder& folder, std::size_t bytes);
Json tables_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks);

}  // namespace cosimo::page
