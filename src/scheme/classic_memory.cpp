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

}  // namespace cosimo
