#include "results/plot_axis.hpp"

#include <charconv>

namespace cosimo {

namespace {

std::string decimal(double value, int decimals) {
  char digits[64];
  if (value == 0) return "0";
  const auto end =
      std::to_chars(digits, digits + sizeof digits, std::abs(value), std::chars_format::fixed, decimals);
  if (end.ec != std::errc()) return "?";
  return (value < 0 ? "−" : "") + std::string(digits, end.ptr);
}

double rounded_to(std::span<const double> steps, double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : steps)
    if (step * power >= value * (1 - 1e-12)) return step * power;
  return 10 * power;
}

}  // namespace

double round_up(double value) {
  static constexpr double steps[] = {1, 2, 5};
  return rounded_to(steps, value);
}

double rounded_up(double value) {
  static constexpr double steps[] = {1, 1.2, 1.5, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8};
  return rounded_to(steps, value);
}

std::string short_number(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3);
  return {digits, end.ptr};
}

std::string power_of_ten(int exponent) {
  static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) result += raised[digit - '0'];
  return result;
}

LinearTicks linear_ticks(double low, double high, int wanted) {
  LinearTicks result;
  if (!(high > low) || !std::isfinite(high - low)) return result;
  const double step = round_up((high - low) / wanted);
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(step > 1e-12 * largest)) return result;  // no decimal labels tell such ticks apart
  int exponent = static_cast<int>(std::floor(std::log10(largest)));
  if (exponent >= -2 && exponent <= 4) exponent = 0;
  if (exponent != 0) result.factor = power_of_ten(exponent);
  const double unit = std::pow(10.0, exponent);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)));
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    result.ticks.push_back({value, decimal(value / unit, decimals)});
  }
  return result;
}

std::vector<Tick> logarithmic_ticks(double low, double high, int most) {
  const int first = static_cast<int>(std::floor(std::log10(low))),
            last = static_cast<int>(std::ceil(std::log10(high)));
  const bool decimals = low >= 1e-3 && high <= 1e3;
  std::vector<Tick> result;
  const auto add = [&](int factor, int exponent) {
    const double value = factor * std::pow(10.0, exponent);
    if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) return;
    const std::string label = (factor == 1 ? "" : std::to_string(factor) + "·") + power_of_ten(exponent);
    result.push_back({value, decimals ? short_number(value) : label});
  };
  const int every = std::max(1, (last - first + most - 1) / most);
  const bool fine = std::log10(high / low) * 3 <= most;
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % every != 0) continue;
    add(1, exponent);
    if (!fine) continue;
    add(2, exponent);
    add(5, exponent);
  }
  return result;
}

}  // namespace cosimo
