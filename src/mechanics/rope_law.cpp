#include "mechanics/rope_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cosimo {

namespace {

constexpr double share_of_noise = 1e-9;  ///< of a pull: this close to its bound the rates decide

/// Where duals are compared, their values count.
double value(double x) {
  return x;
}
template <std::size_t N, class S>
double value(const Dual<N, S>& x) {
  return value(x.v);
}

}  // namespace

RopeLaw::RopeLaw(std::vector<RopeStop> stations, const Numbers& numbers, std::vector<double> material)
    : stations_(std::move(stations)), numbers_(numbers), material_(std::move(material)) {
  bool all_free = numbers_.closed;
  for (std::size_t k = 0; k < this->stations(); ++k) all_free = all_free && free(k);
  if (all_free) held_ = 0;
}

std::vector<double> RopeLaw::material_for(std::span<const RopeStop> stations, std::span<const double> in,
                                          double strain) {
  std::vector<double> out(in.size() / inputs);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const RopeStop &from = stations[k], &to = stations[(k + 1) % stations.size()];
    out[k] = in[inputs * k + length] / (1 + strain) + from.radius * from.sense * in[inputs * k + leaves] -
             to.radius * to.sense * in[inputs * k + arrives];
  }
  return out;
}

double RopeLaw::wound(std::span<const RopeStop> stations, std::span<const double> in, bool closed) {
  double sum = 0;
  const std::size_t spans = in.size() / inputs;
  for (std::size_t k = closed ? 0 : 1; k < spans; ++k) {
    const std::size_t before = (k + spans - 1) % spans;
    sum += stations[k].radius * stations[k].sense * (in[inputs * k + leaves] - in[inputs * before + arrives]);
  }
  return sum;
}

template <class T>
T RopeLaw::wrap(std::size_t station, const T* in) const {
  const std::size_t before = (station + spans() - 1) % spans();
  const T turn = in[inputs * station + leaves] - in[inputs * before + arrives];
  const int sense = stations_[station].sense;
  return sense > 0 || (sense == 0 && value(turn) > 0) ? turn : -turn;
}

template <class S>
RopeLaw::Moving<S> RopeLaw::unslipped(std::size_t span, const double* slipped, const Moving<S>& pay,
                                      const Moving<S>* in) const {
  const std::size_t next = end_of(span);
  const RopeStop &from = stations_[span], &to = stations_[next];
  Moving<S> m(material_[span]);
  if (from.sense != 0) m -= Moving<S>(from.radius * from.sense) * in[inputs * span + leaves];
  if (to.sense != 0) m += Moving<S>(to.radius * to.sense) * in[inputs * span + arrives];
  if (passes(span)) m += Moving<S>(slipped[span]);
  if (passes(next)) m -= Moving<S>(slipped[next]);
  if (span == 0) m += pay;
  return m;
}

/// The spans of a run share what they have; see the header.
template <class S>
void RopeLaw::slip_run(std::size_t first, std::size_t count, const Moving<S>* in,
                       const std::vector<int>& slides, Moving<S>* material) const {
  using T = Moving<S>;
  const double per_pull = 2 / numbers_.stiffness;
  T rope(0.0), room(0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = (first + i) % spans();
    rope += material[k];
    room += in[inputs * k + length];
  }
  if (value(room) <= value(rope)) {  // slack
    const T share = rope / room;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = (first + i) % spans();
      material[k] = share * in[inputs * k + length];
    }
    return;
  }
  const auto factor = [&](std::size_t i, const T& before) {
    const std::size_t k = (first + i) % spans();
    if (i == 0 || free(k)) return before;
    return before * exp(T(slides[k] * *stations_[k].friction) * wrap(k, in));
  };
  // From the left on a convex falling function Newton's method does not overshoot.
  double x = 0, slope = -1;
  for (int n = 0; n < 100; ++n) {
    double rest = -value(rope);
    slope = 0;
    T c(1.0);
    for (std::size_t i = 0; i < count; ++i) {
      c = factor(i, c);
      const double inside = 1 + per_pull * value(c) * x;
      const double part = value(in[inputs * ((first + i) % spans()) + length]) / std::sqrt(inside);
      rest += part;
      slope -= 0.5 * part * per_pull * value(c) / inside;
    }
    const double step = -rest / slope;
    x += step;
    if (!(step > 1e-15 * x)) break;
  }
  // With a fixed slope each time makes one order of derivatives right.
  T pulled(x);
  for (int n = 0; n < 2; ++n) {
    T rest = -rope, c(1.0);
    for (std::size_t i = 0; i < count; ++i) {
      c = factor(i, c);
      rest += in[inputs * ((first + i) % spans()) + length] / sqrt(T(1.0) + T(per_pull) * c * pulled);
    }
    pulled -= rest * T(1 / slope);
  }
  T c(1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t k = (first + i) % spans();
    c = factor(i, c);
    material[k] = in[inputs * k + length] / sqrt(T(1.0) + T(per_pull) * c * pulled);
  }
}

template <class S>
void RopeLaw::slip(const double* slipped, const Moving<S>& pay, const Moving<S>* in,
                   const std::vector<int>& slides, Moving<S>* material) const {
  for (std::size_t k = 0; k < spans(); ++k) material[k] = unslipped(k, slipped, pay, in);
  std::size_t begin = 0;
  if (numbers_.closed)
    while (begin < spans() && moves(begin, slides)) ++begin;
  for (std::size_t i = 0; i < spans();) {
    std::size_t count = 1;
    while (i + count < spans() && moves((begin + i + count) % spans(), slides)) ++count;
    if (count > 1) slip_run((begin + i) % spans(), count, in, slides, material);
    i += count;
  }
}

template <class S>
RopeLaw::Pull<S> RopeLaw::pull(const Moving<S>& straight, const Moving<S>& material) const {
  const Moving<S> strain = straight / material - Moving<S>(1.0);
  if (value(strain) <= 0) return {};
  const S elastic = numbers_.stiffness * strain.v;
  S damper = numbers_.damping * strain.d[0];
  if (value(damper) > value(elastic)) damper = elastic;
  if (value(damper) < -value(elastic)) damper = -elastic;
  return {elastic + damper, elastic + 0.5 * strain.v * elastic + damper};
}

RopeLaw::Moving<double> RopeLaw::elastic(const Room& room, std::size_t span) const {
  using T = Moving<double>;
  const T strain = room.in[inputs * span + length] / room.material[span] - T(1.0);
  if (strain.v <= 0) return {};
  return T(numbers_.stiffness) * (strain + T(0.5) * strain * strain);
}

RopeLaw::Bounds RopeLaw::bounds(std::size_t station, const Room& room) const {
  using T = Moving<double>;
  const T in = elastic(room, (station + spans() - 1) % spans()), out = elastic(room, station);
  const T most = exp(T(*stations_[station].friction) * wrap(station, room.in.data()));
  return {out - most * in, in - most * out, share_of_noise * (in.v + out.v) + 1e-15 * numbers_.stiffness};
}

bool RopeLaw::add_worst(Room& room) const {
  std::size_t worst = stations(), sliding = 0;
  double most = 0;
  int direction = 0;
  for (std::size_t k = 0; k < stations(); ++k) {
    if (moves(k, room.slides)) ++sliding;
    if (!may_slip(k) || room.slides[k] != 0) continue;
    const Bounds at = bounds(k, room);
    for (const auto& [beyond, way] : {std::pair{at.forwards, 1}, {at.backwards, -1}}) {
      if (!(beyond.v > at.noise || (beyond.v > -at.noise && beyond.d[0] > 0))) continue;
      const double size = (beyond.v + 2 * at.noise) / at.noise;
      if (size <= most) continue;
      most = size;
      worst = k;
      direction = way;
    }
  }
  // A belt cannot slip on all pulleys at once.
  if (worst == stations() || (numbers_.closed && sliding + 1 >= stations())) return false;
  room.slides[worst] = direction;
  return true;
}

/// Fills room.slip; false: none of those that slip goes the wrong way.
bool RopeLaw::drop_backwards(Room& room) const {
  bool dropped = false;
  for (std::size_t k = 0; k < stations(); ++k) {
    if (room.slides[k] == 0) continue;
    const double noise = 4 * share_of_noise * room.in[inputs * k + length].v;
    if (room.slip[k] * room.slides[k] >= -noise) continue;
    room.slides[k] = 0;
    dropped = true;
  }
  return dropped;
}

void RopeLaw::find_slip(const double* slipped, const Moving<double>& pay, Room& room) const {
  std::fill(room.slip.begin(), room.slip.end(), 0.0);
  // Of a belt the first station that does not slip begins the sum.
  std::size_t begin = 0;
  if (numbers_.closed)
    while (begin < spans() && moves(begin, room.slides)) ++begin;
  double passed = 0;
  for (std::size_t i = 0; i < spans(); ++i) {
    const std::size_t k = (begin + i) % spans();
    if (moves(k, room.slides))
      room.slip[k] = passed;
    else
      passed = 0;
    passed -= room.material[k].v - unslipped(k, slipped, pay, room.in.data()).v;
  }
}

bool RopeLaw::find(const double* slipped, const Moving<double>& pay, Room& room) const {
  room.material.resize(spans());
  room.pulls.resize(spans());
  room.slip.assign(stations(), 0.0);
  room.slides.assign(stations(), 0);
  bool settled = false;
  for (std::size_t n = 0; n < 4 * stations() + 4 && !settled; ++n) {
    slip(slipped, pay, room.in.data(), room.slides, room.material.data());
    find_slip(slipped, pay, room);
    settled = !drop_backwards(room) && !add_worst(room);
  }
  for (std::size_t k = 0; k < spans(); ++k) {
    if (!(room.material[k].v > 0)) return false;
    room.pulls[k] = pull(room.in[inputs * k + length], room.material[k]);
    if (!std::isfinite(room.pulls[k].tension)) return false;
  }
  return settled;
}

void RopeLaw::vary(const double* slipped, const Moving<Varied>& pay, std::span<const Moving<Varied>> in,
                   const Room& room, std::span<Moving<Varied>> material, std::span<Pull<Varied>> out) const {
  slip(slipped, pay, in.data(), room.slides, material.data());
  for (std::size_t k = 0; k < spans(); ++k) out[k] = pull(in[inputs * k + length], material[k]);
}

double RopeLaw::energy(const Room& room) const {
  double sum = 0;
  for (std::size_t k = 0; k < spans(); ++k) {
    const double m = room.material[k].v, strain = room.in[inputs * k + length].v / m - 1;
    if (strain > 0) sum += 0.5 * numbers_.stiffness * strain * strain * m;
  }
  return sum;
}

RopeLaw::Excess RopeLaw::excess(std::size_t station, const double* slipped, const Moving<double>& pay,
                                const Room& room) const {
  using T = Moving<double>;
  const auto unslipped_pull = [&](std::size_t span) {
    const double m = unslipped(span, slipped, pay, room.in.data()).v;
    const double strain = std::max(0.0, room.in[inputs * span + length].v / m - 1);
    return numbers_.stiffness * strain * (1 + 0.5 * strain);
  };
  const double in = unslipped_pull((station + spans() - 1) % spans()), out = unslipped_pull(station);
  const T most = exp(T(*stations_[station].friction) * wrap(station, room.in.data()));
  const double noise = share_of_noise * (in + out);
  return {out - most.v * in + noise, in - most.v * out + noise};
}

}  // namespace cosimo
