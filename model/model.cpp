#include "model/model.hpp"

#include <bit>

namespace cosimo {

namespace {

/// FNV-1a over words of 64 bits, closed by a bit mixer: a single changed word always changes the digest.
class Digest {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3ULL; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0.0 counts as 0.0
  void add(BodyId body) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(body.value))); }
  /// By value: a single number and an array of equal ones are the same model.
  void add(const Field& field, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(field[i]);
  }
  std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

void add(Digest& digest, const Bodies& bodies) {
  digest.add(static_cast<std::uint64_t>(bodies.count));
  digest.add(bodies.mass, bodies.count);
  for (const double x : bodies.x) digest.add(x);
  for (const double v : bodies.v) digest.add(v);
}

void add(Digest& digest, const SpringDampers& elements) {
  const std::size_t n = elements.count();
  digest.add(static_cast<std::uint64_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    digest.add(elements.from[i]);
    digest.add(elements.to[i]);
  }
  for (const Field* field : {&elements.c, &elements.d, &elements.C, &elements.D}) digest.add(*field, n);
  digest.add(elements.ex);
  digest.add(elements.ev);
}

void add(Digest& digest, const Loads& loads) {
  digest.add(static_cast<std::uint64_t>(loads.harmonic.size()));
  for (const Harmonic& load : loads.harmonic) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.omega, load.phase}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.contact.size()));
  for (const Contact& load : loads.contact) {
    digest.add(load.body);
    for (const double value : {load.A, load.B}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.impulse.size()));
  for (const Impulse& load : loads.impulse) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.start, load.duration, load.steepness}) digest.add(value);
  }
  digest.add(static_cast<std::uint64_t>(loads.powersine.size()));
  for (const PowerSine& load : loads.powersine) {
    digest.add(load.body);
    for (const double value : {load.amplitude, load.omega, load.phase, load.exponent}) digest.add(value);
  }
}

}  // namespace

std::uint64_t hash(const Model& model) {
  Digest digest;
  add(digest, model.bodies);
  add(digest, model.elements);
  add(digest, model.loads);
  digest.add(static_cast<std::uint64_t>(model.constraints.count));
  return digest.value();
}

}  // namespace cosimo
