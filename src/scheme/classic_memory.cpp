// The histories of a classic scheme as plain numbers, for its recurrence (scheme/recurrence.hpp).
#include <algorithm>

#include "scheme/classic.hpp"

namespace cosimo {

std::size_t ClassicScheme::memory_points(int kappa) const {
  const int motion = options_.motion ? options_.motion->degree : 0;
  const int degree = motion_ && !options_.motion->omega ? motion : std::max(kappa, motion);
  return static_cast<std::size_t>(std::max(degree + 1, options_.predictor.least_squares_points));
}

std::size_t ClassicScheme::memory_size(std::size_t points) const {
  std::size_t per_point = history_.variables();
  if (accelerations_) per_point += accelerations_->variables();
  if (states_) per_point += states_->variables();
  return points * per_point;
}

void ClassicScheme::read_memory(std::size_t points, std::span<double> numbers) const {
  auto out = numbers.begin();
  for (std::size_t back = points; back-- > 0;)
    for (const History* h :
         {&history_, accelerations_ ? &*accelerations_ : nullptr, states_ ? &*states_ : nullptr})
      if (h != nullptr) out = std::copy(h->values(back).begin(), h->values(back).end(), out);
}

void ClassicScheme::write_memory(double t, double H, std::size_t points, std::span<const double> numbers) {
  std::size_t at = 0;
  for (History* h : {&history_, accelerations_ ? &*accelerations_ : nullptr, states_ ? &*states_ : nullptr})
    if (h != nullptr) h->clear();
  for (std::size_t back = points; back-- > 0;)
    for (History* h : {&history_, accelerations_ ? &*accelerations_ : nullptr, states_ ? &*states_ : nullptr})
      if (h != nullptr) {
        h->push(t - static_cast<double>(back) * H, numbers.subspan(at, h->variables()));
        at += h->variables();
      }
  lanes_.gather(Beside::none, y_start_);
}

/// The polynomial through as many of the newest points as the step has used, and the new one.
double ClassicScheme::variable_at(std::size_t variable, double t, bool held) const {
  if (history_.size() < 2 || t >= history_.time(0)) return history_.values(0)[variable];
  if (held) return history_.values(1)[variable];
  const std::size_t points = std::min(history_.size(), static_cast<std::size_t>(std::max(kappa_, 0)) + 2);
  double value = 0;
  for (std::size_t i = 0; i < points; ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < points; ++j)
      if (j != i) weight *= (t - history_.time(j)) / (history_.time(i) - history_.time(j));
    value += weight * history_.values(i)[variable];
  }
  return value;
}

}  // namespace cosimo
