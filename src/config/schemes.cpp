#include "config/schemes.hpp"

#include <algorithm>
#include <array>

namespace cosimo::config {

namespace {

const std::array<SchemeTraits, 4>& schemes() {
  static const std::array<SchemeTraits, 4> table{{
      {.name = "explicit",
       .nature = "takes every macro step once",
       .estimators = {"exCV", "exLE", "exMD"},
       .sequential = true,
       .predictors = true,
       .overlaps = true},
      {.name = "implicit",
       .nature = "solves for all coupling variables at once by Newton's method",
       .estimators = {"imCV", "imMD"},
       .newton = true,
       .keeps = true,
       .iterates = true},
      {.name = "semi-implicit",
       .nature = "does exactly one corrector step for all coupling variables at once",
       .estimators = {"imCV", "imMD"},
       .newton = true},
      {.name = "waveform",
       .nature = "repeats the macro step with the values it gave",
       .estimators = {"waCV", "imMD"},
       .iterates = true,
       .relaxes = true,
       .sequential = true},
  }};
  return table;
}

constexpr std::string_view no_jacobian = "no interface Jacobian";
constexpr std::string_view no_iteration = "no iteration that could converge";

constexpr std::array<SchemeKey, 8> keys{{
    {"relaxation", &SchemeTraits::relaxes, "no old iterate to weigh"},
    {"jacobian", &SchemeTraits::newton, no_jacobian},
    {"refresh", &SchemeTraits::keeps, "no interface Jacobian that outlives a macro step"},
    {"perturbation_min", &SchemeTraits::newton, no_jacobian},
    {"max_iterations", &SchemeTraits::iterates, no_iteration},
    {"tau", &SchemeTraits::iterates, no_iteration},
    {"corrector_rtol", &SchemeTraits::iterates, no_iteration},
    {"corrector_atol", &SchemeTraits::iterates, no_iteration},
}};

constexpr std::string_view constants_of_extrapolation =
    "the constants of the Milne device hold for extrapolated coupling variables only";
constexpr std::string_view constants_of_parallel =
    "the constants of the Milne device hold for extrapolated coupling variables only, and with gauss-seidel "
    "all subsystems but the first interpolate";

constexpr std::array<Exclusion, 6> exclusions{{
    {"exMD", "least-squares", constants_of_extrapolation},
    {"exMD", "acc", constants_of_extrapolation},
    {"exMD", "accrel", constants_of_extrapolation},
    {"exLE", "accrel",
     "it compares with extrapolation of one degree more, and `accrel` may be of the same order itself"},
    {"exMD", "gauss-seidel", constants_of_parallel},
    {"imMD", "gauss-seidel", constants_of_parallel},
}};

template <class Has>
Names names_where(Has has) {
  Names names;
  for (const SchemeTraits& scheme : schemes()) {
    if (has(scheme)) names.push_back(scheme.name);
  }
  return names;
}

}  // namespace

const SchemeTraits* find_scheme(std::string_view name) {
  const auto& table = schemes();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const SchemeTraits& row) { return row.name == name; });
  return found != table.end() ? &*found : nullptr;
}

Names schemes_with(bool SchemeTraits::*ability) {
  return names_where([&](const SchemeTraits& scheme) { return scheme.*ability; });
}

Names schemes_with_estimator(std::string_view estimator) {
  return names_where([&](const SchemeTraits& scheme) {
    return std::find(scheme.estimators.begin(), scheme.estimators.end(), estimator) !=
           scheme.estimators.end();
  });
}

std::span<const SchemeKey> scheme_keys() {
  return keys;
}

const Exclusion* exclusion(std::string_view estimator, std::string_view setting) {
  const auto found = std::find_if(exclusions.begin(), exclusions.end(), [&](const Exclusion& row) {
    return row.estimator == estimator && row.setting == setting;
  });
  return found != exclusions.end() ? &*found : nullptr;
}

Names valid_estimators(const SchemeTraits& scheme, std::span<const std::string_view> settings) {
  Names valid;
  for (const std::string_view estimator : scheme.estimators) {
    if (std::all_of(settings.begin(), settings.end(),
                    [&](std::string_view setting) { return exclusion(estimator, setting) == nullptr; }))
      valid.push_back(estimator);
  }
  return valid;
}

std::string quoted_list(std::span<const std::string_view> names, std::string_view prefix) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    ((text += '`') += prefix) += names[i];
    text += '`';
  }
  return text;
}

}  // namespace cosimo::config
