// Numbers of a page: encoded for JSON, and thinned so that nothing that stands out is lost.
//
//   Thinner thinner(values_to_come, most_to_keep);
//   thinner.push(t, y);  ...                 in order of time, exactly as many as announced
//   json["u"] = thinner.json();              a Series of apps/report/page/src/data.ts
//
// A course that is too long is divided into stretches with equally many values. Of every stretch the first
// smallest and the first largest value stay, with their times, and the first one that is not a number; of the
// whole course the first and the last. What is drawn then covers the same pixels as the whole course.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace cosimo::page {

using Json = nlohmann::ordered_json;

/// Numbers of data.ts: a list when there are few, with null for what is not finite; otherwise base64 of
/// little-endian values, in which NaN and infinity stay what they are.
Json numbers(std::span<const double> values);
Json numbers(std::span<const float> values);
Json numbers(std::span<const std::int32_t> values);

/// The first of these as text: there are many of them.
std::string numbers_text(std::span<const double> values);

/// A number, or null for what is not finite.
Json number(double value);

std::string base64(std::span<const std::byte> bytes);

/// How many bytes of JSON this many numbers take, at most.
std::size_t encoded_bytes(std::size_t count, std::size_t element_size);
/// The same for a Series that keeps so many points; and how many fit.
std::size_t series_bytes(std::size_t points);
std::size_t points_in(std::size_t bytes);

class Thinner {
 public:
  /// `whole`: y are whole numbers.
  Thinner(std::size_t total, std::size_t most, bool whole = false);
  void push(double t, double y);
  Json json();

  std::size_t total() const { return total_; }
  const std::vector<double>& t() const { return t_; }
  const std::vector<double>& y() const { return y_; }
  void finish();  ///< everything pushed is in t() and y(); json() does it itself

 private:
  struct Point {
    std::size_t index = 0;
    double t = 0, y = 0;
    bool there = false;
  };
  void keep(const Point& point);
  void end_stretch();

  std::size_t total_, stretches_, seen_ = 0, stretch_ = 0;
  bool whole_;
  Point low_, high_, strange_, last_;
  std::size_t kept_ = 0;  ///< index after the last point kept
  std::vector<double> t_, y_;
};

}  // namespace cosimo::page
