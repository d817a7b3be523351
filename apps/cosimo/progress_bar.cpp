#include "progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cosimo::cli {
namespace {

constexpr std::size_t shortest_bar = 10, longest_bar = 40, gap = 2;

std::string repeated(const char* text, std::size_t times) {
  std::string result;
  for (; times > 0; --times) result += text;
  return result;
}

std::string bar(double share, std::size_t columns, const Look& look) {
  const std::size_t inside = look.unicode ? columns : columns - 2;  // [###---]
  const auto done =
      std::min(inside, static_cast<std::size_t>(std::floor(share * static_cast<double>(inside))));
  const std::string full = repeated(look.unicode ? "━" : "#", done);
  const std::string rest = repeated(look.unicode ? "─" : "-", inside - done);
  const std::string both = painted(full, Paint::green, look) + painted(rest, Paint::faint, look);
  return look.unicode ? both : "[" + both + "]";
}

/// What fits of a text; whole characters.
std::string shortened(std::string text, std::size_t columns) {
  while (width_of(text) > columns) text.pop_back();
  return text;
}

}  // namespace

Course course_of(const Progress& progress) {
  Course course;
  course.share = progress.end > 0 ? std::clamp(progress.time / progress.end, 0.0, 1.0) : 1;
  const std::string text = to_text(progress);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("  ", begin), text.size());
    const std::string piece = text.substr(begin, end - begin);
    begin = end + gap;
    if (piece.ends_with(" left"))
      course.left = piece;
    else if (!piece.empty() && !piece.ends_with(" %"))
      course.more.push_back(piece);
  }
  return course;
}

std::string progress_line(const Course& course, const Look& look) {
  const std::size_t room = look.columns > 1 ? look.columns - 1 : 1;
  const std::string percent = fmt::format("{:5.1f} %", 100 * course.share);
  const std::string left = course.left.empty() ? "" : "  " + course.left;
  std::size_t taken = percent.size() + width_of(left);
  if (taken > room) return shortened(course.left.empty() ? percent : course.left, room);
  if (taken + gap + shortest_bar > room) return percent + painted(left, Paint::bold, look);

  taken += gap + shortest_bar;
  std::string more;
  for (const std::string& piece : course.more) {
    if (taken + gap + width_of(piece) > room) break;
    taken += gap + width_of(piece);
    more += "  " + piece;
  }
  const std::size_t length = std::min(longest_bar, shortest_bar + room - taken);
  return percent + "  " + bar(course.share, length, look) + painted(left, Paint::bold, look) + more;
}

}  // namespace cosimo::cli
