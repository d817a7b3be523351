#include "model/model_hash.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/check.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/mechanism.hpp"
#include "mechanics/minimal_pendulum.hpp"

namespace cosimo {

namespace {

/// FNV-1a over words of 64 bits, closed by a bit mixer: a single changed word always changes the digest.
class Digest {
 public:
  void add(std::uint64_t word) { state_ = (state_ ^ word) * 0x100000001b3ULL; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value + 0.0)); }  // -0.0 counts as 0.0
  void add(const Curve* curve) { add(curve->digest()); }
  void add(BodyId body) { add(static_cast<std::uint64_t>(static_cast<std::int64_t>(body.value))); }
  std::uint64_t value() const {
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// What lies in a block, at most `count` numbers in all.
Range block_of(std::size_t block, std::size_t count) {
  return {std::min(block * hash_block, count), std::min((block + 1) * hash_block, count)};
}

/// By value: a single number and an array of equal ones are the same model.
void add(Digest& digest, const Field& field, Range entries) {
  for (std::size_t i = entries.first; i < entries.last; ++i) digest.add(field[i]);
}

void add_bodies(Digest& digest, const Model& model, Range bodies) {
  digest.add(static_cast<std::uint64_t>(bodies.size()));
  add(digest, model.bodies.mass, bodies);
  if (bodies.size() == 0) return;
  const std::size_t first = model.coordinates(BodyId(bodies.first)).first,
                    last = model.coordinates(BodyId(bodies.last - 1)).last;
  for (std::size_t i = first; i < last; ++i) digest.add(model.bodies.x[i]);
  for (std::size_t i = first; i < last; ++i) digest.add(model.bodies.v[i]);
}

void add_elements(Digest& digest, const SpringDampers& elements, Range rows) {
  digest.add(static_cast<std::uint64_t>(rows.size()));
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    digest.add(elements.from[i]);
    digest.add(elements.to[i]);
  }
  for (const Field* field : {&elements.c, &elements.d, &elements.C, &elements.D}) add(digest, *field, rows);
}

void add_loads(Digest& digest, const Loads& loads, Range bodies) {
  for_each_table([&](auto table) {
    const auto rows = on(loads.*table, BodyId(bodies.first), BodyId(bodies.last));
    // A kind that came later leaves the digests of models without it as they were.
    constexpr bool later = std::is_same_v<decltype(table), std::vector<CurveLoad> Loads::*>;
    if (!later || !rows.empty()) digest.add(static_cast<std::uint64_t>(rows.size()));
    for (const auto& load : rows) {
      digest.add(load.body);
      std::apply([&](const auto&... number) { (digest.add(number), ...); }, load.numbers());
    }
  });
}

/// What an element does that begins to remember at one state and is then at another, and where all that it
/// remembers is one.
template <class MadeUp>
void add_memory(const ElementMemory& memory, const MadeUp& made_up, Digest& digest) {
  const Extent extent = memory.extent();
  std::vector<double> z(extent.z), s(extent.s), out(std::max(extent.z, extent.roots));
  memory.begin(made_up(1.0), made_up(1.1), z.data(), s.data());
  for (int round = 0; round < 2; ++round) {
    Effort effort;
    const Remembered y{z.data(), s.data()};
    digest.add(
        static_cast<std::uint64_t>(memory.effort(0.37, made_up(1.05), made_up(1.15), y, effort, out.data())));
    for (std::size_t k = 0; k < extent.z; ++k) digest.add(out[k]);
    for (const Vec3* part : {&effort.force, &effort.torque_from, &effort.torque_to})
      for (const double x : *part) digest.add(x);
    memory.roots(0.37, made_up(1.05), made_up(1.15), y, out.data());
    for (std::size_t k = 0; k < extent.roots; ++k) digest.add(out[k]);
    std::fill(z.begin(), z.end(), 1.0);
    std::fill(s.begin(), s.end(), 1.0);
  }
}

/// Parameters of elements and constraints are theirs; what they do at two made-up states tells them apart.
void add(Digest& digest, const Mechanism& mechanism) {
  const auto add_numbers = [&](const auto& matrix) {
    for (Eigen::Index i = 0; i < matrix.size(); ++i) digest.add(matrix.data()[i]);
  };
  const auto add_text = [&](std::string_view text) {
    for (const char c : text) digest.add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  };
  for (const Body& body : mechanism.bodies) {
    add_text(body.name);
    digest.add(static_cast<std::uint64_t>(body.kind));
    digest.add(body.mass);
    add_numbers(body.inertia);
    add_numbers(body.reference);
  }
  add_numbers(mechanism.gravity);
  for (const std::uint64_t curve : mechanism.curves) digest.add(curve);
  const auto made_up = [](double seed) {
    Frame frame;
    frame.r = {0.31 * seed, -0.17 * seed, 0.23 + 0.1 * seed};
    frame.R = Eigen::AngleAxisd(0.7 * seed, Vec3(1, -2, 3).normalized()).toRotationMatrix();
    frame.v = {-0.4, 0.3 * seed, 0.9};
    frame.w = {0.2 * seed, 0.6, -0.5};
    return frame;
  };
  for (const auto& element : mechanism.elements) {
    add_text(element->name);
    add_text(element->kind());
    for (const Marker* marker : {&element->at_from, &element->at_to}) {
      digest.add(marker->body);
      add_numbers(marker->point);
      add_numbers(marker->axes);
    }
    for (const double seed : {1.0, 1.7}) {
      Effort effort;
      digest.add(
          static_cast<std::uint64_t>(element->effort(0.37 * seed, made_up(seed), made_up(2 - seed), effort)));
      add_numbers(effort.force);
      add_numbers(effort.torque_from);
      add_numbers(effort.torque_to);
    }
    if (const ElementMemory* memory = element->memory()) add_memory(*memory, made_up, digest);
  }
  for (const auto& group : mechanism.groups) {
    add_text(group->name);
    add_text(group->kind());
    for (const BodyId body : group->bodies()) digest.add(body);
    for (const double x : group->parameters()) digest.add(x);
  }
  for (const auto& constraint : mechanism.constraints) {
    add_text(constraint->name);
    add_text(constraint->kind());
    std::vector<Frame> frames;
    for (const BodyId body : constraint->bodies()) {
      digest.add(body);
      frames.push_back(made_up(0.6 + static_cast<double>(frames.size())));
    }
    RowVector g;
    for (const double t : {0.0, 0.37}) {
      constraint->residual(t, frames, g);
      add_numbers(g);
    }
  }
}

}  // namespace

std::size_t hash_blocks(std::size_t bodies, std::size_t elements) {
  return (std::max(bodies, elements) + hash_block - 1) / hash_block;
}

std::vector<std::uint64_t> block_hashes(const Model& model, Range blocks) {
  COSIMO_CHECK(blocks.last <= hash_blocks(model.bodies.count, model.elements.count()), "blocks of a model");
  std::vector<std::uint64_t> hashes;
  for (std::size_t block = blocks.first; block < blocks.last; ++block) {
    const Range bodies = block_of(block, model.bodies.count);
    const Range elements = block_of(block, model.elements.count());
    COSIMO_CHECK((!model.bodies.filled || model.bodies.filled->missing(bodies).empty()) &&
                     (!model.elements.filled || model.elements.filled->missing(elements).empty()),
                 "the hash of a block that is not filled");
    Digest digest;
    add_bodies(digest, model, bodies);
    add_elements(digest, model.elements, elements);
    add_loads(digest, model.loads, bodies);
    hashes.push_back(digest.value());
  }
  return hashes;
}

std::uint64_t combine_hashes(const Model& model, std::span<const std::uint64_t> blocks) {
  COSIMO_CHECK(blocks.size() == hash_blocks(model.bodies.count, model.elements.count()),
               "hashes of all blocks of a model");
  Digest digest;
  digest.add(static_cast<std::uint64_t>(model.bodies.count));
  digest.add(static_cast<std::uint64_t>(model.elements.count()));
  digest.add(model.elements.ex);
  digest.add(model.elements.ev);
  for (const std::uint64_t block : blocks) digest.add(block);
  if (model.mechanism) add(digest, *model.mechanism);
  if (model.pendulum) {
    const MinimalPendulum::Parameters& p = model.pendulum->parameters();
    for (const double value : {p.gravity, p.length, p.mass}) digest.add(value);
  }
  return digest.value();
}

std::uint64_t hash(const Model& model) {
  return combine_hashes(model,
                        block_hashes(model, {0, hash_blocks(model.bodies.count, model.elements.count())}));
}

}  // namespace cosimo
