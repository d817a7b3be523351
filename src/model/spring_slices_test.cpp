#include "model/spring_slices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "core/random.hpp"
#include "numerics/pack_choice.hpp"

namespace cosimo {
namespace {

/// Elements among rows; the ground is row -1.
struct Rows {
  std::size_t size = 0;
  std::vector<std::pair<std::int32_t, std::int32_t>> joined;
};

Rows chain(std::size_t size) {
  Rows rows{size, {{-1, 0}}};
  for (std::size_t i = 0; i + 1 < size; ++i)
    rows.joined.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + 1));
  return rows;
}

Rows lattice(std::int32_t width, std::int32_t height) {
  Rows rows{static_cast<std::size_t>(width * height), {}};
  for (std::int32_t y = 0; y < height; ++y)
    for (std::int32_t x = 0; x < width; ++x) {
      if (x + 1 < width) rows.joined.emplace_back(y * width + x, y * width + x + 1);
      if (y + 1 < height) rows.joined.emplace_back((y + 1) * width + x, y * width + x);
    }
  return rows;
}

/// With an element to the ground at both ends of every row.
Rows walled(std::int32_t width, std::int32_t height) {
  Rows rows = lattice(width, height);
  for (std::int32_t y = 0; y < height; ++y)
    for (const std::int32_t x : {0, width - 1}) rows.joined.emplace_back(-1, y * width + x);
  return rows;
}

Rows box(std::int32_t width, std::int32_t height, std::int32_t depth) {
  Rows rows{static_cast<std::size_t>(width * height * depth), {}};
  const std::int32_t step[] = {1, width, width * height};
  for (std::int32_t i = 0; i < width * height * depth; ++i) {
    const bool last[] = {i % width + 1 == width, i / width % height + 1 == height,
                         i / (width * height) + 1 == depth};
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!last[axis]) rows.joined.emplace_back(i, i + step[axis]);
  }
  return rows;
}

/// A chain with as many elements again between any rows, some beside others, and some to the ground.
Rows tangle(std::size_t size, std::uint64_t seed) {
  Rows rows = chain(size);
  const RandomStream random(seed, 5);
  auto any = [&, next = std::uint64_t{0}]() mutable {
    return static_cast<std::int32_t>(random.uniform(next++) * static_cast<double>(size));
  };
  for (std::size_t k = 0; k < size; ++k) {
    const std::int32_t a = any(), b = any();
    if (a != b) rows.joined.emplace_back(a, k % 7 == 0 ? -1 : b);
  }
  return rows;
}

Rows star(std::size_t arms) {
  Rows rows{arms + 1, {}};
  for (std::size_t i = 1; i <= arms; ++i) rows.joined.emplace_back(0, static_cast<std::int32_t>(i));
  return rows;
}

enum class Laws { equal, different };

struct Problem {
  Problem(Rows table, Laws laws, double exponent, bool nonlinear) : rows(std::move(table)) {
    const RandomStream random(7, 9);
    std::uint64_t next = 0;
    const auto number = [&] { return 0.5 + random.uniform(next++); };
    const std::size_t count = rows.joined.size();
    const auto field = [&](bool some) {
      std::vector<double> values(laws == Laws::equal ? 1 : count);
      for (double& value : values) value = some ? number() : 0.0;
      return Field(values);
    };
    elements.c = field(true);
    elements.d = field(true);
    elements.C = field(nonlinear);
    elements.D = field(nonlinear);
    elements.ex = elements.ev = exponent;
    for (std::size_t i = 0; i < rows.size; ++i) {
      q.push_back(2 * number() - 2);
      v.push_back(2 * number() - 2);
    }
    AlignedVector mass(rows.size);
    for (double& m : mass) m = laws == Laws::equal ? 2.0 : number();
    masses = Masses(std::move(mass));
    for (std::size_t e = 0; e < count; ++e) {
      const auto [a, b] = rows.joined[e];
      if (a >= 0) ends.push_back({a, b, ElementId(e)});
      if (b >= 0) ends.push_back({b, a, ElementId(e)});
    }
  }

  std::vector<double> expected() const {
    std::vector<double> force(rows.size, 0.0);
    for (const SpringEnd& end : ends) {
      const auto i = static_cast<std::size_t>(end.row), j = static_cast<std::size_t>(end.other);
      const double y = end.other < 0 ? 0.0 : q[j], w = end.other < 0 ? 0.0 : v[j];
      force[i] += elements.law(end.element).force(y - q[i], w - v[i]);
    }
    for (std::size_t i = 0; i < rows.size; ++i) force[i] *= masses.inverse(i);
    return force;
  }
  std::vector<double> computed(Range dofs) const {
    std::vector<double> a(rows.size, -1.0);
    EXPECT_TRUE(
        SpringSlices(elements, rows.size, ends).accelerate(q.data(), v.data(), a.data(), dofs, masses));
    return a;
  }
  std::vector<double> computed() const { return computed({0, rows.size}); }

  Rows rows;
  SpringDampers elements;
  std::vector<SpringEnd> ends;
  std::vector<double> q, v;
  Masses masses;
};

void for_problems(const std::function<void(const Problem&, const std::string&)>& f) {
  const std::pair<const char*, Rows> all[] = {{"one row", {1, {{-1, 0}}}},
                                              {"two rows", chain(2)},
                                              {"chain 7", chain(7)},
                                              {"chain 8", chain(8)},
                                              {"chain 9", chain(9)},
                                              {"chain 61", chain(61)},
                                              {"chain 64", chain(64)},
                                              {"lattice 5 x 3", lattice(5, 3)},
                                              {"lattice 8 x 8", lattice(8, 8)},
                                              {"lattice 13 x 11", lattice(13, 11)},
                                              {"lattice 24 x 9", lattice(24, 9)},
                                              {"walls 19 x 9", walled(19, 9)},
                                              {"walls 16 x 7", walled(16, 7)},
                                              {"box 9 x 8 x 7", box(9, 8, 7)},
                                              {"tangle 30", tangle(30, 1)},
                                              {"tangle 77", tangle(77, 2)},
                                              {"star 40", star(40)},
                                              {"nothing", {11, {}}}};
  for (const auto& [name, rows] : all)
    for (const Laws laws : {Laws::equal, Laws::different})
      for (const double exponent : {0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 2.5})
        f(Problem(rows, laws, exponent == 0 ? 3 : exponent, exponent != 0),
          std::string(name) + (laws == Laws::equal ? ", one law" : ", many laws") + ", exponent " +
              std::to_string(exponent));
}

TEST(SpringSlices, AddUpEveryElementOfARow) {
  for_problems([](const Problem& problem, const std::string& name) {
    const std::vector<double> expected = problem.expected(), a = problem.computed();
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_NEAR(a[i], expected[i], 2e-14 * (20 + std::fabs(expected[i]))) << name << ", row " << i;
  });
}

TEST(SpringSlices, AnyRangeGivesTheSameBitsAndTouchesNothingElse) {
  for_problems([](const Problem& problem, const std::string& name) {
    const std::vector<double> whole = problem.computed();
    const std::size_t n = whole.size();
    for (const Range range : {Range{0, n / 2}, Range{n / 2, n}, Range{n / 3, n / 3 + 1}, Range{n - 1, n}}) {
      const std::vector<double> a = problem.computed(range);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(a[i], i >= range.first && i < range.last ? whole[i] : -1.0) << name << ", row " << i;
    }
  });
}

/// Of every width of vectors that this processor has.
TEST(SpringSlices, AnyProcessorGivesTheSameBits) {
  for_problems([](const Problem& problem, const std::string& name) {
    const std::vector<double> best = problem.computed();
    for (const std::string& processor : pack_choices()) {
      choose_packs(processor);
      const std::vector<double> a = problem.computed();
      choose_packs();
      for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(a[i], best[i]) << name << ", row " << i << ", " << processor;
    }
  });
}

TEST(SpringSlices, ANumberThatIsNotFiniteIsToldOfItsOwnRowsAlone) {
  Problem problem(chain(40), Laws::equal, 3, true);
  problem.q[20] = 1e200;
  std::vector<double> a(40);
  const SpringSlices slices(problem.elements, 40, problem.ends);
  EXPECT_FALSE(slices.accelerate(problem.q.data(), problem.v.data(), a.data(), {0, 40}, problem.masses));
  EXPECT_FALSE(slices.accelerate(problem.q.data(), problem.v.data(), a.data(), {21, 22}, problem.masses));
  EXPECT_TRUE(slices.accelerate(problem.q.data(), problem.v.data(), a.data(), {22, 40}, problem.masses));
}

TEST(SpringSlices, RegularRowsNeedNoTables) {
  const SpringTable chains = SpringSlices(Problem(chain(64), Laws::equal, 3, true).elements, 64,
                                          Problem(chain(64), Laws::equal, 3, true).ends)
                                 .table();
  EXPECT_TRUE(chains.shared);
  EXPECT_EQ(chains.stretches.size(), 3U);  // the two ends gather what is not there
  EXPECT_EQ(chains.reach, 1U);
  const Problem plate(lattice(64, 20), Laws::different, 3, false);
  const SpringTable table = SpringSlices(plate.elements, plate.rows.size, plate.ends).table();
  EXPECT_FALSE(table.shared);
  EXPECT_EQ(table.reach, 64U);
  // Two columns for all elements, and what the corners gather.
  EXPECT_LT(table.law.c.size(), 2 * (plate.rows.size + 8) + 200);
}

}  // namespace
}  // namespace cosimo
