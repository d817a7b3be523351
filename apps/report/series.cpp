#include "apps/report/series.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace cosimo::page {

namespace {

static_assert(std::endian::native == std::endian::little, "base64 of a page is little-endian");

constexpr std::size_t few = 16;             // numbers that are written out
constexpr std::size_t longest_number = 25;  // "-1.7976931348623157e+308,"
constexpr std::size_t wrapping = 16;        // {"f64":""} and the name in front

template <class T>
Json list(std::span<const T> values) {
  Json result = Json::array();
  for (const T value : values) result.push_back(number(static_cast<double>(value)));
  return result;
}

template <class T>
Json encoded(const char* type, std::span<const T> values) {
  if (values.size() <= few) return list(values);
  Json result = Json::object();
  result[type] = base64(std::as_bytes(values));
  return result;
}

}  // namespace

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json numbers(std::span<const double> values) {
  return encoded("f64", values);
}

Json numbers(std::span<const float> values) {
  return encoded("f32", values);
}

Json numbers(std::span<const std::int32_t> values) {
  if (values.size() > few) return encoded("i32", values);
  Json result = Json::array();
  for (const std::int32_t value : values) result.push_back(value);
  return result;
}

std::string base64(std::span<const std::byte> bytes) {
  static constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < bytes.size(); i += 3, out += 4) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = (word << 8U) | (k < n ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k <= n; ++k)
      out[k] = digits[(word >> (18U - 6U * static_cast<unsigned>(k))) & 63U];
  }
  return text;
}

std::string numbers_text(std::span<const double> values) {
  if (values.size() > few) return "{\"f64\":\"" + base64(std::as_bytes(values)) + "\"}";
  std::string text = "[";
  std::array<char, 32> digits{};
  for (const double value : values) {
    if (text.size() > 1) text += ',';
    if (std::isfinite(value))
      text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
    else
      text += "null";
  }
  return text + ']';
}

std::size_t encoded_bytes(std::size_t count, std::size_t element_size) {
  if (count <= few) return count * longest_number + wrapping;
  return (count * element_size + 2) / 3 * 4 + wrapping;
}

std::size_t series_bytes(std::size_t points) {
  return 2 * encoded_bytes(points, sizeof(double)) + 40;
}

std::size_t points_in(std::size_t bytes) {
  constexpr std::size_t frame = 2 * wrapping + 48, each = 2 * (sizeof(double) * 4 / 3 + 1);
  if (bytes <= frame) return 0;
  const std::size_t points = (bytes - frame) / each;
  return points > few ? points : std::min(points, (bytes - frame) / (2 * longest_number));
}

Thinner::Thinner(std::size_t total, std::size_t most, bool whole)
    : total_(total),
      stretches_(total <= most ? 0 : std::max<std::size_t>(1, most > 4 ? (most - 2) / 2 : 1)),
      whole_(whole) {
  t_.reserve(std::min(total, most));
  y_.reserve(std::min(total, most));
}

void Thinner::push(double t, double y) {
  const Point point{seen_, t, y, true};
  if (stretches_ == 0) {
    ++seen_;
    return keep(point);
  }
  const std::size_t stretch = seen_ * stretches_ / total_;
  if (stretch != stretch_) {
    end_stretch();
    stretch_ = stretch;
  }
  if (seen_ == 0) keep(point);
  if (std::isnan(y)) {
    if (!strange_.there) strange_ = point;
  } else {
    if (!low_.there || y < low_.y) low_ = point;
    if (!high_.there || y > high_.y) high_ = point;
  }
  last_ = point;
  ++seen_;
}

void Thinner::keep(const Point& point) {
  if (!point.there || point.index < kept_) return;
  t_.push_back(point.t);
  y_.push_back(point.y);
  kept_ = point.index + 1;
}

void Thinner::end_stretch() {
  std::array<Point, 3> points = {low_, high_, strange_};
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.index < b.index; });
  for (const Point& point : points) keep(point);
  low_ = high_ = strange_ = {};
}

void Thinner::finish() {
  if (stretches_ == 0) return;
  end_stretch();
  keep(last_);
  last_ = {};
}

Json Thinner::json() {
  finish();
  Json series = Json::object();
  series["t"] = numbers(std::span<const double>(t_));
  if (whole_) {
    std::vector<std::int32_t> counts(y_.size());
    std::transform(y_.begin(), y_.end(), counts.begin(),
                   [](double y) { return static_cast<std::int32_t>(y); });
    series["y"] = numbers(std::span<const std::int32_t>(counts));
  } else {
    series["y"] = numbers(std::span<const double>(y_));
  }
  series["of"] = total_;
  return series;
}

}  // namespace cosimo::page
