#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/write.hpp"

namespace cosimo::studies {
namespace {

/// Lines of at most `width` characters, broken at spaces.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
  }
  return lines;
}

std::string mark(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "DIFFERS";
    default:
      return "not shown";
  }
}

std::string indented(std::string_view label, std::string_view text) {
  std::string result;
  for (const std::string& line : wrapped(text, 90)) {
    result += fmt::format("  {:<11}{}\n", label, line);
    label = "";
  }
  return result;
}

struct Count {
  std::size_t agrees = 0, differs = 0, not_shown = 0;
  std::size_t all() const { return agrees + differs + not_shown; }
};

Count count(const Finding& finding) {
  Count result;
  for (const Statement& s : finding.statements)
    ++(s.verdict == Verdict::agrees    ? result.agrees
       : s.verdict == Verdict::differs ? result.differs
                                       : result.not_shown);
  return result;
}

}  // namespace

std::string verdict_table(const Conclusion& conclusion) {
  const Study& study = *conclusion.study;
  const Count counts = count(conclusion.finding);
  std::string text = fmt::format("{}: {} ({})\n", study.name, study.title, study.source);
  for (const Statement& s : conclusion.finding.statements) {
    text += fmt::format("\n{} ({})\n", mark(s.verdict), s.where);
    text += indented("published", s.published);
    if (!s.ours.empty()) text += indented("ours", s.ours);
    if (!s.reason.empty()) text += indented("reason", s.reason);
  }
  if (!conclusion.failed.empty()) text += "\nThe study ended early: " + conclusion.failed + "\n";
  return text + fmt::format("\n{} of {} published statements reproduced, {} differ, {} not shown\n",
                            counts.agrees, counts.all(), counts.differs, counts.not_shown);
}

std::string closing_table(std::span<const Conclusion> conclusions) {
  std::string text =
      fmt::format("{:<20}{:>12}{:>10}{:>10}{:>11}\n", "study", "statements", "agree", "differ", "not shown");
  Count total;
  for (const Conclusion& c : conclusions) {
    const Count n = count(c.finding);
    total.agrees += n.agrees, total.differs += n.differs, total.not_shown += n.not_shown;
    text += fmt::format("{:<20}{:>12}{:>10}{:>10}{:>11}{}\n", c.study->name, n.all(), n.agrees, n.differs,
                        n.not_shown, c.failed.empty() ? "" : "  ended early: " + c.failed);
  }
  text += fmt::format("{:<20}{:>12}{:>10}{:>10}{:>11}\n", "all", total.all(), total.agrees, total.differs,
                      total.not_shown);
  for (const Conclusion& c : conclusions)
    for (const Statement& s : c.finding.statements) {
      if (s.verdict == Verdict::agrees) continue;
      text += fmt::format("\n{} ({}, {})\n", mark(s.verdict), c.study->name, s.where);
      text += indented("published", s.published);
      if (!s.ours.empty()) text += indented("ours", s.ours);
      text += indented("reason", s.reason);
    }
  return text;
}

std::string study_list(double scale) {
  std::string text;
  for (const Study& study : all_studies()) {
    text += fmt::format("{:<20}{} ({}), about {:.0f} s\n", study.name, study.title, study.source,
                        expected_seconds(study, scale));
    for (const std::string& line : wrapped(study.about.empty() ? "" : study.about.front(), 90))
      text += fmt::format("{:<20}{}\n", "", line);
  }
  return text;
}

}  // namespace cosimo::studies
