#include "config/schemes.hpp"

#include <algorithm>
#include <array>

#include "config/choices.hpp"

namespace cosimo::config {

namespace {

const std::array<SchemeTraits, 4>& schemes() {
  static const std::array<SchemeTraits, 4> table{{
      {.name = word_of(SchemeKind::explicit_),
       .nature = "takes every macro step once",
       .estimators = {word_of(Estimator::exCV), word_of(Estimator::exLE), word_of(Estimator::exMD)},
       .sequential = true,
       .predictors = true,
       .overlaps = true},
      {.name = word_of(SchemeKind::implicit),
       .nature = "solves for all coupling variables at once by Newton's method",
       .estimators = {word_of(Estimator::imCV), word_of(Estimator::imMD)},
       .newton = true,
       .keeps = true,
       .iterates = true},
      {.name = word_of(SchemeKind::semi_implicit),
       .nature = "does exactly one corrector step for all coupling variables at once",
       .estimators = {word_of(Estimator::imCV), word_of(Estimator::imMD)},
       .newton = true},
      {.name = word_of(SchemeKind::waveform),
       .nature = "repeats the macro step with the values it gave",
       .estimators = {word_of(Estimator::waCV), word_of(Estimator::imMD)},
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
    {word_of(Estimator::exMD), word_of(Predictor::least_squares), constants_of_extrapolation},
    {word_of(Estimator::exMD), word_of(Predictor::acc), constants_of_extrapolation},
    {word_of(Estimator::exMD), word_of(Predictor::accrel), constants_of_extrapolation},
    {word_of(Estimator::exLE), word_of(Predictor::accrel),
     "it compares with extrapolation of one degree more, and `accrel` may be of the same order itself"},
    {word_of(Estimator::exMD), word_of(Sweep::gauss_seidel), constants_of_parallel},
    {word_of(Estimator::imMD), word_of(Sweep::gauss_seidel), constants_of_parallel},
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
