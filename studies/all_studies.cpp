#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "studies/names.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {

const std::vector<Study>& all_studies() {
  static const std::vector<Study> studies{
      convergence(),    predictors(),    estimators(), safety(),      tolerances(),         asymmetry(),
      subsystems(),     scaling_order(), impulses(),   micro_steps(), interface_jacobian(), feedthrough(),
      stability_maps(), n_pendulum(),    network(),    paper_2017()};
  return studies;
}

double expected_seconds(const Study& study, double scale) {
  return study.seconds * std::pow(scale, study.growth);
}

const Study& find_study(std::string_view name) {
  const std::vector<Study>& studies = all_studies();
  const auto found =
      std::find_if(studies.begin(), studies.end(), [&](const Study& s) { return s.name == name; });
  if (found != studies.end()) return *found;
  std::string names;
  for (const Study& study : studies) names += (names.empty() ? "" : ", ") + study.name;
  const std::string_view meant = nearest(name, study_names);
  throw Error(Fault{.field = "NAME",
                    .value = std::string(name),
                    .problem = "there is no study of that name",
                    .remedy = (meant.empty() ? "" : "did you mean '" + std::string(meant) + "'? ") +
                              "one of: " + names + ", or all"});
}

Statement judged(std::string published, std::string where, std::string ours, bool holds, std::string reason) {
  return {.published = std::move(published),
          .where = std::move(where),
          .ours = std::move(ours),
          .verdict = holds ? Verdict::agrees : Verdict::differs,
          .reason = holds ? std::string() : std::move(reason)};
}

Statement not_shown(std::string published, std::string where, std::string reason) {
  return {
      .published = std::move(published), .where = std::move(where), .ours = "", .reason = std::move(reason)};
}

Statement timed(Statement statement) {
  statement.timed = true;
  return statement;
}

}  // namespace cosimo::studies
