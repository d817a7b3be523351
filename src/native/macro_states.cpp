#include "native/macro_states.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

void MacroStates::push(double t, std::span<const double> q, std::span<const double> v) {
  while (size_ > 0 && !(points_[0]->t < t)) {
    std::rotate(points_.begin(), points_.begin() + 1, points_.end());
    --size_;
  }
  std::rotate(points_.begin(), points_.end() - 1, points_.end());
  // Lanes that share points are synchronised at macro points: one that nobody else holds is ours to reuse.
  std::shared_ptr<Point>& newest = points_[0];
  if (!newest || newest.use_count() > 1 || newest->q.size() != q.size())
    newest = std::make_shared<Point>(Point{t, AlignedVector(q.size()), AlignedVector(v.size())});
  newest->t = t;
  std::copy(q.begin(), q.end(), newest->q.begin());
  std::copy(v.begin(), v.end(), newest->v.begin());
  size_ = std::min(size_ + 1, most);
}

void MacroStates::archive(Archive& a, std::size_t coordinates) {
  std::size_t size = size_;
  a(size);
  if (size > most) throw ArchiveError("the data hold too many macro points");
  size_ = size;
  for (std::size_t k = 0; k < size_; ++k) {
    std::shared_ptr<Point>& point = points_[k];
    // Snapshots may hold the points of before.
    if (a.loading())
      point = std::make_shared<Point>(Point{0, AlignedVector(coordinates), AlignedVector(coordinates)});
    a(point->t, std::span<double>(point->q), std::span<double>(point->v));
  }
}

void MacroStates::extrapolate(double t, std::span<double> q, std::span<double> v) const {
  COSIMO_CHECK(size_ > 0, "extrapolation from no macro point");
  std::fill(q.begin(), q.end(), 0.0);
  std::fill(v.begin(), v.end(), 0.0);
  for (std::size_t k = 0; k < size_; ++k) {
    const Point& point = *points_[k];
    double weight = 1;
    for (std::size_t j = 0; j < size_; ++j)
      if (j != k) weight *= (t - points_[j]->t) / (point.t - points_[j]->t);
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] += weight * point.q[i];
      v[i] += weight * point.v[i];
    }
  }
}

}  // namespace cosimo
