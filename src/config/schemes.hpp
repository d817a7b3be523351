// What each coupling scheme has: its estimators and the settings of `couple:` that mean something to it.
// Resolution of defaults, rules and messages all read these tables; a new scheme or estimator is a row here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cosimo::config {

using Names = std::vector<std::string_view>;

struct SchemeTraits {
  std::string_view name;
  std::string_view nature;  ///< "`scheme: name` ..." in words
  Names estimators;         ///< at classic cuts; the first is the default
  bool newton = false;      ///< has an interface Jacobian
  bool keeps = false;       ///< and may keep it from step to step
  bool iterates = false;    ///< repeats the corrector until it converges
  bool relaxes = false;
  bool sequential = false;  ///< may advance subsystems one after the other
  bool predictors = false;  ///< others than extrapolation
  bool overlaps = false;

  bool repeats() const { return newton || iterates; }
};

/// Null for `auto` and anything unknown.
const SchemeTraits* find_scheme(std::string_view name);
/// The schemes that have something, in the order of preference.
Names schemes_with(bool SchemeTraits::*ability);
Names schemes_with_estimator(std::string_view estimator);

/// A key of `couple:` that only some schemes have.
struct SchemeKey {
  std::string_view name;
  bool SchemeTraits::*ability;
  std::string_view missing;  ///< what a scheme without it has not
};
std::span<const SchemeKey> scheme_keys();

/// An estimator that does not go together with a predictor or a sequence.
struct Exclusion {
  std::string_view estimator;
  std::string_view setting;  ///< name of the predictor or the sequence
  std::string_view reason;
};
/// Null when they go together.
const Exclusion* exclusion(std::string_view estimator, std::string_view setting);
/// The estimators of a scheme that go together with these settings; the first is the default.
Names valid_estimators(const SchemeTraits& scheme, std::span<const std::string_view> settings);

/// "`a`, `b` or `c`", each with `prefix` inside the quotation marks.
std::string quoted_list(std::span<const std::string_view> names, std::string_view prefix = {});

}  // namespace cosimo::config
