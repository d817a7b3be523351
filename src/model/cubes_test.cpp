// The search by cubes against one that looks at every pair, to the bit.
#include "model/cubes.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace cosimo {
namespace {

std::vector<NearPair> among_all(const std::vector<Vec3>& places, std::size_t i, std::size_t wanted) {
  std::vector<NearPair> found;
  for (std::size_t j = 0; j < places.size(); ++j)
    if (j != i) found.push_back({(places[i] - places[j]).squaredNorm(), std::min(i, j), std::max(i, j)});
  std::sort(found.begin(), found.end());
  found.resize(std::min(wanted, found.size()));
  return found;
}

void expect_the_same(const std::vector<Vec3>& places, const char* what) {
  for (const std::size_t wanted : {1U, 7U, 24U, 1000U}) {
    const Cubes cubes(places, wanted);
    std::vector<NearPair> found;
    for (std::size_t i = 0; i < places.size(); ++i) {
      cubes.nearest(i, wanted, found);
      ASSERT_TRUE(found == among_all(places, i, wanted))
          << what << ": the " << wanted << " nearest of point " << i;
    }
  }
}

template <class Place>
std::vector<Vec3> points(std::size_t n, Place place) {
  const RandomStream random(3, 1);
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < n; ++i)
    result.push_back(place(i, [&](std::size_t k) { return random.uniform(3 * i + k, 0, 1); }));
  return result;
}

TEST(Cubes, FindWhatASearchAmongAllFinds) {
  const auto space = [](std::size_t, auto x) { return Vec3(x(0), x(1), x(2)); };
  expect_the_same(points(400, space), "in space");
  expect_the_same(points(400, [](std::size_t, auto x) { return Vec3(x(0), 2 - x(1), 5); }), "in a plane");
  expect_the_same(points(3, space), "three");
  expect_the_same(points(1, space), "one");
}

/// Many are equally far from each other there: numbers decide.
TEST(Cubes, FindTheSameAmongDegeneratePoints) {
  expect_the_same(points(150, [](std::size_t, auto) { return Vec3(1, 2, 3); }), "all at one place");
  expect_the_same(points(150, [](std::size_t i, auto) { return Vec3(static_cast<double>(i % 5), 0, 0); }),
                  "thirty at each of five places");
  expect_the_same(points(300, [](std::size_t i, auto) { return Vec3(0, 0.1 * static_cast<double>(i), 0); }),
                  "along an axis");
  expect_the_same(points(200, [](std::size_t, auto x) { return Vec3(x(0), x(0), -x(0)); }),
                  "along a diagonal");
  expect_the_same(
      points(343, [](std::size_t i, auto) { return Vec3(double(i % 7), double(i / 7 % 7), double(i / 49)); }),
      "on a grid");
  expect_the_same(
      points(200, [](std::size_t i, auto x) { return i == 0 ? Vec3(1e9, 0, 0) : Vec3(x(0), x(1), x(2)); }),
      "one far away");
}

}  // namespace
}  // namespace cosimo
